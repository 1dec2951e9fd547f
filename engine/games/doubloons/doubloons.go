package doubloons

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/frames"
)

func init() {
	engine.Register(engine.Definition{
		Name:  "doubloons",
		Title: "Dead Man's Doubloons (2017), 2 to 6 seats",
		Params: []engine.Param{
			{Name: "seats", Default: "4", Choices: engine.Counts(2, MaxSeats), Help: "number of players, 2 to 6"},
			{Name: "edition", Default: "final", Choices: editionNames(), Help: "rulebook: " + strings.Join(editionNames(), ", ")},
			{Name: "modules", Default: engine.NoWords, Help: "optional modules, joined by +: " + strings.Join(moduleNames[:], ", "), Words: moduleNames[:]},
			{Name: "max_rounds", Default: "60", Help: "rounds, 1 to 250, after which an unfinished match is truncated without a winner; no rulebook has such a limit"},
			engine.ObjectiveParam,
			engine.RewardsParam,
			{
				Name: engine.AdviceName, Default: engine.NoWords, Words: []string{"foresight"},
				Help: "what rows of actions also hold; foresight: how seats stand at the end of the slot if greedy captains finish it; matches stay the same",
			},
			engine.ComponentsParam,
			engine.StartParam,
		},
		New:        newGame,
		Rules:      rulesText,
		Brief:      brief,
		Components: componentsFile,
		Schema:     schema,
	})
}

// Rules are the rules for one configuration.
type Rules struct {
	*Components
	Edition Edition
	Modules Modules
	info    *engine.Info
	seats   int
	fleet   []int // the ships of the match: the seats', then the legendary ghost ship
	regions int
	payment engine.Payment
	log     *engine.Log // of what happens; nil: nobody listens

	maxRounds int
	limit     string // in words

	normal, captains uint64  // sets of cards: of the deck, and of what joins it at the dig
	landmarkSet      uint64  // landmarks in the game
	stacks           int     // of landmarks, the first colours
	symbols          int     // of map fragments in the game, the first of them
	jewelKinds       int     // in the game, the first of them
	stages           []Kind  // of set-up
	removed          int     // map fragments that set-up removes unseen, …
	dealt            int     // … and those that it deals each seat
	giftRelics       int     // relics that the legendary ghost ship is dealt
	boxed            int     // relics that are returned to the box unseen
	gifts            []Frame // what the legendary ghost ship is dealt, see legendaryGifts
	forms            *frames.Table[Kind]
	layout           layout

	// The island that is played.
	chart     []uint8                                // groups of water tiles, by region
	mistsMove [MaxRegions]bool                       // regions that Mists of Morgana must leave again
	toGoal    *[NumNodes]uint8                       // see ToGoal
	beaches   int                                    // captains land on that of their region, or on the only one
	stays     bool                                   // captains and landmarks stay when the treasure has been dug up
	share     func(*Rules, int8) int                 // jewels that a captain at a location draws at the dig
	picture   func(*Rules, *strings.Builder, *State) // draws it

	// Additions of modules: see room.
	afterWater, afterDraft []Frame                                 // of set-up
	afterCards             []Frame                                 // of a round
	equip                  []func(*Rules, *State)                  // in set-up
	scorings               []scoring                               // to scores
	prizes                 []func(*Ship) int                       // of Advanced Scoring
	below                  [NumModules]func(*Rules, *State) string // to a picture, below the ships
}

// Clause SET-1.
func newGame(c engine.Config) (engine.Game, error) {
	r := &Rules{regions: NumRegions}
	var err error
	if r.seats, err = c.Int("seats", MinSeats, MaxSeats); err != nil {
		return nil, err
	}
	edition, err := c.OneOf("edition", editionNames()...)
	if err != nil {
		return nil, err
	}
	if r.Edition, err = findEdition(edition, r.seats); err != nil {
		return nil, err
	}
	if r.Modules, err = parseModules(c.Get("modules"), &r.Edition); err != nil {
		return nil, err
	}
	if r.maxRounds, err = c.Int("max_rounds", 1, mostRounds); err != nil {
		return nil, err
	}
	r.limit = fmt.Sprintf("max_rounds=%d", r.maxRounds)
	if r.payment, err = c.Payment(marginScale, behind); err != nil {
		return nil, err
	}
	if r.Components, err = components.Open(c); err != nil {
		return nil, err
	}
	r.furnish()
	r.info = c.Info()
	r.info.Seats = r.seats
	r.info.PaysEarly = r.payment.Running()
	nameActions(r.info)
	r.info.ScoreSources = scoreSources[:]
	r.info.MaxDecisions = r.maxRounds * r.seats * 40
	return engine.Make[State](r.info, r)
}

