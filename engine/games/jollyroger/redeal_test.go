package jollyroger

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// What each part of a match is to a redeal. A part that is neither known to all nor dealt anew would tell a search, or
// a caller that asks for chances to win, what the seat must not know.
const (
	open     = "all know it: it is a function of what all have seen"
	anew     = "hidden, and dealt anew"
	memories = "of its own the seat knows, the others' are dealt anew"
)

var parts = map[string]string{
	"Rand": anew, "Hands": anew, "Deck": anew, "Prizes": anew, "Buried": anew, "PrizeDeck": anew, "Spoils": anew,
	"Offer": anew, "OfferPrizes": anew, // the giver and the receiver know them
	"Played": anew, // while the cards of a mutiny are being dealt again

	"Memories": memories, "Slots": memories, "Open": memories, "Got": anew, "SightedBy": memories, "Several": memories, "Sighted": memories, "Knowing": memories, "Least": memories, "Most": memories,

	"Discard": open, "Sides": open, "PrizeOut": open, "Stacks": open, "Needs": open, "Size": open, "Split": open, "Side": open, "Said": open,
	"Appraised": open, "Old": open, "Free": open, "Offered": open, "Round": open, "Phase": open, "Captain": open, "Since": open, "Quartermaster": open,
	"Mutineer": open, "RoleSide": open, "MutinyTried": open, "Interrupted": open, "Barred": open, "Map": open, "Destination": open,
	"Target": open, "Guard": open, "DeckSize": open, "PrizesLeft": open,
	"Stack": open, // except for arguments with a star
}

// stackParts are the kinds of frame, each with its arguments; a star marks what is dealt anew with the prizes. All others all know, and that the frame is
// there: steps, polls and windows are laid whatever anybody holds. What a seat is asked for a card of its hand others do not see: for them the
// match continues. Only three questions tell of the hand of the seat that all see asked: ask_first, ask_mate and ask_sea_dog.
const stackParts = `
ask_appoint mutiny
ask_sail
ask_mutiny
ask_faction spoken
ask_sea_dog side
ask_forced side
ask_lookout
ask_first
ask_attack
ask_change
ask_assign
ask_traitor card whose
ask_cook
ask_pick cook
ask_share
ask_carpenter
ask_donate carpenter
ask_claim
ask_claim_prize victim
ask_exchange hostages* jewels*
ask_sell hostages* jewels* drawn
ask_sailor
ask_boatswain
ask_bribe asked_low asked_high
ask_bury
ask_kid
ask_punish
ask_victim suggested
ask_discard
ask_anytime window
ask_mate first
ask_gift moment spoken
ask_offer receiver guard
ask_accept giver guard
ask_rest left without named_low named_high
choose_captain
deal_crew
deal_pool
deal_target
deal_spoils
deal_prize
steal_crew victim
lose_crew
steal_buried victim
steal_prize victim
appraise
do_round
do_deal cards
do_draw
do_free_cards
do_limit
do_limits
do_poll asks next end about of
do_window
do_voyage
do_arrive
do_first
do_lap passes
do_reveal
do_assign
do_outcome success
do_loot prizes
do_split
do_pick cook
do_share
do_give
do_claim
do_port
do_stall
do_sell hostages* jewels* drawn
do_prizes prizes
do_island
do_bribe asked_low asked_high
do_bury
do_map
do_punishment
do_punish suggested ordered
do_victim suggested
do_faction passes spoken_low spoken_high
do_mutiny_end won_by
do_rest held
do_pool named_low named_high
do_effect card with and cancelled
do_join card cancelled
do_commit card side effect target cancelled
do_cancel card cancelled
do_appraise done
`

// A new field, kind of frame or argument is to be written down above, and held to it.
func TestEveryPartOfAMatchIsKnownToAllOrDealtAnew(t *testing.T) {
	state := reflect.TypeFor[State]()
	for i := range state.NumField() {
		if name := state.Field(i).Name; parts[name] == "" {
			t.Errorf("State.%s: say what it is to a redeal", name)
		}
	}
	var kinds []string
	for k := Kind(1); k != 0; k++ {
		if name := widest.Name(k); name != "" {
			kinds = append(kinds, strings.Join(append([]string{name}, Arguments(k)...), " "))
		}
	}
	check(t, "kinds of frame and their arguments, by number", strings.Join(kinds, "\n"), strings.TrimSpace(strings.ReplaceAll(stackParts, "*", "")))
}

