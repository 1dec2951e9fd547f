// Package observe says what a seat sees of Dead Man's Doubloons: the features of an observation, and how
// they are written. With advice=foresight the row of an action depends on a hand-written player, too: greedy captains
// (captain.Rollout) play the slot out.
package observe

import (
	"errors"
	"fmt"
	"math/bits"
	"sync"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
)

// encoder writes observations of one configuration.
type encoder struct {
	rules      *doubloons.Rules
	seats      int
	regions    int
	extras     bool // some of moduleRow may be filled
	away       bool // the alternate island is played
	bonuses    bool // a ship may lose points by what another one gains
	lookaheads sync.Pool

	arguments [kinds][6]meaning // of each decision

	// Tables made of the components, small so that they stay in the cache.
	cards     [1 + doubloons.NumCards]cardLook // by card number + 1; the first is no card
	faces     [doubloons.NumCards]faceRow
	places    [doubloons.NumNodes]placeRow
	ahead     [2][doubloons.MaxRegions][doubloons.MaxRegions + 1]uint8 // by facing, own region and region + 1: how far ahead it is
	ring      [2][doubloons.MaxRegions][doubloons.MaxRegions]uint8     // by facing, own region and how far ahead: the region
	later     [doubloons.MaxSeats][doubloons.MaxSeats]uint8            // by the seats of initiative and turn: the set of seats whose turn is to come
	front     [positions]uint8                                         // by position: the region ahead
	ways      [doubloons.NumCards]uint8                                // that a card's movement may take, as a set
	waysBySet [1 << numWays][numWays]int32                             // how likely each way of a set is
	drift     [numWays]int32                                           // how likely each is with a card that nobody has seen
	able      [2][doubloons.MaxCrew + 1][1 + doubloons.NumWater]uint8  // by ghost, crew and water tile + 1: the ship's ability works
}

// cardLook is the encoder's data of a card.
type cardLook struct {
	slot  slotRow // not ready
	icons uint8   // as in doubloons.Card
	needs doubloons.Needs
	board uint8 // it has a Board action
}

func init() { encode.Register("doubloons", newEncoder) }

func newEncoder(g engine.Game) (*encode.Encoder, error) {
	rules, ok := engine.RulesOf[doubloons.State, *doubloons.Rules](g.NewMatch())
	if !ok {
		return nil, errors.New("its matches are not those of package doubloons")
	}
	d := &encoder{rules: rules, seats: g.Info().Seats, regions: rules.Regions()}
	d.extras = rules.Modules != 0 || rules.Edition.Number > 0
	d.away, d.bonuses = rules.Modules.Has(doubloons.AlternateIsland), rules.Modules.Has(doubloons.AdvancedScoring)
	for i := range rules.Cards {
		c := &rules.Cards[i]
		d.cards[1+i] = cardLook{slotRow{known: 1, card: cardFace(c)}, c.Icons, c.OwnNeeds, engine.Bit(c.Loot != doubloons.LootNone)}
		d.faces[i] = faceRow{1, cardFace(c), [2]uint8{engine.Bit(c.OwnNeeds != 0), engine.Bit(c.EnemyNeeds != 0)}}
	}
	for n := range d.places {
		d.places[n] = d.locate(n)
	}
	d.countRegions()
	d.surveyCards()
	d.askTurns()
	d.askAbilities()
	var err error
	if d.arguments, err = argumentsOf(); err != nil {
		return nil, err
	}
	e := encode.New[row, full](g, 5, d.write, d.writeHidden)
	encode.DescribeActions(e, g, 1, d.describe)
	d.lookaheads.New = func() any { return newLookahead(g) }
	encode.Advise(e, d.advise)
	return e, nil
}

// cardFace is a card as an observation shows it.
func cardFace(c *doubloons.Card) (face cardRow) {
	for _, a := range c.Actions {
		face.actions[a.Icon] = 1 + a.Plus
	}
	for k, n := range c.Movement() {
		face.moves[k] = uint8(n)
	}
	if c.Loot != doubloons.LootNone {
		face.loot[c.Loot-1] = 1
	}
	if c.Kind == doubloons.KindCaptain {
		face.captain = 1
	}
	return face
}

// locate describes a place on the island.
func (d *encoder) locate(n int) (at placeRow) {
	if distance := d.rules.ToGoal(n); distance != doubloons.Unreached {
		at.distance = min(distance, mostSteps)
	}
	path := 0
	for p, first := range []int{doubloons.NodeB1, doubloons.NodeC1, doubloons.NodeV1, doubloons.NodeP1, doubloons.NodeT1, doubloons.NodeM} {
		if n >= first {
			path, at.step = p, uint8(n-first+1)
		}
	}
	if n == doubloons.NodeX { // the other island's goal
		at.step = 1
	}
	at.path[path] = 1
	return at
}

