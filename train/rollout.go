package train

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/portable"
	"github.com/privateer-rl/privateer/env"
)

// rollout holds the decisions between two updates, one row each, in the order
// in which they were taken, and links them into trajectories: one for every seat
// of every match. It is allocated once.
//
// # When a row is complete
//
// A seat's decision is complete when the seat decides again, or when its match
// ends: only then is it known what the decision earned. Rewards that arrive while others
// move are added to the seat's last decision, the final return reaches every seat, and what a seat
// earns before its first decision of a match belongs to no decision of it.
//
// At the end of a collection most seats have one decision that is not complete.
// Its value stands in for the future of the trajectory (as the value after the
// last step does in CleanRL), and the row itself is not trained on yet: carry
// moves it to the front of the buffer, where it is completed by the next
// collection. So every decision is trained on in exactly one update, and a match may
// be longer than a collection. A carried row keeps the log-probability with
// which it was sampled; the clipped ratio accounts for the update in between.
type rollout struct {
	envs, seats int // matches and seats of each
	d, f, a     int // bytes of the seat view and of the full view, actions

	n               int // rows in use
	obs, full, mask []uint8
	does            ragged[uint8]   // what the legal actions do
	policy          ragged[float32] // log-probabilities of them; kept only if asked for
	action, next    []int32
	owner           []int32   // index into last of the seat that decided
	logp            []float32 // of the action taken
	prospect                  // of the seat's own return
	advantage       []float32
	lead            []float32 // of the action taken over the policy, by the critic in units of returns; nil if it does not say

	k   int     // seats of the league
	met []int32 // [rows, k] who has them, by id

	outlook outlook    // what the value head tells
	tables  []int      // [envs] seats of the match
	others  []prospect // of all that it tells but the seat's own return
	unused  []float32  // scratch: advantages of these

	last   []int32 // [envs, seats] row of the seat's decision that is not complete, or −1
	closed []int32 // rows to train on, set by finish
}

// newRollout makes room; w is the width of a row that describes an action, 0 if none are kept.
func newRollout(envs, seats, steps, d, f, a, w int) *rollout {
	rows := envs*steps + envs*seats
	r := &rollout{
		envs: envs, seats: seats, d: d, f: f, a: a,
		does: newRagged[uint8](w),
		obs:  make([]uint8, rows*d), full: make([]uint8, rows*f), mask: make([]uint8, rows*a),
		action: make([]int32, rows), next: make([]int32, rows), owner: make([]int32, rows),
		logp: make([]float32, rows), prospect: newProspect(rows), advantage: make([]float32, rows),
		outlook: outlook{[]string{policy.Return}, 1},
		last:    make([]int32, envs*seats), closed: make([]int32, 0, rows),
	}
	for i := range r.last {
		r.last[i] = -1
	}
	return r
}

// decide adds one decision for each environment: what b shows, the actions
// taken and their log-probabilities, [envs] each, and what the value head tells, [envs, outlook].
func (r *rollout) decide(b *env.Batch, action []int32, logp, value []float32) {
	n := r.n
	copy(r.obs[n*r.d:], b.Obs)
	copy(r.mask[n*r.a:], b.Mask)
	if r.f > 0 {
		copy(r.full[n*r.f:], b.Full)
	}
	if r.does.width > 0 {
		for i := range r.envs {
			r.does.add(b.ActionRows[int(b.ActionOffsets[i])*r.does.width : int(b.ActionOffsets[i+1])*r.does.width])
		}
	}
	copy(r.action[n:], action)
	copy(r.logp[n:], logp)
	for i := range r.envs {
		row, told := n+i, value[i*r.outlook.size():]
		r.next[row] = open
		for k := range r.outlook.size() {
			p := r.of(k)
			p.value[row], p.reward[row], p.boot[row] = told[k], 0, 0
		}
		slot := int32(i*r.seats) + b.Seat[i]
		if before := r.last[slot]; before >= 0 {
			r.next[before] = int32(row)
		}
		r.last[slot], r.owner[row] = int32(row), slot
	}
	r.n += r.envs
}

// meet makes room for who has the k seats of the league.
func (r *rollout) meet(k int) { r.k, r.met = k, make([]int32, len(r.next)*k) }

// judge makes room for what the actions taken lead by.
func (r *rollout) judge() { r.lead = make([]float32, len(r.next)) }

// keep adds the log-probabilities, [envs, actions], of the legal actions of the decisions that b shows, if they are kept.
func (r *rollout) keep(b *env.Batch, logps []float32) {
	if r.policy.width == 0 {
		return
	}
	for i := range r.envs {
		for a, legal := range b.Mask[i*r.a : (i+1)*r.a] {
			if legal != 0 {
				r.policy.data = append(r.policy.data, logps[i*r.a+a])
			}
		}
		r.policy.at = append(r.policy.at, int32(len(r.policy.data)))
	}
}

// earn gives each seat's reward to its last decision.
func (r *rollout) earn(b *env.Batch) {
	for slot, row := range r.last {
		if row >= 0 {
			r.reward[row] += b.Reward[slot]
			r.earnOthers(b, slot, row)
		}
	}
}

// end completes the decisions of matches that ended. If a match was cut
// short, boot must have been set to what was still to come.
func (r *rollout) end(b *env.Batch) {
	for i := range r.envs {
		if !b.Terminated[i] && !b.Truncated[i] {
			continue
		}
		for slot := i * r.seats; slot < (i+1)*r.seats; slot++ {
			if row := r.last[slot]; row >= 0 {
				if b.Terminated[i] {
					r.settle(b, slot, row)
				}
				r.next[row] = ended
				r.last[slot] = -1
			}
		}
	}
}

