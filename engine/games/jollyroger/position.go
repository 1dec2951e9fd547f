package jollyroger

import (
	"fmt"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
)

// Positions as they are printed, and what may stand in them: each field is one row, from which its
// place in the JSON Schema follows. POSITIONS.md has examples; position_read.go reads positions back.

// Position returns what encodes to readable JSON: the whole match for
// engine.Full, else what the seat view may know of it.
func (r *Rules) Position(s *State, view int) any {
	var room State
	return positionFields.Object(&showing{r: r, s: r.Seen(s, view, &room), view: view, full: view == engine.Full})
}

// showing is a match, or with a seat that seat of it, as a view shows it.
type showing struct {
	r    *Rules
	s    *State
	view int
	full bool
	seat int
}

type fields = position.Rows[*showing]

var (
	aSeat, seatOrNobody = position.Whole(0, MaxSeats-1), position.Whole(noSeat, MaxSeats-1)
	crewShape           = position.Ref("crew")
	prizesShape         = position.Ref("prizes")
	crewOrCount         = position.Either(crewShape, position.Ref("count"))
	prizesOrCount       = position.Either(prizesShape, position.Ref("count"))
	namesAndNone        = func(names []string) position.Shape {
		return position.OneOf(append(names[:len(names):len(names)], position.None)...)
	}
	natural, truth = position.Natural(), position.Truth()
	seatSet        = position.ListOf(aSeat, MaxSeats)
)

