package train

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// Validate checks every key and completes game strings to their canonical forms. The error names the key, its value and the wanted values.
func (c *Config) Validate() error {
	a, ok := algorithmOf(c.Algorithm)
	if !ok {
		return fmt.Errorf("algorithm: %q: want %s%s", c.Algorithm, algorithmNames(), renamed(c.Algorithm))
	}
	for _, f := range c.Fields() {
		if err := f.check(); err != nil {
			return err
		}
	}
	if err := c.Config.Validate(); err != nil {
		return err
	}
	if !a.Late && c.Late.Steps > 0 {
		return fmt.Errorf("late: the algorithm %s has no late part", a.Name)
	}
	if !a.Several && len(c.Tables) > 1 {
		return fmt.Errorf("game: %d tables: the algorithm %s learns at one", len(c.Tables), a.Name)
	}
	if err := c.Settings.Validate(&c.Config); err != nil {
		return fmt.Errorf("%s.%w", a.Name, err)
	}
	if c.EvalGame != "" {
		e, err := engine.NewGame(c.EvalGame)
		if err != nil {
			return fmt.Errorf("eval_game: %w", err)
		}
		if own, _, _ := strings.Cut(c.Game, "("); e.Info().Game != own {
			return fmt.Errorf("eval_game: %s: a policy for %s cannot play it", c.EvalGame, own)
		}
		c.EvalGame = e.Info().Config
	}
	if c.Exp == "" || strings.ContainsAny(c.Exp, "/\\ \t\n") || strings.HasPrefix(c.Exp, ".") {
		return fmt.Errorf("exp: %q: want a name that can be part of a folder's name", c.Exp)
	}
	return nil
}

// check says whether a value is in the range of its tags, or one of their words.
func (f *Field) check() error {
	if of := strings.Fields(f.tag.Get("of")); len(of) > 0 && !slices.Contains(of, f.value.String()) {
		return fmt.Errorf("%s: %q: want %s", f.Name, f.value.String(), strings.Join(of, " or "))
	}
	var x float64
	switch f.value.Kind() {
	case reflect.Float64:
		x = f.value.Float()
	case reflect.Int, reflect.Int64:
		x = float64(f.value.Int())
	default:
		return nil
	}
	bound := func(tag string) (float64, bool) {
		v, err := strconv.ParseFloat(f.tag.Get(tag), 64)
		return v, err == nil
	}
	least, hasLeast := bound("least")
	above, hasAbove := bound("above")
	most, hasMost := bound("most")
	ok := !math.IsNaN(x) && !math.IsInf(x, 0) && !(hasLeast && x < least) && !(hasAbove && x <= above) && !(hasMost && x > most)
	want := ""
	switch {
	case ok:
		return nil
	case hasMost && hasLeast:
		want = fmt.Sprintf("a number from %v to %s", least, f.tag.Get("most"))
	case hasMost:
		want = fmt.Sprintf("a number above %v, at most %s", above, f.tag.Get("most"))
	case hasAbove:
		want = fmt.Sprintf("a number above %v", above)
	default:
		want = fmt.Sprintf("a number of at least %v", least)
	}
	return fmt.Errorf("%s: %v: want %s", f.Name, f.value.Interface(), want)
}

// sameRun refuses a configuration that differs from that of a checkpoint in a key on which shapes or streams depend.
func (c *Config) sameRun(checkpoint *Config) error {
	if c.Algorithm != checkpoint.Algorithm || !reflect.DeepEqual(c.Tables, checkpoint.Tables) {
		return fmt.Errorf("algorithm and game are %s and %v, but the checkpoint was trained with %s and %v, or with other shares or opponents: set them back, or start a new run",
			c.Algorithm, c.All(), checkpoint.Algorithm, checkpoint.All())
	}
	then := checkpoint.Fields()
	for i, f := range c.Fields() {
		if _, fixed := f.tag.Lookup("fixed"); fixed && !reflect.DeepEqual(f.value.Interface(), then[i].value.Interface()) {
			return fmt.Errorf("%s is %v, but the checkpoint was trained with %v: set it back, or start a new run", f.Name, f.value.Interface(), then[i].value.Interface())
		}
	}
	return nil
}

// setBack says which schedules a changed run sets back by more than a tenth of their first value: they span the whole run, so that a
// longer run is earlier in them. "": none.
func (c *Config) setBack(before *Config, iteration int) string {
	schedules := func(of *Config, iteration int) map[string][2]float64 {
		all := map[string][2]float64{"the learning rate": {of.LearningRate, of.LearningRateAt(iteration)}}
		if s, ok := of.Settings.(interface {
			Schedules(*selfplay.Config, int) map[string][2]float64
		}); ok {
			maps.Copy(all, s.Schedules(&of.Config, iteration))
		}
		return all
	}
	var back []string
	was, now := schedules(before, max(iteration-1, 0)), schedules(c, iteration)
	for _, name := range slices.Sorted(maps.Keys(now)) {
		from, was, now := now[name][0], was[name][1], now[name][1]
		if math.Abs(was-from)-math.Abs(now-from) > 0.1*math.Abs(from) {
			back = append(back, fmt.Sprintf("%s goes from %.3g back to %.3g", name, was, now))
		}
	}
	if back == nil {
		return ""
	}
	return fmt.Sprintf("total_timesteps is %d and was %d, and schedules are over the whole run: %s; a run that begins with init_from has a schedule of its own",
		c.TotalTimesteps, before.TotalTimesteps, strings.Join(back, ", "))
}

func encoderOf(game string) (*encode.Encoder, error) {
	g, err := engine.NewGame(game)
	if err != nil {
		return nil, err
	}
	return encode.For(g)
}

// checkSchema refuses a checkpoint whose observations or actions are not those of this program.
func checkSchema(cfg *Config, hash, from string) error {
	e, err := encoderOf(cfg.Game)
	if err != nil {
		return err
	}
	if now := cfg.SchemaHash(e); now != hash {
		return fmt.Errorf("%s was trained on observations or actions of another layout (schema hash %.12s, this program's is %.12s): use the version of privateer that wrote it, or train again", from, hash, now)
	}
	return nil
}
