package observe

import (
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
)

// The groups for modules, the alternate island and older editions, beyond those of
// version 1 of the schema, whose seat view is the beginning of every later one's.
// The standard game leaves all of it zero.

const (
	islandKinds   = 16 // decisions that the alternate island adds
	islandBeaches = doubloons.NumAlternateRegions
	islandTiles   = 20  // locations where its landmarks lie
	tileDigits    = 6   // binary digits of the number of a landmark
	islandSteps   = 5   // locations of a colour
	mostSetPoints = 255 // and what is more

	handFaces      = 6                                       // cards of a hand whose faces are shown
	standardPlaces = doubloons.NodeP5 - doubloons.NodeC1 + 1 // locations of the standard island where landmarks lie
	mostOfColour   = 10                                      // landmarks of a colour
)

// moduleRow are these groups.
type moduleRow struct {
	whirlpool  [doubloons.MaxRegions]uint8                             `name:"water.whirlpool" doc:"drafts: a Whirlpool lies in the region, from one's own ahead"`
	boardable  uint8                                                   `name:"legendary.boardable" doc:"one may Board the legendary ghost ship with one's card of this slot from where one is"`
	earlier    [doubloons.MaxSeats - 1][doubloons.NumSlots - 1]cardRow `name:"opponents[].earlier[]"`
	tileAt     [islandTiles][tileDigits]uint8                          `name:"island.tiles" doc:"alternate island: the landmark at each location (C1 to C5, V1 to V5, P1 to P5, T1 to T4, X), as its place among the actions keep=…, from 1, in binary digits, lowest first; 0 where none lies"`
	captains   [doubloons.MaxSeats]captainRow                          `name:"self,opponents[]"`
	islandKind [islandKinds]uint8                                      `name:"decision.island_kind" doc:"one-hot: what is asked by the alternate island: take a totem, duel, duel reroll, steal a totem, take a shell, steal a shell, place a totem, place a shell, beach, swap relics, give a relic for one, take a relic for it; the rest is free"`
	relic      [2]uint8                                                `name:"decision.relic" doc:"one-hot: the relic that it is about: totem, shell"`
	count      uint8                                                   `name:"decision.count" max:"60" scale:"1/4" doc:"how many are still to come of what it is about: relics to be placed, ships to lose a shell"`
	known      [doubloons.NumCards]uint8                               `name:"cards.known" max:"5" doc:"steal ship: one has sat k places on from here and knows that the card is still hidden there: k; 0 otherwise"`
	craterOpen uint8                                                   `name:"crater.open" doc:"alternate island: no relic is left in the crater, so captains may Advance there"`
	ways       [islandBeaches + islandTiles]uint8                      `name:"island.ways" doc:"alternate island: the location is one to which one's captain could Advance now: B1 to B5, then as in island.tiles"`
	sets       [doubloons.MaxSeats]setRow                              `name:"self,opponents[]"`

	// From version 4 of the schema on.
	unresolved [doubloons.NumCaptainCards]uint8 `name:"cards.unresolved" doc:"compass: the captain card lies where a compass has put it after that turn, so that nobody has resolved it and nobody may take it; in the order of the actions card=…"`
	moved      [doubloons.MaxSeats]movedRow     `name:"self,opponents[]"`

	// From version 5 of the schema on, of the standard game too.
	faces  [handFaces]faceRow           `name:"self.hand_faces[]"`
	tiles  [standardPlaces]tileRow      `name:"island.places[]"`
	orders [doubloons.MaxSeats]orderRow `name:"self,opponents[]"`
}

// faceRow is a card of one's hand by what it shows.
type faceRow struct {
	known uint8 `name:"known" doc:"one holds at least this many cards; they come in the order of the actions card=…, the first six of them"`
	card  cardRow
	needs [2]uint8 `name:"needs" doc:"its Board action needs an own icon; an enemy icon"`
}

// tileRow is the landmark at a location of the standard island: of C1 to C5, V1 to V6, P1 to P5, in this order.
type tileRow struct {
	colour [doubloons.ColourGreen]uint8 `name:"colour" doc:"one-hot: colour of the landmark that lies there: blue, yellow, red; zero if none does"`
	number [mostOfColour]uint8          `name:"number" doc:"one-hot: which of the landmarks of that colour it is, in the order of the actions keep=…"`
}

type orderRow struct {
	order uint8 `name:"order" max:"5" doc:"seats that come before the seat in each slot of this round"`
}

type movedRow struct {
	tracker uint8 `name:"tracker_moved" doc:"alternate island: the action under way has moved the seat's end-game tracker, which it does once"`
}