var positionFields = fields{
	{Name: "game", Shape: position.Text().Of("Game string, such as jolly_roger(seats=4,chance=explicit). The command line makes the match from it."),
		Show: func(v *showing) any { return only(v.full, v.r.info.Config) }},
	{Name: "seed", Shape: position.Long().Of("Seed of what is dealt for parts left out, and of the match's further chance. Left out: 0.")},
	{Name: "round", Shape: position.Whole(0, Rounds).Of("From 1; 0 during set-up. Left out: 1."), Show: func(v *showing) any { return v.s.Round }},
	{Name: "phase", Shape: position.OneOf(phaseNames...).Of("Left out: appointment. Without stack, the match continues from the beginning of the phase; with mutiny, from its first turn after the First Mutineer's."),
		Show: func(v *showing) any { return v.s.Phase.String() }},
	{Name: "captain", Shape: seatOrNobody.Of("Seat of the Captain; -1 before the card is dealt. Left out: 0."), Show: func(v *showing) any { return v.s.Captain }},
	{Name: "captain_since", Shape: position.Whole(0, Rounds).Of("The round in which the Captain took office; 0: before the first. Left out: 0."), Show: func(v *showing) any { return v.s.Since }},
	{Name: "quartermaster", Shape: seatOrNobody.Of("Seat of the Quartermaster; -1 before the first is appointed. With three players the Captain. Left out: the seat on the Captain's left."),
		Show: func(v *showing) any { return v.s.Quartermaster }},
	{Name: "destination", Shape: namesAndNone(destinationNames).Of("Where the ship goes. In phase voyage the Captain has chosen it. Left out: that of the target, else none."),
		Show: func(v *showing) any { return position.NameOf(destinationNames, v.s.Destination) }},
	{Name: "target", Shape: namesAndNone(targetNames).Of("The destination card, once it is revealed. Left out: none."),
		Show: func(v *showing) any { return position.NameOf(targetNames, v.s.Target) }},
	{Name: "needs", Shape: needsShape().Of("What the target needs, changed by officers. Left out: what its card says."),
		Show: func(v *showing) any {
			return only(v.s.Target != noTarget, position.Tally(v.s.Needs[:], skillNames, true))
		}},
	{Name: "mutiny_tried", Shape: truth.Of("This round has had its mutiny. Left out: whether there is one now."), Show: func(v *showing) any { return v.s.MutinyTried }},
	{Name: "interrupted", Shape: truth.Of("A mutiny has undone what the Captain decided last. Left out: false."), Show: func(v *showing) any { return v.s.Interrupted }},
	{Name: "barred", Shape: truth.Of("Treasure Island could not be reached this round. Left out: false."), Show: func(v *showing) any { return v.s.Barred }},
	{Name: "map", Shape: truth.Of("An Old Sailor lies on the table. Left out: false. In phase island, true begins with the Boatswain and the burying."),
		Show: func(v *showing) any { return v.s.Map }},
	{Name: "guard", Shape: seatOrNobody.Of("Who guards the ship and may not bury. Left out: -1, nobody."), Show: func(v *showing) any { return v.s.Guard }},
	{Name: "mutiny", Shape: mutinyFields.ObjectShape().Needs("mutineer").Of("The mutiny under way. Left out: there is none."),
		Show: func(v *showing) any { return only(v.s.Mutineer != noSeat, mutinyFields.Object(v)) }},
	{Name: "discard", Shape: crewShape.Of("Crew cards discarded. Left out: none; with a deck, those that are nowhere else."),
		Show: func(v *showing) any { return position.Tally(v.s.Discard[:], crewNames, false) }},
	{Name: "deck", Shape: crewOrCount.Of("Crew cards that can be drawn. Left out: those that are nowhere else."), Show: func(v *showing) any { return counted(v.s.Deck[:], crewNames, v.full) }},
	{Name: "played", Shape: crewOrCount.Of("Cards in the attack; or, while the cards of a mutiny are dealt again, those left. Left out: none."),
		Show: func(v *showing) any { return counted(v.s.Played[:], crewNames, v.full || !v.s.PoolFaceDown()) }},
	{Name: "spoils", Shape: prizesOrCount.Of("Prizes being shared out. Left out: none."), Show: func(v *showing) any { return counted(v.s.Spoils[:], prizeNames, v.r.SeesSpoils(v.s, v.view)) }},
	{Name: "prize_deck", Shape: prizesOrCount.Of("Prizes that can be drawn. Left out: those that are nowhere else."),
		Show: func(v *showing) any { return counted(v.s.PrizeDeck[:], prizeNames, v.full || !v.r.hidden) }},
	{Name: "prize_discard", Shape: prizesShape.Of("Prizes discarded. Left out: none; with a prize_deck, those that are nowhere else."),
		Show: func(v *showing) any { return position.Tally(v.s.PrizeOut[:], prizeNames, false) }},
	{Name: "stacks", Shape: stacksShape().Of("Destination cards that have not been used. One has been used for each voyage so far; stacks left out have lost at random what the others leave to them."),
		Show: func(v *showing) any { return v.s.unused() }},
	{Name: "players", Shape: position.ListOf(playerFields.ObjectShape(), MaxSeats).Of("In any order with seat, else from seat 0."), Show: func(v *showing) any { return v.players() }},
	{Name: "offer", Shape: position.TallyOf(sightedNames...).Of("Crew cards and prizes that are being offered; they are still with the player who offers them. Left out: none."),
		Show: func(v *showing) any {
			return only(v.r.SeesOffer(v.s, v.view), append(position.Tally(v.s.Offer[:], crewNames, false), position.Tally(v.s.OfferPrizes[:], prizeNames, false)...))
		}},
	{Name: "old", Shape: crewShape.Of("No more cards of each kind than this are in hands since before the last reshuffle. Left out: there was none."),
		Show: func(v *showing) any { return only(sum(v.s.Old[:]) > 0, position.Tally(v.s.Old[:], crewNames, false)) }},
	{Name: "sightings", Shape: position.ListOf(sightingFields.ObjectShape().Needs("card", "among"), knowers*maxSightings).
		Of("What seats have seen of hidden cards: one of the seats in among (or, with on_table, the table) has such a card, besides those of its other sightings. A seat's view has its own, those that all know, and those of its own cards that it knows others to have."),
		Show: func(v *showing) any { list := v.s.sightings(v.view); return only(len(list) > 0, list) }},
	{Name: "sighted_spoils", Shape: position.Ref("sighted").Of("How many of the prizes that a seat has sighted are among those being shared out, as in players."),
		Show: func(v *showing) any { return v.sighted(prizeRow, middle) }},
	{Name: "bags", Shape: position.ListOf(bagFields.ObjectShape().Needs("seat", "bag"), MaxSeats*allBags).
		Of("How likely sighted cards are at each of the places where they can be; in a seat's view for itself only. A bag is a number of cards, of which a seat has sighted some and does not know where which of them are. Left out: none; a sighting without a bag is as likely at each place."),
		Show: func(v *showing) any { list := v.bags(); return only(len(list) > 0, list) }},
	{Name: "stack", Shape: widest.Shape(mostFrames).Of("What is to be decided and done, last first. While another is asked for a card of its hand, a seat's view has what comes next if it passes. Left out: what follows from the phase."),
		Show: func(v *showing) any { return v.stack() }},
	{Name: "generator", Shape: position.GeneratorShape(), Show: func(v *showing) any { return only(v.full, v.s.Rand) }},
}

