package jollyroger

import (
	"fmt"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

// teller collects what happened between two moments of a match, both as the view sees them.
type teller struct {
	*Rules
	before, after *State
	view          int
	told          []string
}

func (t *teller) say(format string, args ...any) {
	t.told = append(t.told, fmt.Sprintf(format, args...)+".")
}

// Tell says what happened on the voyage, which cards were played openly, and what each seat got: cards
// that a view does not see are counted.
func (r *Rules) Tell(before, after *State, view int) []string {
	var rooms [2]State
	t := &teller{Rules: r, before: r.Seen(before, view, &rooms[0]), after: r.Seen(after, view, &rooms[1]), view: view}
	was, is := t.before, t.after
	if was.Round != is.Round && is.Round > 0 {
		t.say("Round %d begins", is.Round)
	}
	t.mutiny()
	for _, office := range []struct {
		was, is int8
		title   string
	}{{was.Captain, is.Captain, "Captain"}, {was.Quartermaster, is.Quartermaster, "Quartermaster"}} {
		if office.was != office.is && office.is != noSeat {
			t.say("Seat %d is %s now", office.is, office.title)
		}
	}
	if was.Destination != is.Destination && is.Destination != nowhere {
		t.say("The ship sails for the %s", strings.ReplaceAll(destinationNames[is.Destination], "_", " "))
	}
	if was.Target != is.Target && is.Target != noTarget && isTarget(is.Destination) {
		t.say("It needs navigation %d, guns %d, melee %d and has %s", is.Needs[Navigation], is.Needs[Guns], is.Needs[Melee], prizeCount(r.Targets[is.Target].Prizes))
	}
	if is.Mutineer == noSeat && was.Mutineer == noSeat && !was.PoolFaceDown() && !is.PoolFaceDown() {
		if played := more(was.Played[:], is.Played[:]); played != nil {
			t.say("In the attack: %s", r.crewText(played))
		}
	}
	if sum(is.Spoils[:]) > sum(was.Spoils[:]) {
		t.say("To be shared out: %s", prizeText(is.Spoils[:], r.SeesSpoils(is, view)))
	}
	for seat := range r.seats {
		t.seat(seat)
	}
	if is.Phase == PhaseOver && was.Phase != PhaseOver {
		for seat := range r.seats {
			t.say("Seat %d ends with %d gold", seat, r.gold(is, seat))
		}
	}
	return t.told
}

// mutiny is how one begins, who takes sides with what, and how it ends.
func (t *teller) mutiny() {
	was, is := t.before, t.after
	if was.Mutineer != is.Mutineer && is.Mutineer != noSeat {
		t.say("Seat %d calls a mutiny", is.Mutineer)
	}
	for seat := range t.seats {
		if was.Side[seat] != is.Side[seat] && is.Side[seat] != Neutral {
			t.say("Seat %d sides with the %s", seat, sideNames[is.Side[seat]])
		}
	}
	for k, side := range []string{"Captain", "mutineers"} {
		if played := more(was.Sides[k][:], is.Sides[k][:]); played != nil {
			t.say("For the %s: %s", side, t.crewText(played))
		}
	}
	if was.Mutineer != noSeat && is.Mutineer == noSeat {
		t.say("The mutiny is over")
	}
}

// seat is what a seat got and what left it.
func (t *teller) seat(seat int) {
	was, is := t.before, t.after
	own := t.view == engine.Full || t.view == seat
	if own {
		if got := more(was.Hands[seat][:], is.Hands[seat][:]); got != nil {
			t.say("Seat %d gets %s", seat, t.crewText(got))
		}
		if gone := more(is.Hands[seat][:], was.Hands[seat][:]); gone != nil {
			t.say("Seat %d parts with %s", seat, t.crewText(gone))
		}
	} else if n := int(is.Size[seat]) - int(was.Size[seat]); n != 0 {
		t.say("Seat %d has %s (%+d)", seat, engine.Count(int(is.Size[seat]), "crew card", ""), n)
	}
	open := (own || t.PrizesOpen(was)) && (own || t.PrizesOpen(is))
	if open {
		if got := more(was.Prizes[seat][:], is.Prizes[seat][:]); got != nil {
			t.say("Seat %d gets %s", seat, prizeText(got, true))
		}
		if gone := more(is.Prizes[seat][:], was.Prizes[seat][:]); gone != nil && sum(is.Buried[seat][:]) == sum(was.Buried[seat][:]) {
			t.say("Seat %d loses %s", seat, prizeText(gone, true))
		}
	} else if n := sum(is.Prizes[seat][:]) + sum(is.Buried[seat][:]) - sum(was.Prizes[seat][:]) - sum(was.Buried[seat][:]); n != 0 {
		t.say("Seat %d has %s (%+d)", seat, prizeCount(sum(is.Prizes[seat][:])+sum(is.Buried[seat][:])), n)
	}
	if n := sum(is.Buried[seat][:]) - sum(was.Buried[seat][:]); n > 0 {
		buried := more(was.Buried[seat][:], is.Buried[seat][:])
		t.say("Seat %d buries %s", seat, prizeText(buried, open))
	}
	if said := int(is.Said[seat]) - 1; said >= 0 && is.Said[seat] != was.Said[seat] {
		t.say("Seat %d says %s to seat %d", seat, phraseNames[said/MaxSeats], said%MaxSeats)
	}
}

// more is how many cards of each kind there are now that were not there before; nil if there are none.
func more(before, after []uint8) (added []uint8) {
	for c := range after {
		if after[c] > before[c] {
			if added == nil {
				added = make([]uint8, len(after))
			}
			added[c] = after[c] - before[c]
		}
	}
	return added
}

// prizeCount is how many there are, in words.
func prizeCount[N int | uint8](n N) string { return engine.Count(int(n), "prize", "prizes") }
