package train

import (
	"math"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
)

var inf = float32(math.Inf(1))

func TestAStepOfMirrorDescentMultipliesByWhatLeadsAreWorth(t *testing.T) {
	third := float32(math.Log(1. / 3))
	to := make([]float32, 3)
	// Known without doubt: the second leads the first by one scale, the third is behind by one.
	label := []float32{third, 0, 0, third, 0.5, 0, third, -0.5, 0}
	step(label, 0.25, 1, 0, to)
	for i, want := range []float64{1, math.E, 1 / math.E} {
		if want /= 1 + math.E + 1/math.E; math.Abs(float64(to[i])-want) > 1e-6 {
			t.Errorf("probability %d is %v, want %v", i, to[i], want)
		}
	}
	// A lead whose standard error is as large as leads are counts for half; what was not tried keeps its share beside the first.
	label = []float32{third, 0, 0, third, 0.5, 0.5, third, 0, inf}
	step(label, 0.25, 1, 0, to)
	if got := float64(to[1] / to[0]); math.Abs(got-math.Exp(0.5)) > 1e-5 || to[2] != to[0] {
		t.Errorf("probabilities %v", to)
	}
	// The magnet alone.
	label = []float32{float32(math.Log(0.9)), 0, 0, float32(math.Log(0.1)), 0, 0}
	step(label, 0.25, 1, 1, to[:2])
	if got, want := float64(to[0]/to[1]), 3.; math.Abs(got-want) > 1e-4 { // √9
		t.Errorf("pulled towards equal chances it is %v to 1, want %v", got, want)
	}
	// No label rules anything out for good.
	label = []float32{float32(math.Log(0.5)), 0, 0, float32(math.Log(0.5)), -1e6, 0}
	step(label, 0.25, 1, 0, to[:2])
	if got := float64(to[0] / to[1]); math.Abs(got-math.Exp(mostStep)) > 1 {
		t.Errorf("the worst is %v times less likely", got)
	}
}

// In a third of the worlds a call wins 8 chips, in the others it loses 5: on average it is behind by 2/3. The network learns the mean of
// the targets, which must be the target of the mean, and not a call in a third of the cases.
func TestStepsInTheActualWorldAreRightOnAverage(t *testing.T) {
	const eta, tau, scale2 = 0.15, 0.02, 16
	for _, call := range []float64{0.02, 0.3, 0.5, 0.9} {
		c := &counterfactual{trainer: &trainer{cfg: Config{Eta: eta, RolloutHidden: actualWorld}}, labels: newRagged[float32](labelWidth), target: make([]float32, 2), tau: tau}
		c.spread = spread{Square: scale2, Weight: 1}
		for _, lead := range []float32{8, -5, -5, -2. / 3} {
			c.labels.add([]float32{float32(math.Log(1 - call)), 0, 0, float32(math.Log(call)), lead, 0})
		}
		target := func(row int) float64 { to := c.targetOf(row); return float64(to[1] - to[0]) }
		mean, want := (target(0)+target(1)+target(2))/3, target(3)
		if math.Abs(mean-want) > 1e-6 {
			t.Errorf("who calls with %v should have %v next, and is taught %v", call, want, mean)
		}
		odds := math.Log(call / (1 - call))
		if mirror := (odds - eta*2./3/math.Sqrt(scale2)) / (1 + eta*tau); math.Abs(want-mirror) > 1e-6 {
			t.Errorf("with %v the step is to %v, that of mirror descent to %v", call, want, mirror)
		}
	}
}

func TestTheScaleIsHowLargeLeadsAreBeyondTheirNoise(t *testing.T) {
	r := engine.NewRand(1)
	c := &counterfactual{trainer: &trainer{cfg: Config{Eta: 1}, rollout: &rollout{}}, labels: newRagged[float32](labelWidth), target: make([]float32, 2)}
	normal := func() float64 {
		x := -6.
		for range 12 {
			x += r.Float64()
		}
		return x
	}
	for i := range 20000 {
		even := float32(math.Log(0.5))
		c.labels.add([]float32{even, 0, 0, even, float32(0.3*normal() + 0.4*normal()), 0.4})
		c.rollout.closed = append(c.rollout.closed, int32(i))
	}
	got := c.sumUp()
	if math.Abs(got.Scale-0.3) > 0.02 || math.Abs(got.StdErr-0.4) > 1e-6 || got.Count != 20000 {
		t.Errorf("%+v", got)
	}
	if !(got.Gain > 0 && got.Gain < got.Regret && got.StepKL > 0) {
		t.Errorf("%+v", got)
	}
	// Nothing but noise: little is believed of any lead.
	c.spread = spread{Square: 1, Noise: 1, Weight: 1}
	if s := c.spread.scale2(); s != spreadLeast {
		t.Errorf("of noise alone the scale is √%v", s)
	}
}