var mutinyFields = fields{
	{Name: "mutineer", Shape: aSeat.Of("The First Mutineer."), Show: func(v *showing) any { return v.s.Mutineer }},
	{Name: "quartermaster_card", Shape: position.OneOf(sideNames...).Of("For whom the Quartermaster card was played. Left out: neutral, not played."), Show: func(v *showing) any { return sideNames[v.s.RoleSide] }},
	{Name: "for_captain", Shape: crewShape.Of("Cards played for the Captain, without the Captain card."), Show: func(v *showing) any { return position.Tally(v.s.Sides[0][:], crewNames, false) }},
	{Name: "for_mutineer", Shape: crewShape.Of("Cards played for the First Mutineer, the one that called the mutiny too."), Show: func(v *showing) any { return position.Tally(v.s.Sides[1][:], crewNames, false) }},
}

var playerFields = fields{
	{Name: "seat", Shape: aSeat.Of("The seat; its place in the list if left out."), Show: func(v *showing) any { return v.seat }},
	{Name: "hand", Shape: crewOrCount.Of("Crew cards held. Left out: a start hand, dealt from what is left."), Show: func(v *showing) any { return counted(v.s.Hands[v.seat][:], crewNames, v.full || v.seat == v.view) }},
	{Name: "prizes", Shape: prizesOrCount.Of("Prizes that are not buried. Left out: none."), Show: func(v *showing) any { return counted(v.s.Prizes[v.seat][:], prizeNames, v.open()) }},
	{Name: "buried", Shape: prizesOrCount.Of("Buried prizes. Left out: none."), Show: func(v *showing) any { return counted(v.s.Buried[v.seat][:], prizeNames, v.open()) }},
	{Name: "side", Shape: position.OneOf(sideNames...).Of("In a mutiny. Left out: neutral, except for the Captain, the First Mutineer and a Quartermaster whose card is played."),
		Show: func(v *showing) any { side := v.s.Side[v.seat]; return only(side != Neutral, sideNames[side]) }},
	{Name: "split", Shape: natural.Of("Prizes got in the sharing-out under way. Left out: 0."), Show: func(v *showing) any { n := v.s.Split[v.seat]; return only(n > 0, n) }},
	{Name: "said", Shape: saidFields.ObjectShape().Of("Last words of this round. Left out: nothing."), Show: func(v *showing) any {
		if v.s.Said[v.seat] == 0 {
			return nil
		}
		return saidFields.Object(v)
	}},
	{Name: "offered_to", Shape: seatSet.Of("In a mutiny: the seats that the player has made an offer to. Left out: none."), Show: func(v *showing) any { set := v.s.Offered[v.seat]; return only(set != 0, seatList(set)) }},
	{Name: "appraised", Shape: natural.Of("At the end: gold that unsold jewels have brought. Left out: 0."), Show: func(v *showing) any { n := v.s.Appraised[v.seat]; return only(n > 0, n) }},
	{Name: "new_cards", Shape: natural.Of("How many cards of the hand may have come since the last reshuffle. Left out: all."),
		Show: func(v *showing) any { return only(sum(v.s.Old[:]) > 0, v.s.Free[v.seat]) }},
	{Name: "of_mutiny", Shape: crewOrCount.Of("While cards of a mutiny are being dealt again: those that the player has got so far. Left out: none."),
		Show: func(v *showing) any {
			got := v.s.Got[v.seat][:]
			return only(sum(got) > 0, counted(got, crewNames, v.full || v.seat == v.view))
		}},
	sightedField(allCrew, "How many of the crew cards that a seat has sighted this player holds, if that says more than the sightings one by one: after a card has been passed on unseen, or cards of a mutiny were dealt."),
	sightedField(lastCrew, "The same of those crew cards that were dealt again after the last mutiny."),
	sightedField(prizeRow, "The same of prizes."),
}

