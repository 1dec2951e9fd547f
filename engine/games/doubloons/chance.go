package doubloons

import (
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
)

// weights calls each with every outcome of the chance event f and its weight, a
// positive whole number. Only what nobody knows has weight.
// Clauses SET-6, SET-14, BLACK-12.
func (r *Rules) weights(s *State, f Frame, each func(a engine.Action, w int)) {
	switch f.Kind {
	case RollInitiative:
		for i := range r.seats {
			each(OnInitiative+engine.Action(i), 1)
		}
	case DrawWater:
		for t := range NumWater {
			if w := r.waterLeft(s, int(f.Arg[0]), t); w > 0 {
				each(onWater(t), w)
			}
		}
	case DealFragment:
		for sym, n := range s.UnseenFragments {
			if n > 0 {
				each(OnFragment+engine.Action(sym), int(n))
			}
		}
	case DrawCard:
		for d := s.Deck; d != 0; d &= d - 1 {
			each(OnCard+engine.Action(bits.TrailingZeros64(d)), 1)
		}
	case RollDie, RollJewel, RollDuel:
		var faces [NumFaces]int
		for _, face := range r.Die {
			faces[face]++
		}
		for face, w := range faces {
			if w > 0 {
				each(OnDie+engine.Action(face), w)
			}
		}
	case DrawMap:
		// A fragment of the stack is any unseen fragment with equal chance.
		unseen := sum(&s.UnseenFragments)
		if s.MapFragments > 0 {
			for sym, n := range s.UnseenFragments {
				if n > 0 {
					each(OnFragment+engine.Action(sym), int(s.MapFragments)*int(n))
				}
			}
		}
		for k, n := range s.MapSpecials {
			if n > 0 {
				each(OnSpecial+engine.Action(k), int(n)*max(unseen, 1))
			}
		}
	case DrawLandmark:
		c := f.Arg[0]
		if s.StackTop[c] == 0 {
			each(OnLandmark+engine.Action(s.StackBottom[c][0]), 1)
		}
		for t := s.StackTop[c]; t != 0; t &= t - 1 {
			each(OnLandmark+engine.Action(bits.TrailingZeros64(t)), 1)
		}
	case DrawRelic:
		r.relicWeights(s, int(f.Seat), each)
	case LoseShell:
		for sym, n := range s.Ships[firstVictim(f)].Shells {
			if n > 0 {
				each(OnShell+engine.Action(sym), int(n))
			}
		}
	case DrawJewel:
		for j, n := range s.Jewels {
			if n > 0 {
				each(OnJewel+engine.Action(j), int(n))
			}
		}
	}
}

// onWater is the outcome of drawing a water tile, waterDrawn the tile of an outcome.
func onWater(tile int) engine.Action {
	if tile == Whirlpool {
		return OnWhirlpool
	}
	return OnWater + engine.Action(tile)
}

func waterDrawn(a engine.Action) int8 {
	if a == OnWhirlpool {
		return Whirlpool
	}
	return int8(a - OnWater)
}

// waterLeft is how many copies of a water tile can still be drawn for a region.
// Clause SET-13.
func (r *Rules) waterLeft(s *State, region, tile int) int {
	if r.Edition.NamedWater {
		return r.namedWaterWeight(s, region, tile)
	}
	if r.WaterGroup[tile] != r.chart[region] {
		return 0
	}
	n := int(r.WaterCopies[tile])
	for _, t := range s.Water {
		if int(t) == tile {
			n--
		}
	}
	return n
}

// Outcomes appends what chance may decide now.
func (r *Rules) Outcomes(s *State, dst []engine.Outcome) []engine.Outcome {
	f, total := s.Top(), 0
	r.weights(s, f, func(_ engine.Action, w int) { total += w })
	r.weights(s, f, func(a engine.Action, w int) {
		dst = append(dst, engine.Outcome{Action: a, Prob: float64(w) / float64(total)})
	})
	return dst
}

// Sample draws an outcome. The most frequent event, a card from the deck,
// has a shortcut.
func (r *Rules) Sample(s *State) engine.Action {
	f := s.Top()
	if f.Kind == DrawCard {
		return OnCard + engine.Action(nthBit(s.Deck, s.Rand.Intn(bits.OnesCount64(s.Deck))))
	}
	total := 0
	r.weights(s, f, func(_ engine.Action, w int) { total += w })
	left := s.Rand.Intn(total)
	drawn := engine.Action(-1)
	r.weights(s, f, func(a engine.Action, w int) {
		if drawn < 0 && left < w {
			drawn = a
		}
		left -= w
	})
	return drawn
}

// nthBit is the position of the k-th lowest bit of a set.
func nthBit(set uint64, k int) int {
	for ; k > 0; k-- {
		set &= set - 1
	}
	return bits.TrailingZeros64(set)
}

// happen performs an outcome of the chance event f, which has left the stack.
// Clause WAT-13.
func (r *Rules) happen(s *State, f Frame, a engine.Action) {
	seat := int(f.Seat)
	own := &s.Ships[seat]
	switch f.Kind {
	case RollInitiative:
		s.Initiative = int8(a - OnInitiative)
		r.note(HasInitiative, int(s.Initiative))
	case DrawWater:
		s.Water[f.Arg[0]] = waterDrawn(a)
		r.note(HasLaidWater, 0, int(f.Arg[0]), int(waterDrawn(a)))
	case DealFragment:
		moveOne(&s.UnseenFragments, &own.Fragments, int(a-OnFragment))
		r.note(HasGained, seat, GoodFragments+int(a-OnFragment), 1, ofBox)
	case DrawCard:
		card := a - OnCard
		s.Deck &^= 1 << card
		own.Hand |= 1 << card
		r.noteTo(s, seat, HasDrawnCard, int(card))
	case RollDie:
		face := a - OnDie
		r.note(HasRolled, seat, int(face), forAttack)
		if f.Arg[1] == 0 && seat != Legendary && r.at(s, own, RiverMerfolk) {
			s.Push(frame(AskReroll, seat, int(face), int(f.Arg[0])))
			return
		}
		r.strike(s, seat, int(f.Arg[0]), Face(face))
	case RollJewel:
		r.note(HasRolled, seat, int(a-OnDie), forJewel)
		r.jewelStrikes(s, seat, Face(a-OnDie))
	case DrawMap:
		r.mapTile(s, seat, a)
	case DrawLandmark:
		r.drawn(s, f, int(a-OnLandmark))
	case DrawRelic:
		r.relicDrawn(s, seat, a, f.Arg[0] != 0)
	case LoseShell:
		r.shellStolen(s, f, int(a-OnShell))
	case RollDuel:
		r.note(HasRolled, seat, int(a-OnDie), forDuel)
		r.rolledInDuel(s, f, Face(a-OnDie))
	case DrawJewel:
		moveOne(&s.Jewels, &own.Jewels, int(a-OnJewel))
		r.note(HasGained, seat, GoodJewels+int(a-OnJewel), 1, ofBox)
	}
}
