package env_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/env/match"
)

// first is a bot that takes the first legal action, so that matches differ no more
// than what is hidden in them makes them.
type first struct{}

func (first) Name() string                                     { return "first" }
func (first) Act(m engine.Match, _ *engine.Rand) engine.Action { return m.Legal().First() }
func firstPlayer() match.Player                                { return match.Player{Name: "first", Bot: newFirst} }
func newFirst(engine.Game) (bots.Bot, error)                   { return first{}, nil }
func among(seats int, own ...int) (players []match.Player) {
	for s := range seats {
		if players = append(players, match.Player{}); !slices.Contains(own, s) {
			players[s] = firstPlayer()
		}
	}
	return players
}

// secretive are games with hands, and what else can be hidden.
var secretive = []struct {
	game string
	own  [][]int // the caller's seats
}{
	{"kuhn", [][]int{{0}, {1}}},
	{"kuhn(seats=3)", [][]int{{1}, {0, 2}}},
	{"leduc", [][]int{{0}, {1}}},
	{"liars_dice", [][]int{{0}, {1}}},
	{"liars_dice(seats=4,dice=2,faces=3)", [][]int{{0}, {1, 3}}},
	{"doubloons(seats=3)", [][]int{{0}, {0, 2}}},
	{"doubloons(seats=4,modules=compass+alternate_island+advanced_scoring)", [][]int{{3}}},
	{"jolly_roger(seats=4)", [][]int{{2}, {1, 3}}},
	{"jolly_roger(seats=5,bribes=talk,variants=hidden_prizes)", [][]int{{0}, {0, 1, 4}}},
}

func TestEveryRegisteredGameIsAskedForSecrets(t *testing.T) {
	asked := map[string]bool{}
	for _, g := range secretive {
		name, _, _ := strings.Cut(g.game, "(")
		asked[name] = true
	}
	for _, d := range engine.Definitions() {
		if !asked[d.Name] && d.Name != silent {
			t.Errorf("%s is not among them", d.Name)
		}
	}
}

// Everything that reaches the caller follows from what its seats know. The rows begin each step
// as one match, in which what the caller cannot know is dealt again; rows that its seats
// still cannot tell apart after the step show the same bytes.
func TestRowsShowWhatTheCallersSeatsKnowAndNothingElse(t *testing.T) {
	for _, g := range secretive {
		for _, own := range g.own {
			for _, most := range []int{0, 7} {
				t.Run(fmt.Sprintf("%s/%v/%d", g.game, own, most), func(t *testing.T) {
					w := newTwins(t, g.game, own, most)
					for seed := range uint64(4) {
						w.play(seed)
					}
					if w.ends == 0 || w.alike == 0 || w.dealt == 0 && len(own) == 1 {
						t.Errorf("%d ends, %d rows alike, %d of them with other secrets: want some of each", w.ends, w.alike, w.dealt)
					}
				})
			}
		}
	}
}

// twins are rows that are one match to the caller.
type twins struct {
	t    *testing.T
	v    *env.Vec
	own  []int
	rand engine.Rand

	ends, alike, dealt int
}

const twinRows = 6

func newTwins(t *testing.T, game string, own []int, most int) *twins {
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	return &twins{t: t, own: own, rand: engine.NewRand(5), v: newVec(t, env.Config{
		Game: game, NumEnvs: twinRows, Autoreset: env.Disabled, MaxDecisions: most, Masks: env.MaskBoth,
		Players: among(g.Info().Seats, own...),
	})}
}

func (w *twins) play(seed uint64) {
	if _, err := w.v.ResetSeed(seed); err != nil {
		w.t.Fatal(err)
	}
	if seed%2 == 1 {
		w.late(w.v.Match(0))
	}
	over := make([]bool, twinRows)
	for steps := 0; steps < 20; steps++ {
		live := slices.Index(over, false)
		if live < 0 {
			return
		}
		w.deal(live, over)
		actions := make([]int32, twinRows)
		a := w.v.Match(live).Legal().Sample(&w.rand)
		for i := range actions {
			actions[i] = int32(a)
		}
		b, err := w.v.Step(actions)
		if err != nil {
			w.t.Fatal(err)
		}
		w.compare(b, over)
		for i := range over {
			over[i] = over[i] || b.Terminated[i] || b.Truncated[i]
		}
	}
}

// late plays a match on until a few decisions of the caller before its end.
func (w *twins) late(m engine.Match) {
	const before = 4
	var last []engine.Match
	for run := w.copyOf(m); run.Seat() != engine.Over; {
		a := run.Legal().First()
		if slices.Contains(w.own, run.Seat()) {
			last = append(last, w.copyOf(run))
			a = run.Legal().Sample(&w.rand)
		}
		if err := run.Apply(a); err != nil {
			w.t.Fatal(err)
		}
	}
	m.CopyFrom(last[max(0, len(last)-before)])
}

