package policy

import (
	"errors"
	"math"

	"github.com/privateer-rl/privateer/engine"
)

// mostAhead is how many decisions of others may pass before a seat is asked itself, where Value looks ahead to that.
const mostAhead = 24

// Value makes a bundle the judge of positions that a search does not play on (engine/search.Value): what return each seat may
// expect. A bundle that tells values of all seats is asked once, as the seat that decides next sees the match; one that tells but the
// observer's, as each seat sees it when it is asked next. A network has learnt what positions are worth to those who decide,
// so decisions of others before that are taken at random in a copy; where rounds begin with cards put down in
// secret, they show the seat nothing. Of a match that is over it is the returns.
func (b *Bot) Value(m engine.Match, dst []float64) {
	if m.Seat() != engine.Over {
		b.judge(m, Return, dst)
		return
	}
	m.Returns(b.returns)
	for seat, x := range b.returns {
		dst[seat] = float64(x)
	}
}

// WinChances judges likewise what chance to win each seat has in a match that is not over, whatever the returns were that the bundle
// was trained for. It reports whether the bundle tells that.
func (b *Bot) WinChances(m engine.Match, dst []float64) bool {
	if !b.net.bundle.tells(Win) {
		return false
	}
	b.judge(m, Win, dst)
	return true
}

// judge writes the values of a kind.
func (b *Bot) judge(m engine.Match, kind string, dst []float64) {
	seats, first := b.net.bundle.told(kind)
	if seats < len(dst) {
		for seat := range dst {
			b.expects(b.asked(m, seat), seat)
			dst[seat] = float64(b.values[first])
		}
		return
	}
	m = b.asked(m, anyone)
	at := max(m.Seat(), 0)
	b.expects(m, at)
	for k := range dst {
		dst[(at+k)%len(dst)] = float64(b.values[first+k])
	}
}

// expects fills in the values of a match as a seat sees it.
func (b *Bot) expects(m engine.Match, seat int) {
	b.net.whose = seat
	b.encoder.Encode(m, seat, b.obs)
	b.net.Values(b.obs, b.values)
}

// anyone is asked as whoever decides next.
const anyone = math.MinInt

// asked is the match as the seat sees it when it is asked next; as it is, if that is far off.
func (b *Bot) asked(m engine.Match, seat int) engine.Match {
	if at := m.Seat(); at == seat || seat == anyone && at >= 0 {
		return m
	}
	b.ahead.CopyFrom(m)
	b.luck = engine.NewRand(1)
	for range mostAhead {
		var a engine.Action
		switch at := b.ahead.Seat(); {
		case at == seat || seat == anyone && at >= 0:
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

// CanJudge says why Value cannot be asked, if it cannot.
func (b *Bot) CanJudge() error {
	if len(b.values) > 0 {
		return nil
	}
	return errors.New("its bundle tells no values: it was exported before bundles did, or trained with a critic of its own: export the run again")
}
