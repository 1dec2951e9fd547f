package jollyroger

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// What redeals give comes as often as it is likely. Here that is counted: all deals that a seat cannot tell from the truth at the
// beginning are played on by the rules, whatever it does not see comes in every way in which it can, and what would have looked
// otherwise to the seat is dropped.
func TestARedealComesAsOftenAsItIsLikely(t *testing.T) {
	enginetest.Clause(t, "KNOW-3", "KNOW-4", "KNOW-5", "KNOW-7")
	deck := allDiscarded("nav31 gun31")
	gift := "0 seat=+1; 0 offer=nav15; 0 offer=gun15; 0 propose; 1 accept; "
	one := "0 seat=+1; 0 offer=nav15; 0 propose; 1 accept; "
	for _, c := range []struct {
		name    string
		phase   Phase
		params  string
		players []string
		edit    []func(s *State)
		do      string
		views   []int
	}{
		{"a known card may have been stolen", PhaseVoyage, "bribes=gifts",
			[]string{"nav15", "mel15 mel14", "mel13", "gun14"}, []func(s *State){deck}, one + "!2 steals of 1; crew=mel15", []int{0, 3}},
		{"two cards are not stolen at once", PhaseVoyage, "bribes=gifts",
			[]string{"nav15 gun15", "mel15 mel14", "mel13", "gun14"}, []func(s *State){deck}, gift + "!2 steals of 1; crew=mel15", []int{0}},
		{"what two have stolen", PhaseVoyage, "bribes=gifts",
			[]string{"nav15 gun15", "mel15 mel14", "mel13", "gun14"}, []func(s *State){deck}, gift + "!2 steals of 1; crew=mel15; !3 steals of 1; crew=gun15", []int{0}},
		{"what has been stolen twice", PhaseVoyage, "bribes=gifts",
			[]string{"nav15 gun15", "mel15 mel14", "mel13", "gun14"}, []func(s *State){deck}, gift + "!2 steals of 1; crew=mel15; !3 steals of 2; crew=mel13", []int{0}},
		{"the thief plays a card of its own", PhaseVoyage, "bribes=gifts",
			[]string{"nav15", "mel15 mel14", "mel13 gun14", ""}, []func(s *State){deck}, one + "!2 steals of 1; crew=mel15; ~ask_mutiny 2; 2 oppose=gun14", []int{0}},
		{"the victim plays one", PhaseVoyage, "bribes=gifts",
			[]string{"nav15", "mel15 mel14", "mel13", ""}, []func(s *State){deck}, one + "!2 steals of 1; crew=mel15; ~ask_mutiny 1; 1 oppose=mel14", []int{0}},
		{"the known card is played", PhaseVoyage, "bribes=gifts",
			[]string{"nav15 gun15", "mel15 mel14", "mel13", ""}, []func(s *State){deck}, gift + "!2 steals of 1; crew=mel15; ~ask_mutiny 1; 1 oppose=nav15", []int{0}},
		{"a known card may be among those given", PhaseVoyage, "bribes=gifts",
			[]string{"nav15 gun15", "mel15", "mel13", "gun14"}, []func(s *State){deck}, gift + "1 seat=+1; 1 offer=mel15; 1 offer=gun15; 1 propose; 2 accept", []int{0, 3}},
		{"cards of a mutiny", PhasePunishment, "bribes=off",
			[]string{"nav15", "mel15", "mel14 nav14", "gun14"}, []func(s *State){deck}, "0 spare; 1 pass; 2 oppose=mel14; 3 pass; 0 support=nav15; 1 support=mel15; ~deal_pool; crew=nav15; ", []int{1}},
		{"cards of a mutiny once they are dealt", PhasePunishment, "bribes=off",
			[]string{"nav15", "mel15", "mel14 nav14", "gun14"}, []func(s *State){deck}, "0 spare; 1 pass; 2 oppose=mel14; 3 pass; 0 support=nav15; 1 support=mel15; ~deal_pool; ~ask_appoint; !3 steals of 2; crew=nav14", []int{0, 1}},
		{"hidden prizes", PhasePrizes, "variants=hidden_prizes",
			[]string{"|gold_1", "", "|rum", ""}, []func(s *State){allDiscarded("nav31"), prizeDeck("gold_3 jewels gold_1"), func(s *State) {
				s.Spoils = prizes("rum gold_2 jewels")
				for p, n := range s.Spoils {
					s.PrizeOut[p] -= n
				}
			}}, "0 prize=gold_2; 1 give=rum,+1; 1 give=jewels,+2", []int{0, 2, 1}},
		{"hidden prizes that are buried", PhaseIsland, "variants=hidden_prizes,bribes=gifts",
			[]string{"|gold_1", "", "|rum gold_1", ""}, []func(s *State){allDiscarded("nav31"), prizeDeck("gold_3 jewels"), func(s *State) {
				s.Map = true
				s.Discard[OldSailor]--
			}}, "0 pass; ~ask_bury 2; 2 bury=rum; 2 pass", []int{1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, view := range c.views {
				f := filterOf(given(in(t, c.params), c.phase, c.players, c.edit...), view)
				f.do(c.do)
				f.compare(20000)
			}
		})
	}
}

