package env_test

import (
	"bytes"
	"errors"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/env/match"
)

// leaning is a policy that prefers some actions, by what it sees.
type leaning struct{ asked, most *atomic.Int64 }

func newLeaning() leaning { return leaning{new(atomic.Int64), new(atomic.Int64)} }

func (p leaning) Probs(n int, obs, mask []uint8, probs []float32) error {
	p.asked.Add(1)
	p.most.Store(max(p.most.Load(), int64(n)))
	d, a := len(obs)/n, len(mask)/n
	for i := range n {
		h := fnv.New64a()
		h.Write(obs[i*d : (i+1)*d])
		r := engine.NewRand(h.Sum64())
		for k := range a {
			probs[i*a+k] = float32(r.Float64())
		}
	}
	return nil
}

func TestOnlyTheCallersDecisionsAreShown(t *testing.T) {
	policy := newLeaning()
	for _, mode := range modes {
		v := newVec(t, env.Config{
			Game: "doubloons(seats=3)", NumEnvs: 6, Workers: 2, Autoreset: mode, ShuffleSeats: true,
			Players: []match.Player{match.Named("random"), {}, match.Batched("leaning", policy)},
		})
		p := newPlayer(6)
		b := reset(t, v)
		ended := 0
		for range 150 {
			for i, seat := range b.Seat {
				if b.Players[3*i+int(seat)] != 1 && !b.Terminated[i] && !bytesOnly(b.Mask[i*len(b.Mask)/6:(i+1)*len(b.Mask)/6], 1) {
					t.Fatalf("%s: row %d asks player %d", mode, i, b.Players[3*i+int(seat)])
				}
			}
			b = p.step(t, v)
			for _, over := range b.Terminated {
				if over {
					ended++
				}
			}
			if mode == env.Disabled && slices.Contains(b.Terminated, true) {
				if _, err := v.ResetRows(b.Terminated); err != nil {
					t.Fatal(err)
				}
			}
		}
		if ended == 0 {
			t.Errorf("%s: no match has ended", mode)
		}
	}
	if policy.most.Load() < 2 {
		t.Error("the policy is never asked for several rows at once")
	}
}

// How often the others were asked between two decisions of the caller may show what they
// hold: the caller learns how many steps it has taken itself, and no more.
func TestEpisodeStepCountsTheCallersStepsAndNobodyElses(t *testing.T) {
	const n = 5
	for _, other := range []match.Player{match.Named("random"), match.Batched("leaning", newLeaning())} {
		for _, mode := range modes {
			v := newVec(t, env.Config{
				Game: "jolly_roger(seats=4)", NumEnvs: n, Workers: 2, Autoreset: mode, MaxDecisions: 40,
				Players: []match.Player{other, {}, other, {}},
			})
			p, want, ended := newPlayer(n), make([]int32, n), 0
			b, over := reset(t, v), make([]bool, n)
			for step := range 60 {
				if !slices.Equal(b.EpisodeStep, want) {
					t.Fatalf("%s, %s, step %d: the rows count %v steps of the caller; it has taken %v", other.Name, mode, step, b.EpisodeStep, want)
				}
				b = p.step(t, v)
				for i := range n {
					anew := mode == env.NextStep && over[i]
					over[i] = b.Terminated[i] || b.Truncated[i]
					if over[i] {
						ended++
					}
					if want[i]++; anew || over[i] && mode == env.SameStep {
						want[i] = 0
					}
				}
				if mode != env.Disabled {
					continue
				}
				if _, err := v.ResetRows(over); err != nil {
					t.Fatal(err)
				}
				for i := range n {
					if over[i] {
						want[i] = 0
					}
				}
			}
			if ended == 0 {
				t.Fatalf("%s, %s: no match has ended", other.Name, mode)
			}
		}
	}
}

func bytesOnly(s []uint8, b uint8) bool {
	return !slices.ContainsFunc(s, func(x uint8) bool { return x != b })
}

// outermost is a policy that takes the first legal action, or the last.
type outermost bool

func (first outermost) Probs(n int, _, mask []uint8, probs []float32) error {
	clear(probs)
	a := len(mask) / n
	for i := range n {
		row := mask[i*a : (i+1)*a]
		k := slices.Index(row, 1)
		for last := range row {
			if !first && row[last] == 1 {
				k = last
			}
		}
		probs[i*a+k] = 1
	}
	return nil
}