// furnish takes from the box what this edition and these modules use.
// Clause SET-3.
func (r *Rules) furnish() {
	r.adapt()
	r.toGoal, r.beaches, r.share, r.picture = &r.Distance, 1, (*Rules).mountJewels, (*Rules).renderIsland
	r.normal, r.captains = r.Edition.Normal, r.Edition.Captains
	r.landmarkSet = r.Edition.Landmarks
	r.stacks, r.jewelKinds = ColourGreen, BlackJewel
	for seat := range r.seats {
		r.fleet = append(r.fleet, seat)
	}
	r.symbols = int(r.SymbolsInPlay[r.seats])
	r.removed, r.dealt = int(r.FragmentsRemoved[r.seats]), 1
	r.chart = r.WaterChart[r.chartRow()][:]
	for m, room := range rooms {
		does := room.empty
		if r.Modules.Has(Module(m)) {
			does = room.furnish
		}
		if does != nil {
			does(r)
		}
	}
	r.stages, r.gifts, r.forms = r.setupStages(), r.legendaryGifts(), forms(r.limits())
	r.layOut()
}

// Regions is the number of water regions round the island that is played.
func (r *Rules) Regions() int { return r.regions }

// Seat is who decides now.
func (r *Rules) Seat(s *State) int {
	switch k := s.Next(); {
	case k.asks():
		return int(s.Helm[s.Frames[s.Depth-1].Seat])
	case k.chances():
		return engine.Chance
	}
	return engine.Over
}

// Limit is the number of rounds after which matches are cut short: at the first decision of
// the round that would come next. See engine.Limiter.
// Clause CAP-4.
func (r *Rules) Limit(s *State) string {
	if int(s.Round) <= r.maxRounds {
		return ""
	}
	return r.limit
}

// Apply performs a decision or an outcome of chance and runs on to the next.
func (r *Rules) Apply(s *State, a engine.Action) {
	f := s.Pop()
	if f.Kind.chances() {
		r.happen(s, f, a)
	} else {
		r.choose(s, f, a)
	}
	r.run(s)
}

// run performs the steps that need nobody. It asks the stack itself: with Next the loop
// is measurably slower.
func (r *Rules) run(s *State) {
	for s.Depth > 0 && s.Frames[s.Depth-1].Kind > lastChance {
		r.do(s, s.Pop())
	}
}

