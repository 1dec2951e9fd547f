package train

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	_ "github.com/privateer-rl/privateer/engine/games"
)

func TestAGameGivenReplacesAConfigurationsList(t *testing.T) {
	stages, err := LoadStages("configs/pirate.yaml")
	if err != nil || len(stages) != 4 || len(stages[2].Tables) != 19 {
		t.Fatalf("stages %+v, error %v; want 4, the third of 19 games", stages, err)
	}
	c := stages[0]
	if err := c.Set("game", "jolly_roger(seats=6)"); err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err != nil || c.Game != "jolly_roger" || len(c.Tables) != 0 {
		t.Errorf("game %s beside %v, error %v; want jolly_roger alone", c.Game, c.Tables, err)
	}
}

func TestConfigReadsBackWhatItWrites(t *testing.T) {
	c := DefaultConfig()
	c.Game, c.Hidden, c.EvalBots, c.LearningRate = "leduc", []int{64, 32}, []string{"random"}, 1e-3
	back, err := ParseConfig(c.YAML())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(c, back) {
		t.Errorf("read back\n%+v\nwant\n%+v", back, c)
	}
}

func TestConfigLeavesDefaultsWhereNothingIsGiven(t *testing.T) {
	c, err := ParseConfig([]byte("game: kuhn\nppo: {ent_coef: 0.2}\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := DefaultConfig()
	want.Game, ppoOf(&want).EntCoef = "kuhn", 0.2
	if !reflect.DeepEqual(c, want) {
		t.Errorf("got %+v", c)
	}
}

func TestLatePartHasItsOwnLength(t *testing.T) {
	c := DefaultConfig()
	c.Game, c.Late.From, c.Late.Steps = "doubloons(seats=4)", 0.6, 37
	c.TotalTimesteps, c.NumEnvs, c.NumSteps = 1e6, 16, 50
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	updates := 0
	for steps := int64(0); steps < c.TotalTimesteps; updates++ {
		want := 50
		if steps >= 600000 {
			want = 37
		}
		if got := c.Steps(steps); got != want {
			t.Fatalf("after %d decisions %d steps an update, want %d", steps, got, want)
		}
		steps += 16 * int64(c.Steps(steps))
	}
	if got := c.Iterations(); got != updates {
		t.Errorf("%d iterations, want %d", got, updates)
	}
}

func TestConfigErrorsNameTheKeyAndTheFix(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"learning_rat: 1", "line 1: unknown key \"learning_rat\": `privateer train --help` lists the known ones; do you mean learning_rate?"},
		{"game: kuhn\nentcoef: 1", "line 2: unknown key \"entcoef\": `privateer train --help` lists the known ones; do you mean ent_coef?"},
		{"ent_coef: 1", "ent_coef is a setting of ppo: write ent_coef in its section, or --ppo.ent-coef"},
		{"ppo.ent_coef: 1", "ppo.ent_coef is a setting of ppo: write ent_coef in its section"},
		{"algorithm: imitation\nppo: {gamma: 1}", "section ppo: the algorithm is imitation: leave the section out, or set algorithm: ppo"},
		{"teacher: heuristic", "imitation.teacher is a setting of imitation, and the algorithm is ppo"},
		{"num_minibatches: 4", "unknown key \"num_minibatches\": write minibatch_size"},
		{"late_steps: 4", "write late.steps"},
		{"algorithm: imitation\nimitation: {random_moves: 0.1}", "write own_matches"},
		{"advantage_filter: 0.5", "it did not help and is gone, see notebooks/lab/training.md"},
		{"algorithm: rollouts", "want ppo, counterfactual, imitation: write counterfactual"},
		{"ppo: {gamma: 1, entcoef: 2}", "line 1: unknown key \"ppo.entcoef\""},
		{"lates: {from: 1}", "unknown key \"lates\""},
		{"xyzzy: 1", "privateer train --help"},
		{"num_envs: many", `num_envs: cannot read "many" as a whole number`},
		{"num_envs: 1.5", "num_envs: cannot read"},
		{"num_envs: [1]", "num_envs: cannot read a list as a whole number"},
		{"hidden: {a: 1}", "hidden: cannot read a mapping as a list of whole numbers"},
		{"hidden: [64, 1.5]", `hidden: cannot read "64, 1.5" as a list of whole numbers`},
		{"hidden: [64, wide]", `hidden: cannot read "64, wide" as a list of whole numbers`},
		{"seed: -1", "seed: cannot read \"-1\" as a whole number that is not negative"},
		{"eval_greedy: maybe", "eval_greedy: cannot read \"maybe\" as true or false"},
		{"ppo: {gamma: }", "ppo.gamma: cannot read"},
		{"hidden: 64", "hidden: cannot read \"64\" as a list of whole numbers"},
		{"seed: 1\nseed: 2", "line 2: seed is given twice"},
		{"ppo:\n  gamma: 1\n  gamma: 0.5", "line 3: ppo.gamma is given twice"},
		{"- game", "line 1: want lines of the form name: value"},
		{"game: [", "not YAML"},
	} {
		_, err := ParseConfig([]byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %v; want one line with %s", c.text, err, c.want)
		}
	}
}

