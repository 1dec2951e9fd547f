package train

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
)

// Matches of two and of three seats are played at random, and what is to be learnt of them is counted again by hand.
func TestAllThatTheValueHeadTellsIsWhatMatchesCameTo(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Games, cfg.NumEnvs, cfg.Workers, cfg.Hidden = []string{"doubloons(seats=2,rewards=running)", "doubloons(seats=3,rewards=running)"}, 4, 1, []int{4}
	cfg.Values, cfg.Opponents = allValues, []string{"random"}
	tr := trainerOf(t, cfg)
	const seats, steps = 3, 400
	r, chance := newRollout(cfg.NumEnvs, seats, steps, 1, 0, 1, 0), engine.NewRand(3)
	r.tell(tr.rollout.outlook, tr.rollout.tables)
	mix, actions, logp := tr.matches.(*mixture), make([]int32, cfg.NumEnvs), make([]float32, cfg.NumEnvs)
	earned := make([][seats]float64, len(r.next)) // by row and seat, since then
	final := make([][]float64, cfg.NumEnvs)       // [seats, win and margin] of the first match
	for b := tr.now; slices.ContainsFunc(final, func(f []float64) bool { return f == nil }); {
		if r.n == steps*cfg.NumEnvs {
			t.Fatal("the matches are too long")
		}
		r.decide(b, actions, logp, make([]float32, cfg.NumEnvs*r.outlook.size()))
		for i := range actions {
			actions[i] = int32(mix.vecs[i/2].Match(i % 2).Legal().Sample(&chance))
		}
		var err error
		if b, err = mix.Step(actions); err != nil {
			t.Fatal(err)
		}
		for row := range r.n {
			if i := row % cfg.NumEnvs; final[i] == nil {
				for s := range seats {
					earned[row][s] += float64(b.Reward[i*seats+s])
				}
			}
		}
		r.earn(b)
		r.end(b)
		for i := range final {
			if b.Terminated[i] && final[i] == nil {
				final[i] = outcome(b, i, seats, r.tables[i])
			}
		}
	}
	r.finish(1, 1)
	checked := 0
	for row := range r.n {
		i, seat := row%cfg.NumEnvs, int(r.owner[row])%seats
		if row > 0 && earned[row] == [seats]float64{} { // of a later match
			continue
		}
		for k := range seats {
			var want [3]float64
			if n := r.tables[i]; k < n {
				who := (seat + k) % n
				want = [3]float64{earned[row][who], final[i][2*who], final[i][2*who+1]}
			}
			for kind, x := range want {
				checked++
				if got := r.of(kind*seats + k).returns[row]; math.Abs(float64(got)-x) > 1e-4 {
					t.Fatalf("match of %d seats: the %s of the seat %d on is %v, want %v", r.tables[i], r.outlook.kinds[kind], k, got, x)
				}
			}
		}
	}
	if checked < 1000 {
		t.Errorf("only %d numbers were checked", checked)
	}
}

// outcome is what a match that has ended came to: each seat's part of the win, and its margin.
func outcome(b *env.Batch, i, most, seats int) (all []float64) {
	sources := len(b.Score) / len(b.Return)
	points, sum := make([]float64, seats), 0.0
	for at, x := range b.Score[i*most*sources:][:seats*sources] {
		points[at/sources] += float64(x)
		sum += float64(x)
	}
	for s, x := range points {
		all = append(all, engine.WinShare(b.Return[i*most:][:seats], s), x-(sum-x)/float64(seats-1))
	}
	return all
}

func TestAValueHeadThatTellsMoreIsExportedInItsUnits(t *testing.T) {
	cfg := small("doubloons(seats=2)")
	cfg.Values, cfg.PerfectCritic = allValues, false
	b, _, err := Export(weightsFile(t, cfg, func(about map[string]string) {
		about["value_mean"], about["value_deviation"] = "1 1 0 0 0 0", "3 3 0.5 0.5 10 10"
	}), ExportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	plain, _, err := Export(weightsFile(t, cfg, func(about map[string]string) {
		about["value_mean"], about["value_deviation"] = "0 0 0 0 0 0", "1 1 1 1 1 1"
	}), ExportOptions{})
	if err != nil || strings.Join(b.Tells, " ") != "return win margin" || b.Values() != 6 {
		t.Fatalf("%d values of the kinds %v: %v", b.Values(), b.Tells, err)
	}
	for i, x := range plain.Golden.Values {
		want := float64(x)*[]float64{3, .5, 10}[i%6/2] + []float64{1, 0, 0}[i%6/2]
		if got := b.Golden.Values[i]; math.Abs(float64(got)-want) > 1e-4 {
			t.Errorf("value %d is %v, want %v", i, got, want)
		}
	}
	if _, _, err := Export(weightsFile(t, cfg, func(about map[string]string) {
		about["value_mean"], about["value_deviation"] = "0", "1"
	}), ExportOptions{}); err == nil || !strings.Contains(err.Error(), "1 numbers for a value head of 6") {
		t.Errorf("with scales of another value head: %v", err)
	}
}

func TestARunThatBeginsWithAnotherGoesOnTellingWhatThatToldInWhateverUnits(t *testing.T) {
	cfg := small("doubloons(seats=2)")
	cfg.Values, cfg.PerfectCritic, cfg.MaxDecisions = allValues, false, 0
	first, err := Run(t.Context(), cfg, options(t))
	if err != nil {
		t.Fatal(err)
	}
	told := func(norm bool, values string) []float32 {
		cfg.NormValue, cfg.Values = norm, values
		tr := trainerOf(t, cfg)
		if err := tr.beginWith(first.Dir, options(t)); err != nil {
			t.Fatal(err)
		}
		if err := tr.foresee(tr.now, tr.scales()); err != nil {
			t.Fatal(err)
		}
		return tr.values
	}
	same := func(got, want float32) bool { return math.Abs(float64(got-want)) <= 1e-4*(1+math.Abs(float64(want))) }
	all := told(true, allValues)
	if plain := told(false, allValues); !slices.EqualFunc(plain, all, same) {
		t.Errorf("it tells %v in the units of the first run, and %v in others", all, plain)
	}
	for i, x := range told(true, ownValue) {
		if want := all[6*i]; !same(x, want) {
			t.Errorf("match %d: the seat's own return is %v, and %v if nothing else is told", i, want, x)
		}
	}
}