var saidFields = fields{
	{Name: "phrase", Shape: position.OneOf(phraseNames...).Of("What was said."), Show: func(v *showing) any { return phraseNames[(v.s.Said[v.seat]-1)/MaxSeats] }},
	{Name: "to", Shape: aSeat.Of("The seat that it was said to."), Show: func(v *showing) any { return (v.s.Said[v.seat] - 1) % MaxSeats }},
}

// sighting is one that a view shows, with the seats that know it, whether the onlooker does, and the bag.
type sighting struct {
	Sighting
	by     []int
	public bool
	bag    int
}

var sightingFields = position.Rows[sighting]{
	{Name: "card", Shape: position.OneOf(sightedNames...).Of("The kind of card that was seen."), Show: func(e sighting) any { return sightedNames[e.Kind] }},
	{Name: "among", Shape: seatSet.Of("Seats, one of which has it."), Show: func(e sighting) any { return seatList(e.Among()) }},
	{Name: "on_table", Shape: truth.Of("Whether it may be among the prizes being shared out instead."), Show: func(e sighting) any { return only(e.where&onTable != 0, true) }},
	{Name: "of_mutiny", Shape: position.OneOf(mutinyNames...).Of("Whether it is one of those that were dealt again after the last mutiny. Left out: it is not."),
		Show: func(e sighting) any { return only(e.ofLast(), mutinyNames[1]) }},
	{Name: "known_by", Shape: seatSet.Of("Seats that know it, each for itself; in a seat's view those of which it knows so."), Show: func(e sighting) any { return e.by }},
	{Name: "told", Shape: aSeat.Of("Another seat that knows that those know it. Left out: nobody."),
		Show: func(e sighting) any { return only(e.told() != noSeat, e.told()) }},
	{Name: "public", Shape: truth.Of("Whether an onlooker knows it, who sees what all see. Left out: false."), Show: func(e sighting) any { return only(e.public, true) }},
	{Name: "bag", Shape: position.Whole(noBag, allBags-1).Of("The bag that it is of, for those that know it; in a seat's view its own only. Left out: none."),
		Show: func(e sighting) any { return only(e.bag > noBag, e.bag) }},
}

// mutinyNames say which mutiny's cards a sighting is of.
var mutinyNames = []string{"none", "last"}

// bagged is a bag of a seat.
type bagged struct {
	s         *State
	seat, bag int
}

var bagFields = position.Rows[bagged]{
	{Name: "seat", Shape: aSeat.Of("Whose knowledge it is."), Show: func(b bagged) any { return b.seat }},
	{Name: "bag", Shape: position.Whole(noBag+1, allBags-1).Of(fmt.Sprintf("Its number: up to %d of crew cards, from then on of prizes.", crewBags)), Show: func(b bagged) any { return b.bag }},
	{Name: "open", Shape: truth.Of("Whether there are cards in it that the seat has not sighted. Left out: false."), Show: func(b bagged) any { return only(b.s.Open[b.seat]>>b.bag&1 != 0, true) }},
	{Name: "slots", Shape: position.ListOf(natural, places).Of(fmt.Sprintf("How many of its cards are to be expected with each seat and, last, on the table, in parts of which %d are a card. Left out, at the end too: none.", slot)),
		Show: func(b bagged) any {
			var list []int
			for p := range b.s.Slots[b.seat] {
				if n := b.s.Slots[b.seat][p][b.bag]; n > 0 {
					for len(list) < p {
						list = append(list, 0)
					}
					list = append(list, int(n))
				}
			}
			return only(list != nil, list)
		}},
}

// bags are those of all seats that the view may see.
func (v *showing) bags() (list []position.Object) {
	for seat := range MaxSeats {
		for bag := 1; (v.full || seat == v.view) && bag < allBags; bag++ {
			some := v.s.Open[seat]>>bag&1 != 0
			for p := range v.s.Slots[seat] {
				some = some || v.s.Slots[seat][p][bag] > 0
			}
			if some {
				list = append(list, bagFields.Object(bagged{v.s, seat, bag}))
			}
		}
	}
	return list
}

// sightedFields say how many cards a player has of those that are counted in each row of State.Least and
// State.Most.
var sightedFields = []string{"sighted", "sighted_of_mutiny", "sighted_prizes"}

// sightedEnds are what such a field has: State.Least, State.Most.
var sightedEnds = []string{"least", "most"}

func sightedField(row int, doc string) position.Row[*showing] {
	return position.Row[*showing]{Name: sightedFields[row], Shape: position.Ref("sighted").Of(doc), Show: func(v *showing) any { return v.sighted(row, v.seat) }}
}