// countRegions fills the tables of regions as counted from one's own ship.
func (d *encoder) countRegions() {
	for turned, facing := range []int8{doubloons.Clockwise, doubloons.CounterClockwise} {
		for base := range d.regions {
			for k := range d.regions {
				region := d.rules.Ahead(&doubloons.Ship{Region: int8(base), Facing: facing}, int8(k))
				d.ring[turned][base][k] = uint8(region)
				d.ahead[turned][base][1+region] = uint8(k)
			}
		}
	}
}

// askTurns fills the table of seats whose turn is to come.
func (d *encoder) askTurns() {
	for first := range d.seats {
		s := doubloons.State{Initiative: int8(first)}
		for turn := range d.seats {
			for seat := range d.seats {
				d.later[first][turn] |= engine.Bit(d.rules.TurnOf(&s, seat) > d.rules.TurnOf(&s, turn)) << seat
			}
		}
	}
}

// askAbilities fills the table of whether a ship's ability works. In it no tile is one that affects nobody.
func (d *encoder) askAbilities() {
	for ghost := range d.able {
		for crew := range d.able[ghost] {
			for tile := range d.able[ghost][crew] {
				var s doubloons.State
				s.Water[0] = int8(tile - 1)
				d.able[ghost][crew][tile] = engine.Bit(d.rules.Able(&s, &doubloons.Ship{Ghost: ghost == 1, Crew: uint8(crew)}))
			}
		}
	}
}

// write fills the seat view of a player, from that player's place at the table.
func (d *encoder) write(m engine.Match, player int, dst []uint8) {
	s, to := engine.State[doubloons.State](m), encode.As[row](dst)
	seat := d.rules.SeatOf(s, player)
	own := &s.Ships[seat]
	v := view{d: d, s: s, seat: seat, facing: doubloons.Clockwise, deciding: d.rules.SeatOf(s, d.rules.Seat(s))}
	base, turned := 0, 0
	if own.Region >= 0 {
		base, v.facing = int(own.Region), own.Facing
		to.region[base] = 1
		if own.Facing == doubloons.Clockwise {
			to.clockwise = 1
		} else {
			turned = 1
		}
	}
	v.ahead, v.ring = &d.ahead[turned][base], &d.ring[turned][base]
	v.game(to)
	v.sea(to)
	v.island(to)
	v.ownCards(own, to)
	v.faces(own.Hand, to)
	if !d.away {
		v.places(to)
	}
	v.order(to)
	v.pending()
	v.ship(seat, own, &to.seats[0])
	if s.Slot >= 0 && to.table[s.Slot].ready&d.cards[1+int(own.Table[s.Slot])].board != 0 && own.Region >= 0 {
		v.boardable = d.rules.Boardable(s, seat, int(s.Slot))
	}
	v.unseen = s.Deck
	for k := 1; k < d.seats; k++ {
		i := seat + k
		if i >= d.seats {
			i -= d.seats
		}
		v.ship(i, &s.Ships[i], &to.seats[k])
	}
	twice(&to.hidden, v.unseen, v.unseen&s.Old)
	v.decision(s.Top(), to)
	if d.extras {
		v.extras(to)
	}
}

// view is one observation being written.
type view struct {
	d    *encoder
	s    *doubloons.State
	seat int

	facing   int8                             // of one's own ship
	ahead    *[1 + doubloons.MaxRegions]uint8 // from it, by region + 1
	ring     *[doubloons.MaxRegions]uint8     // the regions, from its own on
	deciding int                              // where the player sits who decides; negative if none does

	advances, acts, later uint8  // sets of seats: see pending
	unseen                uint64 // cards that one does not see
	boardable             int    // set of ships that the observer can Board with the card of this slot
}

// relative is a seat's place clockwise from the observer.
func (v *view) relative(seat int) int {
	if seat == doubloons.Legendary {
		return doubloons.Legendary
	}
	k := seat - v.seat
	if k < 0 {
		k += v.d.seats
	}
	return k
}

func (v *view) game(to *row) {
	s := v.s
	to.players[v.d.seats-doubloons.MinSeats] = 1
	to.edition[v.d.rules.Edition.Number] = 1
	to.phase[s.Phase] = 1
	if s.Slot >= 0 {
		to.slot[s.Slot] = 1
	}
	to.round = s.Round
	to.dug = engine.Bit(s.Dug)
	to.ending = engine.Bit(s.Ending)
	to.supply = s.Supply
	to.island = s.Island
	to.pillage = s.Pillage
	to.jewels = s.Jewels
	to.mapFragments = s.MapFragments
	to.mapUnseen = s.UnseenFragments
	to.mapSpecials = s.MapSpecials
	to.crater = s.Relics
}

