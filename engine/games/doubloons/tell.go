package doubloons

import (
	"fmt"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

// teller collects what happened between two moments of a match.
type teller struct {
	*Rules
	before, after *State
	view          int
	told          []string
}

func (t *teller) say(format string, args ...any) {
	t.told = append(t.told, fmt.Sprintf(format, args...)+".")
}

// Tell says what happened to the ships, their captains and the island. Who decided something is who it
// happened to; what lies face down stays so.
func (r *Rules) Tell(before, after *State, view int) []string {
	t := &teller{Rules: r, before: before, after: after, view: view}
	if before.Round != after.Round && after.Round > 0 {
		t.say("Round %d begins", after.Round)
	}
	if before.Initiative != after.Initiative {
		t.say("%s has the initiative", t.name(int(after.Initiative)))
	}
	for _, ship := range r.fleet {
		t.course(ship)
	}
	for _, ship := range r.fleet {
		if ship < r.seats {
			t.cards(ship)
		}
	}
	for node := range after.Tiles {
		t.landmark(node)
	}
	for _, ship := range r.fleet {
		t.goods(ship)
	}
	if after.Dug && !before.Dug {
		t.say("The treasure has been dug up")
	}
	if after.Ending && !before.Ending {
		t.say("This round is the last")
	}
	for seat := range r.seats {
		if before.Helm[seat] != after.Helm[seat] {
			t.say("Player %d takes the helm of %s", after.Helm[seat], t.name(seat))
		}
	}
	return t.told
}

// name is what a ship is called in a sentence.
func (t *teller) name(ship int) string {
	switch sh := &t.after.Ships[ship]; {
	case ship == Legendary:
		return "The legendary ghost ship"
	case sh.Captain == noCaptain:
		return fmt.Sprintf("Seat %d", ship)
	default:
		return t.CaptainTitle[sh.Captain]
	}
}

// course is where a ship sails and its captain walks.
func (t *teller) course(ship int) {
	was, is := &t.before.Ships[ship], &t.after.Ships[ship]
	if was.Captain != is.Captain {
		t.say("Seat %d takes %s", ship, t.CaptainTitle[is.Captain])
	}
	water := func(region int8) string {
		if tile := t.after.Water[region]; tile != noTile {
			return t.WaterTitle[tile]
		}
		return fmt.Sprintf("region %d", region)
	}
	switch {
	case is.Region == noRegion:
	case was.Region == noRegion:
		way := "clockwise"
		if is.Facing == CounterClockwise {
			way = "counterclockwise"
		}
		t.say("%s begins at %s and faces %s", t.name(ship), water(is.Region), way)
	default:
		if was.Facing != is.Facing {
			t.say("%s comes about", t.name(ship))
		}
		if was.Region != is.Region {
			t.say("%s sails to %s", t.name(ship), water(is.Region))
		}
	}
	if was.Node != is.Node && is.Captain != noCaptain && was.Captain != noCaptain {
		at := nodeNames[is.Node]
		switch {
		case is.Node == NodeM:
			at = "Mount Zotètmon"
		case is.Node == NodeX:
			at = "Mücevher Crater"
		case t.after.Tiles[is.Node] != noTile:
			at += ", " + t.LandmarkTitle[t.after.Tiles[is.Node]]
		}
		t.say("%s's captain moves from %s to %s", t.name(ship), nodeNames[was.Node], at)
	}
	if was.Track != is.Track {
		t.say("%s moves on to space %d of the end-game track", t.name(ship), is.Track)
	}
}

// cards are those that a seat programs and reveals.
func (t *teller) cards(seat int) {
	was, is := &t.before.Ships[seat], &t.after.Ships[seat]
	own := func(s *State) bool { return t.view == engine.Full || t.view == t.PlayerAt(s, seat) }
	for slot, card := range is.Table {
		switch {
		case card == noCard:
		case slot < int(t.after.Revealed) && (slot >= int(t.before.Revealed) || was.Table[slot] != card):
			t.say("%s reveals %s", t.name(seat), t.cardWords(int(card)))
		case slot < int(t.after.Revealed) || was.Table[slot] != noCard:
		case own(t.before) && own(t.after):
			t.say("%s lays %s face down as card %d", t.name(seat), t.Cards[card].ID, slot+1)
		default:
			t.say("%s lays card %d face down", t.name(seat), slot+1)
		}
	}
}

// landmark is a tile that comes to the island or leaves it.
func (t *teller) landmark(node int) {
	was, is := t.before.Tiles[node], t.after.Tiles[node]
	switch {
	case was == is:
	case is != noTile:
		t.say("%s at %s: %s", t.LandmarkTitle[is], nodeNames[node], t.LandmarkText[is])
	case t.after.Dug == t.before.Dug:
		t.say("%s leaves %s", t.LandmarkTitle[was], nodeNames[node])
	}
}

// goods are what a ship gains and loses.
func (t *teller) goods(ship int) {
	was, is := &t.before.Ships[ship], &t.after.Ships[ship]
	var gains, losses []string
	count := func(was, is uint8, one, many string) {
		n, list := int(is)-int(was), &gains
		if n < 0 {
			n, list = -n, &losses
		}
		switch {
		case n == 1:
			*list = append(*list, "1 "+one)
		case n > 1:
			*list = append(*list, fmt.Sprintf("%d %s", n, many))
		}
	}
	kinds := func(was, is *[4]uint8, names []string, what string) {
		for i := range names {
			name := strings.TrimSpace(strings.ReplaceAll(names[i], "_", " ") + what)
			count(was[i], is[i], name, name+"s")
		}
	}
	count(was.Hull, is.Hull, "hull", "hull")
	count(was.Crew, is.Crew, "crew", "crew")
	count(was.Reputation, is.Reputation, "level of reputation", "levels of reputation")
	count(was.Doubloons, is.Doubloons, "doubloon", "doubloons")
	count(was.Pillage, is.Pillage, "pillage token", "pillage tokens")
	count(was.Orbs, is.Orbs, "Protection Orb", "Protection Orbs")
	count(was.Compasses, is.Compasses, "compass", "compasses")
	kinds(&was.Fragments, &is.Fragments, symbolNames[:], " fragment")
	kinds(&was.Jewels, &is.Jewels, jewelNames[:], "")
	kinds(&was.Totems, &is.Totems, symbolNames[:], " totem")
	kinds(&was.Shells, &is.Shells, symbolNames[:], " shell")
	if gains != nil {
		t.say("%s gains %s", t.name(ship), strings.Join(gains, ", "))
	}
	if losses != nil {
		t.say("%s loses %s", t.name(ship), strings.Join(losses, ", "))
	}
	switch {
	case is.Ghost && !was.Ghost:
		t.say("%s becomes a ghost ship", t.name(ship))
	case was.Ghost && !is.Ghost:
		t.say("%s is no longer a ghost ship", t.name(ship))
	}
}