func sightedShape() position.Shape {
	return position.ObjectOf(
		position.Named{Name: sightedEnds[0], Shape: position.ListOf(natural, knowers).
			Of("At least this many: a number for each seat that may know and, last, for an onlooker, who may be left out; in a seat's view its own and the onlooker's. Left out: those that can be nowhere else.")},
		position.Named{Name: sightedEnds[1], Shape: position.ListOf(natural, knowers).Of("At most this many, likewise. Left out: those that can be there.")},
	).Needs(sightedEnds...)
}

// only is a value if it is shown, else nothing.
func only(shown bool, value any) any {
	if !shown {
		return nil
	}
	return value
}

// schema is the JSON Schema of positions of any configuration.
func schema() string {
	return positionFields.ObjectShape().
		Of("Everything is optional. What is left out has the value that it has in a match which has just reached that phase; what is random there is dealt from seed. POSITIONS.md has examples.").
		Defines(
			position.Named{Name: "sighted", Shape: sightedShape()},
			position.Named{Name: "crew", Shape: position.TallyOf(crewNames...).Of("Number of crew cards of each kind; kinds left out: none.")},
			position.Named{Name: "prizes", Shape: position.TallyOf(prizeNames...).Of("Number of prizes of each kind; kinds left out: none.")},
			position.Named{Name: "count", Shape: position.ObjectOf(position.Named{Name: unseenCards, Shape: natural.Of("How many there are.")}).Needs(unseenCards).
				Of("In a seat's view: the number of cards that it does not see.")},
		).
		Examples(
			`{"game": "jolly_roger(seats=4,chance=explicit)", "phase": "attack", "destination": "fort", "target": "fort_1",
			  "players": [{"hand": {"nav21": 1, "traitor": 1}}, {"hand": {"gun31": 1, "any": 1}}, {"hand": {"mel22": 2}}, {"hand": {"sharpshooter": 1}}]}`,
			`{"game": "jolly_roger(seats=5)", "phase": "voyage", "destination": "merchant_ship", "captain": 2, "quartermaster": 3,
			  "mutiny": {"mutineer": 0, "for_mutineer": {"nav15": 1}}}`,
		).Schema("Position of Jolly Roger")
}

func needsShape() position.Shape {
	var fields []position.Named
	for _, skill := range skillNames[:NumSkills] {
		fields = append(fields, position.Named{Name: skill, Shape: natural.Of("What the destination needs of " + skill + ", officers counted.")})
	}
	return position.ObjectOf(fields...)
}

func stacksShape() position.Shape {
	var fields []position.Named
	for d, name := range destinationNames {
		cards := targetNames[d*StackSize:][:stackCards(Destination(d))]
		fields = append(fields, position.Named{Name: name, Shape: position.ListOf(position.OneOf(cards...), StackSize).
			Of("Cards of this stack that no voyage has used, in any order.")})
	}
	return position.ObjectOf(fields...)
}

// unused are the destination cards that no voyage has used, by destination.
func (s *State) unused() (stacks position.Object) {
	for d, set := range s.Stacks {
		list := []string{}
		for i := range StackSize {
			if set>>i&1 != 0 {
				list = append(list, targetNames[d*StackSize+i])
			}
		}
		stacks.Add(destinationNames[d], list)
	}
	return stacks
}

func (v *showing) players() (players []position.Object) {
	of := *v
	for seat := range v.r.seats {
		of.seat = seat
		players = append(players, playerFields.Object(&of))
	}
	return players
}

// open reports whether the seat's prizes are shown.
func (v *showing) open() bool { return v.full || v.seat == v.view || v.r.PrizesOpen(v.s) }

func (v *showing) stack() []position.Object {
	stack := []position.Object{}
	for _, f := range v.s.Frames[:v.s.Depth] {
		stack = append(stack, v.r.written(f, v.view))
	}
	return stack
}

// written is a frame as a seat, or engine.Full, sees it.
func (r *Rules) written(f Frame, view int) position.Object {
	o := r.forms.Write(f)
	if r.masked(f, view) {
		return append(o[:2], o[4:]...) // after its kind and seat
	}
	return o
}

