package enginetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/privateer-rl/privateer/engine"
)

// The toy game is a sound game with faults that can be switched on, to check
// that the suite finds them. Each of two seats is dealt a number from 0 to 3 in secret;
// in turn each may change it once by "up", or "stay", or "shrug", which is the
// same; the higher number wins. With seer=1 seat 1 sees all.
func init() {
	engine.Register(engine.Definition{
		Name:  "toy",
		Title: "a game to test the tests with",
		Params: []engine.Param{
			{Name: "fault", Default: "none", Help: "what is wrong with it"},
			{Name: "seer", Default: "none", Help: "the seat that sees all"},
		},
		New:    newToy,
		Schema: func() string { return `{"properties": {"numbers": {}, "chosen": {}, "generator": {}}}` },
	})
}

type toyState struct {
	Rand    engine.Rand
	Numbers [2]int16 // −1 before they are dealt
	Chosen  [2]int16 // 1 + action; 0 before
}

type toy struct {
	fault, seer string
	count       *int64 // what a fault may keep outside the state, where nothing belongs
}

// sees reports whether a view has what concerns a seat in secret.
func (g toy) sees(s *toyState, view, seat int) bool {
	return view == engine.Full || view == seat || g.seer == fmt.Sprint(view) || g.Seat(s) == engine.Over
}

const (
	stay engine.Action = iota
	up
	shrug
	dealt // the first outcome
)

func newToy(c engine.Config) (engine.Game, error) {
	info := c.Info()
	info.Seats = 2
	info.Actions = []string{"stay", "up", "shrug"}
	for n := range 4 {
		info.Outcomes = append(info.Outcomes, fmt.Sprintf("number=%d", n))
	}
	info.ScoreSources, info.MaxDecisions = []string{"number"}, 2
	return engine.Make(info, engine.Rules[toyState](toy{c.Get("fault"), c.Get("seer"), new(int64)}))
}

func (g toy) Reset(s *toyState, seed uint64) {
	if g.fault == "unseeded" {
		*g.count++
		seed = uint64(*g.count)
	}
	*s = toyState{Rand: engine.NewRand(seed), Numbers: [2]int16{-1, -1}}
}

func (g toy) Seat(s *toyState) int {
	switch {
	case s.Numbers[0] < 0 || s.Numbers[1] < 0:
		return engine.Chance
	case s.Chosen[0] == 0:
		return 0
	case s.Chosen[1] == 0 || g.fault == "endless":
		return 1
	}
	return engine.Over
}

func (g toy) Legal(s *toyState, m *engine.Mask) {
	m.Set(stay)
	m.Set(up)
	if g.fault == "outcome legal" {
		m.Set(dealt)
	}
	if g.fault != "telling mask" || s.Numbers[0] > s.Numbers[1] {
		m.Set(shrug)
	}
}

var leaked []byte

func (g toy) Apply(s *toyState, a engine.Action) {
	if g.fault == "allocates" {
		leaked = make([]byte, 64)
	}
	seat := g.Seat(s)
	switch {
	case a >= dealt && s.Numbers[0] < 0:
		s.Numbers[0] = int16(a - dealt)
	case a >= dealt:
		s.Numbers[1] = int16(a - dealt)
	default:
		s.Chosen[seat] = int16(a) + 1
		if a == up {
			s.Numbers[seat]++
		}
	}
	if g.fault == "draws in Apply" {
		s.Numbers[0] += int16(*g.count & 1)
		*g.count++
	}
}

func (g toy) Outcomes(s *toyState, dst []engine.Outcome) []engine.Outcome {
	if g.fault == "overwrites" {
		dst = dst[:0]
	}
	p := .25
	if g.fault == "improbable" {
		p = .3
	}
	for n := range engine.Action(4) {
		dst = append(dst, engine.Outcome{Action: dealt + n, Prob: p})
	}
	return dst
}

func (g toy) Sample(s *toyState) engine.Action {
	n := s.Rand.Intn(4)
	if g.fault == "biased" && n == 3 {
		n = s.Rand.Intn(4)
	}
	if g.fault == "samples and deals" {
		s.Numbers[0] = 1
	}
	return dealt + engine.Action(n)
}

func (g toy) Redeal(s *toyState, seat int, r *engine.Rand) {
	other := 1 - seat
	switch g.fault {
	case "no redeal":
		return
	case "redeals the seat itself":
		other, s.Rand = seat, r.Split()
	case "redeals by clock":
		*g.count++
		s.Rand = engine.NewRand(uint64(*g.count))
	default:
		s.Rand = r.Split()
	}
	if g.fault == "redeals nothing" || g.sees(s, seat, 1-seat) || s.Numbers[other] < 0 {
		return
	}
	s.Numbers[other] = int16(r.Intn(4))
	if g.fault == "redeals askew" {
		s.Numbers[other] = max(s.Numbers[other], int16(r.Intn(4)))
	}
	if s.Chosen[other] != 0 && g.fault != "redeals around what is hidden" {
		s.Chosen[other] = 1 + int16(r.Intn(int(dealt)))
	}
	if s.Chosen[other] == 1+int16(up) && g.fault != "impossible redeal" {
		s.Numbers[other]++
	}
}

// Sight: numbers are dealt and changed in secret.
func (g toy) Sight(s *toyState, view int, a engine.Action) engine.Sight {
	if g.seer == fmt.Sprint(view) || a >= dealt && view == int(engine.Bit(s.Numbers[0] >= 0)) {
		return engine.Open
	}
	return engine.FaceDown
}