func (v *view) sea(to *row) {
	s := v.s
	for k, region := range v.ring[:v.d.regions] {
		if tile := s.Water[region]; tile >= 0 && tile < boxWater {
			to.water[k][tile] = 1
		}
		to.beachTotems[k] = s.BeachTotems[region]
		to.regionShells[k] = s.RegionShells[region]
	}
}

func (v *view) island(to *row) {
	d, s := v.d, v.s
	var laid, next uint64
	for _, tile := range &s.Tiles {
		laid |= one(tile)
	}
	engine.Unpack(to.tilesLaid[:], laid)
	node := s.Ships[v.seat].Node // of the alternate island adventure knows better; a branch for it here would cost the others
	for _, n := range d.rules.Next[node][:d.rules.NextN[node]] {
		next |= one(s.Tiles[n])
	}
	engine.Unpack(to.tilesNext[:], next)
	for c := range to.stacks {
		to.stacks[c] = uint8(bits.OnesCount64(s.StackTop[c])) + s.StackLow[c]
	}
}

// ownCards writes the cards that the observer holds and has programmed.
func (v *view) ownCards(own *doubloons.Ship, to *row) {
	engine.Unpack(to.hand[:], own.Hand)
	var shown uint8 // icons on the slots before
	for k, c := range own.Table {
		card := &v.d.cards[1+int(c)]
		slot := &to.table[k]
		*slot = card.slot
		slot.ready = card.slot.known & engine.Bit(card.needs.Met(shown))
		shown |= card.icons
	}
}

// pending looks below the top of the decision stack for what will happen next.
func (v *view) pending() {
	s := v.s
	var advances, acts uint8
	for i := range s.Frames[:s.Depth] {
		f := &s.Frames[i]
		seat := uint8(f.Seat) & 7
		advances |= engine.Bit(f.Kind == doubloons.DoAdvance) << seat
		acts |= engine.Bit(f.Kind == doubloons.AskAction) << seat
	}
	v.advances, v.acts = advances, acts
	// A captain who chooses a path is already on the way.
	if f := s.Top(); f.Kind == doubloons.AskPath {
		v.advances |= 1 << f.Seat
	}
	if s.Slot >= 0 && s.Turn >= 0 && s.Turn < doubloons.MaxSeats {
		v.later = v.d.later[s.Initiative][s.Turn]
	}
}

// ship writes seat i and its ship, and adds to unseen what only it sees.
func (v *view) ship(i int, sh *doubloons.Ship, to *seatRow) {
	d, s := v.d, v.s
	v.hull(sh, &to.ship)
	if sh.Captain >= 0 {
		tile := int8(-1)
		if sh.Region >= 0 {
			tile = s.Water[sh.Region]
		}
		to.captain[sh.Captain] = 1
		to.ability = d.able[engine.Bit(sh.Ghost)][sh.Crew][1+tile]
	}
	to.ghost = engine.Bit(sh.Ghost)
	to.hull = sh.Hull
	to.orbs = sh.Orbs
	to.compasses = sh.Compasses
	to.place = d.places[sh.Node]
	to.track = sh.Track
	to.hand = uint8(bits.OnesCount64(sh.Hand))
	to.initiative = engine.Bit(i == int(s.Initiative))
	to.turn = engine.Bit(i == int(s.Turn))
	to.decides = engine.Bit(i == v.deciding)
	to.advances = v.advances >> (i & 7) & 1
	to.acts = v.acts >> (i & 7) & 1

	// Its row of programmed cards.
	var shown, faceDown uint8
	for _, c := range sh.Table[:s.Revealed] {
		shown |= d.cards[1+int(c)].icons
	}
	unseen := sh.Hand
	for _, c := range sh.Table[s.Revealed:] {
		faceDown += engine.Bit(c >= 0)
		unseen |= one(c)
	}
	v.unseen |= unseen
	to.faceDown = faceDown
	to.icons = icons[shown]
	if s.Slot < 0 || sh.Table[s.Slot] < 0 {
		return
	}
	to.card = d.cards[1+int(sh.Table[s.Slot])].slot.card
	to.waiting = v.later >> (i & 7) & 1
	to.boardable = uint8(v.boardable >> i & 1)
}