// sightings are what a view knows of hidden cards, in an order that says nothing of when they were seen: a seat what it has seen itself,
// what all have, and what it knows others to have seen of its own cards.
func (s *State) sightings(view int) []position.Object {
	if view == engine.Full {
		return s.allSightings()
	}
	known := *s
	for knower := range known.Memories {
		known.arrange(knower)
		var had [NumCrew + NumPrizes]int
		m, n := &known.Memories[knower], 0
		for i := range int(known.Sighted[knower]) {
			if knower == view || knower == onlooker || known.heard(knower, view, i, &had) {
				m.Kind[n], m.Where[n], m.Bag[n] = m.Kind[i], m.Where[i], m.Bag[i]
				if n++; knower != view {
					m.Bag[n-1] = noBag
				}
			}
		}
		known.Sighted[knower] = uint8(n)
	}
	return known.allSightings()
}

// allSightings are those of all seats and the onlooker, each in its order. What several know of a card, each that it is
// elsewhere than with itself, is one.
func (s *State) allSightings() (list []position.Object) {
	var next [knowers]int
	for {
		var most sighting
		for first := range next {
			if next[first] == int(s.Sighted[first]) {
				continue
			}
			if e := s.sharers(first, &next); most.by == nil || e.all() > most.all() {
				most = e
			}
		}
		if most.by == nil {
			return list
		}
		list = append(list, sightingFields.Object(most))
		for _, seat := range most.by {
			next[seat]++
		}
		if most.public {
			next[onlooker]++
		}
	}
}

// all is how many know a sighting.
func (e sighting) all() int { return len(e.by) + int(engine.Bit(e.public)) }

// outside is a set of places without the seat's own; the onlooker is nowhere.
func outside(knower int, where uint16) uint16 {
	if knower == onlooker {
		return where
	}
	return where &^ bit(knower)
}

// sharers are those who know the same next as one of them, except their own places.
func (s *State) sharers(first int, next *[knowers]int) (shared sighting) {
	shared = sighting{Sighting: s.Sighting(first, next[first]), by: []int{}, bag: -1}
	for knower := range next {
		if next[knower] == int(s.Sighted[knower]) {
			continue
		}
		e, bag := s.Sighting(knower, next[knower]), int(s.Memories[knower].Bag[next[knower]])
		all := e.where | shared.where
		same := e.Kind == shared.Kind && e.where == outside(knower, all) && e.told() == shared.told()
		for _, other := range shared.by {
			same = same && s.Sighting(other, next[other]).where == outside(other, all)
		}
		same = same && (!shared.public || s.Sighting(onlooker, next[onlooker]).where == all)
		switch {
		case !same:
		case knower == onlooker:
			shared.where, shared.public = all, true
		case shared.bag < 0 || shared.bag == bag:
			shared.where, shared.bag = all, bag
			shared.by = append(shared.by, knower)
		}
	}
	return shared
}

// sighted is how many of the cards that a seat has sighted are at a place, if that says
// more than its sightings one by one: of each whose knowledge the view sees, if it does for some.
func (v *showing) sighted(row, place int) any {
	s, more := v.s, false
	var least, most []int
	for knower := range s.Memories {
		if v.full && knower >= v.r.seats && knower != onlooker || !v.full && v.view != knower && knower != onlooker {
			continue
		}
		l, m := s.Least[row][knower][place], s.Most[row][knower][place]
		least, most = append(least, int(l)), append(most, int(m))
		usualLeast, usualMost := s.usual(knower)
		more = more || l != usualLeast[row][place] || m != usualMost[row][place]
	}
	return only(more, position.Object{{Name: sightedEnds[0], Value: least}, {Name: sightedEnds[1], Value: most}})
}

// sightedNames are the cards that sightings are of, by Sighting.Kind.
var sightedNames = append(crewNames[:NumCrew:NumCrew], prizeNames...)

// seatList lists the seats of a set.
func seatList(set uint16) []int {
	list := []int{}
	for seat := range MaxSeats {
		if set&bit(seat) != 0 {
			list = append(list, seat)
		}
	}
	return list
}

// unseenCards is the field that a view has in place of cards: their number.
const unseenCards = "cards"

// counted is a tally for those who see the cards, else their number.
func counted(counts []uint8, names []string, seen bool) position.Object {
	if !seen {
		return position.Object{{Name: unseenCards, Value: sum(counts)}}
	}
	return position.Tally(counts, names, false)
}