// In every configuration: what all know stays as it is in a redeal, and of matches that a seat cannot tell apart redeals from equal
// generators are equal in all but what others remember.
func TestNothingThatASeatCannotKnowHasASayInARedeal(t *testing.T) {
	dealtAnew := map[string]bool{}
	for _, line := range strings.Split(stackParts, "\n") {
		for _, word := range strings.Fields(line) {
			if arg, is := strings.CutSuffix(word, "*"); is {
				dealtAnew[strings.Fields(line)[0]+" "+arg] = true
			}
		}
	}
	for seats := MinSeats; seats <= MaxSeats; seats++ {
		for k, params := range []string{"bribes=off", "bribes=gifts,variants=hidden_prizes", "bribes=talk,variants=captains_gold", "variants=hidden_prizes+captains_gold,forced=show"} {
			game := fmt.Sprintf("jolly_roger(chance=explicit,seats=%d,%s)", seats, params)
			g, err := engine.NewGame(game)
			if err != nil {
				t.Fatal(err)
			}
			left := 240
			for p := range (enginetest.Twins{Game: g, Seed: uint64(10*seats + k)}).All() {
				r, _ := engine.RulesOf[State, *Rules](p.A)
				was := engine.State[State](p.A)
				if p.Kind == "changed by hand" && was.PoolFaceDown() {
					continue // what all know of those cards no view shows
				}
				a, b := p.Redealt()
				one, other := engine.State[State](a), engine.State[State](b)
				for name, what := range parts {
					before, is, alike := part(was, name), part(one, name), part(other, name)
					if what != memories && is != alike {
						t.Fatalf("%v: %s is redealt by what the seat does not know:\n%v\n%v", p, name, is, alike)
					}
					if what == open && name != "Stack" && before != is {
						t.Fatalf("%v: a redeal changes %s, which all know:\n%v\n%v", p, name, before, is)
					}
				}
				for i, f := range was.Frames {
					for j, arg := range Arguments(f.Kind) {
						if dealtAnew[f.Kind.String()+" "+arg] && r.hidden && int(f.Seat) != p.Seat {
							f.Arg[j] = one.Frames[i].Arg[j]
						}
					}
					if f != one.Frames[i] {
						t.Fatalf("%v: a redeal changes frame %d from %v to %v", p, i, was.Frames[i], one.Frames[i])
					}
				}
				if left--; left == 0 {
					break
				}
			}
		}
	}
}

// part is a field of a state.
func part(s *State, name string) any { return reflect.ValueOf(s).Elem().FieldByName(name).Interface() }

// A seat does not see that another is asked in secret. So neither that it is nor the card has a say in a redeal: that is of the match as it continues.
func TestARedealWhileAnotherIsAskedInSecretIsOfTheMatchAsItIsSeen(t *testing.T) {
	enginetest.Clause(t, "KNOW-6")
	asked := func(seat int) scenario {
		players := []string{"cook", "nav13", "any", "any"}
		players[seat] = "traitor"
		return attack(t, Fort, players, allDiscarded("nav31 gun31 traitor")).do("1 play=nav13").asks(seat, AskTraitor)
	}
	one, other := asked(2), asked(3)
	found := one.deals(0, 2)
	check(t, "deals", len(found), 4)
	for hand, n := range found {
		if want := 80 * (1 + strings.Count(hand, "traitor")); n < want-40 || n > want+40 {
			t.Errorf("seat 2, which is asked, holds %s in %d of 400 redeals; want about %d", hand, n, want)
		}
	}
	a, b := engine.NewRand(3), engine.NewRand(3)
	for range 50 {
		m, _ := explicitMatch(t, 4)
		n, _ := explicitMatch(t, 4)
		m.CopyFrom(one.m)
		n.CopyFrom(other.m)
		if m.Redeal(0, &a); m.Seat() != 1 {
			t.Fatalf("a redeal while seat 2 is asked is at %q", m.Decision())
		}
		if n.Redeal(0, &b); !m.Equal(n) {
			t.Fatal("redeals depend on who holds the Traitor")
		}
	}
}

// If that ends where the seat itself is asked, or at the end of the match, it goes so far.
func TestARedealWhileAnotherIsAskedInSecretMayEndAtTheSeatsOwnQuestion(t *testing.T) {
	sc := sharing(in(t, "variants=hidden_prizes"), "rum gold_3", []string{"", "cook", "", ""}).asks(1, AskCook)
	rand := engine.NewRand(1)
	m, _ := explicitMatch(in(t, "variants=hidden_prizes"), 4)
	m.CopyFrom(sc.m)
	m.Redeal(0, &rand)
	s := engine.State[State](m)
	check(t, "seat 0 is asked", s.Next(), AskPick)
	if err := sc.r.Check(s); err != nil {
		t.Error(err)
	}
	for i, n := range s.Spoils {
		if n > 0 && s.SightedBy[NumCrew+i]&1 == 0 {
			t.Errorf("the Captain has not seen %s, which it may choose", prizeNames[i])
		}
	}
}