func TestCounterfactualRolloutsNameWhatTheyCannotPlay(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"label_share":                   func(c *Config) { c.LabelShare = 0 },
		"rollout_worlds: 1":             func(c *Config) { c.RolloutWorlds = 1 },
		"rollout_schedule":              func(c *Config) { c.RolloutSchedule = "tree" },
		"rollout_hidden":                func(c *Config) { c.RolloutHidden = "marked" },
		"rollout_best: 1":               func(c *Config) { c.RolloutBest = 1 },
		"rollout_players: empty":        func(c *Config) { c.RolloutPlayers = nil },
		"unknown bot":                   func(c *Config) { c.RolloutPlayers = []string{"nobody"} },
		"rollout_shares: 1 for 2":       func(c *Config) { c.RolloutPlayers, c.RolloutShares = []string{"self", "random"}, []float64{1} },
		"rollout_shares: 0: want":       func(c *Config) { c.RolloutShares = []float64{0} },
		"want perfect_critic false":     func(c *Config) { c.RolloutValue, c.PerfectCritic = "self", true },
		"eta: 0: want":                  func(c *Config) { c.Eta = 0 },
		"tau: -1: want":                 func(c *Config) { c.Tau = -1 },
		"past_selves":                   func(c *Config) { c.PastSelves = 0 },
		`want ppo, rollouts or imitate`: func(c *Config) { c.Algorithm = "rollout" },
		`rollout_shares: cannot read "half" as a list of numbers`: func(c *Config) { panic(c.Set("rollout_shares", "half")) },
	} {
		cfg := DefaultRollouts()
		cfg.Game = "leduc"
		err := func() (err error) {
			defer func() {
				if bad, ok := recover().(error); ok {
					err = bad
				}
			}()
			change(&cfg)
			return cfg.Validate()
		}()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if d, ok := DefaultsOf("rollouts"); !ok || d.Algorithm != counterfactualRollouts || d.MinibatchSize != DefaultRollouts().MinibatchSize {
		t.Errorf("defaults %+v, %v", d, ok)
	}
	if _, ok := DefaultsOf("hearsay"); ok {
		t.Error("hearsay has defaults")
	}
	cfg, err := ParseConfig([]byte("game: leduc\nalgorithm: rollouts\nrollout_players: [self, past, search(rollouts=4,z=2)]\nrollout_shares: [2, 1, 0.5]\n"))
	if err != nil || cfg.Validate() != nil || len(cfg.RolloutPlayers) != 3 || cfg.EntCoef != 0 {
		t.Fatalf("%+v: %v, %v", cfg, err, cfg.Validate())
	}
	if again, err := ParseConfig(cfg.YAML()); err != nil || again.RolloutShares[2] != 0.5 || again.RolloutPlayers[2] != "search(rollouts=4,z=2)" {
		t.Errorf("read back: %+v, %v", again, err)
	}
}

// named is a player that is known by its name.
type named struct {
	bots.Bot
	name string
}

func (n named) Name() string { return n.name }

func TestSeatsOfRolloutsHaveTheirPlayersAsOftenAsTheirShares(t *testing.T) {
	cfg := Config{RolloutPlayers: []string{"a", pastPlayer, "b"}, RolloutShares: []float64{2, 1, 1}}
	b := &table{names: cfg.RolloutPlayers}
	b.share(cfg)
	s := &seats{table: b, at: make([]bots.Bot, 4), players: []bots.Bot{named{name: "a"}, nil, named{name: "b"}}, self: &frozen{}}
	const rollouts = 20000
	count := map[string]float64{}
	r := engine.NewRand(1)
	for range rollouts {
		s.Sit(&r)
		for _, p := range s.at {
			if p == bots.Bot(s.self) { // no past self yet
				count["self"]++
			} else {
				count[p.Name()]++
			}
		}
	}
	for name, want := range map[string]float64{"a": 0.5, "self": 0.25, "b": 0.25} {
		if got := count[name] / rollouts / 4; math.Abs(got-want) > 0.01 {
			t.Errorf("a seat has %s in %.3f of rollouts, want %v", name, got, want)
		}
	}
	s.past = []*frozen{{}, {}}
	met := map[bots.Bot]bool{}
	for range 100 {
		s.Sit(&r)
		for _, p := range s.at {
			met[p] = true
		}
	}
	if !met[s.past[0]] || !met[s.past[1]] || met[s.self] || len(met) != 4 {
		t.Errorf("with two past selves %d players were met", len(met))
	}
}
