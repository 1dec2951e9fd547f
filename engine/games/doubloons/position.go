package doubloons

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
)

// Positions as they are printed, and what may stand in them: each field is one row, from which follow its place
// in the JSON Schema and, if it is a number by itself, how it is read and its range. What is read together is in
// position_read.go and the files after it; POSITIONS.md has examples.

// Position returns what encodes to readable JSON: the whole match for
// engine.Full, else what the seat view may know of it.
func (r *Rules) Position(s *State, view int) any {
	return r.layout.match.Object(&subject{s: s, view: r.SeatOf(s, view)})
}

// subject is what an object of a position is of: a match, or with ship one of its ships. view is the seat from which a
// view looks, or engine.Full.
type subject struct {
	s          *State
	view, seat int
	ship       *Ship
}

func shipOf(s *State, view, seat int) *subject { return &subject{s, view, seat, &s.Ships[seat]} }

// full reports whether a view shows all, open whether it shows what the seat hides.
func (v *subject) full() bool { return v.view == engine.Full }
func (v *subject) open() bool { return v.full() || v.view == v.seat }

type (
	field  = position.Row[*subject]
	fields = position.Rows[*subject]
)

// layout is the fields that positions of a game have: of the match, of the ship of a seat, of the legendary ghost ship.
// Those of modules are declared in their files.
type layout struct{ match, ship, legendary fields }

// layOut puts the layout together. Fields of modules that are not played are refused.
func (r *Rules) layOut() {
	r.layout = layout{match: r.matchFields(), ship: r.shipFields()}
	for m, room := range rooms {
		if room.fields != nil {
			room.fields(r, &r.layout, func(why string, list ...field) fields {
				for i := range list {
					if !r.Modules.Has(Module(m)) {
						list[i] = list[i].Refused(why)
					}
				}
				return list
			})
		}
	}
}

// Shapes of what stands in several places.
var (
	aSeat, truth    = position.Whole(0, MaxSeats-1), position.Truth()
	seatSet         = position.SetOf(aSeat)
	cardSet         = position.SetOf(position.Ref("card"))
	cardSetOrNumber = position.Either(cardSet, position.Ref("count"))
	landmark        = position.Ref("landmark")
	landmarkSet     = position.SetOf(landmark)
)