func (w *twins) copyOf(m engine.Match) engine.Match {
	c := w.v.Game().NewMatch()
	c.CopyFrom(m)
	return c
}

// deal makes all rows that continue the match of row from, with other secrets.
func (w *twins) deal(from int, over []bool) {
	knows := w.knows(from)
	for i, skip := range over {
		if i == from || skip {
			continue
		}
		m := w.v.Match(i)
		for range 5 {
			m.CopyFrom(w.v.Match(from))
			m.Redeal(w.own[w.rand.Intn(len(w.own))], &w.rand)
			if w.knows(i) == knows {
				break
			}
			m.CopyFrom(w.v.Match(from)) // another seat of the caller would know better
		}
	}
	if err := w.v.Restore(bytes.NewReader(snapshot(w.t, w.v))); err != nil { // shows the rows anew
		w.t.Fatal(err)
	}
}

// knows is what the caller's seats know of row i.
func (w *twins) knows(i int) (all string) {
	m := w.v.Match(i)
	for _, seat := range w.own {
		p, err := m.Position(seat)
		if err != nil {
			w.t.Fatal(err)
		}
		all += string(p)
	}
	if s := m.Seat(); s == engine.Over || slices.Contains(w.own, s) {
		all += fmt.Sprint(s)
	}
	return all
}

func (w *twins) compare(b *env.Batch, over []bool) {
	type shown struct {
		row   int
		bytes string
	}
	met := map[string]shown{}
	for i, skip := range over {
		if skip {
			continue
		}
		if b.Terminated[i] || b.Truncated[i] {
			w.ends++
		}
		k, all := w.knows(i), row(w.v, b, i)
		one, ok := met[k]
		if !ok {
			met[k] = shown{i, all}
			continue
		}
		w.alike++
		if !w.v.Match(i).Equal(w.v.Match(one.row)) {
			w.dealt++
		}
		if one.bytes != all {
			w.t.Fatalf("the caller's seats %v cannot tell rows %d and %d apart, and they show\n%s\n%s\n%s", w.own, one.row, i, one.bytes, all, k)
		}
	}
}

// The end is shown to the caller's seats, to each as it sees it, and to no other.
func TestEndsAreShownToTheCallersSeatsAsEachSeesThem(t *testing.T) {
	for _, g := range secretive {
		for _, own := range g.own {
			for _, full := range []bool{false, true} {
				for _, most := range []int{0, 2} {
					checkEnds(t, g.game, own, full, most)
				}
			}
		}
	}
}

func checkEnds(t *testing.T, game string, own []int, full bool, most int) {
	t.Helper()
	made, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	const n = 3
	p := made.Info().Seats
	cfg := env.Config{Game: game, NumEnvs: n, ShuffleSeats: true, MaxDecisions: most, Full: full, Players: among(p, own...)}
	for k, player := range cfg.Players {
		if player.Bot != nil {
			cfg.Players[k] = match.Named("random")
		}
	}
	v := newVec(t, cfg) // with NextStep the match stays to be looked at
	draw, asked, ends := newPlayer(n), make([]int32, n), 0
	reset(t, v)
	for step := 0; step < 3000 && ends < 4*n; step++ {
		acted := slices.Clone(v.Batch().Seat)
		for i := range n {
			if asked[i]++; v.Finished(i) {
				asked[i] = 0
			}
		}
		b := draw.step(t, v)
		for i := range n {
			limit, _ := v.Match(i).Truncated()
			cut := limit != "" || most > 0 && int(asked[i]) == most && v.Match(i).Seat() != engine.Over
			if b.Truncated[i] != cut || b.Terminated[i] && cut {
				t.Fatalf("%s: truncated %v after %d decisions of the caller's: %s", game, b.Truncated[i], asked[i], v.Match(i).Decision())
			}
			if !b.Terminated[i] && !b.Truncated[i] {
				continue
			}
			ends++
			mine := func(seat int) bool { return slices.Contains(own, int(b.Players[i*p+seat])) }
			checkEnd(t, v, i, mine, int(acted[i]), asked[i])
		}
	}
	if ends < n {
		t.Errorf("%s: %d episodes have ended", game, ends)
	}
}