// Each policy is asked once about each of its own decisions, however many policies play.
func TestPoliciesInTheLoopDecideForThemselvesOnly(t *testing.T) {
	var texts []env.Recorded
	for _, mode := range modes {
		v := newVec(t, env.Config{
			Game: "doubloons(seats=3)", NumEnvs: 5, Workers: 2, Autoreset: mode,
			Players: []match.Player{match.Batched("first", outermost(true)), {}, match.Batched("last", outermost(false))},
			Record:  env.Record{Share: 1, Sink: func(r env.Recorded) error { texts = append(texts, r); return nil }},
		})
		p := newPlayer(5)
		reset(t, v)
		for range 300 {
			b := p.step(t, v)
			if mode == env.Disabled {
				if _, err := v.ResetRows(b.Terminated); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if len(texts) < 5 {
		t.Fatalf("%d matches have ended", len(texts))
	}
	for _, r := range texts {
		g, err := engine.NewGame(r.Transcript.Game)
		if err != nil {
			t.Fatal(err)
		}
		m := g.NewMatch()
		m.Reset(r.Transcript.Seed)
		for k, s := range r.Transcript.Steps {
			a, legal := engine.Action(slices.Index(g.Info().Actions, s.Action)), m.Legal()
			want := a
			switch r.Players[s.Seat] {
			case 0:
				want = legal.First()
			case 2:
				for next := legal.First(); next >= 0; next = legal.Next(next) {
					want = next
				}
			}
			if a != want {
				t.Fatalf("row %d, episode %d, decision %d: player %d takes %s; its policy would take %s", r.Row, r.Episode, k, r.Players[s.Seat], s.Action, g.Info().ActionName(want))
			}
			if err := m.Apply(a); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// What the others earn and cost while they play is paid with the caller's step.
func TestRewardsInTheLoopAddUpToTheReturn(t *testing.T) {
	const n, seats = 3, 3
	v := newVec(t, env.Config{
		Game: "doubloons(seats=3,objective=margin,rewards=running)", NumEnvs: n, Autoreset: env.SameStep,
		Players: []match.Player{match.Named("random"), match.Named("random"), {}},
	})
	p := newPlayer(n)
	reset(t, v)
	var sums [n * seats]float64
	ends := 0
	for range 400 {
		b := p.step(t, v)
		for k, r := range b.Reward {
			sums[k] += float64(r)
			if !b.Terminated[k/seats] {
				continue
			}
			ends++
			if math.Abs(sums[k]-float64(b.Return[k])) > 1e-5 {
				t.Fatalf("row %d, seat %d: rewards add up to %v, the return is %v", k/seats, k%seats, sums[k], b.Return[k])
			}
			sums[k] = 0
		}
	}
	if ends == 0 {
		t.Fatal("no match has ended")
	}
}

// A match with bots in its loop is the match that they would play given the same
// actions of the caller.
func TestBotsInTheLoopPlayByTheRules(t *testing.T) {
	var texts []env.Recorded
	v := newVec(t, env.Config{
		Game: "leduc", NumEnvs: 4, Workers: 2, Autoreset: env.SameStep, ShuffleSeats: true,
		Players: []match.Player{{}, match.Named("random")},
		Record:  env.Record{Share: 1, Sink: func(r env.Recorded) error { texts = append(texts, r); return nil }},
	})
	p := newPlayer(4)
	reset(t, v)
	for range 100 {
		p.step(t, v)
	}
	for _, r := range texts {
		if _, err := r.Transcript.Replay(nil); err != nil {
			t.Fatalf("row %d, episode %d: %v", r.Row, r.Episode, err)
		}
	}
	if n := int64(len(texts)); n < 50 || n != v.Stats().Episodes {
		t.Errorf("%d matches are recorded, %d have ended", n, v.Stats().Episodes)
	}
}

// cheat is a bot that plays what is not legal after some decisions.
type cheat struct{ after int }

func (c *cheat) Name() string { return "cheat" }
func (c *cheat) Act(m engine.Match, r *engine.Rand) engine.Action {
	if c.after--; c.after < 0 {
		return 99
	}
	return m.Legal().Sample(r)
}

type failing struct{ probs float32 }

func (p failing) Probs(_ int, _, _ []uint8, probs []float32) error {
	for i := range probs {
		probs[i] = p.probs
	}
	if p.probs == 7 {
		return errors.New("out of rum")
	}
	return nil
}

func TestWhoFailsInTheLoopIsNamedAndResetGoesOn(t *testing.T) {
	left := 5
	for want, p := range map[string]match.Player{
		`player 1 (cheat): leduc: illegal action "action(99)"`: {Name: "cheat", Bot: func(engine.Game) (bots.Bot, error) {
			return &cheat{left}, nil
		}},
		"player 1 (p): out of rum":             match.Batched("p", failing{7}),
		"player 1 (p): its probabilities":      match.Batched("p", failing{float32(math.NaN())}),
		"player 1 (q): its probabilities of t": match.Batched("q", failing{0}),
	} {
		for _, workers := range []int{1, 2} {
			v := newVec(t, env.Config{Game: "leduc", NumEnvs: 3, Workers: workers, Autoreset: env.SameStep, Players: []match.Player{{}, p}})
			draw := newPlayer(3)
			_, err := v.Reset()
			for range 20 {
				if err != nil {
					break
				}
				if err = v.SampleActions(draw.actions, draw.draws); err == nil {
					_, err = v.Step(draw.actions)
				}
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Fatalf("error %v; want one with %q", err, want)
			}
			if _, again := v.Step(draw.actions); !errors.Is(again, err) {
				t.Errorf("%s: the next step: %v", want, again)
			}
			if err := v.Restore(strings.NewReader("")); err == nil {
				t.Error("an empty snapshot is restored")
			}
			if _, err := v.Reset(); err != nil {
				t.Errorf("%s: reset: %v", want, err)
			}
		}
	}
}

// usurper decides for seat 1 too if it has seat 0.
type usurper struct{}

func (usurper) Name() string { return "usurper" }
func (usurper) Act(m engine.Match, _ *engine.Rand) engine.Action {
	if m.Seat() == 0 {
		_ = m.Apply(0)
	}
	return 0
}

// Episodes that end before the caller is asked are played through; if all do,
// there is an error.
func TestEpisodesWithoutADecisionOfTheCallersAreNotShown(t *testing.T) {
	cfg := env.Config{
		Game: "kuhn", NumEnvs: 2, Autoreset: env.SameStep, ShuffleSeats: true,
		Players: []match.Player{{Name: "usurper", Bot: func(engine.Game) (bots.Bot, error) { return usurper{}, nil }}, {}},
	}
	v := newVec(t, cfg)
	p := newPlayer(2)
	b := reset(t, v)
	for range 60 {
		b = p.step(t, v)
	}
	if s := v.Stats(); b.Episode[0] < 30 || s.Episodes != b.Episode[0]+b.Episode[1] {
		t.Errorf("episodes %v, counted %d", b.Episode, s.Episodes)
	}
	cfg.ShuffleSeats = false
	v = newVec(t, cfg)
	if _, err := v.Reset(); err == nil || !strings.Contains(err.Error(), "row 0: 1000 episodes") {
		t.Errorf("seat 1 never acts: %v", err)
	}
}

func TestPlayersThatCannotBeAreRefused(t *testing.T) {
	random := match.Named("random")
	for want, players := range map[string][]match.Player{
		"1 players for leduc: want 2":   {random},
		"bots play every seat":          {random, random},
		"is both a bot and a policy":    {{}, {Bot: random.Bot, Policy: match.Batched("p", newLeaning()).Policy}},
		"is neither a bot nor a policy": {{}, {Name: "ghost"}},
		"player 1: unknown bot":         {{}, match.Named("nobody")},
	} {
		if _, err := env.New(env.Config{Game: "leduc", NumEnvs: 1, Players: players}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want an error with %q", err, want)
		}
	}
}

// However often calls are stopped, their results are those of undisturbed calls.
func TestWhatWasStoppedIsFinishedAsIfItHadNotBeen(t *testing.T) {
	for _, mode := range modes {
		for _, other := range []match.Player{match.Named("random"), match.Batched("leaning", newLeaning())} {
			const n = 9
			cfg := env.Config{
				Game: "kuhn(seats=3)", NumEnvs: n, Workers: 3, Seed: 3, Autoreset: mode, ShuffleSeats: true,
				Players: []match.Player{other, {}, match.Named("random")},
			}
			var kept [2]int
			recorded := func(k int) *env.Vec {
				cfg.Record = env.Record{Share: 1, Sink: func(env.Recorded) error { kept[k]++; return nil }}
				return newVec(t, cfg)
			}
			quiet, stopped := recorded(0), recorded(1)
			var asked, stops atomic.Int64
			stopped.Until(func() bool { return asked.Add(1)%3 == 0 })
			p, q := newPlayer(n), newPlayer(n)
			finish := func(b *env.Batch, err error) *env.Batch {
				t.Helper()
				for errors.Is(err, env.ErrStopped) {
					stops.Add(1)
					for what, call := range map[string]func() error{
						"step":     func() error { _, err := stopped.Step(q.actions); return err },
						"reset":    func() error { _, err := stopped.Reset(); return err },
						"snapshot": func() error { return stopped.Snapshot(new(bytes.Buffer)) },
						"restore":  func() error { return stopped.Restore(new(bytes.Buffer)) },
						"send":     func() error { return stopped.Send([]int32{0}, []int32{0}) },
					} {
						if err := call(); !errors.Is(err, env.ErrUnderWay) {
							t.Fatalf("%s of a vector that has stopped: %v", what, err)
						}
					}
					b, err = stopped.Finish()
				}
				if err != nil {
					t.Fatal(err)
				}
				return b
			}
			same := func(what string, a, b *env.Batch) {
				t.Helper()
				if x, y := rows(quiet, a), rows(stopped, b); !slices.Equal(x, y) {
					t.Fatalf("%s, %s: %s:\n%s\nand stopped\n%s", mode, other.Name, what, strings.Join(x, "\n"), strings.Join(y, "\n"))
				}
			}
			b := reset(t, quiet)
			same("reset", b, finish(stopped.Reset()))
			for range 100 {
				b = p.step(t, quiet)
				if err := stopped.SampleActions(q.actions, q.draws); err != nil {
					t.Fatal(err)
				}
				same("step", b, finish(stopped.Step(q.actions)))
				if mode != env.Disabled {
					continue
				}
				over := slices.Clone(b.Terminated)
				b, err := quiet.ResetRows(over)
				if err != nil {
					t.Fatal(err)
				}
				same("rows reset", b, finish(stopped.ResetRows(over)))
			}
			if x, y := snapshot(t, quiet), snapshot(t, stopped); !bytes.Equal(x, y) {
				t.Errorf("%s, %s: the snapshots differ", mode, other.Name)
			}
			if stops.Load() < 50 || kept[0] == 0 || kept[0] != kept[1] {
				t.Errorf("%s, %s: stopped %d times, matches recorded: %d", mode, other.Name, stops.Load(), kept)
			}
		}
	}
}

// dozer is a bot that is to stop before every other decision, while it thinks about it.
type dozer struct{ over func() bool }

func (*dozer) Name() string             { return "dozer" }
func (d *dozer) Until(over func() bool) { d.over = over }
func (d *dozer) Act(m engine.Match, r *engine.Rand) engine.Action {
	a := m.Legal().Sample(r)
	if d.over != nil && d.over() {
		return bots.Stopped
	}
	return a
}

// A bot that is stopped in the middle of a decision makes it again, from the same draws, even if the client that had gone is back.
func TestADecisionThatIsCutShortIsMadeAgain(t *testing.T) {
	const n = 6
	bot := func(b func() bots.Bot) env.Config {
		return env.Config{
			Game: "leduc", NumEnvs: n, Workers: 2, Seed: 3, Autoreset: env.SameStep,
			Players: []match.Player{{Name: "one", Bot: func(engine.Game) (bots.Bot, error) { return b(), nil }}, {}},
		}
	}
	quiet, stopped := newVec(t, bot(func() bots.Bot { return &dozer{} })), newVec(t, bot(func() bots.Bot { return &dozer{} }))
	var asked atomic.Int64
	stopped.Until(func() bool { return asked.Add(1)%5 == 0 })
	p, q, stops := newPlayer(n), newPlayer(n), 0
	finish := func(b *env.Batch, err error) *env.Batch {
		t.Helper()
		for ; errors.Is(err, env.ErrStopped); stops++ {
			b, err = stopped.Finish()
		}
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	reset(t, quiet)
	finish(stopped.Reset())
	for range 100 {
		p.step(t, quiet)
		if err := stopped.SampleActions(q.actions, q.draws); err != nil {
			t.Fatal(err)
		}
		finish(stopped.Step(q.actions))
	}
	if !bytes.Equal(snapshot(t, quiet), snapshot(t, stopped)) || stops < 50 {
		t.Errorf("stopped %d times, the vector is another", stops)
	}
}