func (r *Rules) matchFields() fields {
	box, turns := new(State), r.limits().ship()
	acting := func(v *subject) bool { return v.s.Phase == PhaseAction }
	return fields{
		field{Name: "game", Shape: position.Text().Of("Game string, such as doubloons(seats=2,chance=explicit,forced=show). The command line makes the match from it."),
			Show: func(*subject) any { return r.info.Config }}.If((*subject).full),
		{Name: "seed", Shape: position.Long().Of("Seed of what is dealt for parts left out, and of the match's further chance. Left out: 0.")},
		{Name: "round", Shape: position.Whole(0, r.maxRounds+1).Of("From 1; 0 during set-up. One more than max_rounds if the match was cut short. Left out: 1."),
			Show: func(v *subject) any { return v.s.Round }},
		{Name: "phase", Shape: position.OneOf(phasesRead...).Of("Left out: action. program is the moment in round_start at which hands are drawn and nobody has programmed."),
			Show: func(v *subject) any { return v.s.Phase.String() }},
		field{Name: "slot", Shape: position.Whole(1, NumSlots).Of("Action phase: which card is being resolved. Left out: 1."),
			Show: func(v *subject) any { return v.s.Slot + 1 }}.If(acting),
		field{Name: "turn", Shape: turns.Shape().Of("Action phase: whose turn it is; \"legendary\": the legendary ghost ship's, after the third card. Left out: the seat with the initiative token."),
			Show: func(v *subject) any { return turns.Write(v.s.Turn) }}.If(acting),
		{Name: "step", Shape: position.OneOf(stepNames...).Of("Action phase, without stack: whether the turn begins with its movement or the movement is done. Left out: move.")},
		position.Number("initiative", 0, r.seats-1, "Seat with the initiative token. Left out: 0.", func(v *subject) *int8 { return &v.s.Initiative }),
		{Name: "revealed", Shape: position.Whole(0, NumSlots).Of("Cards of each row that lie face up. It follows from phase and slot."), Show: func(v *subject) any { return v.s.Revealed }},
		{Name: "dug", Shape: truth.Of("Whether the treasure has been dug up. Left out: false."), Show: func(v *subject) any { return v.s.Dug },
			Read: func(v *subject, f *position.Faults, said *position.Value) { v.s.Dug = f.Truth(said, false) }},
		{Name: "ending", Shape: truth.Of("Whether a captain has reached FIN, so that this round is the last. It follows from the tracks."), Show: func(v *subject) any { return v.s.Ending }},
		{Name: "island", Shape: r.doubloonStock(box).Shape().Of("Doubloons on the island. Left out: what the round's seeding lays there."), Show: func(v *subject) any { return v.s.Island }},
		{Name: "supply", Shape: r.doubloonStock(box).Shape().Of("Doubloons beside the board. Left out: the rest of the game's."), Show: func(v *subject) any { return v.s.Supply }},
		{Name: "pillage_tokens", Shape: r.pillageStock(box).Shape().Of("Pillage tokens beside the board. Left out: the rest of two for each player."), Show: func(v *subject) any { return v.s.Pillage }},
		{Name: "jewels", Shape: r.jewelStock(box).Shape().Of("Jewels that can be drawn; black_jewel is of the module of that name. Left out: the rest."),
			Show: func(v *subject) any { return position.Tally(v.s.Jewels[:r.jewelKinds], jewelNames[:], true) }},
		{Name: "water", Shape: position.ListOf(position.OneOf(append(waterNames[:NumWater:NumWater], position.None)...), r.regions).AtLeast(NumRegions).
			Of("Water tiles of regions 0 (on the standard island the beach region) to 3, or 4 on the alternate island. Left out: drawn by the chart."),
			Show: func(v *subject) any { return waterList(v.s.Water[:r.regions]) }},
		{Name: "landmarks", Shape: r.tilesShape().Of("Landmark tiles on the island, by location. Left out: none."), Show: func(v *subject) any { return v.s.tiles() }},
		{Name: "stacks", Shape: r.stacksShape().Of("The stacks of landmarks. Left out: all tiles that are nowhere else, shuffled."), Show: func(v *subject) any { return r.stackTiles(v.s) }},
		field{Name: "out_of_game", Shape: landmarkSet.Of("Landmarks that were replaced."),
			Show: func(v *subject) any { return nameList(r.replacedTiles(v.s), landmarkNames[:]) }}.If(func(v *subject) bool { return r.replacedTiles(v.s) != 0 }),
		{Name: "map_stack", Shape: r.mapStackShape().Of("Tiles in the map stack. Which fragments they are nobody knows."), Show: func(v *subject) any {
			return append(position.Object{{Name: "fragments", Value: v.s.MapFragments}}, position.Tally(v.s.MapSpecials[:], specialNames[:], true)...)
		}},
		{Name: "unseen_fragments", Shape: r.fragmentStock(box).Shape().Of("Map fragments that nobody has seen: in the stack or removed from the game. Left out: those that no ship has."),
			Show: func(v *subject) any { return position.Tally(v.s.UnseenFragments[:r.symbols], symbolNames[:], true) }},
		{Name: "discard", Shape: cardSet.Of("Left out: empty."), Show: func(v *subject) any { return cardList(v.s.Discard) }},
		{Name: "deck", Shape: cardSetOrNumber.Of("Left out: the cards that are nowhere else; captain cards among them after the dig. In a seat's view: how many."),
			Show: func(v *subject) any { return cardsOrNumber(v.s.Deck, v.full()) }},
		field{Name: "old", Shape: cardSet.Of("Cards that were in a hand when the discard was last shuffled into the deck, and were not played since. What each seat may know of other hands depends on it. Left out: none."),
			Show: func(v *subject) any { return cardList(v.s.Old) },
			Read: func(v *subject, f *position.Faults, said *position.Value) {
				for _, item := range f.IsList(said, NumCards) {
					v.s.Old |= r.cardNamed(f, item)
				}
			}}.If(func(v *subject) bool { return v.s.Old != 0 }),
		{Name: "ships", Shape: position.ListOf(position.Ref("ship"), r.seats).Of("One for each seat; seats that are left out have fresh ships."), Show: func(v *subject) any {
			var ships []position.Object
			for seat := range r.seats {
				ships = append(ships, r.layout.ship.Object(shipOf(v.s, v.view, seat)))
			}
			return ships
		}},
		{Name: "stack", Shape: position.Ref("stack").Of("The decision stack, next frame last: frames with their kind and its arguments, which `privateer position print` shows. Left out: it follows from phase, slot, turn and step."),
			Show: func(v *subject) any {
				stacked := []position.Object{}
				for _, f := range v.s.Frames[:v.s.Depth] {
					stacked = append(stacked, r.forms.Write(f))
				}
				return stacked
			}},
		field{Name: "generator", Shape: position.GeneratorShape(), Show: func(v *subject) any { return v.s.Rand }}.If((*subject).full),
	}
}

