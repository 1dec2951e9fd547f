package dataset

import (
	"math"
	"slices"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
)

// record is the decisions of one match. It is used again for others.
type record struct {
	number    int // of the match
	seed      uint64
	truncated bool
	choice    engine.Action // of the player at hand, where moves at random are played
	decisions []decision
	obs, mask []byte // [decisions, D], [decisions, ⌈A/8⌉]
	rows      []byte // of all legal actions of all decisions, one after the other; empty if nobody asks for them

	// The players' reports on each legal action, for the decisions that have them, one after the other.
	values, probabilities []float32

	paid           []float32 // scratch, by seat
	chances, given []float64 // scratch, by legal action
}

// decision is the content of a row besides its tensors.
type decision struct {
	seat, player, legal int32
	action, choice      engine.Action // what was played, and what the player chose where moves at random are played
	probability         float32
	paid                float32 // to the seat, before it decides
	reward, rest        float32 // to its next decision, and to the end
	last                bool    // of the seat
	valued, weighed     bool    // the player tells values and probabilities of all legal actions
}

// begin forgets the match before.
func (r *record) begin(number int, of *match.Match) {
	r.number, r.seed = number, of.Seed
	r.paid = slices.Grow(r.paid[:0], len(of.Seats))[:len(of.Seats)]
	r.decisions, r.obs, r.mask, r.rows = r.decisions[:0], r.obs[:0], r.mask[:0], r.rows[:0]
	r.values, r.probabilities = r.values[:0], r.probabilities[:0]
}

// decide takes in a decision before it is made.
func (r *record) decide(s *shape, m engine.Match, by bots.Bot, player int, a engine.Action) {
	seat, legal := m.Seat(), m.Legal()
	d := decision{seat: int32(seat), player: int32(player), legal: int32(legal.Count()), action: a, choice: r.choice, probability: float32(math.NaN())}
	if s.paysEarly {
		m.Returns(r.paid)
		d.paid = r.paid[seat]
	}
	r.obs = longer(r.obs, s.observation)
	s.encoder.Encode(m, seat, r.obs[len(r.obs)-s.observation:])
	r.mask = longer(r.mask, s.mask)
	bits := r.mask[len(r.mask)-s.mask:]
	for i := range bits {
		bits[i] = byte(legal[i/8] >> (i % 8 * 8))
	}
	if s.row > 0 {
		n := int(d.legal) * s.row
		r.rows = longer(r.rows, n)
		s.encoder.EncodeActions(m, r.rows[len(r.rows)-n:])
	}
	r.tell(s, &d, m, by)
	r.decisions = append(r.decisions, d)
}

// tell takes in what the player says of its choice: with which chances it draws it, and which probabilities it gives the actions. A policy that
// plays the likeliest action is sure of its choice, though its network is not.
func (r *record) tell(s *shape, d *decision, m engine.Match, by bots.Bot) {
	legal, n := m.Legal(), int(d.legal)
	r.chances, r.given = r.chances[:0], r.given[:0]
	if t, ok := by.(*teller); ok {
		at := len(r.values)
		r.values = slices.Grow(r.values, n)[:at+n]
		if d.valued = t.account.Values(legal, r.values[at:]); !d.valued {
			r.values = r.values[:at]
		}
		for _, c := range t.account.Actions {
			given := c.Prob
			if !d.valued {
				given = c.Weight
			}
			r.chances, r.given = append(r.chances, c.Prob), append(r.given, given)
		}
	} else if mixed, ok := by.(bots.Mixed); ok {
		r.chances = slices.Grow(r.chances, n)[:n]
		mixed.Chances(m, r.chances)
		r.given = append(r.given, r.chances...)
	}
	if distribute(r.chances, n) {
		i := 0
		for a := legal.First(); a < d.action; a = legal.Next(a) {
			i++
		}
		d.probability = float32(float64((1-s.random)*r.chances[i]) + s.random/float64(n))
	}
	if d.weighed = distribute(r.given, n); d.weighed {
		for _, p := range r.given {
			r.probabilities = append(r.probabilities, float32(p))
		}
	}
}

// distribute reports whether these are probabilities of n actions. A search that has looked at some actions alone gives none to the others.
func distribute(of []float64, n int) bool {
	sum := 0.0
	for _, p := range of {
		sum += p
	}
	return len(of) == n && sum > 0.999 && sum < 1.001
}

// end fills in what came of the decisions, from the last one on.
func (r *record) end(f *match.Final) {
	r.truncated = f.Truncated
	returns, next := f.Returns, r.paid // what each seat had been paid at its next decision
	copy(next, returns)
	seen := uint64(0)
	for i := len(r.decisions) - 1; i >= 0; i-- {
		d := &r.decisions[i]
		d.reward, d.rest = next[d.seat]-d.paid, returns[d.seat]-d.paid
		d.last = seen>>d.seat&1 == 0
		seen |= 1 << d.seat
		next[d.seat] = d.paid
	}
}

func longer(b []byte, n int) []byte { return slices.Grow(b, n)[:len(b)+n] }

// shape is the sizes of a row's tensors, and what writes them.
type shape struct {
	encoder                *encode.Encoder
	observation, mask, row int     // bytes; row is 0 if rows are not asked for
	random                 float64 // share of moves at random
	paysEarly              bool
}

// shapeOf is the shape of a data set's game.
func shapeOf(h *Head) (*shape, error) {
	g, err := engine.NewGame(h.Game)
	if err != nil {
		return nil, err
	}
	return h.shape(g)
}

func (h *Head) shape(g engine.Game) (*shape, error) {
	e, err := encode.For(g)
	if err != nil {
		return nil, err
	}
	s := &shape{encoder: e, observation: e.Schema().Size, mask: (len(g.Info().Actions) + 7) / 8, random: h.RandomMoves, paysEarly: g.Info().PaysEarly}
	if h.ActionRow != "" {
		s.row = e.ActionSize()
	}
	return s, nil
}
