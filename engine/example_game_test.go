package engine_test

import (
	"fmt"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
)

// This file is all that a game with no hidden information and no chance needs.

const nimText = `# Nim
- **NIM-1** There are 12 stones. Two seats take 1, 2 or 3 of them in turn.
- **NIM-2** The seat that takes the last stone wins.
`

func init() {
	engine.Register(engine.Definition{Name: "nim", Title: "Nim: take the last stone", New: newNim, Rules: nimText, Schema: nimSchema})
}

func newNim(c engine.Config) (engine.Game, error) {
	info := c.Info()
	info.Seats, info.MaxDecisions = 2, 12
	info.Actions = []string{"take=1", "take=2", "take=3"}
	return engine.Make(info, engine.Rules[nim](nimRules{}))
}

// nim is one match, a flat value without padding.
type nim struct{ Left, Turn int32 }

// nimRules are the rules: functions over a nim.
type nimRules struct{}

func (nimRules) Reset(s *nim, seed uint64) { *s = nim{Left: 12} }

func (nimRules) Seat(s *nim) int {
	if s.Left == 0 {
		return engine.Over
	}
	return int(s.Turn)
}

func (nimRules) Legal(s *nim, m *engine.Mask) {
	for n := range min(3, s.Left) {
		m.Set(engine.Action(n))
	}
}

func (nimRules) Apply(s *nim, a engine.Action) { s.Left, s.Turn = s.Left-int32(a)-1, 1-s.Turn }

func (nimRules) Returns(s *nim, dst []float32) {
	clear(dst)
	if s.Left == 0 {
		dst[s.Turn], dst[1-s.Turn] = -1, 1
	}
}

func (nimRules) Position(s *nim, _ int) any {
	return position.Object{{Name: "left", Value: s.Left}, {Name: "turn", Value: s.Turn}}
}

func (nimRules) SetPosition(s *nim, data []byte) error {
	root, err := position.Parse(data)
	if err != nil {
		return err
	}
	var f position.Faults
	f.IsObject(root, "left", "turn")
	*s = nim{Left: int32(f.Number(root.Get("left"), 0, 12, 12)), Turn: int32(f.Number(root.Get("turn"), 0, 1, 0))}
	if taken := 12 - s.Left; taken < 2 && s.Turn != taken {
		f.Wrong("turn", "%d: want %d, as %d stones are taken", s.Turn, taken, taken)
	}
	return f.Err()
}

func nimSchema() string {
	return position.ObjectOf(
		position.Named{Name: "left", Shape: position.Whole(0, 12).Of("stones that are left")},
		position.Named{Name: "turn", Shape: position.Whole(0, 1).Of("the seat that takes next")},
	).Schema("Position of Nim")
}

func (nimRules) Decision(s *nim) string      { return fmt.Sprintf("take some of %d stones", s.Left) }
func (nimRules) Render(s *nim, _ int) string { return fmt.Sprintf("%d stones\n", s.Left) }

// Nothing is drawn, hidden or scored.
func (nimRules) Outcomes(_ *nim, dst []engine.Outcome) []engine.Outcome { return dst }
func (nimRules) Sample(*nim) engine.Action                              { return -1 }
func (nimRules) Redeal(*nim, int, *engine.Rand)                         {}
func (nimRules) Scores(*nim, int, int, []int32)                         {}

// A complete small game, registered and played. See ADDING_A_GAME.md for one with secrets and chance.
func Example_game() {
	game, err := engine.NewGame("nim")
	if err != nil {
		fmt.Println(err)
		return
	}
	m := game.NewMatch()
	m.Reset(1)
	for m.Seat() != engine.Over {
		a := m.Legal().Nth(m.Legal().Count() - 1) // as many as it may
		fmt.Printf("%s: %s: %s\n", engine.SeatName(m.Seat()), m.Decision(), game.Info().ActionName(a))
		if err := m.Apply(a); err != nil {
			fmt.Println(err)
			return
		}
	}
	returns := make([]float32, 2)
	m.Returns(returns)
	fmt.Println("returns", returns)
	// Output:
	// seat 0: take some of 12 stones: take=3
	// seat 1: take some of 9 stones: take=3
	// seat 0: take some of 6 stones: take=3
	// seat 1: take some of 3 stones: take=3
	// returns [-1 1]
}