// filter keeps the deals that a seat cannot tell from the truth, each with what weight it has.
type filter struct {
	scenario
	view   int
	game   engine.Game
	worlds map[hidden]*weighed
}

type weighed struct {
	m      engine.Match
	weight float64
}

// filterOf begins with all deals of the hidden cards.
func filterOf(sc scenario, view int) *filter {
	g, err := engine.NewGame(sc.m.Info().Config)
	if err != nil {
		sc.t.Fatal(err)
	}
	f := &filter{scenario: sc, view: view, game: g, worlds: map[hidden]*weighed{}}
	var holds []func(s *State) (held, deck []uint8)
	for seat := range f.r.seats {
		if seat == view {
			continue
		}
		holds = append(holds, func(s *State) ([]uint8, []uint8) { return s.Hands[seat][:], s.Deck[:] })
		if f.r.hidden {
			holds = append(holds, func(s *State) ([]uint8, []uint8) { return s.Prizes[seat][:], s.PrizeDeck[:] },
				func(s *State) ([]uint8, []uint8) { return s.Buried[seat][:], s.PrizeDeck[:] })
		}
	}
	if !f.r.SeesSpoils(f.State, view) {
		holds = append(holds, func(s *State) ([]uint8, []uint8) { return s.Spoils[:], s.PrizeDeck[:] })
	}
	s := *sc.State
	for _, of := range holds { // all into the decks first
		held, deck := of(&s)
		for k, n := range held {
			deck[k] += n
		}
		clear(held)
	}
	f.deal(holds, s, 1)
	return f
}

// deal fills one place after the other with what is hidden, in every way.
func (f *filter) deal(holds []func(s *State) (held, deck []uint8), s State, weight float64) {
	if len(holds) == 0 {
		m := f.copied(f.m)
		*engine.State[State](m) = s
		if err := m.SetBytes(slices.Clone(m.Bytes())); err != nil {
			f.t.Fatal(err)
		}
		f.add(m, weight)
		return
	}
	held, _ := holds[0](f.State)
	var fill func(kind, left int, s State, weight float64)
	fill = func(kind, left int, s State, weight float64) {
		to, deck := holds[0](&s)
		if kind == len(to) {
			if left == 0 {
				f.deal(holds[1:], s, weight)
			}
			return
		}
		for n := 0; n <= min(left, int(deck[kind])); n++ {
			dealt := s
			to, deck := holds[0](&dealt)
			w := weight
			for i := range n { // ways to choose n of those in the deck
				w *= float64(int(deck[kind])-i) / float64(i+1)
			}
			to[kind] += uint8(n)
			deck[kind] -= uint8(n)
			fill(kind+1, left-n, dealt, w)
		}
	}
	fill(0, sum(held), s, weight)
}

// hidden is what a seat does not see of a match.
type hidden struct {
	hands               [MaxSeats][NumCrew]uint8
	prizes, buried      [MaxSeats][NumPrizes]uint8
	spoils, offerPrizes [NumPrizes]uint8
	played, offer       [NumCrew]uint8
}

func hiddenOf(s *State) hidden {
	return hidden{s.Hands, s.Prizes, s.Buried, s.Spoils, s.OfferPrizes, s.Played, s.Offer}
}

func (f *filter) copied(m engine.Match) engine.Match {
	c := f.game.NewMatch()
	c.CopyFrom(m)
	return c
}

func (f *filter) add(m engine.Match, weight float64) {
	key := hiddenOf(engine.State[State](m))
	if w := f.worlds[key]; w != nil {
		w.weight += weight
	} else {
		f.worlds[key] = &weighed{m, weight}
	}
}

// steal has a seat begin to steal a card, as the Second Mate does.
func (f *filter) steal(thief, victim int) {
	all := []engine.Match{f.m}
	for _, w := range f.worlds {
		all = append(all, w.m)
	}
	for _, m := range all {
		engine.State[State](m).Push(frame(StealCrew, thief, victim))
		if err := m.SetBytes(slices.Clone(m.Bytes())); err != nil {
			f.t.Fatal(err)
		}
	}
}