// noting is the toy that says what happens: a seat has chosen, which only that seat sees all of.
type noting struct {
	toy
	log *engine.Log
}

func (g toy) Noting(log *engine.Log) engine.Rules[toyState] { return noting{g, log} }

func (g noting) Apply(s *toyState, a engine.Action) {
	seat := g.Seat(s)
	g.toy.Apply(s, a)
	if a < dealt {
		g.log.Note(1<<seat, 1, seat, int(a))
	}
}

func (g toy) Tell(_ *toyState, events []engine.Event, view int) (told []string) {
	for _, e := range events {
		told = append(told, fmt.Sprintf("Seat %d has chosen.", e.Seat))
		if engine.Action(e.Arg[0]) == up && (e.SeenBy(view) || g.fault == "telling words") {
			told = append(told, "It goes up.")
		}
	}
	return told
}

func (toy) EventForms() []engine.EventForm { return nil }

func (g toy) Event(e engine.Event, view int) any {
	if e.SeenBy(view) || g.fault == "telling events" {
		return []int8{e.Seat, e.Arg[0]}
	}
	return []int8{e.Seat}
}

func (g toy) Returns(s *toyState, dst []float32) {
	dst[0], dst[1] = 0, 0
	if g.Seat(s) != engine.Over || s.Numbers[0] == s.Numbers[1] {
		return
	}
	winner := 0
	if s.Numbers[1] > s.Numbers[0] {
		winner = 1
	}
	dst[winner], dst[1-winner] = .5, -.5
	switch g.fault {
	case "large returns":
		dst[winner], dst[1-winner] = 2, -2
	case "all win":
		dst[1-winner] = .5
	}
}

func (g toy) Scores(s *toyState, view, seat int, dst []int32) {
	dst[0] = 0
	if g.sees(s, view, seat) || g.fault == "telling scores" {
		dst[0] = int32(s.Numbers[seat])
	}
}

type toyPosition struct {
	Numbers *[2]int16    `json:"numbers"`
	Chosen  *[2]int16    `json:"chosen,omitempty"`
	Rand    *engine.Rand `json:"generator,omitempty"`
	Extra   int          `json:"extra,omitempty"`
}

func (g toy) Position(s *toyState, view int) any {
	numbers, chosen := s.Numbers, s.Chosen
	for seat := range numbers {
		if !g.sees(s, view, seat) && g.fault != "leaks" {
			numbers[seat] = min(numbers[seat], 0) // that it has been dealt
			chosen[seat] = min(chosen[seat], 1)   // that it has chosen
		}
	}
	p := toyPosition{Numbers: &numbers, Chosen: &chosen}
	if view == engine.Full {
		p.Rand = &s.Rand
	}
	switch g.fault {
	case "forgets":
		p.Rand = nil
	case "leaks the generator":
		p.Rand = &s.Rand
	case "beyond the schema":
		p.Extra = 1
	}
	return p
}

func (g toy) SetPosition(s *toyState, data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if g.fault != "takes unknown fields" {
		d.DisallowUnknownFields()
	}
	numbers, chosen, rand := [2]int16{-1, -1}, [2]int16{}, engine.NewRand(0)
	p := toyPosition{Numbers: &numbers, Chosen: &chosen, Rand: &rand}
	if err := d.Decode(&p); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF && g.fault != "takes what follows" {
		return errors.New("text after the end")
	}
	if p.Numbers == nil || p.Chosen == nil || p.Rand == nil {
		return errors.New("null")
	}
	if p.Extra != 0 && g.fault != "beyond the schema" {
		return errors.New("extra")
	}
	for seat := range 2 {
		n, c := p.Numbers[seat], p.Chosen[seat]
		if n < -1 && g.fault == "panics" {
			panic("a negative number")
		}
		if c < 0 || c > int16(dealt) {
			return fmt.Errorf("chosen[%d]: %d cannot be", seat, c)
		}
		if !possible(n, c) && g.fault != "takes any number" {
			return fmt.Errorf("numbers[%d]: %d cannot be", seat, n)
		}
	}
	if p.Chosen[1] != 0 && p.Chosen[0] == 0 && g.fault != "takes any turn" {
		return errors.New("chosen[1]: seat 0 chooses first")
	}
	*s = toyState{*p.Rand, *p.Numbers, *p.Chosen}
	return nil
}

func (g toy) Decision(s *toyState) string {
	if g.fault == "telling decision" {
		return fmt.Sprintf("seat %d is to choose, the numbers being %v", g.Seat(s), s.Numbers)
	}
	return fmt.Sprintf("%s, dealt %t %t", engine.SeatName(g.Seat(s)), s.Numbers[0] >= 0, s.Numbers[1] >= 0)
}

func (g toy) Render(s *toyState, view int) string { return fmt.Sprintln("toy, seen by", view) }

// possible reports whether a seat can have a number after a choice: dealt are
// 0 to 3, and up makes them one more.
func possible(number, chosen int16) bool {
	if number == -1 {
		return chosen == 0
	}
	if chosen == 1+int16(up) {
		number--
	}
	return number >= 0 && number <= 3
}

func toyConserve(m engine.Match) error {
	s := engine.State[toyState](m)
	for seat, n := range s.Numbers {
		if !possible(n, s.Chosen[seat]) {
			return fmt.Errorf("seat %d has the number %d after choice %d", seat, n, s.Chosen[seat])
		}
	}
	return nil
}
