// Package observe says what a seat sees of Jolly Roger: the features of an observation, and how they
// are written.
package observe

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/jollyroger"
)

// encoder writes observations of one configuration.
type encoder struct {
	rules  *jollyroger.Rules
	seats  int
	others uint32 // set of the places of other seats, from the observer's left

	values worth // of crew cards in an attack
	men    worth // and in a mutiny

	uses [jollyroger.NumCrew]engine.Action // the action that plays a special card by name; -1 for one that is not played so

	arguments [jollyroger.NumAsks][]argument // of each decision

	// By the set of cards that are left: what they have between them.
	targets [attackable][1 << jollyroger.StackSize]targetRow
	ports   [1 << jollyroger.StackSize][2]uint8
}

func init() { encode.Register("jolly_roger", newEncoder) }

func newEncoder(g engine.Game) (*encode.Encoder, error) {
	rules, ok := engine.RulesOf[jollyroger.State, *jollyroger.Rules](g.NewMatch())
	if !ok {
		return nil, errors.New("its matches are not those of package jollyroger")
	}
	j := &encoder{rules: rules, seats: rules.Seats()}
	j.others = 1<<(j.seats-1) - 1
	for c := range rules.Crew {
		j.values.set(c, rules.Crew[c].Value)
		j.men.set(c, rules.Crew[c].Crewmen)
	}
	var err error
	if j.arguments, err = argumentsOf(); err != nil {
		return nil, err
	}
	j.survey()
	for c := range j.uses {
		j.uses[c] = -1
	}
	for _, c := range jollyroger.Usable() {
		j.uses[c] = jollyroger.ToUseOf(c)
	}
	e := encode.New[row, full](g, 2, j.write, j.writeHidden)
	encode.DescribeActions(e, g, 1, j.describe)
	encode.Advise(e, j.advise)
	return e, nil
}

// survey fills the tables of what is left of the stacks.
func (j *encoder) survey() {
	for set := 1; set < 1<<jollyroger.StackSize; set++ {
		for d := range attackable {
			row := &j.targets[d][set]
			j.ends(d, set, &row.prizes, func(t *jollyroger.Target) uint8 { return t.Prizes })
			for k := range row.needs {
				j.ends(d, set, &row.needs[k], func(t *jollyroger.Target) uint8 { return t.Needs[k] })
			}
		}
		j.ends(jollyroger.PiratePort, set, &j.ports[set], func(t *jollyroger.Target) uint8 { return t.Crew })
	}
}

// ends finds the least and the most that a set of cards of a stack has of something.
func (j *encoder) ends(d jollyroger.Destination, set int, to *[2]uint8, of func(*jollyroger.Target) uint8) {
	to[0] = 255
	for i := range jollyroger.StackSize {
		if set>>i&1 != 0 {
			n := of(&j.rules.Targets[int(d)*jollyroger.StackSize+i])
			to[0], to[1] = min(to[0], n), max(to[1], n)
		}
	}
}

// view is one observation being written.
type view struct {
	j    *encoder
	s    *jollyroger.State
	seat int

	open   bool // one sees the prizes of all
	unseen [jollyroger.NumPrizes]uint8
}

// write fills the seat view.
func (j *encoder) write(m engine.Match, seat int, dst []uint8) {
	s, to := engine.State[jollyroger.State](m), encode.As[row](dst)
	if j.rules.Veiled(s, seat) {
		var room jollyroger.State
		s = j.rules.Seen(s, seat, &room)
	}
	v := view{j: j, s: s, seat: seat, open: j.rules.PrizesOpen(s)}
	v.game(to)
	v.voyage(to)
	if s.Mutineer >= 0 {
		v.mutiny(to)
	}
	v.crewCards(to)
	v.prizes(to)
	for k := range j.seats {
		v.pirate(v.at(k), &to.seats[k])
	}
	v.officers(to)
	if j.rules.Bribes() > 0 {
		v.talk(to)
	}
	if j.rules.SeesOffer(s, seat) { // without bribes, who is to guard the ship makes some
		to.offer, to.offerPrizes = s.Offer, s.OfferPrizes
	}
	if s.Sighted[seat] > 0 {
		v.known(to)
	}
	v.decision(j.rules.Asked(s, seat), to)
}