// shipFields are those of the ship of a seat.
func (r *Rules) shipFields() fields {
	box := new(State)
	sails := func(v *subject) bool { return v.ship.Region != noRegion }
	return fields{
		{Name: "seat", Shape: aSeat.Of("Whose ship it is; left out, the place in the list."), Show: func(v *subject) any { return v.seat }},
		field{Name: "captain", Shape: position.OneOf(captainNames[:]...).Of("Left out: the first captain that nobody has."),
			Show: func(v *subject) any { return captainNames[v.ship.Captain] }}.If(func(v *subject) bool { return v.ship.Captain != noCaptain }),
		position.Number("region", 0, r.regions-1, "Left out: the first region where a ship can remain.", func(v *subject) *int8 { return &v.ship.Region }).If(sails),
		{Name: "facing", Shape: position.OneOf(facingNames...).Of("Left out: clockwise."), Show: func(v *subject) any { return facingName(v.ship.Facing) },
			Read: func(v *subject, f *position.Faults, said *position.Value) {
				v.ship.Facing = facings[f.Name(said, facingNames, 0)]
			},
			Check: func(v *subject) string {
				if !slices.Contains(facings, v.ship.Facing) {
					return fmt.Sprintf("%d: want clockwise or counterclockwise", v.ship.Facing)
				}
				return ""
			}},
		{Name: "ghost", Shape: truth.Of("Whether it is a ghost ship, which is so exactly if hull is 0."), Show: func(v *subject) any { return v.ship.Ghost },
			Read: func(v *subject, f *position.Faults, said *position.Value) { v.ship.Ghost = f.Truth(said, false) }},
		position.Number("hull", 0, MaxHull, "Left out: 10.", func(v *subject) *uint8 { return &v.ship.Hull }),
		position.Number("crew", 0, MaxCrew, "Left out: 4.", func(v *subject) *uint8 { return &v.ship.Crew }),
		position.Number("reputation", 0, MaxLevel, "Level. Left out: 0.", func(v *subject) *uint8 { return &v.ship.Reputation }),
		position.Number("doubloons", 0, r.Doubloons, "Left out: 2.", func(v *subject) *uint8 { return &v.ship.Doubloons }),
		{Name: "fragments", Shape: r.fragmentStock(box).Shape().Of("Map fragments. With two players there are x and sun, with three or four moon too; on the alternate island all, but in drafts. Left out: one is dealt, on the alternate island two."),
			Show: func(v *subject) any { return position.Tally(v.ship.Fragments[:], symbolNames[:], false) }},
		{Name: "jewels", Shape: r.jewelStock(box).Shape().Of("Left out: none, but Valparisa's black jewel with that module, if the file places it nowhere else."),
			Show: func(v *subject) any { return position.Tally(v.ship.Jewels[:], jewelNames[:], false) }},
		position.Number("orbs", 0, int(r.Specials[ProtectionOrb]), "Protection Orbs. Left out: none.", func(v *subject) *uint8 { return &v.ship.Orbs }),
		position.Number("pillage", 0, r.seats*int(r.PillagePerPlayer), "Pillage tokens. Left out: none.", func(v *subject) *uint8 { return &v.ship.Pillage }),
		field{Name: "captain_at", Shape: position.OneOf(nodeNames[:]...).Of("Where the captain is; on the standard island before the dig only. Left out: the beach, on the alternate island that of the ship's region."),
			Show: func(v *subject) any { return nodeNames[v.ship.Node] }}.If(func(v *subject) bool { return r.ashore(v.s) }),
		position.Number("track", 0, r.EndTrack-1, fmt.Sprintf("After the dig: spaces that the captain, on the alternate island the tracker, has moved on the end-game track; %d is FIN. Left out: 0.", r.EndTrack-1),
			func(v *subject) *uint8 { return &v.ship.Track }).If(func(v *subject) bool { return v.s.Dug }),
		{Name: "hand", Shape: cardSetOrNumber.Of("Cards in hand. Left out: dealt. In another seat's view: how many."), Show: func(v *subject) any { return cardsOrNumber(v.ship.Hand, v.open()) }},
		field{Name: "old_cards", Shape: position.Whole(0, NumCards).Of("In another seat's view only: how many of the cards in hand and face down, whose places are not known, are of the list old."),
			Show: func(v *subject) any { return v.oldCards() },
			Read: func(_ *subject, f *position.Faults, said *position.Value) {
				if said != nil {
					f.Wrong(said.Path, "it is in a seat's view only: list the cards in old")
				}
			}}.If(func(v *subject) bool { return !v.open() && v.oldCards() > 0 }),
		{Name: "table", Shape: position.ListOf(position.Either(position.Ref("card"), position.OneOf(position.None, position.Hidden)), NumSlots).
			Of("The three programmed cards in their order, \"none\" where there is none; \"?\" for a face-down card in another seat's view. Left out: three cards of the hand, if the round has got that far."),
			Show: func(v *subject) any { return v.row() }},
	}
}