// hull writes the fields that the legendary ghost ship shares with the ships of seats.
func (v *view) hull(sh *doubloons.Ship, to *shipRow) {
	to.present = 1
	if sh.Region >= 0 {
		to.region[v.ahead[1+int(sh.Region)]] = 1
		to.facing = engine.Bit(sh.Facing == v.facing)
	}
	to.crew = crew[sh.Crew]
	to.reputation = levels[sh.Reputation]
	to.doubloons = sh.Doubloons
	to.pillage = sh.Pillage
	to.fragments = sh.Fragments
	to.jewels = sh.Jewels
	to.totems = sh.Totems
	to.shells = sh.Shells
}

// meaning is the meaning of a decision's argument in an observation.
type meaning uint8

const (
	unsaid   meaning = iota // by observations
	enemy                   // seat
	giver                   // seat
	resolver                // seat, of a landmark
	hit                     // set of seats
	victims                 // set of seats that lose a relic, the first of them now
	tile                    // landmark
	colour                  // stack
	place                   // location, negative for an Exploit
	slot                    // of a card
	symbol                  // of a fragment or a relic
	relic                   // symbol of one of several relics to be placed
	face                    // of the die
	damage                  // of an attack
	sailBy                  // movement left: …
	sailMay                 //
	turnBy                  //
	turnMay                 //
)

// meanings are those of the arguments by their names in the rows of the frames.
var meanings = map[string]meaning{
	"enemy": enemy, "receiver": enemy, "rival": enemy, "giver": giver, "resolver": resolver, "hit": hit, "victims": victims,
	"tile": tile, "first": tile, "second": tile, "colour": colour, "place": place, "slot": slot, "own": symbol, "symbol": relic,
	"face": face, "damage": damage, "sail": sailBy, "may_sail": sailMay, "turn": turnBy, "may_turn": turnMay,
	"active": unsaid, // the seat that decides
	"moved":  unsaid,
}

// argumentsOf are the meanings of each decision's arguments, in the order of Frame.Arg.
func argumentsOf() (all [kinds][6]meaning, err error) {
	for k := range doubloons.Kind(kinds) {
		for i, name := range doubloons.Arguments(k) {
			means, known := meanings[name]
			if !known {
				return all, fmt.Errorf("observations do not say what %s is to %s", name, k)
			}
			all[k][i] = means
		}
	}
	return all, nil
}

func (v *view) decision(f doubloons.Frame, to *row) {
	switch {
	case f.Kind < baseKinds:
		to.kind[f.Kind] = 1
	case f.Kind < kinds:
		v.islandDecision(f, to)
	default: // with chance=explicit it may be nature that is asked
		return
	}
	for i, means := range &v.d.arguments[f.Kind] {
		x := int(f.Arg[i])
		switch means {
		case unsaid:
		case enemy:
			to.enemy[v.relative(x)] = 1
		case giver:
			to.giver[v.relative(x)] = 1
		case resolver:
			to.resolver[v.relative(x)] = 1
		case hit:
			v.struck(x, to)
		case victims:
			v.struck(x, to)
			to.enemy[v.relative(bits.TrailingZeros8(uint8(x)))] = 1
			to.module.count = uint8(bits.OnesCount8(uint8(x)) - 1)
		case tile:
			to.tile[x] = 1
		case colour:
			to.colour[x] = 1
		case place:
			to.exploit = engine.Bit(x < 0)
		case slot:
			to.decisionSlot[x] = 1
		case symbol:
			to.symbol[x] = 1
		case relic:
			to.symbol[x] = 1
			to.module.count = v.toBePlaced()
		case face:
			to.face[x] = 1
		case damage:
			to.damage = uint8(x)
		default:
			to.movesLeft[means-sailBy] = uint8(x)
		}
	}
}

// struck marks a set of seats.
func (v *view) struck(set int, to *row) {
	for i := range v.d.seats {
		to.seats[v.relative(i)].struck = uint8(set >> i & 1)
	}
}

// writeHidden fills what the full view adds.
func (d *encoder) writeHidden(m engine.Match, player int, dst []uint8) {
	s, to := engine.State[doubloons.State](m), encode.As[full](dst)
	seat := d.rules.SeatOf(s, player)
	for k := 1; k < d.seats; k++ {
		sh, other := &s.Ships[(seat+k)%d.seats], &to.others[k-1]
		engine.Unpack(other.hand[:], sh.Hand)
		for i := int(s.Revealed); i < doubloons.NumSlots; i++ {
			if c := sh.Table[i]; c >= 0 {
				other.programmed[c] = uint8(i + 1)
			}
		}
	}
	engine.Unpack(to.deck[:], s.Deck)
}
