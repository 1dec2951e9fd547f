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

// adviser is the bot whose thoughts are the advice of a game whose string has advice=heuristic.
const adviser = "heuristic"

// advice ends the row of an action if the game string asks for it (engine.AdviceParam): what the heuristic bot thinks of the action.
// It looks at no more than the seat that decides may know.
type advice struct {
	Choice uint8 `name:"advice.choice" doc:"what the heuristic bot would do"`
	Judged uint8 `name:"advice.judged" doc:"it says what the action is worth; of some decisions it says that of none"`
	Share  uint8 `name:"advice.share" max:"255" doc:"how far that is from the worst action, 0, to the best, 255"`
	Behind uint8 `name:"advice.behind" max:"255" doc:"by how much it is worth less than the best, in 64ths of what the bot counts in (points), at most 255"`
}

const (
	adviceSize   = 4
	adviceBehind = 64 // of a point
)

// advised adds the advice to the rows of an encoder.
func advised(e *Encoder, g engine.Game) (*Encoder, error) {
	if e.action == nil {
		return nil, fmt.Errorf("advice=%s: the game describes no actions", adviser)
	}
	if _, err := bots.New(adviser, g); err != nil {
		return nil, fmt.Errorf("advice=%s: %w", adviser, err)
	}
	both, plain := *e, e.action
	schema := &Schema{Game: plain.Game, Version: plain.Version, View: plain.View, Size: plain.Size + adviceSize, Groups: slices.Clone(plain.Groups), Actions: plain.Actions}
	for _, of := range groupsOf(reflect.TypeFor[advice]()) {
		of.Offset += plain.Size
		schema.Groups = append(schema.Groups, of)
	}
	schema.hash, schema.scales = schema.digest(), schema.Scales()
	// A bot belongs to one goroutine at a time, an encoder to all.
	free := sync.Pool{New: func() any {
		b, _ := bots.New(adviser, g) // it could be made before
		return b
	}}
	both.action = schema
	both.describe = func(m engine.Match, dst []uint8) {
		n := len(dst) / schema.Size
		e.describe(m, dst[:n*plain.Size])
		for i := n - 1; i >= 0; i-- { // from the last on: none is overwritten before it is moved
			row := dst[i*schema.Size : (i+1)*schema.Size]
			copy(row, dst[i*plain.Size:(i+1)*plain.Size])
			clear(row[plain.Size:])
		}
		b := free.Get().(bots.Bot)
		r := engine.NewRand(1) // the same for the same match
		account := bots.Explain(b, m, &r)
		free.Put(b)
		advise(&account, m.Legal(), dst, schema.Size)
	}
	return &both, nil
}

// advise writes an account into the ends of rows of a size.
func advise(account *bots.Account, legal *engine.Mask, rows []uint8, size int) {
	best, worst := math.Inf(-1), math.Inf(1)
	for _, c := range account.Actions {
		if worthOf(c) {
			best, worst = max(best, c.Mean), min(worst, c.Mean)
		}
	}
	k := 0
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		said := As[advice](rows[size-adviceSize : size])
		rows = rows[size:]
		said.Choice = engine.Bit(a == account.Choice)
		for k < len(account.Actions) && account.Actions[k].Action < a {
			k++
		}
		if k == len(account.Actions) || account.Actions[k].Action != a || !worthOf(account.Actions[k]) {
			continue
		}
		mean := account.Actions[k].Mean
		said.Judged, said.Share = 1, 255
		if best > worst {
			said.Share = uint8(math.Round(float64(255 * ((mean - worst) / (best - worst)))))
		}
		said.Behind = uint8(min(255, math.Round(float64(adviceBehind*(best-mean)))))
	}
}

// worthOf reports whether an account says what an action is worth.
func worthOf(c bots.Considered) bool {
	return c.Visits > 0 && !math.IsInf(c.Mean, 0) && !math.IsNaN(c.Mean)
}
