package train

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
)

// What Config.Values may be.
const (
	ownValue  = "seat"  // what the seat that decides can still expect
	allValues = "seats" // that of every seat, and in games of points also its chance to win and its margin
)

// outlook is what a value head tells: numbers of some kinds, for each of some seats, kind after kind. The seat that decides is the
// first, and the others follow in their order round the table, as in observations. The first number of all is what PPO uses; the
// others are learnt beside it, each along the same decisions and by the same λ.
type outlook struct {
	kinds []string // policy.Return, policy.Win, policy.Margin
	seats int
}

// outlook is that of a configuration that is valid.
func (c Config) outlook() outlook {
	o := outlook{[]string{policy.Return}, 1}
	if c.Values != allValues {
		return o
	}
	for _, name := range c.games() {
		g, err := engine.NewGame(name)
		if err != nil {
			continue
		}
		o.seats = max(o.seats, g.Info().Seats)
		if len(g.Info().ScoreSources) > 0 {
			o.kinds = []string{policy.Return, policy.Win, policy.Margin}
		}
	}
	return o
}

// size is how many numbers it has.
func (o outlook) size() int { return len(o.kinds) * o.seats }

// name says what the k-th number is, for the first seat or for others.
func (o outlook) name(k int) string {
	if k%o.seats == 0 {
		return o.kinds[k/o.seats]
	}
	return "others_" + o.kinds[k/o.seats]
}

// scale turns what the value head tells into what it means: times the deviation, plus the mean.
type scale struct{ mean, deviation float64 }

func (s scale) meant(x float32) float32 { return float32(float64(float64(x)*s.deviation) + s.mean) }

func (s scale) told(x float32) float32 { return float32((float64(x) - s.mean) / s.deviation) }

// fixed scales bring chances and points to about the size of returns of deviation 1.
var fixedScales = map[string]scale{policy.Win: {0, 0.5}, policy.Margin: {0, 10}}

// scales appends those of all numbers, by what is known of returns.
func (o outlook) scales(returns normaliser, to []scale) []scale {
	for k := range o.size() {
		one := fixedScales[o.kinds[k/o.seats]]
		if k < o.seats {
			one.mean, one.deviation = returns.scale()
		}
		to = append(to, one)
	}
	return to
}

// scales are those of the value head as it learns now, until the next call.
func (t *trainer) scales() []scale {
	t.units = t.rollout.outlook.scales(t.norm, t.units[:0])
	return t.units
}

// formatScales writes one part of scales, a number for each, with spaces between.
func formatScales(all []scale, part func(scale) float64) string {
	text := make([]string, len(all))
	for k, s := range all {
		text[k] = strconv.FormatFloat(part(s), 'g', -1, 64)
	}
	return strings.Join(text, " ")
}

// parseScales is the inverse of formatScales for both parts.
func parseScales(means, deviations string) ([]scale, error) {
	mean, deviation := strings.Fields(means), strings.Fields(deviations)
	if len(mean) != len(deviation) {
		return nil, fmt.Errorf("%d and %d numbers", len(mean), len(deviation))
	}
	all := make([]scale, len(mean))
	for k := range all {
		var wrong [2]error
		all[k].mean, wrong[0] = strconv.ParseFloat(mean[k], 64)
		all[k].deviation, wrong[1] = strconv.ParseFloat(deviation[k], 64)
		if err := errors.Join(wrong[:]...); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// prospect is what the rows of a rollout say of one number of the value head: what it told, what was earned of it until the
// next row, what was told at the end of a match that was cut short, and what is to be learnt.
type prospect struct{ value, reward, boot, returns []float32 }

func newProspect(rows int) prospect {
	return prospect{make([]float32, rows), make([]float32, rows), make([]float32, rows), make([]float32, rows)}
}

// tell makes room for all that the value head tells. tables are how many seats each environment has.
func (r *rollout) tell(o outlook, tables []int) {
	r.outlook, r.tables = o, tables
	if o.size() == 1 {
		return
	}
	for range o.size() - 1 {
		r.others = append(r.others, newProspect(len(r.next)))
	}
	r.unused = make([]float32, len(r.next))
}

// of is what the rows say of the k-th number of the value head.
func (r *rollout) of(k int) *prospect {
	if k == 0 {
		return &r.prospect
	}
	return &r.others[k-1]
}

// seen is the seat that environment i's seat sees in the k-th place; false if there are fewer.
func (r *rollout) seen(i, seat, k int) (int, bool) {
	return (seat + k) % r.tables[i], k < r.tables[i]
}

// earnOthers gives a row what the other seats have earned in a step.
func (r *rollout) earnOthers(b *env.Batch, slot int, row int32) {
	i, seat := slot/r.seats, slot%r.seats
	for k := 1; k < r.outlook.seats; k++ {
		if who, ok := r.seen(i, seat, k); ok {
			r.others[k-1].reward[row] += b.Reward[i*r.seats+who]
		}
	}
}

// settle gives a row what its match, which has ended by the rules, came to: chances are now 1, 0 or shared, and points are counted.
func (r *rollout) settle(b *env.Batch, slot int, row int32) {
	i, seat := slot/r.seats, slot%r.seats
	for k := r.outlook.seats; k < r.outlook.size(); k++ {
		who, ok := r.seen(i, seat, k%r.outlook.seats)
		switch {
		case !ok:
		case r.outlook.kinds[k/r.outlook.seats] == policy.Win:
			r.of(k).reward[row] = float32(engine.WinShare(b.Return[i*r.seats:][:r.tables[i]], who))
		default:
			sources := len(b.Score) / len(b.Return)
			r.of(k).reward[row] = margin(b.Score[i*r.seats*sources:], who, r.tables[i], sources)
		}
	}
}

// margin is by how many points a seat is ahead of the others' mean, by scores [seats, sources].
func margin(score []int32, seat, seats, sources int) float32 {
	own, others := int32(0), int32(0)
	for at, x := range score[:seats*sources] {
		if at/sources == seat {
			own += x
		} else {
			others += x
		}
	}
	return float32(own) - float32(others)/float32(seats-1)
}

// explained are the shares of the variance of what is to be learnt that the value head explains, by what its numbers are: of the
// others' numbers the mean.
func (r *rollout) explained() map[string]float64 {
	all := map[string]float64{}
	for k := 1; k < r.outlook.size(); k++ {
		share := explainedVariance(r.closed, r.of(k).value, r.of(k).returns)
		if k%r.outlook.seats > 0 {
			share /= float64(r.outlook.seats - 1)
		}
		all[r.outlook.name(k)] += share
	}
	return all
}