type setRow struct {
	points uint8 `name:"sets" max:"255" scale:"1/8" doc:"alternate island: points that the seat's fragments, totems and shells bring as sets of symbols"`
}

// captainRow is where a captain is on the alternate island.
type captainRow struct {
	stepIs     [islandSteps]uint8 `name:"step_is" doc:"alternate island, one-hot: number of the captain's location on its path, from 1"`
	leftCrater uint8              `name:"left_crater" doc:"alternate island, drafts: the captain has left the crater after the dig and cannot return"`
}

// flagged are the modules in the order of game.modules.
var flagged = [maxModules]doubloons.Module{
	doubloons.BlackJewels, doubloons.Compass, doubloons.LegendaryShip, doubloons.StealShip, doubloons.AdvancedScoring,
}

// tileLooks are the landmarks by number, as a location shows them.
var tileLooks = func() (looks [1 + doubloons.NumLandmarks]tileRow) { // the first is none

	for colour, tiles := range [doubloons.ColourGreen][][2]int{
		{{doubloons.AdventurersTavern, doubloons.WhisperingRavine}, {doubloons.OldMystic, doubloons.OldMystic}},
		{{doubloons.AltarOfGreed, doubloons.WellOfWishes}},
		{{doubloons.BleedingTotem, doubloons.ShriekingRavine}, {doubloons.ObsidianCradle, doubloons.ObsidianCradle}},
	} {
		number := 0
		for _, run := range tiles {
			for tile := run[0]; tile <= run[1]; tile++ {
				looks[1+tile].colour[colour], looks[1+tile].number[number] = 1, 1
				number++
			}
		}
	}
	return looks
}()

// faces writes the cards of the observer's hand by what they show.
func (v *view) faces(hand uint64, to *row) {
	for i := 0; i < handFaces && hand != 0; i, hand = i+1, hand&(hand-1) {
		to.module.faces[i] = v.d.faces[bits.TrailingZeros64(hand)]
	}
}

// places writes the landmarks of the standard island by location.
func (v *view) places(to *row) {
	for i, tile := range v.s.Tiles[doubloons.NodeC1 : doubloons.NodeC1+standardPlaces] {
		to.module.tiles[i] = tileLooks[1+tile]
	}
}

// order writes in which order the seats have their turns.
func (v *view) order(to *row) {
	order := v.d.rules.TurnOf(v.s, v.seat)
	for k := range v.d.seats {
		to.module.orders[k].order = uint8(order)
		if order++; order == v.d.seats {
			order = 0
		}
	}
}

// extras writes the groups that only some configurations have.
func (v *view) extras(to *row) {
	rules := v.d.rules
	for i, m := range flagged {
		to.modules[i] = engine.Bit(rules.Modules.Has(m))
	}
	if rules.Modules.Has(doubloons.LegendaryShip) {
		v.legendary(to)
	}
	if rules.Modules.Has(doubloons.StealShip) {
		v.known(to)
	}
	if v.d.away {
		v.adventure(to)
	}
	if rules.Modules.Has(doubloons.Compass) {
		v.earlier(to)
	}
	if rules.Edition.Whirlpools > 0 {
		v.whirlpools(to)
	}
}

// legendary writes the legendary ghost ship.
func (v *view) legendary(to *row) {
	v.hull(&v.s.Ships[doubloons.Legendary], &to.legendary)
	to.module.boardable = uint8(v.boardable >> doubloons.Legendary & 1)
}

// known writes the cards that the observer saw at seats it has left.
func (v *view) known(to *row) {
	s := v.s
	seen := s.Seen[s.Helm[v.seat]]
	for k := 1; k < v.d.seats && seen != 0; k++ {
		i := (v.seat + k) % v.d.seats
		for set := s.Hidden(i) & seen; set != 0; set &= set - 1 {
			to.module.known[bits.TrailingZeros64(set)] = uint8(k)
		}
	}
}

// earlier writes the cards of past slots before the others, which a compass can
// take. (Those of this slot are every ship's current card.)
func (v *view) earlier(to *row) {
	engine.Unpack(to.module.unresolved[:], uint64(v.s.Unresolved))
	for k := 1; k < v.d.seats; k++ {
		other := &v.s.Ships[(v.seat+k)%v.d.seats]
		for slot := range max(0, int(v.s.Slot)) {
			to.module.earlier[k-1][slot] = v.d.cards[1+int(other.Table[slot])].slot.card
		}
	}
}

// whirlpools writes where those of the drafts lie.
func (v *view) whirlpools(to *row) {
	for k, region := range v.ring[:v.d.regions] {
		to.module.whirlpool[k] = engine.Bit(v.s.Water[region] == doubloons.Whirlpool)
	}
}
