package response

import (
	"context"
	"errors"
	"fmt"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/exploit"
	"github.com/privateer-rl/privateer/env/match"
)

// Exact is what the whole tree of a small game says of the frozen player, in the game's own unit. Means are over the seats.
type Exact struct {
	Nodes          int       `json:"nodes"`
	InfoSets       int       `json:"information_sets"`
	Draws          int       `json:"draws,omitempty"` // choices drawn at each information set of a player who does not tell its chances; 0: it does
	Values         []float64 `json:"values"`          // by seat: what the frozen player has against itself
	BestResponses  []float64 `json:"best_responses"`  // by seat: what a best response has against it
	Value          float64   `json:"value"`           // mean of Values
	BestResponse   float64   `json:"best_response"`   // mean of BestResponses: what a challenger who plays every seat could have at most
	Exploitability float64   `json:"exploitability"`  // BestResponse − Value
	Random         float64   `json:"random"`          // exploitability of random play, for scale

	Faults bots.Faults `json:"faults,omitzero"` // of a program, in whose place an action was drawn
}

// draws are how many choices at an information set stand for the chances of a player that does not tell them. Of games with many
// information sets it is asked for fewer, so that a search is tabulated in minutes.
const (
	draws     = 100
	leastDraw = 8
	mostAsked = 20_000
)

// ExactOf measures a frozen player by the whole tree; nil if that has more than a number of nodes. seed is that of the choices by which
// a player that does not tell its chances is known.
func ExactOf(ctx context.Context, g engine.Game, frozen match.Player, nodes int, seed uint64) (*Exact, error) {
	tree, err := exploit.BuildWithin(ctx, g, nodes)
	if errors.Is(err, exploit.ErrTooLarge) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if frozen.Bot == nil {
		return nil, errors.New("the best response is computed against a bot: use match.Named or match.Bundled, or leave Nodes 0")
	}
	bot, err := frozen.Bot(g)
	if err != nil {
		return nil, err
	}
	defer bots.Close(bot)
	x := &Exact{Nodes: tree.Nodes(), InfoSets: len(tree.InfoSets())}
	uniform, err := tree.NashConv(tree.Uniform())
	if err != nil {
		return nil, err
	}
	table, err := x.tabulate(ctx, tree, bot, seed)
	if err != nil {
		return nil, err
	}
	r, err := tree.NashConv(table)
	if err != nil {
		return nil, err
	}
	x.Values, x.BestResponses, x.Exploitability, x.Random = r.Values, r.BestResponse, r.Exploitability, uniform.Exploitability
	for i := range r.Values {
		x.Value += r.Values[i] / float64(len(r.Values))
		x.BestResponse += r.BestResponse[i] / float64(len(r.Values))
	}
	return x, nil
}

// tabulate asks a bot what it does at every information set. A bot looks at no more than its seat knows, so that any
// match of the set will do.
func (x *Exact) tabulate(ctx context.Context, tree *exploit.Tree, bot bots.Bot, seed uint64) (exploit.Policy, error) {
	table, sets := tree.Uniform(), tree.InfoSets()
	mixed, tells := bot.(bots.Mixed)
	if !tells {
		x.Draws = min(draws, max(leastDraw, mostAsked/len(sets)))
	}
	root := engine.NewRand(seed)
	for i := range sets {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		s := &sets[i]
		n := s.Legal.Count()
		if n == 1 {
			continue
		}
		chances := make([]float64, n)
		if tells {
			mixed.Chances(s.Match, chances)
		}
		for k := range x.Draws {
			r := root.At(uint64(i)).At(uint64(k))
			chosen, faults, err := bots.Ask(ctx, bot, bots.Question{Match: s.Match}, &r)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", bot.Name(), err)
			}
			x.Faults = x.Faults.Plus(faults)
			at, err := indexOf(&s.Legal, chosen)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", bot.Name(), err)
			}
			chances[at] += 1 / float64(x.Draws)
		}
		probs := table[s.Key]
		for a, k := s.Legal.First(), 0; a >= 0; a, k = s.Legal.Next(a), k+1 {
			probs[a] = chances[k]
		}
	}
	return table, nil
}

// indexOf is the place of an action among the legal ones.
func indexOf(legal *engine.Mask, chosen engine.Action) (int, error) {
	for a, k := legal.First(), 0; a >= 0; a, k = legal.Next(a), k+1 {
		if a == chosen {
			return k, nil
		}
	}
	return 0, fmt.Errorf("it chose action %d, which is not legal", chosen)
}
