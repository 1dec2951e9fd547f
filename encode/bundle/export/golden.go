package export

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/infer"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
)

// Golden is decisions of a policy in matches with itself, with what it computed.
type Golden struct {
	Game      string     `json:"game"`
	Tolerance float64    `json:"tolerance"` // of probabilities, and of logits and of values as a share of the decision's largest, or of 1
	Decisions []Decision `json:"decisions"`
}

// Decision is one of them. Rows, logits and probabilities are those of the legal actions, in ascending order.
type Decision struct {
	Observation   []int     `json:"observation"` // [D]
	Legal         []int32   `json:"legal"`
	ActionRows    [][]int   `json:"action_rows,omitempty"` // [legal, F]
	Logits        []float32 `json:"logits"`
	Probabilities []float32 `json:"probabilities"`
	Values        []float32 `json:"values,omitempty"` // [V]
	Greedy        int32     `json:"greedy"`           // the action of the largest logit
}

// tolerance allows for sums of float32 in another order: logits of tens, of which probabilities were seen 1e-5 apart.
const tolerance = 1e-4

// Play plays matches of the policy's game, by the policy in all seats, and takes n of its decisions.
func Play(b *bundle.Bundle, n int) (*Golden, error) {
	g, err := engine.NewGame(b.Game)
	if err != nil {
		return nil, fmt.Errorf("golden decisions: %w", err)
	}
	bot, err := policy.Of(policy.FloatPrefix+"golden", b, g)
	if err != nil {
		return nil, fmt.Errorf("golden decisions: %w", err)
	}
	e, err := b.Encoder(g)
	if err != nil {
		return nil, fmt.Errorf("golden decisions: %w", err)
	}
	out := &Golden{Game: b.Game, Tolerance: tolerance}
	m, r, p := g.NewMatch(), engine.NewRand(1), b.Inference(1)
	for seed := uint64(0); len(out.Decisions) < n; {
		if m.Seat() < 0 {
			m.Reset(seed)
			seed++
			continue
		}
		d := decide(b, p, e, m)
		for _, x := range slices.Concat(d.Logits, d.Values) {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return nil, fmt.Errorf("golden decision %d: the network computes %v: its weights are too large", len(out.Decisions), x)
			}
		}
		out.Decisions = append(out.Decisions, d)
		// Decisions far apart are less alike.
		const apart = 7
		for k := 0; k < apart && m.Seat() >= 0; k++ {
			if err := m.Apply(bot.Act(m, &r)); err != nil {
				return nil, fmt.Errorf("golden decisions: %w", err)
			}
		}
	}
	return out, nil
}

// decide computes the policy at the decision of a match.
func decide(b *bundle.Bundle, p *infer.Inference, e *encode.Encoder, m engine.Match) Decision {
	obs := make([]uint8, b.ObservationSize())
	e.Encode(m, m.Seat(), obs)
	d := Decision{Observation: ints(obs)}
	for a := m.Legal().First(); a >= 0; a = m.Legal().Next(a) {
		d.Legal = append(d.Legal, int32(a))
	}
	f := b.RowSize()
	rows := make([]uint8, len(d.Legal)*f)
	if f > 0 {
		e.EncodeActions(m, rows)
		for i := range d.Legal {
			d.ActionRows = append(d.ActionRows, ints(rows[i*f:(i+1)*f]))
		}
	}
	d.Logits, d.Values = make([]float32, len(d.Legal)), make([]float32, b.Values())
	p.Scores(obs, d.Legal, rows, d.Logits)
	p.Values(obs, d.Values)
	d.Greedy = d.Legal[infer.Largest(d.Logits)]
	d.Probabilities = slices.Clone(d.Logits)
	infer.Softmax(d.Probabilities)
	return d
}

// ints are bytes as JSON has numbers.
func ints(bytes []uint8) []int {
	out := make([]int, len(bytes))
	for i, b := range bytes {
		out[i] = int(b)
	}
	return out
}

// JSON is the golden decisions as a file's content.
func (g *Golden) JSON() ([]byte, error) {
	text, err := json.Marshal(g)
	if err != nil {
		return nil, fmt.Errorf("golden decisions: %w", err)
	}
	return append(text, '\n'), nil
}