// at is the seat k places clockwise from the observer.
func (v *view) at(k int) int {
	if k += v.seat; k >= v.j.seats {
		k -= v.j.seats
	}
	return k
}

// relative is a seat's place clockwise from the observer.
func (v *view) relative(seat int8) int {
	k := int(seat) - v.seat
	if k < 0 {
		k += v.j.seats
	}
	return k
}

func (v *view) game(to *row) {
	s, r := v.s, v.j.rules
	to.players[v.j.seats-jollyroger.MinSeats] = 1
	to.hiddenPrizes = engine.Bit(r.HiddenPrizes())
	to.captainsGold = engine.Bit(r.CaptainsGold())
	to.bribes[r.Bribes()] = 1
	to.limit = r.Limit()
	to.phase[s.Phase] = 1
	to.round = s.Round
	to.tried = engine.Bit(s.MutinyTried)
	to.interrupted = engine.Bit(s.Interrupted)
}

func (v *view) voyage(to *row) {
	s := v.s
	if s.Destination < jollyroger.NumDestinations {
		to.destination[s.Destination] = 1
	}
	if s.Target >= 0 {
		t := &v.j.rules.Targets[s.Target]
		to.target[s.Target] = 1
		to.needs, to.wins = s.Needs, t.Prizes
	}
	to.barred = engine.Bit(s.Barred)
	to.chart = engine.Bit(s.Map)
	var left uint64
	for d, set := range s.Stacks {
		left |= uint64(set) << (jollyroger.StackSize * d)
		to.stackCards[d] = uint8(bits.OnesCount8(set))
	}
	for d := range to.targets {
		to.targets[d] = v.j.targets[d][s.Stacks[d]]
	}
	to.ports = v.j.ports[s.Stacks[jollyroger.PiratePort]]
	engine.Unpack(to.left[:], left)
}

func (v *view) mutiny(to *row) {
	s := v.s
	if s.RoleSide != jollyroger.Neutral {
		to.role[s.RoleSide-1] = 1
	}
	to.sides = s.Sides
	for i := range s.Sides {
		t := tallyOf(&s.Sides[i])
		n := v.j.men.of(&t) + uint64(to.role[i])
		if i == 0 {
			n++ // the Captain card
		}
		to.crewmen[i] = uint8(min(255, n))
	}
	to.passes = s.Passes()
}

// crewCards writes where the crew cards are that are not in a mutiny.
func (v *view) crewCards(to *row) {
	s := v.s
	to.deck = s.DeckSize
	to.discard = s.Discard
	to.old = s.Old
	to.hand = s.Hands[v.seat]
	own := tallyOf(&s.Hands[v.seat])
	to.skills = v.j.force(&own)
	to.men = uint8(min(255, v.j.men.of(&own)))
	unseen := tallyOf(&s.Deck)
	for k := 1; k < v.j.seats; k++ {
		unseen.add(&s.Hands[v.at(k)])
	}
	if s.PoolFaceDown() {
		unseen.add(&s.Played)
	} else if played := tallyOf(&s.Played); played != (crewTally{}) {
		to.played = s.Played
		to.strength = v.j.force(&played)
	}
	unseen.put(&to.unseen)
}

