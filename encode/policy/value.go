package policy

import (
	"errors"

	"github.com/privateer-rl/privateer/engine"
)

// mostAhead is how many decisions of others Value looks ahead, to the seat's own next one.
const mostAhead = 24

// Value makes a bot the evaluator of positions at which a search stops (search.Value): the return that each seat may expect, as the seat
// sees it at its next decision. The value head knows positions only from the seat that decides, so decisions of others before that are
// taken at random in a copy; where rounds begin with cards put down in secret, they show the seat nothing. The value of a finished match is
// its returns.
func (b *Bot) Value(m engine.Match, dst []float64) {
	if m.Seat() == engine.Over {
		m.Returns(b.returns)
		for seat, x := range b.returns {
			dst[seat] = float64(x)
		}
		return
	}
	for seat := range dst {
		dst[seat] = b.expected(b.asked(m, seat), seat)
	}
}

// expected is the return that the network expects for a seat.
func (b *Bot) expected(m engine.Match, seat int) float64 {
	b.net.Follow(seat)
	b.encoder.Encode(m, seat, b.obs)
	b.net.Values(b.obs, b.values)
	return float64(b.values[0])
}

// asked is the match at the seat's next decision; unchanged if that is far off.
func (b *Bot) asked(m engine.Match, seat int) engine.Match {
	if m.Seat() == seat {
		return m
	}
	b.ahead.CopyFrom(m)
	b.luck = engine.NewRand(1)
	for range mostAhead {
		var a engine.Action
		switch at := b.ahead.Seat(); {
		case at == seat:
			return b.ahead
		case at == engine.Over:
			return m
		case at == engine.Chance:
			a = b.ahead.SampleChance()
		default:
			a = b.ahead.Legal().Sample(&b.luck)
		}
		if b.ahead.Apply(a) != nil {
			return m
		}
	}
	return m
}

// CanEvaluate is an error if Value cannot be used.
func (b *Bot) CanEvaluate() error {
	if len(b.values) > 0 {
		return nil
	}
	return errors.New("its bundle has no value head: it was trained with a critic that reads hidden information")
}