func TestConfigValidationNamesTheFieldThatIsWrong(t *testing.T) {
	for name, value := range map[string]string{
		"game": "chess", "exp": "a/b", "total_timesteps": "0", "num_envs": "0", "num_steps": "-3", "learning_rate": "0", "update_epochs": "0",
		"minibatch_size": "-1", "vf_coef": ".inf", "max_grad_norm": "-1", "hidden": "64,0", "network": "cnn", "eval_every": "-1",
		"eval_matches": "-1", "checkpoint_every": "-1", "keep_checkpoints": "0", "schedule": "never", "learning_rate_final": "-1", "late.from": "0",
		"late.steps": "-1", "eval_game": "leduc", "device": "tpu", "workers": "-1", "threads": "-1",
		"ppo.gamma": "1.5", "ppo.gae_lambda": "-0.1", "ppo.clip_coef": "0", "ppo.ent_coef": "-1", "ppo.ent_coef_final": ".nan", "ppo.target_kl": "-1",
		"ppo.warmup_updates": "-1", "ppo.magnet_coef": "-1",
	} {
		c := DefaultConfig()
		c.Game = "kuhn"
		if err := c.Validate(); err != nil {
			t.Fatal(err)
		}
		if err := c.Set(name, value); err != nil {
			t.Fatal(err)
		}
		if err := c.Validate(); err == nil || !strings.HasPrefix(err.Error(), name+":") {
			t.Errorf("%s=%s: error %v; want one that begins with the name", name, value, err)
		}
	}
}

// Numbers that no machine has room for, or that overflow, are told before anything is allocated for them.
func TestConfigRefusesNumbersOutOfProportion(t *testing.T) {
	for name, value := range map[string]string{
		"total_timesteps": "9223372036854775807", "eval_matches": "1000000000000", "workers": "1000000000", "threads": "100000",
	} {
		c := DefaultConfig()
		c.Game = "kuhn"
		if err := c.Set(name, value); err != nil {
			t.Fatal(err)
		}
		if err := c.Validate(); err == nil || !strings.HasPrefix(err.Error(), name+": ") || !strings.Contains(err.Error(), "want a number from") {
			t.Errorf("%s=%s: error %v", name, value, err)
		}
	}
}

func TestConfigRefusesTooManyRows(t *testing.T) {
	c := DefaultConfig()
	c.Game, c.NumEnvs, c.NumSteps = "kuhn", 1<<20, 1<<20
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "num_envs") {
		t.Errorf("error %v", err)
	}
}

func TestEvaluationIsOfTheTrainedGameUnlessAnotherConfigurationIsAskedFor(t *testing.T) {
	c := DefaultConfig()
	c.Game = "kuhn(seats=2)"
	if err := c.Validate(); err != nil || c.Evaluated() != "kuhn" {
		t.Errorf("evaluated is %s, error %v", c.Evaluated(), err)
	}
	c.EvalGame = "kuhn( seats=3 )"
	if err := c.Validate(); err != nil || c.Evaluated() != "kuhn(seats=3)" {
		t.Errorf("evaluated is %s, error %v", c.Evaluated(), err)
	}
}

func TestConfigRefusesExplicitChance(t *testing.T) {
	c := DefaultConfig()
	c.Game = "kuhn(chance=explicit)"
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "chance=sampled") {
		t.Errorf("error %v", err)
	}
}

