package encode

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
)

// ending is what ends the row of an action if the game string asks for it (engine.AdviceName).
type ending struct {
	groups []Group
	size   int
	write  func(m engine.Match, rows []uint8, size, at int) // from byte at of each row of a size, which comes zeroed
}

func endingOf[Row any](write func(m engine.Match, ends Ends[Row])) ending {
	t := reflect.TypeFor[Row]()
	return ending{groupsOf(t), int(t.Size()), func(m engine.Match, rows []uint8, size, at int) { write(m, Ends[Row]{rows, size, at}) }}
}

// Ends are the ends of the rows of a decision's legal actions, in ascending order of actions.
type Ends[Row any] struct {
	rows     []uint8
	size, at int
}

// Len is how many there are.
func (e Ends[Row]) Len() int { return len(e.rows) / e.size }

// At is the end of the row of the i-th legal action.
func (e Ends[Row]) At(i int) *Row { return As[Row](e.rows[i*e.size+e.at:]) }

// Advise adds to an encoder whose game describes its actions, before anybody uses it, a sort of advice of the game's own: what rows of
// actions end with if the game string asks for it. Row declares it as rows are declared (see [DescribeActions]), by names that no row has.
//
// write fills the ends of the rows; they come zeroed. It may use what the seat to act may know, and is not called if nobody is to act.
func Advise[Row any](e *Encoder, sort string, write func(m engine.Match, ends Ends[Row])) {
	if e.advice == nil {
		e.advice = map[string]ending{}
	}
	e.advice[sort] = endingOf(write)
}

// advised adds the advice to the rows of an encoder that its game string asks for.
func advised(e *Encoder, g engine.Game) (*Encoder, error) {
	if e.action == nil {
		return nil, fmt.Errorf("%s: the game describes no actions", engine.AdviceName)
	}
	both, plain := *e, e.action
	schema := &Schema{Game: plain.Game, Version: plain.Version, View: plain.View, Size: plain.Size, Groups: slices.Clone(plain.Groups), Actions: plain.Actions}
	var ends []ending
	for _, sort := range g.Info().Advice {
		end, own := e.advice[sort]
		switch {
		case own:
		case sort == engine.AdviceHeuristic:
			var err error
			if end, err = heuristic(g); err != nil {
				return nil, fmt.Errorf("%s=%s: %w", engine.AdviceName, sort, err)
			}
		default:
			return nil, fmt.Errorf("%s=%s: the game's encoder gives none", engine.AdviceName, sort)
		}
		for _, of := range end.groups {
			of.Offset += schema.Size
			schema.Groups = append(schema.Groups, of)
		}
		schema.Size += end.size
		ends = append(ends, end)
	}
	schema.hash, schema.scales = schema.digest(), schema.Scales()
	both.action = schema
	both.describe = func(m engine.Match, dst []uint8) {
		n := len(dst) / schema.Size
		e.describe(m, dst[:n*plain.Size])
		for i := n - 1; i >= 0; i-- { // from the last on: none is overwritten before it is moved
			row := dst[i*schema.Size : (i+1)*schema.Size]
			copy(row, dst[i*plain.Size:(i+1)*plain.Size])
			clear(row[plain.Size:])
		}
		at := plain.Size
		for _, end := range ends {
			end.write(m, dst, schema.Size, at)
			at += end.size
		}
	}
	return &both, nil
}

// opinion is what the heuristic bot thinks of an action. It looks at no more than the seat that decides may know.
type opinion struct {
	Choice uint8 `name:"advice.choice" doc:"what the heuristic bot would do"`
	Judged uint8 `name:"advice.judged" doc:"it says what the action is worth; of some decisions it says that of none"`
	Share  uint8 `name:"advice.share" max:"255" doc:"how far that is from the worst action, 0, to the best, 255"`
	Behind uint8 `name:"advice.behind" max:"255" doc:"by how much it is worth less than the best, in 64ths of what the bot counts in (points), at most 255"`
}

const opinionBehind = 64 // of a point

// heuristic is the advice of the game's heuristic bot.
func heuristic(g engine.Game) (ending, error) {
	if _, err := bots.New(engine.AdviceHeuristic, g); err != nil {
		return ending{}, err
	}
	// A bot belongs to one goroutine at a time, an encoder to all.
	free := sync.Pool{New: func() any {
		b, _ := bots.New(engine.AdviceHeuristic, g) // it could be made before
		return b
	}}
	return endingOf(func(m engine.Match, ends Ends[opinion]) {
		b := free.Get().(bots.Bot)
		r := engine.NewRand(1) // the same for the same match
		account := bots.Explain(b, m, &r)
		free.Put(b)
		opine(&account, m.Legal(), ends)
	}), nil
}

// opine writes an account into the ends of rows.
func opine(account *bots.Account, legal *engine.Mask, ends Ends[opinion]) {
	best, worst := math.Inf(-1), math.Inf(1)
	for _, c := range account.Actions {
		if worthOf(c) {
			best, worst = max(best, c.Mean), min(worst, c.Mean)
		}
	}
	k, a := 0, legal.First()
	for i := range ends.Len() {
		said := ends.At(i)
		said.Choice = engine.Bit(a == account.Choice)
		for k < len(account.Actions) && account.Actions[k].Action < a {
			k++
		}
		if k < len(account.Actions) && account.Actions[k].Action == a && worthOf(account.Actions[k]) {
			mean := account.Actions[k].Mean
			said.Judged, said.Share = 1, 255
			if best > worst {
				said.Share = uint8(math.Round(float64(255 * ((mean - worst) / (best - worst)))))
			}
			said.Behind = uint8(min(255, math.Round(float64(opinionBehind*(best-mean)))))
		}
		a = legal.Next(a)
	}
}

// worthOf reports whether an account says what an action is worth.
func worthOf(c bots.Considered) bool {
	return c.Visits > 0 && !math.IsInf(c.Mean, 0) && !math.IsNaN(c.Mean)
}
