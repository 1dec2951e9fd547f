package selfplay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/portable"
	"github.com/privateer-rl/privateer/env"
)

// Buffer is the rollout buffer: it holds the decisions between two updates, one row each, in the order in which they were taken, and links
// them into trajectories, one for every seat of every match. It is allocated once.
//
// # When a row is complete
//
// A seat's decision is complete when the seat decides again, or when its match ends: only then is the decision's reward known.
// Rewards that arrive while others move are added to the seat's last decision, the final return reaches every seat, and what a seat
// earns before its first decision of a match belongs to no decision.
//
// At the end of a collection most seats have one decision that is not complete. Its value stands in for the future of the trajectory
// (as the value after the last step does in CleanRL), and the row itself is not trained on yet: Carry moves it to the front of the
// buffer, where it is completed by the next collection. So every decision is trained on in exactly one update, and a match may be
// longer than a collection. A carried row keeps the log-probability with which it was sampled; the clipped ratio accounts for the
// update in between.
type Buffer struct {
	envs, seats int // matches and seats of each
	d, f        int // bytes of the seat view and of the full view
	Actions     int // of the game

	n               int // rows in use
	obs, full, mask []uint8
	rows            Ragged[uint8] // what the legal actions do
	Action          []int32       // taken
	Logp            []float32     // of it
	Value           []float32     // the critic's
	reward          []float32     // until the seat's next decision
	boot            []float32     // the value at the end of a match that was cut short
	Returns         []float32
	Advantage       []float32
	next            []int32 // row of the same seat's next decision, open or ended
	owner           []int32 // index into last of the seat that decided

	last     []int32 // [envs, seats] row of the seat's decision that is not complete, or −1
	Complete []int32 // rows to train on, set by Finish
}

// newBuffer makes room; w is the width of a row that describes an action, 0 if none are kept.
func newBuffer(envs, seats, steps, d, f, a, w int) *Buffer {
	rows := envs*steps + envs*seats
	r := &Buffer{
		envs: envs, seats: seats, d: d, f: f, Actions: a,
		rows: NewRagged[uint8](w),
		obs:  make([]uint8, rows*d), full: make([]uint8, rows*f), mask: make([]uint8, rows*a),
		Action: make([]int32, rows), next: make([]int32, rows), owner: make([]int32, rows),
		Logp: make([]float32, rows), Advantage: make([]float32, rows),
		Value: make([]float32, rows), reward: make([]float32, rows), boot: make([]float32, rows), Returns: make([]float32, rows),
		last: make([]int32, envs*seats), Complete: make([]int32, 0, rows),
	}
	for i := range r.last {
		r.last[i] = -1
	}
	return r
}

// Decide adds one decision for each environment: the observations of b, the actions taken, their log-probabilities and the values, [envs] each.
func (r *Buffer) Decide(b *env.Batch, action []int32, logp, value []float32) {
	n := r.n
	copy(r.obs[n*r.d:], b.Obs)
	copy(r.mask[n*r.Actions:], b.Mask)
	if r.f > 0 {
		copy(r.full[n*r.f:], b.Full)
	}
	if r.rows.width > 0 {
		for i := range r.envs {
			r.rows.Add(b.ActionRows[int(b.ActionOffsets[i])*r.rows.width : int(b.ActionOffsets[i+1])*r.rows.width])
		}
	}
	copy(r.Action[n:], action)
	copy(r.Logp[n:], logp)
	copy(r.Value[n:], value)
	clear(r.reward[n : n+r.envs])
	clear(r.boot[n : n+r.envs])
	for i := range r.envs {
		row := n + i
		r.next[row] = open
		slot := int32(i*r.seats) + b.Seat[i]
		if before := r.last[slot]; before >= 0 {
			r.next[before] = int32(row)
		}
		r.last[slot], r.owner[row] = int32(row), slot
	}
	r.n += r.envs
}

// Put adds a recorded decision, with its seat's return from there to the end. It is complete.
func (r *Buffer) Put(obs []uint8, legal *engine.Mask, rows []uint8, action engine.Action, paid float32) {
	n := r.n
	copy(r.obs[n*r.d:(n+1)*r.d], obs)
	legal.Expand(r.mask[n*r.Actions : (n+1)*r.Actions])
	r.rows.Add(rows)
	r.Action[n], r.Logp[n], r.Value[n], r.boot[n] = int32(action), 0, 0, 0
	r.reward[n], r.next[n] = paid, ended
	r.n++
}

// earn gives each seat's reward to its last decision.
func (r *Buffer) earn(b *env.Batch) {
	for slot, row := range r.last {
		if row >= 0 {
			r.reward[row] += b.Reward[slot]
		}
	}
}

// end completes the decisions of matches that ended. If a match was cut short, boot must have been set to the value of the rest.
func (r *Buffer) end(b *env.Batch) {
	for i := range r.envs {
		if !b.Terminated[i] && !b.Truncated[i] {
			continue
		}
		for slot := i * r.seats; slot < (i+1)*r.seats; slot++ {
			if row := r.last[slot]; row >= 0 {
				r.next[row] = ended
				r.last[slot] = -1
			}
		}
	}
}

// Finish computes advantages and returns, and lists the complete rows in Complete.
func (r *Buffer) Finish(gamma, lambda float64) {
	n := r.n
	advantages(r.reward[:n], r.Value[:n], r.boot[:n], r.next[:n], gamma, lambda, r.Advantage[:n], r.Returns[:n])
	r.Complete = r.Complete[:0]
	for row, succ := range r.next[:n] {
		if succ != open {
			r.Complete = append(r.Complete, int32(row))
		}
	}
}