// checkEnd checks what the batch has of the end of row i, at which the caller was asked for the
// last time as seat acted.
func checkEnd(t *testing.T, v *env.Vec, i int, mine func(seat int) bool, acted int, decisions int32) {
	t.Helper()
	b, m, e, info := v.Batch(), v.Match(i), v.Encoder(), v.Game().Info()
	where := fmt.Sprintf("%s, row %d, over: %v", info.Config, i, m.Seat() == engine.Over)
	if limit, next := m.Truncated(); limit == "" && b.Truncated[i] {
		acted = m.Seat()
	} else if limit != "" && mine(next) {
		acted = next
	}
	if int(b.Seat[i]) != acted || b.FinalSeat[i] != b.Seat[i] || !mine(acted) {
		t.Fatalf("%s: seats %d and %d are shown; want %d", where, b.Seat[i], b.FinalSeat[i], acted)
	}
	if b.Length[i] != decisions || b.EpisodeStep[i] != decisions {
		t.Fatalf("%s: %d and %d decisions; the caller took %d", where, b.Length[i], b.EpisodeStep[i], decisions)
	}
	full := v.Config().Full
	d, f, w := e.Schema().Size, e.FullSchema().Size, len(info.ScoreSources)
	obs, whole, score := make([]uint8, d), make([]uint8, f), make([]int32, w)
	e.Encode(m, acted, obs)
	if !bytes.Equal(b.Obs[i*d:(i+1)*d], obs) {
		t.Fatalf("%s: the row is not what seat %d sees", where, acted)
	}
	for seat := range info.Seats {
		at, view := i*info.Seats+seat, seat
		clear(obs)
		switch {
		case full:
			view = engine.Full
			e.Encode(m, seat, obs)
			e.EncodeFull(m, seat, whole)
			if !bytes.Equal(b.FinalFull[at*f:(at+1)*f], whole) {
				t.Fatalf("%s: another full view of seat %d", where, seat)
			}
		case mine(seat):
			e.Encode(m, seat, obs)
		default:
			view = acted
		}
		if !bytes.Equal(b.FinalObs[at*d:(at+1)*d], obs) {
			t.Fatalf("%s: seat %d (the caller's: %v) is shown another end", where, seat, mine(seat))
		}
		m.Scores(view, seat, score)
		if !slices.Equal(b.Score[at*w:(at+1)*w], score) {
			t.Fatalf("%s: seat %d has the score %v; want %v", where, seat, b.Score[at*w:(at+1)*w], score)
		}
		if err := v.Observe(i, seat, obs); (err == nil) != (full || mine(seat)) || v.Sees(i, seat) != (err == nil) {
			t.Fatalf("%s: seat %d (the caller's: %v) is shown, error %v", where, seat, mine(seat), err)
		}
	}
}

// With SameStep the ends are those that NextStep shows.
func TestEndsOfPlayersInTheLoopAreTheSameInTheStepThatBeginsTheNextEpisode(t *testing.T) {
	ends := func(mode env.Mode) map[[2]int64]string {
		const n = 4
		v := newVec(t, env.Config{
			Game: "jolly_roger(seats=4,variants=hidden_prizes)", NumEnvs: n, Autoreset: mode, ShuffleSeats: true, MaxDecisions: 6,
			Players: []match.Player{{}, match.Named("random"), match.Named("heuristic"), {}},
		})
		met := map[[2]int64]string{}
		b := reset(t, v)
		for range 60 {
			actions, episodes := make([]int32, n), slices.Clone(b.Episode)
			for i := range actions {
				r := engine.NewRand(uint64(b.Episode[i])).At(uint64(b.EpisodeStep[i]))
				if actions[i] = 0; !v.Finished(i) {
					actions[i] = int32(v.Match(i).Legal().Sample(&r))
				}
			}
			var err error
			if b, err = v.Step(actions); err != nil {
				t.Fatal(err)
			}
			for i := range n {
				if b.Terminated[i] || b.Truncated[i] {
					met[[2]int64{int64(i), episodes[i]}] = end(b, i)
				}
			}
		}
		return met
	}
	next, same := ends(env.NextStep), ends(env.SameStep)
	if len(next) < 20 {
		t.Fatalf("%d ends", len(next))
	}
	for at, shown := range next {
		if same[at] != shown {
			t.Fatalf("row %d, episode %d: ends as\n%s\nand with SAME_STEP as\n%s", at[0], at[1], shown, same[at])
		}
	}
}

// end is all that a batch says of the end of row i.
func end(b *env.Batch, i int) string {
	n := len(b.Seat)
	part := func(all []byte) []byte { w := len(all) / n; return all[i*w : (i+1)*w] }
	return fmt.Sprintf("%v %v seat %d, length %d, returns %x, score %x, views %x", b.Terminated[i], b.Truncated[i], b.FinalSeat[i], b.Length[i],
		part(raw(b.PlayerReturn)), part(raw(b.Score)), part(b.FinalObs))
}
