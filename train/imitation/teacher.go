package imitation

import (
	"fmt"
	"math"
	"slices"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// teacher is a bot that answers decisions.
type teacher struct {
	bot      bots.Bot
	explains bots.Explainer // the same, if it has values of actions
}

// teachers are copies of one, by worker and game.
type teachers [][]teacher

// newTeachers makes them; digests are of the bundles that they read.
func newTeachers(cfg *selfplay.Config, s *Settings) (_ teachers, digests []string, err error) {
	teachers := make(teachers, min(cfg.Goroutines(), cfg.NumEnvs))
	var read policy.Reader
	for _, game := range cfg.All() {
		g, err := engine.NewGame(game)
		if err != nil {
			return nil, nil, err
		}
		name, err := s.TeacherAt(game)
		if err != nil {
			return nil, nil, err
		}
		used, err := read.Digests(name, g)
		if err != nil {
			return nil, nil, fmt.Errorf("teacher: %w", err)
		}
		for _, one := range used {
			if !slices.Contains(digests, one) {
				digests = append(digests, one)
			}
		}
		for w := range teachers {
			t, err := newTeacher(name, s.Targets, g, &read)
			if err != nil {
				return nil, nil, err
			}
			teachers[w] = append(teachers[w], t)
		}
	}
	return teachers, digests, nil
}

// newTeacher makes a bot that can give targets of a kind.
func newTeacher(name, targets string, g engine.Game, read *policy.Reader) (teacher, error) {
	b, err := read.NewBot(name, g)
	if err != nil {
		return teacher{}, fmt.Errorf("teacher: %w", err)
	}
	t := teacher{bot: b}
	t.explains, _ = b.(bots.Explainer)
	if t.explains == nil && targets != hardTargets {
		return t, fmt.Errorf("targets: %s: %s has no values of actions: want %s", targets, name, hardTargets)
	}
	return t, nil
}

// consult asks about decisions: at returns the game and the match of a row. The answers depend on the
// decision and its stream of draw alone, not on the worker.
func (t teachers) consult(s *Settings, at func(row int) (match engine.Match, game int), draw engine.Rand, answers []answer) error {
	return selfplay.Parallel(len(t), len(answers), func(w, i int) error {
		match, game := at(i)
		own := draw.At(uint64(i)).At(0)
		return answers[i].ask(t[w][game], match, &own, s)
	})
}

// answer is a teacher's answer to a decision.
type answer struct {
	choice  engine.Action
	target  []float32 // probabilities of the legal actions, to be learnt
	values  []float32 // their values to the seat, NaN for unknown ones; none if the teacher has no values
	chances []float32 // the teacher's own probabilities; none if it has none
}

// ask fills in a teacher's answer to a decision.
func (s *answer) ask(t teacher, m engine.Match, r *engine.Rand, settings *Settings) error {
	s.values, s.chances = s.values[:0], s.chances[:0]
	if t.explains == nil {
		s.choice = t.bot.Act(m, r)
	} else {
		account := t.explains.Explain(m, r)
		s.choice = account.Choice
		if s.values = slices.Grow(s.values, m.Legal().Count())[:m.Legal().Count()]; !account.Values(m.Legal(), s.values) {
			s.values = s.values[:0]
			s.weight(account, m.Legal())
		}
	}
	if !m.Legal().Has(s.choice) {
		return fmt.Errorf("teacher %s chose action %d, which is not legal at: %s", t.bot.Name(), s.choice, m.Decision())
	}
	s.aim(m.Legal(), settings)
	return nil
}

// aim makes the target of the choice, the values and the chances.
func (s *answer) aim(legal *engine.Mask, settings *Settings) {
	n := legal.Count()
	s.target = slices.Grow(s.target[:0], n)[:n]
	clear(s.target)
	switch {
	case settings.Targets == hardTargets:
	case len(s.values) > 0:
		soften(s.values, settings.Temperature, s.target)
		return
	case len(s.chances) > 0:
		copy(s.target, s.chances)
		return
	}
	at := 0
	for a := legal.First(); a != s.choice; a = legal.Next(a) {
		at++
	}
	s.target[at] = 1
}

// weight takes the chances of the legal actions from an account, if it gives each of them one, as a policy's does.
func (s *answer) weight(account bots.Account, legal *engine.Mask) {
	total := 0.0
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		if k := slices.IndexFunc(account.Actions, func(c bots.Considered) bool { return c.Action == a }); k >= 0 {
			s.chances = append(s.chances, float32(account.Actions[k].Weight))
			total += account.Actions[k].Weight
		}
	}
	if len(s.chances) < legal.Count() || !(math.Abs(total-1) < 1e-3) {
		s.chances = s.chances[:0]
	}
}

// soften writes the softmax of values; unknown ones get probability 0.
func soften(values []float32, temperature float64, to []float32) {
	most := highest(values)
	for i, v := range values {
		to[i] = float32(float64(v-most) / temperature)
		if v != v {
			to[i] = float32(math.Inf(-1))
		}
	}
	selfplay.Softmax(to)
}

// highest is the largest known value.
func highest(values []float32) float32 {
	most := float32(math.Inf(-1))
	for _, v := range values {
		if v > most {
			most = v
		}
	}
	return most
}