// Carry drops the complete rows and moves the open ones, in their order, to the front.
func (r *Buffer) Carry() {
	to := 0
	for row := range r.n {
		if r.next[row] != open {
			continue
		}
		if to < row {
			copy(r.obs[to*r.d:(to+1)*r.d], r.obs[row*r.d:])
			copy(r.full[to*r.f:(to+1)*r.f], r.full[row*r.f:])
			copy(r.mask[to*r.Actions:(to+1)*r.Actions], r.mask[row*r.Actions:])
			r.Action[to], r.next[to] = r.Action[row], open
			r.Logp[to], r.owner[to] = r.Logp[row], r.owner[row]
			r.Value[to], r.reward[to], r.boot[to] = r.Value[row], r.reward[row], r.boot[row]
			r.last[r.owner[to]] = int32(to)
		}
		r.rows.move(to, row)
		to++
	}
	r.n = to
	r.rows.Cut(to)
}

// Save writes the decisions that are not complete, which are all there are after Carry.
func (r *Buffer) Save(w io.Writer) error {
	head := []uint32{uint32(r.n), uint32(r.envs), uint32(r.seats), uint32(r.d), uint32(r.f), uint32(r.Actions)}
	for _, part := range append([]any{head, r.last}, r.arrays()...) {
		if err := binary.Write(w, binary.LittleEndian, part); err != nil {
			return err
		}
	}
	return r.rows.Save(w)
}

// Load is the inverse of Save.
func (r *Buffer) Load(rd io.Reader) error {
	var head [6]uint32
	if err := binary.Read(rd, binary.LittleEndian, &head); err != nil {
		return err
	}
	want := [6]uint32{head[0], uint32(r.envs), uint32(r.seats), uint32(r.d), uint32(r.f), uint32(r.Actions)}
	if head != want || int(head[0]) > r.envs*r.seats {
		return fmt.Errorf("open decisions of shape %v; want %v", head, want)
	}
	r.n = int(head[0])
	for _, part := range append([]any{r.last}, r.arrays()...) {
		if err := binary.Read(rd, binary.LittleEndian, part); err != nil {
			return err
		}
	}
	for _, row := range r.last {
		if row >= int32(r.n) {
			return fmt.Errorf("open decisions: row %d of %d", row, r.n)
		}
	}
	if err := r.rows.Load(rd, r.n, r.Actions); err != nil {
		return fmt.Errorf("open decisions: %w", err)
	}
	return nil
}

// N is how many decisions are open, after Carry.
func (r *Buffer) N() int { return r.n }

// arrays are the parts of the rows that outlive an update.
func (r *Buffer) arrays() []any {
	n := r.n
	return []any{
		r.obs[:n*r.d], r.full[:n*r.f], r.mask[:n*r.Actions],
		r.Action[:n], r.next[:n], r.owner[:n],
		r.Logp[:n], r.Value[:n], r.reward[:n], r.boot[:n],
	}
}

// Ragged is a list of decisions, each with rows of numbers, one for each legal action. Nothing is kept if the width of a row is 0.
type Ragged[T uint8 | float32] struct {
	width int
	data  []T
	at    []int32 // [decisions+1] in rows
}

// Carry keeps the rows of the decisions that the buffer is about to carry (Buffer.Carry).
func (g *Ragged[T]) Carry(r *Buffer) {
	to := 0
	for row, next := range r.next[:r.n] {
		if next == open {
			g.move(to, row)
			to++
		}
	}
	g.Cut(to)
}

// NewRagged makes an empty list of rows of the given width.
func NewRagged[T uint8 | float32](width int) Ragged[T] {
	return Ragged[T]{width: width, at: []int32{0}}
}

// Add appends the rows of one more decision.
func (g *Ragged[T]) Add(rows []T) {
	if g.width > 0 {
		g.data = append(g.data, rows...)
		g.at = append(g.at, int32(len(g.data)/g.width))
	}
}

// All are the rows of all decisions, [total, width], those of decision i from offsets[i] to offsets[i+1].
func (g *Ragged[T]) All() (rows []T, offsets []int32) { return g.data, g.at }

// Of are the rows of a decision.
func (g *Ragged[T]) Of(i int) []T {
	if g.width == 0 {
		return nil
	}
	return g.data[int(g.at[i])*g.width : int(g.at[i+1])*g.width]
}

// move copies decision from to place to ≤ from, called in ascending order of to; decisions between the two are lost.
func (g *Ragged[T]) move(to, from int) {
	if g.width == 0 || to == from {
		return
	}
	rows := g.Of(from)
	begin := int(g.at[to]) * g.width
	g.at[to+1] = int32((begin + copy(g.data[begin:], rows)) / g.width)
}

// Cut keeps the first n decisions.
func (g *Ragged[T]) Cut(n int) {
	if g.width > 0 {
		g.at = g.at[:n+1]
		g.data = g.data[:int(g.at[n])*g.width]
	}
}

// Save writes the decisions, unless nothing is kept.
func (g *Ragged[T]) Save(w io.Writer) error {
	if g.width == 0 {
		return nil
	}
	return errors.Join(binary.Write(w, binary.LittleEndian, g.at[1:]), binary.Write(w, binary.LittleEndian, g.data))
}

// Load is the inverse of save, for n decisions with at most the given number of rows each.
func (g *Ragged[T]) Load(r io.Reader, n, most int) error {
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

// sample draws one of the legal actions by their log-probabilities [actions]; −1 means that these are not probabilities.
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
	// Rounding can leave the sum a little below 1; the last possible action gets the remainder.
	if math.Abs(total-1) > 1e-3 || math.IsNaN(total) {
		return -1
	}
	return likely
}
