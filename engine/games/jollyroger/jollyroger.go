package jollyroger

import (
	"errors"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/frames"
)

func init() {
	engine.Register(engine.Definition{
		Name:  "jolly_roger",
		Title: "Jolly Roger (2015), 3 to 10 seats",
		Params: []engine.Param{
			{Name: "seats", Default: "6", Choices: engine.Counts(3, MaxSeats), Help: "number of players, 3 to 10"},
			{Name: "variants", Default: engine.NoWords, Help: "variant rules, joined by +: " + strings.Join(variantNames, ", "), Words: variantNames},
			{Name: "bribes", Default: bribeNames[noBribes], Choices: bribeNames, Help: "off, gifts (cards offered to a player, who accepts or refuses) or talk (gifts, and phrases that bind nobody)"},
			engine.ObjectiveParam,
			engine.RewardsParam,
			{
				Name: engine.AdviceName, Default: engine.NoWords, Words: []string{"reign"},
				Help: "what rows of actions also hold; reign: for how many rounds the Captain has held office; matches stay the same",
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

var variantNames = []string{"hidden_prizes", "captains_gold"}

// Rules are the rules for one configuration.
type Rules struct {
	*Components
	info    *engine.Info
	seats   int
	payment engine.Payment
	log     *engine.Log // of what happens; nil: nobody listens

	officers     bool // there is a Quartermaster besides the Captain: four players or more
	hidden       bool // variant: prizes lie face down
	captainsGold bool // variant: a prize that the Captain exchanges brings everybody a card
	bribes       int  // noBribes, gifts or talk

	forms  *frames.Table[Kind]
	limit  uint8                  // of hands
	stacks [NumDestinations]uint8 // destination cards used, as bits by place
}

// newGame makes the rules of a configuration.
//
// Clauses SET-1, HAND-1, VAR-6.
func newGame(c engine.Config) (engine.Game, error) {
	r := &Rules{}
	var err error
	if r.seats, err = c.Int("seats", MinSeats, MaxSeats); err != nil {
		return nil, err
	}
	if r.payment, err = c.Payment(marginScale, behind); err != nil {
		return nil, err
	}
	bribes, err := c.OneOf("bribes", bribeNames...)
	if err != nil {
		return nil, err
	}
	for i, name := range bribeNames {
		if name == bribes {
			r.bribes = i
		}
	}
	r.hidden, r.captainsGold = c.Has("variants", variantNames[0]), c.Has("variants", variantNames[1])
	if r.hidden && r.payment.Running() {
		return nil, errors.New("rewards=running: with variants=hidden_prizes it would reveal the others' prizes: want rewards=final")
	}
	if r.Components, err = components.Open(c); err != nil {
		return nil, err
	}
	r.officers = r.seats > 3
	r.forms = forms(limits{r.seats, r.officers, r.hidden, r.bribes != noBribes})
	r.limit = r.HandLimit[r.seats]
	for d := range Destination(NumDestinations) {
		r.stacks[d] = r.stack(d, max(r.seats, 4)) // three play with the cards of four
	}
	r.info = c.Info()
	r.info.Seats = r.seats
	r.info.PaysEarly = r.payment.Running()
	nameActions(r.info)
	r.info.ScoreSources = scoreSources
	// A round's loops end after a lap in which none of the 66 cards is played; the
	// rest is little in comparison.
	perRound := 2000 + 300*r.seats
	if r.bribes != noBribes {
		// In a mutiny each makes an offer to each, at a few moments to one. It is made card by card, the receiver
		// may have to discard as many, and in a mutiny a lap may begin anew.
		offers, each := r.seats*(r.seats-1)+8*r.seats, prizeCopies+2*int(r.limit)+4
		perRound += offers * (each + r.seats)
	}
	r.info.MaxDecisions = Rounds * perRound
	return engine.Make[State](r.info, r)
}

// Seat is who decides now.
func (r *Rules) Seat(s *State) int {
	switch k := s.Next(); {
	case k.asks():
		return int(s.Frames[s.Depth-1].Seat)
	case k.chances():
		return engine.Chance
	}
	return engine.Over
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

// places is how many places clockwise from a seat another one sits.
func (r *Rules) places(from, to int) int {
	if to -= from; to < 0 {
		to += r.seats
	}
	return to
}

// toSeat is the action of a seat that names another.
func (r *Rules) toSeat(from, to int) engine.Action {
	return ToSeat + engine.Action(r.places(from, to))
}

// named is the seat that an action of a seat names.
func (r *Rules) named(from int, a engine.Action) int { return r.after(from, int(a-ToSeat)) }

// Legal adds the legal actions of the frame at the top.
func (r *Rules) Legal(s *State, m *engine.Mask) {
	f := s.Top()
	seat := int(f.Seat)
	hand := &s.Hands[seat]
	// each names the seats that fit.
	each := func(fits func(to int) bool) {
		for to := range r.seats {
			if to != seat && fits(to) {
				m.Set(r.toSeat(seat, to))
			}
		}
	}
	switch f.Kind {
	case AskAppoint:
		each(func(int) bool { return true })
	case AskSail:
		for d := range Destination(NumDestinations) {
			if r.maySail(s, d) {
				m.Set(ToSail + engine.Action(d))
			}
		}
	case AskMutiny:
		s.legalCrewmen(seat, ForMutineer, m)
		s.legalCutthroat(seat, m)
		m.Set(ToPass)
	case AskFaction:
		r.legalFaction(s, f, m)
	case AskSeaDog:
		each(func(to int) bool { return r.mayPress(s, seat, to) })
		m.Set(ToPass)
	case AskForced:
		s.legalCrewmen(seat, f.Arg[0], m)
	case AskFirst:
		if !s.hasSkill(seat) { // in a match as another may see it
			m.Set(ToPass)
			break
		}
		s.legalSkills(seat, m)
		r.legalAnytime(s, seat, m)
	case AskAttack:
		s.legalSkills(seat, m)
		r.legalAnytime(s, seat, m)
		if seat == int(s.Quartermaster) {
			m.Set(ToReveal)
		}
		m.Set(ToPass)
	case AskLookout, AskTraitor, AskCook, AskCarpenter, AskSailor:
		c, _ := f.Kind.card()
		m.Set(ToUseOf(c))
		m.Set(ToPass)
	case AskChange:
		r.legalChanges(s, seat, m)
		m.Set(ToPass)
	case AskAssign:
		m.Set(ToSucceed)
		m.Set(ToFail)
	case AskPick:
		legalPrizes(&s.Spoils, ToPrize, m)
	case AskShare:
		r.legalShares(s, seat, m)
	case AskDonate:
		legalPrizes(&s.Prizes[seat], ToPrize, m)
		m.Set(ToPass)
	case AskClaim:
		each(func(to int) bool { return r.claimable(s, seat, to) })
	case AskClaimPrize:
		legalPrizes(&s.Prizes[f.Arg[0]], ToPrize, m)
	case AskExchange:
		legalPrizes(&s.Prizes[seat], ToExchange, m)
		m.Set(ToPass)
	case AskSell:
		if f.Arg[0] > 0 {
			m.Set(ToRansom)
		}
		if f.Arg[1] > 0 {
			m.Set(ToSell)
		}
		m.Set(ToPass)
	case AskBoatswain:
		each(func(int) bool { return true })
		m.Set(ToPass)
	case AskBribe:
		each(func(to int) bool { return askedAlready(f)&bit(to) == 0 })
		m.Set(ToPass)
	case AskBury:
		legalPrizes(&s.Prizes[seat], ToBury, m)
		m.Set(ToBuryAll)
		m.Set(ToPass)
	case AskKid:
		each(func(to int) bool { return sum(s.Buried[to][:]) > 0 })
		m.Set(ToPass)
	case AskPunish:
		m.Set(ToPunish)
		m.Set(ToSpare)
		for to := range r.seats {
			if r.officers && r.punishable(s, to) {
				m.Set(ToSuggest + engine.Action(r.places(seat, to)-1))
			}
		}
	case AskVictim:
		each(func(to int) bool { return r.punishable(s, to) })
	case AskDiscard:
		for c, n := range hand {
			if n > 0 {
				m.Set(ToDiscard + engine.Action(c))
			}
		}
	case AskAnytime:
		r.legalAnytime(s, seat, m)
		m.Set(ToPass)
	case AskMate:
		each(func(to int) bool { return to != int(f.Arg[0])-1 && s.Size[to] > 0 })
	case AskGift:
		r.legalGift(s, f, m)
	case AskOffer:
		r.legalOffer(s, f, m)
	case AskAccept:
		m.Set(ToAccept)
		m.Set(ToRefuse)
	case AskRest:
		for to := range r.seats {
			if alreadyNamed(f)&bit(to) == 0 {
				m.Set(r.toSeat(seat, to))
			}
		}
	}
}

func legalPrizes(counts *[NumPrizes]uint8, base engine.Action, m *engine.Mask) {
	for p, n := range counts {
		if n > 0 {
			m.Set(base + engine.Action(p))
		}
	}
}

// choose performs the decision f, which has left the stack.
func (r *Rules) choose(s *State, f Frame, a engine.Action) {
	seat := int(f.Seat)
	prize := Prize(a - ToPrize) // if it names one
	if f.Kind == AskGift {
		r.gift(s, f, a)
		return
	}
	if f.Kind == AskOffer {
		r.offer(s, f, a)
		return
	}
	if a == ToPass {
		r.pass(s, f)
		return
	}
	switch f.Kind {
	case AskAppoint:
		r.appoint(s, r.named(seat, a))
	case AskSail:
		s.Destination = Destination(a - ToSail)
		r.note(HasChosen, seat, int(s.Destination))
	case AskMutiny:
		r.revolt(s, seat)
		r.inMutiny(s, seat, a)
	case AskFaction:
		r.faction(s, f, a)
	case AskSeaDog:
		r.commit(s, seat, SeaDog, f.Arg[0], true, r.named(seat, a))
	case AskForced:
		c := Card(a - ToSupport)
		if a >= ToOppose {
			c = Card(a - ToOppose)
		}
		r.commit(s, seat, c, f.Arg[0], false, 0)
	case AskLookout, AskTraitor, AskCook, AskCarpenter, AskSailor:
		r.react(s, f)
	case AskFirst:
		if a < ToSupport {
			s.Take(DoFirst)
			r.join(s, seat, Card(a-ToPlay))
		} else {
			r.useAnytime(s, seat, a)
		}
	case AskAttack:
		r.inAttack(s, seat, a)
	case AskChange:
		r.afresh(s)
		x := int(a - ToChange)
		by := 1
		if x%2 == 1 {
			by = -1
		}
		r.use(s, seat, officerOf(Skill(x/2)), by)
	case AskAssign:
		s.Push(frame(DoOutcome, 0, int(engine.Bit(a == ToSucceed))))
	case AskPick:
		r.receive(s, seat, seat, prize)
	case AskShare:
		x := int(a - ToGive)
		r.receive(s, seat, r.after(seat, x%MaxSeats), Prize(x/MaxSeats))
	case AskDonate:
		r.donate(s, seat, int(f.Arg[0]), prize)
	case AskClaim:
		r.claim(s, seat, r.named(seat, a))
	case AskClaimPrize:
		r.givePrize(s, int(f.Arg[0]), seat, prize, asClaim)
	case AskExchange:
		r.exchange(s, f, Prize(a-ToExchange))
	case AskSell:
		if a == ToRansom {
			r.trade(s, f, Hostage)
		} else {
			r.trade(s, f, Jewels)
		}
	case AskBoatswain:
		r.use(s, seat, Boatswain, r.named(seat, a))
	case AskBribe:
		r.bribe(s, f, r.named(seat, a))
	case AskBury:
		if a == ToBuryAll {
			r.buryAll(s, seat)
		} else {
			r.bury(s, seat, Prize(a-ToBury))
		}
	case AskKid:
		r.use(s, seat, SmartKid, r.named(seat, a))
	case AskPunish:
		switch {
		case a >= ToSuggest:
			r.punish(s, true, 1+r.after(seat, int(a-ToSuggest)+1))
		default:
			r.punish(s, a == ToPunish, 0)
		}
	case AskVictim:
		r.note(HasPunished, seat, r.named(seat, a))
		s.Push(frame(LoseCrew, r.named(seat, a)))
	case AskDiscard:
		s.discard(seat, Card(a-ToDiscard))
		r.note(HasDiscarded, seat, int(a-ToDiscard))
	case AskAnytime:
		r.afresh(s)
		r.useAnytime(s, seat, a)
	case AskMate:
		r.mate(s, f, r.named(seat, a))
	case AskAccept:
		r.answer(s, f, a == ToAccept)
	case AskRest:
		r.nameOne(s, f, r.named(seat, a))
	}
}

// pass is the answer of a seat that does nothing. Mostly there is nothing to do.
func (r *Rules) pass(s *State, f Frame) {
	if r.log != nil && !r.secret(s, f) && f.Kind != AskSeaDog {
		r.note(HasPassed, int(f.Seat), int(f.Kind))
	}
	switch f.Kind {
	case AskSeaDog: // a crewman like any other
		r.commit(s, int(f.Seat), SeaDog, f.Arg[0], false, 0)
	case AskExchange: // hostages and jewels may be sold all the same
		f.Kind = DoSell
		s.Push(f)
	case AskBury:
		s.Take(DoBury) // done
	case AskFirst:
		s.Take(DoFirst) // nothing to play
	}
}

// react plays the special card that a poll was about.
func (r *Rules) react(s *State, f Frame) {
	seat := int(f.Seat)
	switch f.Kind {
	case AskTraitor:
		r.betray(s, seat)
		return
	case AskSailor:
		r.afresh(s) // all the same, should this one be cancelled
	}
	c, _ := f.Kind.card()
	r.use(s, seat, c)
}

// faction is a seat's turn in the mutiny. It may bribe before it plays or passes.
//
// Clause BRB-7.
func (r *Rules) faction(s *State, f Frame, a engine.Action) {
	seat := int(f.Seat)
	switch {
	case a >= ToSay:
		r.say(s, seat, a)
		s.spoke(seat)
		s.goesOn(seat)
		s.anew()
	case a >= ToSeat:
		to := r.named(seat, a)
		s.Offered[seat] |= bit(to)
		r.note(HasTurnedTo, seat, to, 1)
		s.goesOn(seat)
		s.Push(frame(AskOffer, seat, to, 0))
	case a >= ToUse:
		s.goesOn(seat)
		s.anew()
		r.useAnytime(s, seat, a)
	default:
		s.anew()
		r.inMutiny(s, seat, a)
	}
}

// inAttack is a seat's turn in the attack.
//
// Clauses ATT-2, ATT-4.
func (r *Rules) inAttack(s *State, seat int, a engine.Action) {
	switch {
	case a == ToReveal:
		r.note(HasEndedAttack, seat)
		s.Take(DoLap)
	case a < ToSupport:
		s.anew()
		r.join(s, seat, Card(a-ToPlay))
	default:
		s.goesOn(seat)
		s.anew()
		r.useAnytime(s, seat, a)
	}
}

// do performs a step that needs nobody. f has left the stack.
func (r *Rules) do(s *State, f Frame) {
	seat := int(f.Seat)
	switch f.Kind {
	case DoRound:
		r.doRound(s)
	case DoDeal:
		r.doDeal(s, f)
	case DoDraw:
		r.doDraw(s, seat)
	case DoFreeCards:
		r.doFreeCards(s)
	case DoLimit:
		r.doLimit(s, seat)
	case DoLimits:
		r.doLimits(s)
	case DoPoll:
		r.doPoll(s, f)
	case DoWindow:
		r.doWindow(s)
	case DoVoyage:
		r.doVoyage(s)
	case DoArrive:
		r.doArrive(s)
	case DoFirst:
		r.doFirst(s)
	case DoLap:
		r.doLap(s, f)
	case DoReveal:
		r.doReveal(s)
	case DoAssign:
		r.doAssign(s)
	case DoOutcome:
		r.doOutcome(s, f.Arg[0] != 0)
	case DoLoot:
		r.doLoot(s, int(f.Arg[0]))
	case DoSplit:
		r.doSplit(s)
	case DoGive:
		r.doGive(s)
	case DoPick:
		r.doPick(s, f)
	case DoShare:
		r.doShare(s)
	case DoClaim:
		r.doClaim(s, seat)
	case DoPort:
		r.doPort(s)
	case DoStall:
		r.doStall(s, seat)
	case DoSell:
		r.doSell(s, f)
	case DoPrizes:
		r.doPrizes(s, seat, int(f.Arg[0]))
	case DoIsland:
		r.doIsland(s)
	case DoBribe:
		r.doBribe(s, f)
	case DoBury:
		r.doBury(s, seat)
	case DoMap:
		r.doMap(s)
	case DoPunishment:
		r.doPunishment(s)
	case DoPunish:
		r.doPunish(s, f)
	case DoVictim:
		r.doVictim(s, f)
	case DoFaction:
		r.doFaction(s, f)
	case DoMutinyEnd:
		r.doMutinyEnd(s, f)
	case DoRest:
		r.doRest(s, f)
	case DoPool:
		r.doPool(s, f)
	case DoEffect:
		r.doEffect(s, f)
	case DoJoin:
		r.doJoin(s, f)
	case DoCommit:
		r.doCommit(s, f)
	case DoCancel:
		r.doCancel(s, f)
	case DoAppraise:
		r.doAppraise(s, f)
	}
}