// prizes writes the prizes that are not with a seat.
func (v *view) prizes(to *row) {
	s, r := v.s, v.j.rules
	to.prizesLeft = s.PrizesLeft
	to.prizesOut = s.PrizeOut
	v.unseen = s.PrizeDeck
	to.spoilsLeft = prizeCount(&s.Spoils)
	if to.spoilsLeft > 0 {
		if r.SeesSpoils(s, v.seat) {
			to.spoils = s.Spoils
		} else {
			addPrizes(&v.unseen, &s.Spoils)
		}
	}
	if !v.open {
		for k := 1; k < v.j.seats; k++ {
			addPrizes(&v.unseen, &s.Prizes[v.at(k)])
			addPrizes(&v.unseen, &s.Buried[v.at(k)])
		}
	}
	to.prizesUnseen = v.unseen
}

// pirate writes seat i.
func (v *view) pirate(i int, to *seatRow) {
	s := v.s
	to.present = 1
	to.hand = s.Size[i]
	to.prizeCards = prizeCount(&s.Prizes[i])
	to.buriedCards = prizeCount(&s.Buried[i])
	if v.open || i == v.seat {
		to.prizes = s.Prizes[i]
		to.buried = s.Buried[i]
	}
	to.split = s.Split[i]
}

// officers writes the holders of the offices.
func (v *view) officers(to *row) {
	s := v.s
	if s.Captain >= 0 {
		to.seats[v.relative(s.Captain)].captain = 1
	}
	if s.Quartermaster >= 0 {
		to.seats[v.relative(s.Quartermaster)].quartermaster = 1
	}
	if s.Guard >= 0 {
		to.seats[v.relative(s.Guard)].guard = 1
	}
	if s.Mutineer >= 0 {
		to.seats[v.relative(s.Mutineer)].mutineer = 1
		for k := range v.j.seats {
			if side := s.Side[v.at(k)]; side != jollyroger.Neutral {
				to.seats[k].side[side-1] = 1
			}
		}
	}
	if s.Old != [jollyroger.NumCrew]uint8{} { // else it means nothing
		for k := range v.j.seats {
			to.seats[k].fresh = s.Free[v.at(k)]
		}
	}
}

// talk writes the phrases that were said.
func (v *view) talk(to *row) {
	s := v.s
	for k := range v.j.seats {
		if said := int(s.Said[v.at(k)]) - 1; said >= 0 {
			to.seats[k].says[said/jollyroger.MaxSeats] = 1
			to.seats[k].saysTo[v.relative(int8(said%jollyroger.MaxSeats))] = 1
		}
	}
}

// decision writes the question.
func (v *view) decision(f jollyroger.Frame, to *row) {
	to.kind[f.Kind] = 1
	if f.Kind == jollyroger.AskNothing {
		return
	}
	to.seats[v.relative(f.Seat)].decides = 1
	for i, what := range v.j.arguments[f.Kind] {
		v.argument(what, f.Arg[i], to)
	}
	if f.Kind == jollyroger.AskFaction {
		set := v.s.Offered[f.Seat]
		to.settings[settingOffered] = engine.Bit(set != 0)
		v.asked(set, to)
	}
}

// argument is the meaning of a decision's argument in an observation: a setting, or one of these.
type argument uint8

const (
	aSeat      argument = settings + iota // which the decision concerns
	aSeatOrNot                            // the same: 1 + a seat, or 0
	aSide
	aCard // that may be cancelled
	hostages
	jewels
	toName
	aWindow
	aMoment
	askedLow // seats that the decision no longer offers, in two parts
	askedHigh
	unwritten // what the seat sees without it
)

// arguments are what they are by their names in the rows of the frames.
var arguments = map[string]argument{
	"mutiny": settingMutiny, "cook": settingCook, "guard": settingGuard, "spoken": settingSpoken, "without": settingWithout,
	"whose": aSeat, "carpenter": aSeat, "victim": aSeat, "receiver": aSeat, "giver": aSeat, "suggested": aSeatOrNot, "first": aSeatOrNot,
	"side": aSide, "card": aCard, "hostages": hostages, "jewels": jewels, "left": toName, "window": aWindow, "moment": aMoment,
	"asked_low": askedLow, "asked_high": askedHigh, "named_low": askedLow, "named_high": askedHigh,
	"drawn": unwritten,
}