// Legal adds the legal actions of the frame at the top.
func (r *Rules) Legal(s *State, m *engine.Mask) {
	f := s.Top()
	seat := int(f.Seat)
	own := &s.Ships[seat]
	switch f.Kind {
	case AskCaptain:
		r.legalCaptains(s, m)
	case AskPlace, AskPlaceLegendary:
		r.legalPlaces(s, m)
	case AskSextant:
		for _, e := range r.fleet {
			if e != seat && sum(&s.Ships[e].Fragments) > 0 {
				m.Set(r.toSeat(seat, e))
			}
		}
		m.Set(ToDecline)
	case AskSextantOwn, AskHunt, AskGive:
		legalSymbols(&own.Fragments, m)
	case AskSextantTheirs, AskStealFragment:
		legalSymbols(&s.Ships[f.Arg[0]].Fragments, m)
	case AskProgram:
		for h := own.Hand; h != 0; h &= h - 1 {
			m.Set(ToCard + engine.Action(bits.TrailingZeros64(h)))
		}
	case AskMove:
		legalMoves(f, m)
	case AskAction:
		for _, a := range r.Cards[own.Table[f.Arg[0]]].Actions {
			m.Set(ToDo + engine.Action(a.Icon))
		}
	case AskHighWater:
		m.Set(ToNear)
		m.Set(ToFar)
	case AskReroll, AskPay, AskDrawTwo:
		m.Set(ToAccept)
		m.Set(ToDecline)
	case AskBoard:
		r.legalSeats(seat, r.Boardable(s, seat, int(f.Arg[0])), m)
	case AskStealJewel:
		for j, n := range s.Ships[f.Arg[0]].Jewels {
			if n > 0 {
				m.Set(ToJewel + engine.Action(j))
			}
		}
	case AskPath:
		if r.Modules.Has(AlternateIsland) {
			r.legalWays(s, seat, m)
			return
		}
		for _, next := range r.paths(own.Node) {
			m.Set(ToNode + engine.Action(next))
		}
	case AskStack:
		for c := range NumColours {
			if s.stackSize(c) > 0 {
				m.Set(ToStack + engine.Action(c))
			}
		}
	case AskKeep:
		m.Set(ToTile + engine.Action(f.Arg[3]))
		m.Set(ToTile + engine.Action(f.Arg[4]))
	case AskExploit:
		r.legalSeats(seat, r.everyone(), m)
	case AskHut:
		r.legalSeats(seat, r.everyShip()&^(1<<f.Arg[0]), m)
		m.Set(ToDecline)
	case AskHutMove:
		if f.Arg[1] > 0 {
			m.Set(ToSail)
		}
		if f.Arg[2] > 0 {
			m.Set(ToComeAbout)
		}
		if f.Arg[3] > 0 {
			m.Set(ToStay)
		}
	case AskGiveLegendary:
		legalSymbols(&s.Ships[Legendary].Fragments, m)
	case AskGiver:
		r.legalSeats(seat, r.givers(s, int(f.Arg[0]), int(f.Arg[1])), m)
	case AskReceiver:
		r.legalSeats(seat, r.receivers(s, int(f.Arg[0]), int(f.Arg[1]), int(f.Arg[2])), m)
	case AskCompass:
		r.legalCompass(s, f, m)
	case AskMystic:
		r.legalSeats(seat, r.mystics(s, int(f.Arg[0])), m)
	case AskBlackJewel:
		r.legalSeats(seat, r.beside(s, seat), m)
	default:
		r.legalIsland(s, f, m)
	}
}