// do plays on. "~ask_mutiny" is whatever comes first, up to such a decision, "~ask_gift 2" of seat 2.
func (f *filter) do(actions string) {
	for _, text := range strings.Split(strings.Trim(actions, "; "), ";") {
		text = strings.TrimSpace(text)
		var thief, victim int
		if n, _ := fmt.Sscanf(text, "!%d steals of %d", &thief, &victim); n == 2 {
			f.steal(thief, victim)
			continue
		}
		until, found := strings.CutPrefix(text, "~")
		if !found {
			f.play(text)
			continue
		}
		for n := 0; !strings.HasPrefix(fmt.Sprint(f.Next(), " ", f.Top().Seat), until); n++ {
			if n > 100 {
				f.t.Fatalf("%q never comes", text)
			}
			a := f.m.Legal().First()
			if f.m.Seat() == engine.Chance {
				a = f.m.Outcomes(nil)[0].Action
			} else if f.m.Legal().Has(ToPass) {
				a = ToPass
			}
			f.play(f.m.Info().ActionName(a))
		}
	}
}

// play performs an action, and in the other worlds all that look like it.
func (f *filter) play(text string) {
	name := text
	if who, what, named := strings.Cut(text, " "); named && who == fmt.Sprint(f.m.Seat()) {
		name = what
	}
	a, err := f.m.Info().ParseAction(name)
	if err != nil {
		f.t.Fatal(err)
	}
	var top Frame
	veiled := f.r.Veiled(f.State, f.view)
	covert := f.m.Sight(f.view, a) != engine.Open
	top = f.Top()
	if err := f.m.Apply(a); err != nil {
		f.t.Fatalf("%q: %v (%s)", text, err, f.m.Decision())
	}
	want, err := f.m.Position(f.view)
	if err != nil {
		f.t.Fatal(err)
	}
	was := f.worlds
	f.worlds = map[hidden]*weighed{}
	for _, w := range was {
		if k := engine.State[State](w.m).Top(); k.Kind != top.Kind || k.Seat != top.Seat {
			f.t.Fatalf("%q is about %v in one world and %v in another", text, top, k)
		}
		var can []engine.Outcome
		switch {
		case veiled && !covert:
			f.t.Fatalf("%q: what is asked in secret is not for this test", text)
		case w.m.Seat() == engine.Chance:
			can = w.m.Outcomes(nil)
		case covert:
			for b := w.m.Legal().First(); b >= 0; b = w.m.Legal().Next(b) {
				can = append(can, engine.Outcome{Action: b, Prob: 1})
			}
		case w.m.Legal().Has(a):
			can = []engine.Outcome{{Action: a, Prob: 1}}
		}
		for _, o := range can {
			if !covert && o.Action != a {
				continue
			}
			prob := o.Prob
			if covert && w.m.Seat() != engine.Chance { // any card is as likely
				prob = float64(copies(engine.State[State](w.m), top, o.Action))
			}
			next := f.copied(w.m)
			if err := next.Apply(o.Action); err != nil {
				f.t.Fatal(err)
			}
			if got, err := next.Position(f.view); err == nil && string(got) == string(want) {
				f.add(next, w.weight*prob)
			}
		}
	}
	if f.worlds[hiddenOf(f.State)] == nil {
		f.t.Fatalf("%q: the truth is lost", text)
	}
}

// copies is how many of the cards that a seat may choose from an action could be about.
func copies(s *State, f Frame, a engine.Action) uint8 {
	switch {
	case f.Kind == AskOffer && a >= ToOffer && a < ToOffer+engine.Action(NumCrew):
		return s.Hands[f.Seat][a-ToOffer] - s.Offer[a-ToOffer]
	case f.Kind == AskPick:
		return s.Spoils[a-ToPrize]
	case f.Kind == AskShare:
		return s.Spoils[(a-ToGive)/MaxSeats]
	case f.Kind == AskBury && a >= ToBury && a < ToBury+engine.Action(NumPrizes):
		return s.Prizes[f.Seat][a-ToBury]
	}
	return 1
}

// compare counts redeals.
func (f *filter) compare(n int) {
	total := 0.0
	for _, w := range f.worlds {
		total += w.weight
	}
	counts := map[hidden]int{}
	m := f.game.NewMatch()
	rand := engine.NewRand(5)
	for range n {
		m.CopyFrom(f.m)
		m.Redeal(f.view, &rand)
		counts[hiddenOf(engine.State[State](m))]++
	}
	chi, rare, rarely := 0.0, 0.0, 0.0
	for key, w := range f.worlds {
		expected := w.weight / total * float64(n)
		if expected < 5 { // together
			rare += expected
			rarely += float64(counts[key])
		} else {
			chi += float64((float64(counts[key])-expected)*(float64(counts[key])-expected)) / expected
		}
		delete(counts, key)
	}
	if rare > 0 {
		chi += float64((rarely-rare)*(rarely-rare)) / rare
	}
	for key, n := range counts {
		f.t.Errorf("seat %d: %d redeals are as nothing can be: %v", f.view, n, key)
	}
	if free := float64(len(f.worlds)); chi > free+6*math.Sqrt(2*free)+6 {
		f.t.Errorf("seat %d: of %d deals redeals do not come as often as they are likely: chi square %.1f", f.view, len(f.worlds), chi)
	}
	f.t.Logf("seat %d: %d deals, chi square %.1f", f.view, len(f.worlds), chi)
}