// finish computes advantages and what is to be learnt of all that the value head tells, and lists the complete rows in closed.
// Chances and margins are not discounted.
func (r *rollout) finish(gamma, lambda float64) {
	n := r.n
	advantages(r.reward[:n], r.value[:n], r.lead, r.boot[:n], r.next[:n], gamma, lambda, r.advantage[:n], r.returns[:n])
	for k := 1; k < r.outlook.size(); k++ {
		p := r.of(k)
		if k == r.outlook.seats {
			gamma = 1
		}
		advantages(p.reward[:n], p.value[:n], nil, p.boot[:n], r.next[:n], gamma, lambda, r.unused[:n], p.returns[:n])
	}
	r.closed = r.closed[:0]
	for row, succ := range r.next[:n] {
		if succ != open {
			r.closed = append(r.closed, int32(row))
		}
	}
}

// carry drops the complete rows and moves the open ones, in their order, to the
// front.
func (r *rollout) carry() {
	to := 0
	for row := range r.n {
		if r.next[row] != open {
			continue
		}
		if to < row {
			copy(r.obs[to*r.d:(to+1)*r.d], r.obs[row*r.d:])
			copy(r.full[to*r.f:(to+1)*r.f], r.full[row*r.f:])
			copy(r.mask[to*r.a:(to+1)*r.a], r.mask[row*r.a:])
			r.action[to], r.next[to] = r.action[row], open
			r.logp[to], r.owner[to] = r.logp[row], r.owner[row]
			for k := range r.outlook.size() {
				p := r.of(k)
				p.value[to], p.reward[to], p.boot[to] = p.value[row], p.reward[row], p.boot[row]
			}
			if r.lead != nil {
				r.lead[to] = r.lead[row]
			}
			copy(r.met[to*r.k:(to+1)*r.k], r.met[row*r.k:])
			r.last[r.owner[to]] = int32(to)
		}
		r.does.move(to, row)
		r.policy.move(to, row)
		to++
	}
	r.n = to
	r.does.cut(to)
	r.policy.cut(to)
}

// forget drops all rows.
func (r *rollout) forget() {
	r.n = 0
	for i := range r.last {
		r.last[i] = -1
	}
	r.does.cut(0)
	r.policy.cut(0)
}

// ragged are numbers of decisions of which each has its own count of rows, one for each legal action, decision
// after decision. Nothing is kept if the width of a row is 0.
type ragged[T uint8 | float32] struct {
	width int
	data  []T
	at    []int32 // [decisions+1] in rows
}

func newRagged[T uint8 | float32](width int) ragged[T] {
	return ragged[T]{width: width, at: []int32{0}}
}

// add appends the rows of one more decision.
func (g *ragged[T]) add(rows []T) {
	if g.width > 0 {
		g.data = append(g.data, rows...)
		g.at = append(g.at, int32(len(g.data)/g.width))
	}
}

// of are the rows of a decision.
func (g *ragged[T]) of(i int) []T {
	if g.width == 0 {
		return nil
	}
	return g.data[int(g.at[i])*g.width : int(g.at[i+1])*g.width]
}

// move makes decision to what decision from ≥ to is, in ascending order of to; what lay between is lost.
func (g *ragged[T]) move(to, from int) {
	if g.width == 0 || to == from {
		return
	}
	rows := g.of(from)
	begin := int(g.at[to]) * g.width
	g.at[to+1] = int32((begin + copy(g.data[begin:], rows)) / g.width)
}

// cut keeps the first n decisions.
func (g *ragged[T]) cut(n int) {
	if g.width > 0 {
		g.at = g.at[:n+1]
		g.data = g.data[:int(g.at[n])*g.width]
	}
}

// save writes the decisions, unless nothing is kept.
func (g *ragged[T]) save(w io.Writer) error {
	if g.width == 0 {
		return nil
	}
	return errors.Join(binary.Write(w, binary.LittleEndian, g.at[1:]), binary.Write(w, binary.LittleEndian, g.data))
}

// load is the inverse of save, for n decisions with at most the given number of rows each.
func (g *ragged[T]) load(r io.Reader, n, most int) error {
	if g.width == 0 {
		return nil
	}
	g.at = slices.Grow(g.at[:1], n)[:n+1]
	if err := binary.Read(r, binary.LittleEndian, g.at[1:]); err != nil {
		return err
	}
	for i, end := range g.at[1:] {
		if end < g.at[i] || int(end-g.at[i]) > most {
			return fmt.Errorf("decision %d has actions %d to %d", i, g.at[i], end)
		}
	}
	size := int(g.at[n]) * g.width
	g.data = slices.Grow(g.data[:0], size)[:size]
	return binary.Read(r, binary.LittleEndian, g.data)
}

// sample draws an action from log-probabilities [actions] and returns it. Only
// actions that the mask allows can be drawn, whatever the numbers are; −1 means that
// they are not probabilities.
func sample(logp []float32, mask []uint8, r *engine.Rand) int32 {
	pick := r.Pick(1)
	total := 0.0
	likely := int32(-1)
	for a, legal := range mask {
		if legal == 0 {
			continue
		}
		p := portable.Exp(float64(logp[a]))
		total += p
		if p > 0 {
			likely = int32(a)
		}
		if pick.On(p) {
			return int32(a)
		}
	}
	// Rounding can leave the sum a little below 1; the last possible action gets what is missing.
	if math.Abs(total-1) > 1e-3 || math.IsNaN(total) {
		return -1
	}
	return likely
}