// choose performs a seat's legal choice for the frame f, which has left the stack.
func (r *Rules) choose(s *State, f Frame, a engine.Action) {
	seat := int(f.Seat)
	own := &s.Ships[seat]
	switch f.Kind {
	case AskCaptain:
		own.Captain = int8(a - ToCaptain)
		r.note(HasTakenCaptain, seat, int(own.Captain))
		if r.valparisasJewel(s, own) {
			r.note(HasGained, seat, GoodJewels+BlackJewel, 1, ofBox)
		}
		if !r.Edition.ShipsAfterCaptains {
			s.Push(frame(AskPlace, seat))
		}
	case AskPlace:
		r.place(own, a)
		own.Node = r.landing(own.Region)
		r.note(HasPlaced, seat, int(own.Region), int(own.Facing), int(own.Node))
	case AskSextant:
		if a == ToDecline {
			r.note(HasDeclined, seat, int(f.Kind))
		} else {
			s.Push(frame(AskSextantOwn, seat, r.seatOf(seat, a)))
		}
	case AskSextantOwn:
		s.Push(frame(AskSextantTheirs, seat, int(f.Arg[0]), int(a-ToSymbol)))
	case AskSextantTheirs:
		r.hand(s, HasGot, seat, int(f.Arg[0]), GoodFragments+int(f.Arg[1]))
		r.hand(s, HasGot, int(f.Arg[0]), seat, GoodFragments+int(a-ToSymbol))
		r.acquired(s, seat)
		r.acquired(s, int(f.Arg[0]))
	case AskProgram:
		card := a - ToCard
		own.Hand &^= 1 << card
		own.Table[f.Arg[0]] = int8(card)
		r.noteTo(s, seat, HasProgrammed, int(f.Arg[0]), int(card))
	case AskMove:
		r.move(s, f, a)
	case AskAction:
		r.act(s, seat, int(f.Arg[0]), Icon(a-ToDo))
	case AskHighWater:
		steps := int8(1)
		if a == ToFar {
			steps = 2
		}
		r.attack(s, seat, r.Ahead(own, steps), int(f.Arg[0]))
	case AskReroll:
		if a == ToAccept {
			s.Push(frame(RollDie, seat, int(f.Arg[1]), 1))
		} else {
			r.note(HasDeclined, seat, int(f.Kind))
			r.strike(s, seat, int(f.Arg[1]), Face(f.Arg[0]))
		}
	case AskBoard:
		r.board(s, seat, r.seatOf(seat, a), int(f.Arg[0]))
	case AskStealFragment:
		r.hand(s, HasStolen, int(f.Arg[0]), seat, GoodFragments+int(a-ToSymbol))
		r.acquired(s, seat)
	case AskStealJewel:
		r.hand(s, HasStolen, int(f.Arg[0]), seat, GoodJewels+int(a-ToJewel))
	case AskHunt:
		r.note(HasNamed, seat, int(a-ToSymbol))
		r.advance(s, seat, int(a-ToSymbol))
	case AskPath:
		if a == ToStay {
			r.note(HasDeclined, seat, int(f.Kind))
		} else {
			r.arrive(s, seat, int(a-ToNode))
		}
	case AskStack:
		r.note(HasExploited, seat, int(a-ToStack))
		r.drawLandmark(s, seat, int(a-ToStack), exploited, seat)
	case AskDrawTwo:
		two := 0
		if a == ToAccept {
			two = 1
		}
		s.Push(frame(DrawLandmark, seat, int(f.Arg[0]), int(f.Arg[1]), int(f.Arg[2]), noTile, two))
	case AskKeep:
		keeps, other := int(f.Arg[3]), int(f.Arg[4])
		if int(a-ToTile) == other {
			keeps, other = other, keeps
		}
		r.note(HasKept, seat, keeps)
		r.toBottom(s, other)
		r.meet(s, seat, keeps, int(f.Arg[1]), int(f.Arg[2]))
	case AskExploit:
		tile := int(f.Arg[0])
		s.Push(frame(DoBottom, seat, tile))
		s.Push(frame(DoResolve, r.seatOf(seat, a), tile, exploited, r.picker(s, seat)))
	case AskPay:
		if a == ToAccept {
			r.buy(s, seat, int(f.Arg[0]))
		} else {
			r.note(HasDeclined, seat, int(f.Kind))
		}
	case AskHut:
		if a == ToDecline {
			r.note(HasDeclined, seat, int(f.Kind))
		} else {
			enemy := r.seatOf(seat, a)
			r.note(HasHutted, seat, enemy)
			s.Push(frame(DoHutDamage, enemy))
			r.askHutMove(s, seat, enemy)
		}
	case AskHutMove:
		r.hutMove(s, f, a)
	case AskGiver:
		giver := r.seatOf(seat, a)
		chooser := giver
		if giver == Legendary || r.Edition.TurnPicksTargets { // nobody is aboard to choose, or the turn's player does
			chooser = seat
		}
		r.askReceiver(s, chooser, int(f.Arg[0]), giver, int(f.Arg[1]))
	case AskReceiver:
		r.give(s, seat, int(f.Arg[1]), r.seatOf(seat, a), int(f.Arg[0]))
	case AskGive:
		r.hand(s, HasGot, seat, int(f.Arg[0]), GoodFragments+int(a-ToSymbol))
		r.acquired(s, int(f.Arg[0]))
	case AskPlaceLegendary:
		ghost := &s.Ships[Legendary]
		r.place(ghost, a)
		r.note(HasPlaced, Legendary, int(ghost.Region), int(ghost.Facing), int(ghost.Node))
	case AskGiveLegendary:
		r.hand(s, HasGot, Legendary, int(f.Arg[0]), GoodFragments+int(a-ToSymbol))
		r.acquired(s, int(f.Arg[0]))
	case AskCompass:
		r.compass(s, f, a)
	case AskMystic:
		r.stealCompass(s, f, a)
	case AskBlackJewel:
		r.hand(s, HasGot, seat, r.seatOf(seat, a), GoodJewels+BlackJewel)
	default:
		r.chooseIsland(s, f, a)
	}
}