func TestEveryFieldCanBeSetAsAFlag(t *testing.T) {
	base := DefaultConfig()
	fields := base.Fields()
	for _, f := range fields {
		if f.Name == "" || f.Help == "" {
			t.Errorf("field %+v has no name or no help", f)
		}
		c := DefaultConfig()
		if f.Default == "" { // a text that is empty
			continue
		}
		if err := c.Set(strings.ReplaceAll(f.Name, "_", "-"), f.Default); err != nil {
			t.Errorf("%s: its own default %q is refused: %v", f.Name, f.Default, err)
		}
		if !reflect.DeepEqual(c, DefaultConfig()) {
			t.Errorf("%s: setting the default %q changed something", f.Name, f.Default)
		}
	}
	c := DefaultConfig()
	if err := c.Set("hidden", "32,16"); err != nil || !reflect.DeepEqual(c.Hidden, []int{32, 16}) {
		t.Errorf("hidden is %v, error %v", c.Hidden, err)
	}
	if err := c.Set("eval-bots", "random, heuristic"); err != nil || !reflect.DeepEqual(c.EvalBots, []string{"random", "heuristic"}) {
		t.Errorf("eval_bots is %v, error %v", c.EvalBots, err)
	}
	with := []string{"search(rollouts=24,horizon=round)", "heuristic"}
	if err := c.Set("eval-bots", "search(rollouts=24,horizon=round), heuristic"); err != nil || !reflect.DeepEqual(c.EvalBots, with) {
		t.Errorf("eval_bots is %v, error %v", c.EvalBots, err)
	}
	for _, text := range []string{"opponents: [search(rollouts=24,horizon=round), heuristic]", "opponents: ['search(rollouts=24,horizon=round)', heuristic]"} {
		if read, err := ParseConfig([]byte(text)); err != nil || !reflect.DeepEqual(read.Opponents, with) {
			t.Errorf("%s: %q, error %v", text, read.Opponents, err)
		}
	}
	if err := c.Set("seed", "18446744073709551615"); err != nil || c.Seed != 1<<64-1 {
		t.Errorf("seed is %d, error %v", c.Seed, err)
	}
}

func TestCommittedConfigurationsAreValid(t *testing.T) {
	files, err := filepath.Glob("configs/*.yaml")
	if err != nil || len(files) < 4 {
		t.Fatalf("configurations %v, error %v", files, err)
	}
	for _, f := range files {
		stages, err := LoadStages(f)
		for i := range stages {
			err = errors.Join(err, stages.check(i, options(t)))
		}
		if err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
}

// Runs of 0.1.0 can be exported and resumed: random_moves, which it had, changed nothing in most of them.
func TestASettingThatIsGoneIsPassedOverWhereItSaysNothing(t *testing.T) {
	if _, err := ParseConfig([]byte("algorithm: imitation\nimitation: {teacher: heuristic, random_moves: 0}")); err != nil {
		t.Error(err)
	}
}

// A setting that no recipe sets and that nobody knows from elsewhere is one that nobody needs.
func TestEveryKeyIsSetByACommittedConfigurationOrIsCommon(t *testing.T) {
	common := strings.Fields("opponents league vf_coef max_grad_norm init_from device workers keep_checkpoints " +
		"ppo.gamma ppo.gae_lambda ppo.warmup_updates imitation.data")
	set := map[string]bool{}
	files, err := filepath.Glob("configs/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var given map[string]any
		if err := yaml.Unmarshal(data, &given); err != nil {
			t.Fatal(err)
		}
		all := []any{given}
		if stages, ok := given[stagesKey].([]any); ok {
			all = append(all, stages...)
		}
		for _, of := range all {
			for key, value := range of.(map[string]any) {
				set[key] = true
				if section, ok := value.(map[string]any); ok {
					for k := range section {
						set[key+"."+k] = true
					}
				}
			}
		}
	}
	for _, a := range Algorithms() {
		c, err := Defaults(a.Name)
		if err != nil {
			t.Fatal(err)
		}
		shown := 0
		for _, f := range c.Fields() {
			if !set[f.Name] && !slices.Contains(common, f.Name) {
				t.Errorf("%s: no committed configuration sets it", f.Name)
			}
			if f.Section == "" && !f.Rare {
				shown++
			}
		}
		if n := len(c.Fields()); n > 45 || shown > 30 {
			t.Errorf("%s has %d settings, of which --help shows %d: want at most 45 and 30", a.Name, n, shown)
		}
	}
}

func TestConfigFileThatIsMissingIsNamed(t *testing.T) {
	if _, err := LoadConfig(filepath.Join(t.TempDir(), "none.yaml")); !os.IsNotExist(unwrapAll(err)) {
		t.Errorf("error %v", err)
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte("game: kuhn\nhidden: [64, 64]\n"))
	f.Add([]byte("a: &a [*a]"))
	base := DefaultConfig()
	f.Add(base.YAML())
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ParseConfig(data)
		if err != nil || c.Validate() != nil {
			return
		}
		if back, err := ParseConfig(c.YAML()); err != nil || !reflect.DeepEqual(back, c) {
			t.Errorf("%+v is read back as %+v, error %v", c, back, err)
		}
	})
}

func unwrapAll(err error) error {
	for {
		u, ok := err.(interface{ Unwrap() error })
		if !ok || u.Unwrap() == nil {
			return err
		}
		if os.IsNotExist(err) {
			return err
		}
		err = u.Unwrap()
	}
}