// What lies on the decision stack below an open question is the same for all distributions of cards.
func TestWindowsAreLaidWhoeverHoldsACardForThem(t *testing.T) {
	enginetest.Clause(t, "SPC-20", "SPC-21")
	for what, begin := range map[string]func(card string) scenario{
		"a Cook chooses": func(card string) scenario {
			return sharing(t, "rum gold_1", []string{"", "cook " + card, "", ""}).do("1 use=cook").asks(1, AskPick)
		},
		"a Lookout is out": func(card string) scenario {
			return attack(t, Fort, []string{"", "lookout " + card, "", ""}).do("1 use=lookout").next(DealTarget)
		},
	} {
		with, without := begin("surgeon"), begin("gun31") // of which the Quartermaster can make no use
		check(t, what+": the stack", fmt.Sprint(with.Frames), fmt.Sprint(without.Frames))
	}
}

// What a seat that trades in a port may still sell is dealt anew with its prizes; only how many it has drawn since is known.
func TestWhatAnotherMaySellIsDealtAnewWithItsPrizes(t *testing.T) {
	enginetest.Clause(t, "VAR-2")
	port := func(seat1 string) scenario {
		return inPort(in(t, "variants=hidden_prizes"), []string{"", seat1, "|rum gold_1 gold_2", ""}).do("destination=pirate_port_1; crew=mel21; crew=mel22; crew=mel23; crew=any")
	}
	pending := func(sc scenario, view int) map[string]int {
		found := map[string]int{}
		rand := engine.NewRand(5)
		m, _ := explicitMatch(in(t, "variants=hidden_prizes"), 4)
		for range 400 {
			m.CopyFrom(sc.m)
			m.Redeal(view, &rand)
			s := engine.State[State](m)
			if err := sc.r.Check(s); err != nil {
				t.Fatal(err)
			}
			for _, f := range s.Frames[:s.Depth] {
				if f.Kind == DoSell {
					found[fmt.Sprint(f.Arg[:2])]++
				}
			}
		}
		return found
	}
	sells, not := port("|gold_1 hostage jewels").do("1 exchange=gold_1").next(DealCrew), port("|gold_1 gold_1 rum").do("1 exchange=gold_1").next(DealCrew)
	one, other := pending(sells, 0), pending(not, 0)
	check(t, "what a redeal says that seat 1 may sell", fmt.Sprint(one), fmt.Sprint(other))
	if len(one) < 4 || one["[1 1]"] > 100 || one["[0 0]"] < 100 {
		t.Errorf("seat 1 may sell %v of 400", one)
	}
	check(t, "what seat 1 may sell, in its own redeals", fmt.Sprint(pending(sells, 1)), "map[[1 1]:400]")
	// Of three prizes seat 1 has drawn one: the other two it may sell.
	sc := port("|hostage jewels rum").do("1 pass; 1 ransom; drawn=jewels").next(DealPrize)
	check(t, "drawn", sc.Frames[sc.Depth-3], frame(DoSell, 1, 0, 1, 1))
	for sold, n := range pending(sc, 0) {
		if sold == "[3 0]" || sold == "[0 3]" || sold == "[2 1]" || sold == "[1 2]" {
			t.Errorf("seat 1 may sell %s of two prizes, in %d redeals", sold, n)
		}
	}
}

// Whether the Quartermaster has a card to play first shows when it is asked, not while somebody else is in secret.
func TestTheLookAheadAsksTheQuartermasterForItsFirstCardWhateverItHolds(t *testing.T) {
	enginetest.Clause(t, "KNOW-6")
	var looks []string
	for _, hand := range []string{"nav13", "cook"} {
		sc := attack(t, Fort, []string{"gun12", hand, "mel12", "lookout"}).asks(3, AskLookout)
		looks = append(looks, sc.look(0))
		var room State
		check(t, "asked", sc.r.Asked(sc.r.Seen(sc.State, 0, &room), 0), frame(AskFirst, 1))
	}
	check(t, "what seat 0 sees", looks[1], looks[0])
}

// Who is asked openly for the first card has one: any that it can have.
func TestAQuartermasterWhoIsAskedForTheFirstCardHasOneInEveryRedeal(t *testing.T) {
	enginetest.Clause(t, "ATT-1")
	sc := attack(t, Fort, []string{"gun12", "nav13 nav14", "cook", "any"}, allDiscarded("lookout")).asks(1, AskFirst)
	found := sc.deals(0, 1)
	check(t, "hands of two of five cards, without cook and lookout", len(found), 9)
	for hand, n := range found {
		if n < 20 {
			t.Errorf("%s comes %d times in 400", hand, n)
		}
	}
}