// do performs a step that needs nobody.
func (r *Rules) do(s *State, f Frame) {
	seat := int(f.Seat)
	switch f.Kind {
	case DoRound:
		r.beginRound(s)
	case DoInOrder:
		r.inOrder(s, f)
	case DoRoundTile:
		r.roundTile(s, seat)
	case DoDrawUp:
		r.drawUp(s, seat)
	case DoProgram:
		r.program(s, seat)
	case DoReveal:
		r.reveal(s, int(f.Arg[0]))
	case DoTurn:
		r.turn(s, seat, int(f.Arg[0]))
	case DoMove:
		r.askMove(s, f)
	case DoTurnEnd:
		s.Turn, s.Acquired = -1, 0
		r.note(HasEndedTurn, seat)
	case DoAdvance:
		r.step(s, seat)
	case DoResolve:
		r.resolve(s, seat, int(f.Arg[0]), int(f.Arg[1]), int(f.Arg[2]))
	case DoBottom:
		r.toBottom(s, int(f.Arg[0]))
	case DoHull:
		r.gainHull(s, seat, int(f.Arg[0]))
	case DoHutDamage:
		r.damage(s, seat, 1, nobody)
	case DoReaction:
		r.note(HasUsedAbility, int(f.Arg[0]), seat)
		r.loseCrew(s, seat, 1)
	case DoJewels:
		if f.Arg[0] > 0 && sum(&s.Jewels) > 0 {
			s.Push(frame(DoJewels, seat, int(f.Arg[0])-1))
			s.Push(frame(DrawJewel, seat))
		}
	case DoPillage:
		r.pillagePhase(s)
	case DoRoundEnd:
		r.roundEnd(s)
	case DoAward:
		r.award(s, seat)
	case DoDigEnd:
		r.digEnd(s)
	case DoRedemption:
		r.redemption(s)
	case DoCleanup:
		r.cleanup(s)
	case DoLegendarySetup:
		r.legendarySetup(s)
	case DoLegendaryTurn:
		r.legendaryTurn(s, int(f.Arg[0]))
	default:
		r.doIsland(s, f)
	}
}

// toSeat is the action by which actor names seat.
func (r *Rules) toSeat(actor, seat int) engine.Action {
	if seat == Legendary {
		return ToLegendary
	}
	return ToSeat + engine.Action((seat-actor+r.seats)%r.seats)
}

// seatOf is the seat that actor names by an action.
func (r *Rules) seatOf(actor int, a engine.Action) int {
	if a == ToLegendary {
		return Legendary
	}
	return (actor + int(a-ToSeat)) % r.seats
}

// everyone is the set of all seats, everyShip that of all ships.
// Clause LEG-18.
func (r *Rules) everyone() int { return 1<<r.seats - 1 }

func (r *Rules) everyShip() int {
	set := 0
	for _, i := range r.fleet {
		set |= 1 << i
	}
	return set
}

func (r *Rules) legalSeats(actor, set int, m *engine.Mask) {
	for _, seat := range r.fleet {
		if set>>seat&1 != 0 {
			m.Set(r.toSeat(actor, seat))
		}
	}
}

func legalSymbols(from *[NumSymbols]uint8, m *engine.Mask) {
	for sym, n := range from {
		if n > 0 {
			m.Set(ToSymbol + engine.Action(sym))
		}
	}
}

// sum adds up the counts of one kind of thing by type.
func sum(of *[4]uint8) int { return int(of[0]) + int(of[1]) + int(of[2]) + int(of[3]) }

// moveOne moves one thing of a type from one owner to another.
func moveOne(from, to *[4]uint8, kind int) {
	from[kind]--
	to[kind]++
}