// argumentsOf are those of each decision, in the order of Frame.Arg.
func argumentsOf() (all [jollyroger.NumAsks][]argument, err error) {
	for k := range jollyroger.Kind(jollyroger.NumAsks) {
		for _, name := range jollyroger.Arguments(k) {
			what, known := arguments[name]
			if !known {
				return all, fmt.Errorf("observations do not say what %s is to %s", name, k)
			}
			all[k] = append(all[k], what)
		}
	}
	return all, nil
}

func (v *view) argument(what argument, x int8, to *row) {
	switch what {
	case aSeat:
		to.seats[v.relative(x)].concerned = 1
	case aSeatOrNot:
		if x > 0 {
			to.seats[v.relative(x-1)].concerned = 1
		}
	case aSide:
		to.side[x-1] = 1
	case aCard:
		v.flight(v.s.InFlight(), to)
	case hostages:
		to.trade[0] = uint8(x)
	case jewels:
		to.trade[1] = uint8(x)
	case toName:
		to.toName = uint8(x)
	case aWindow:
		if x < windows {
			to.window[x] = 1
		}
	case aMoment:
		if x < moments {
			to.moment[x] = 1
		}
	case askedLow:
		v.asked(uint16(uint8(x)), to)
	case askedHigh:
		v.asked(uint16(uint8(x))<<8, to)
	case unwritten:
	default:
		to.settings[what] = uint8(x)
	}
}

func (v *view) asked(set uint16, to *row) {
	for ; set != 0; set &= set - 1 {
		to.seats[v.relative(int8(bits.TrailingZeros16(set)))].asked = 1
	}
}

// flight writes the card that the observer may cancel.
func (v *view) flight(f jollyroger.Frame, to *row) {
	card := f.Arg[0]
	aim := func(seat int8) {
		if seat >= 0 {
			to.seats[v.relative(seat)].aimed = 1
		}
	}
	switch f.Kind {
	case jollyroger.DoEffect:
		to.flight[0] = 1
		switch card {
		case jollyroger.SecondMate:
			aim(f.Arg[1])
			aim(f.Arg[2])
		case jollyroger.Boatswain, jollyroger.SmartKid:
			aim(f.Arg[1])
		case jollyroger.FirstMate, jollyroger.MasterMariner, jollyroger.Sharpshooter:
			to.by[engine.Bit(f.Arg[1] < 0)] = 1
		}
	case jollyroger.DoJoin:
		to.flight[1] = 1
	case jollyroger.DoCommit:
		to.flight[2] = 1
		to.side[f.Arg[1]-1] = 1
		switch {
		case f.Arg[2] == 0: // a crewman like any other
		case card == jollyroger.SeaDog:
			aim(f.Arg[3])
		case card == jollyroger.Cutthroat:
			to.killed[f.Arg[3]-1] = 1
		}
	case jollyroger.DoCancel:
		to.flight[3] = 1
	default:
		return
	}
	to.card[card] = 1
}

// writeHidden fills what the full view adds.
func (j *encoder) writeHidden(m engine.Match, seat int, dst []uint8) {
	s, to := engine.State[jollyroger.State](m), encode.As[full](dst)
	v := view{j: j, s: s, seat: seat}
	for k := 1; k < j.seats; k++ {
		i, other := v.at(k), &to.others[k-1]
		other.hand, other.prizes, other.buried = s.Hands[i], s.Prizes[i], s.Buried[i]
		other.decides = engine.Bit(i == m.Seat())
	}
	to.deck = s.Deck
	if s.PoolFaceDown() {
		to.pool = s.Played
	}
	to.prizeDeck, to.spoils = s.PrizeDeck, s.Spoils
	if f := s.Top(); m.Seat() >= 0 {
		to.kind[f.Kind] = 1
	}
}