// schema is the JSON Schema of positions of any configuration with the printed box: what a game has that has everything,
// and the words of the others.
func schema() string {
	g, err := engine.NewGame(fmt.Sprintf("doubloons(seats=%d,max_rounds=%d,modules=%s)", MaxSeats, mostRounds, allModules))
	if err != nil {
		panic(err)
	}
	r, _ := engine.RulesOf[State, *Rules](g.NewMatch())
	return r.layout.match.ObjectShape().
		Of("Everything is optional. What is left out has the value that it has in a match which has just reached that point of its first round; what is random there is dealt from seed. POSITIONS.md has examples. Of what the box holds there is as much as in the printed one.").
		Defines(
			position.Named{Name: "card", Shape: position.OneOf(cardNames[:]...)},
			position.Named{Name: "landmark", Shape: position.OneOf(landmarkNames[:]...)},
			position.Named{Name: "count", Shape: position.ObjectOf(position.Named{Name: "cards", Shape: position.Natural()}).Needs("cards").Of("In a seat's view: the number of cards that it does not see.")},
			position.Named{Name: relicNames[Totem], Shape: r.relicShape(Totem)},
			position.Named{Name: relicNames[Shell], Shape: r.relicShape(Shell)},
			position.Named{Name: "stack", Shape: widest.Shape(maxFrames)}, // here, as it takes a millisecond
			position.Named{Name: "ship", Shape: r.layout.ship.ObjectShape()},
			position.Named{Name: legendaryName, Shape: r.layout.legendary.ObjectShape()},
		).
		Examples(
			`{"game": "doubloons(seats=2,chance=explicit,forced=show)", "ships": [{"table": ["N33"], "hull": 4}, {"region": 1}]}`,
			`{"game": "doubloons(seats=3,chance=explicit)", "dug": true, "slot": 2, "turn": 1,
			  "ships": [{"captain": "voet", "track": 3}, {"table": ["N01", "C13"], "reputation": 1}]}`,
		).Schema("Position of Dead Man's Doubloons")
}

// tilesShape is what lies at the locations of the island, stacksShape what in the stacks.
func (r *Rules) tilesShape() position.Shape {
	var list []position.Named
	for n, name := range nodeNames {
		if r.Colour[n] != ColourNone {
			list = append(list, position.Named{Name: name, Shape: landmark})
		}
	}
	return position.ObjectOf(list...)
}

func (r *Rules) stacksShape() position.Shape {
	var list []position.Named
	for _, name := range colourNames[:r.stacks] {
		list = append(list, position.Named{Name: name, Shape: position.ObjectOf(
			position.Named{Name: "top", Shape: landmarkSet.Of("Tiles in unknown order.")},
			position.Named{Name: "bottom", Shape: landmarkSet.Of("Tiles below them in known order, first drawn first.")})})
	}
	return position.ObjectOf(list...)
}

func (r *Rules) mapStackShape() position.Shape {
	list := []position.Named{{Name: "fragments", Shape: position.Whole(0, r.symbols*int(r.FragmentsPerSymbol))}}
	for special, name := range specialNames {
		list = append(list, position.Named{Name: name, Shape: position.Whole(0, int(r.Specials[special]))})
	}
	return position.ObjectOf(list...)
}

func waterList(tiles []int8) []string {
	list := []string{}
	for _, t := range tiles {
		list = append(list, position.NameOf(waterNames[:], t))
	}
	return list
}

// tiles are the landmarks on the island, by location.
func (s *State) tiles() (nodes position.Object) {
	for n, t := range s.Tiles {
		if t != noTile {
			nodes.Add(nodeNames[n], landmarkNames[t])
		}
	}
	return nodes
}

// stackTiles are the landmarks in the stacks.
func (r *Rules) stackTiles(s *State) (stacks position.Object) {
	for c := range r.stacks {
		bottom := []string{}
		for _, t := range s.StackBottom[c][:s.StackLow[c]] {
			bottom = append(bottom, landmarkNames[t])
		}
		stacks.Add(colourNames[c], position.Object{{Name: "top", Value: nameList(s.StackTop[c], landmarkNames[:])}, {Name: "bottom", Value: bottom}})
	}
	return stacks
}

// replacedTiles is the set of landmarks that are neither on the island nor in a stack nor on their way.
func (r *Rules) replacedTiles(s *State) uint64 {
	out := r.landmarkSet &^ s.inFlight()
	for _, t := range s.Tiles {
		if t != noTile {
			out &^= 1 << t
		}
	}
	for c := range r.stacks {
		out &^= s.StackTop[c]
		for _, t := range s.StackBottom[c][:s.StackLow[c]] {
			out &^= 1 << t
		}
	}
	return out
}

// oldCards is how many cards that the seat hides are old: in hand or face down, which is not known.
func (v *subject) oldCards() int { return bits.OnesCount64(v.s.Hidden(v.seat) & v.s.Old) }

// row are the programmed cards; a view sees its own and those that lie face up.
func (v *subject) row() []string {
	table := []string{}
	for k, c := range v.ship.Table {
		if c != noCard && k >= int(v.s.Revealed) && !v.open() {
			table = append(table, position.Hidden)
		} else {
			table = append(table, position.NameOf(cardNames[:], c))
		}
	}
	return table
}

// nameList lists the members of a set by name.
func nameList(set uint64, names []string) []string {
	list := []string{}
	for ; set != 0; set &= set - 1 {
		list = append(list, names[bits.TrailingZeros64(set)])
	}
	return list
}

func cardList(set uint64) []string { return nameList(set, cardNames[:]) }

// cardsOrNumber lists cards that a view sees, and counts others.
func cardsOrNumber(set uint64, seen bool) any {
	if seen {
		return cardList(set)
	}
	return position.Object{{Name: "cards", Value: bits.OnesCount64(set)}}
}

var (
	facingNames = []string{"clockwise", "counterclockwise"}
	facings     = []int8{Clockwise, CounterClockwise}
)

func facingName(facing int8) string { return facingNames[slices.Index(facings, facing)] }
