package captain

import (
	"encoding/binary"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/search"
)

const networkGame = "doubloons(seats=4)"

// example is how the seats stood when a round began, and what came of it.
type example struct {
	seats []inputs
	came  []float64 // as the evaluator evaluates matches that are over, half of it the win
	won   []float64
	logit []float64 // what the own evaluator says
}

// school is how the matches are played that examples are taken from. Up to a random round, random players sit there, and
// now and then anything is done, so that standings are of all kinds; only how matches stood after it counts, when the same play everywhere.
type school struct {
	before []string // each a share of the seats
	after  []string // by seat, turned on from match to match
}

var (
	asCaptains = school{
		before: []string{"policy:captain", "policy:captain", "policy:captain", "policy:captain", "greedy", "heuristic(quick=yes)"},
		after:  []string{"policy:captain", "policy:captain", "policy:captain", "policy:captain"},
	}
	// The opponents of a search with a network.
	asSearches = school{
		before: []string{"search(rollouts=24)", "search(rollouts=24)", "search(rollouts=24)", "policy:captain", "policy:captain", "greedy", "heuristic(quick=yes)"},
		after:  []string{"policy:captain", "search(rollouts=24)", "search(rollouts=24)", "search(rollouts=24)"},
	}
)

const (
	mixedRounds = 9 // before which the last change of players is
	neverMixed  = 3 // one match of this many has the same players from the beginning
	mostWild    = 6 // decisions of a hundred that are anything, at most, before it
	batchSize   = 512
)

// attend plays matches and returns their examples, in the order of the matches.
func (sc school) attend(t *testing.T, from, matches int) []example {
	t.Helper()
	all := make([][]example, matches)
	var at sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		table := newDesk(t, sc)
		at.Add(1)
		go func() {
			defer at.Done()
			for k := w; k < matches; k += workers {
				all[k] = table.play(t, from+k)
			}
		}()
	}
	at.Wait()
	return slices.Concat(all...)
}

// desk is where one goroutine plays the matches of a school.
type desk struct {
	sc            school
	g             engine.Game
	c             *captain
	before, after []bots.Bot
	final         *search.Final
	fitted        search.Value
}

func newDesk(t *testing.T, sc school) *desk {
	t.Helper()
	g, err := engine.NewGame(networkGame)
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{sc: sc, g: g, final: search.NewFinal(g, finalWon, finalSpread)}
	if d.c, err = newCaptain(g); err != nil {
		t.Fatal(err)
	}
	if d.fitted, err = newEvaluator(g); err != nil {
		t.Fatal(err)
	}
	for _, of := range []struct {
		names []string
		to    *[]bots.Bot
	}{{sc.before, &d.before}, {sc.after, &d.after}} {
		for _, name := range of.names {
			b, err := policy.NewBot(name, g)
			if err != nil {
				t.Fatal(err)
			}
			*of.to = append(*of.to, b)
		}
	}
	return d
}

// play plays one match.
func (d *desk) play(t *testing.T, number int) []example {
	r := engine.NewRand(uint64(number)).At(2)
	m := d.g.NewMatch()
	m.Reset(r.Uint64())
	change, wild := uint8(0), r.Intn(mostWild)
	if r.Intn(neverMixed) > 0 {
		change = uint8(r.Intn(mixedRounds))
	}
	who := make([]int, d.c.seats)
	for seat := range who {
		who[seat] = r.Intn(len(d.before))
	}
	s, round := engine.State[doubloons.State](m), uint8(0)
	var list []example
	for m.Seat() != engine.Over {
		if s.Round != round {
			if round = s.Round; round > change {
				x := example{seats: make([]inputs, d.c.seats), logit: make([]float64, d.c.seats)}
				d.c.see(s, x.seats)
				d.fitted.Value(m, x.logit)
				list = append(list, x)
			}
		}
		var a engine.Action
		switch seat := m.Seat(); {
		case seat == engine.Chance:
			a = m.SampleChance()
		case round >= change:
			a = d.after[(seat+number)%d.c.seats].Act(m, &r)
		case r.Intn(100) < wild:
			a = m.Legal().Sample(&r)
		default:
			a = d.before[who[seat]].Act(m, &r)
		}
		if err := m.Apply(a); err != nil {
			t.Error(err)
			return nil
		}
	}
	came, won, returns := make([]float64, d.c.seats), make([]float64, d.c.seats), make([]float32, d.c.seats)
	d.final.Value(m, came)
	m.Returns(returns)
	for seat := range won {
		won[seat] = float64(engine.WinShare(returns, seat))
	}
	for i := range list {
		list[i].came, list[i].won = came, won
	}
	return list
}

// learn adds to slope how the surprise about what came of a example changes with the weights, for a pass that has been run.
func (n *network) learn(p *pass, came []float64, slope *network) {
	rivals := float32(len(p.seats) - 1)
	var mine2 [doubloons.MaxSeats][narrow]float32
	var all2 [narrow]float32
	for i := range p.seats {
		off := float32(p.chances[i] - came[i])
		add(slope.out[:], p.second[i][:], off)
		for k, x := range p.second[i] {
			if x > 0 {
				mine2[i][k] = off * n.out[k]
			}
		}
		add(slope.bias2[:], mine2[i][:], 1)
		add(all2[:], mine2[i][:], 1)
	}
	var mine [doubloons.MaxSeats][wide]float32
	var all [wide]float32
	for i := range p.seats {
		var theirs [narrow]float32
		for k := range theirs {
			theirs[k] = (all2[k] - mine2[i][k]) / rivals
		}
		for k, x := range p.first[i] {
			if x == 0 {
				continue
			}
			add(slope.own2[k][:], mine2[i][:], x)
			add(slope.rivals2[k][:], theirs[:], x)
			for h := range theirs {
				mine[i][k] += n.own2[k][h]*mine2[i][h] + n.rivals2[k][h]*theirs[h]
			}
		}
		add(slope.bias[:], mine[i][:], 1)
		add(all[:], mine[i][:], 1)
	}
	for i := range p.seats {
		var theirs [wide]float32
		for k := range theirs {
			theirs[k] = (all[k] - mine[i][k]) / rivals
		}
		x := &p.seats[i]
		for k, at := range x.at {
			add(slope.own[at][:], mine[i][:], x.value[k])
			add(slope.rivals[at][:], theirs[:], x.value[k])
		}
	}
}

// teach fits a network to examples by Adam (Kingma and Ba, ICLR 2015) with decoupled weight decay and a rate that goes to 0. What comes
// of it does not depend on the machine's cores.
func teach(n *network, examples []example, passes int, rate float64) {
	const (
		halves         = 2
		decay, epsilon = .01, 1e-7
		mean, square   = .9, .999
	)
	var slopes [halves]*network
	var at [halves]*pass
	for h := range halves {
		slopes[h], at[h] = &network{}, newPass(len(examples[0].seats))
	}
	weights, means, squares := n.rows(), (&network{}).rows(), (&network{}).rows()
	r := engine.NewRand(5)
	steps := passes * (len(examples) / batchSize)
	for step := range steps {
		k := step % (len(examples) / batchSize)
		if k == 0 {
			for i := len(examples) - 1; i > 0; i-- {
				j := r.Intn(i + 1)
				examples[i], examples[j] = examples[j], examples[i]
			}
		}
		batch := examples[k*batchSize : (k+1)*batchSize]
		var done sync.WaitGroup
		for h := range halves {
			done.Add(1)
			go func() {
				defer done.Done()
				*slopes[h] = network{}
				for _, x := range batch[h*batchSize/halves : (h+1)*batchSize/halves] {
					at[h].seats = x.seats
					n.run(at[h])
					n.learn(at[h], x.came, slopes[h])
				}
			}()
		}
		done.Wait()
		now := rate * (1 - float64(step)/float64(steps))
		sureMean, sureSquare := 1-math.Pow(mean, float64(step+1)), 1-math.Pow(square, float64(step+1))
		one, other := slopes[0].rows(), slopes[1].rows()
		for i, row := range weights {
			for j := range row {
				slope := float64(one[i][j]+other[i][j]) / batchSize
				means[i][j] += float32((1 - mean) * (slope - float64(means[i][j])))
				squares[i][j] += float32((1 - square) * (slope*slope - float64(squares[i][j])))
				row[j] -= float32(now * (float64(means[i][j])/sureMean/(math.Sqrt(float64(squares[i][j])/sureSquare)+epsilon) + decay*float64(row[j])))
			}
		}
	}
}

// drawnNetwork is one before it has learnt anything.
func drawnNetwork() *network {
	n, r := &network{}, engine.NewRand(1)
	for _, row := range n.rows() {
		for i := range row {
			row[i] = float32(.3*r.Float64() - .15)
		}
	}
	n.bias, n.bias2 = [wide]float32{}, [narrow]float32{}
	return n
}

// writeNetwork fits a network anew and writes its file.
func writeNetwork(t *testing.T) []byte {
	t.Helper()
	n := drawnNetwork()
	for _, course := range []struct {
		sc      school
		matches int
		rate    float64
	}{{asCaptains, 100_000, 2e-3}, {asSearches, 30_000, 3e-4}} {
		examples := course.sc.attend(t, 0, course.matches)
		teach(n, examples, 3, course.rate)
		t.Logf("%d standings of %d matches", len(examples), course.matches)
	}
	var data []byte
	for _, row := range n.rows() {
		for _, x := range row {
			bits := math.Float32bits(x)
			data = binary.LittleEndian.AppendUint16(data, uint16((bits+0x7fff+bits>>16&1)>>16)) // to the nearest, ties to even
		}
	}
	if err := os.WriteFile("network.bin", data, 0o644); err != nil {
		t.Fatal(err)
	}
	return data
}

// chances are those that a network gives at a example, in the pass's room.
func (n *network) chances(x *example, p *pass) []float64 {
	p.seats = x.seats
	n.run(p)
	return p.chances
}

// surpriseAt is the mean of −ln of the chance that was given to the winner, and that of equal chances. An evaluator of points and wins sees smaller differences than
// one of wins alone: chances are taken to the power that serves them best.
func surpriseAt(examples []example, given func(x *example) []float64) (reached, equal float64) {
	reached = math.Inf(1)
	chances := make([][]float64, len(examples))
	for i := range examples {
		chances[i] = slices.Clone(given(&examples[i]))
	}
	for power := .5; power <= 3; power += .1 {
		sum := 0.0
		for i := range examples {
			total, won := 0.0, 0.0
			for seat, chance := range chances[i] {
				total += math.Pow(chance, power)
				won += examples[i].won[seat] * power * math.Log(chance)
			}
			sum += math.Log(total) - won
		}
		reached = min(reached, sum/float64(len(examples)))
	}
	return reached, math.Log(float64(len(examples[0].seats)))
}

// The command that fits it anew: go test ./engine/games/doubloons/captain -run NetworkEvaluatorKnows -update -timeout 2h.
func TestNetworkEvaluatorKnowsMoreThanTheFittedOne(t *testing.T) {
	if *update {
		networkFile = writeNetwork(t)
	}
	n, err := readNetwork(networkFile)
	if err != nil {
		t.Fatal(err)
	}
	examples := (school{before: asCaptains.after, after: asCaptains.after}).attend(t, 1<<30, 1000)
	p := newPass(4)
	knows, equal := surpriseAt(examples, func(x *example) []float64 { return n.chances(x, p) })
	less, _ := surpriseAt(examples, func(x *example) []float64 { return x.logit })
	t.Logf("surprise about who wins matches of captain: %.4f; of the fitted evaluator %.4f, of equal chances %.4f", knows, less, equal)
	if knows > .998*less {
		t.Errorf("surprise %.4f, of the fitted evaluator %.4f, of equal chances %.4f", knows, less, equal)
	}
}

func TestNetworkLearnsWhatItIsShown(t *testing.T) {
	examples := (school{before: []string{"random"}, after: []string{"greedy", "random", "random", "random"}}).attend(t, 0, 250)
	n, p := drawnNetwork(), newPass(4)
	given := func(x *example) []float64 { return n.chances(x, p) }
	before, equal := surpriseAt(examples, given)
	teach(n, examples, 10, 2e-3)
	if after, _ := surpriseAt(examples, given); after > .8*equal || after > .8*before {
		t.Errorf("surprise %.3f before and %.3f after %d standings; equal chances give %.3f", before, after, len(examples), equal)
	}
}

func TestSlopesOfTheNetwork(t *testing.T) {
	examples := asCaptains.attend(t, 7, 6)
	x := examples[len(examples)/2]
	n, slope := drawnNetwork(), &network{}
	p := newPass(len(x.seats))
	p.seats = x.seats
	surprise := func() float64 {
		n.run(p)
		sum := 0.0
		for i, chance := range p.chances {
			sum -= x.came[i] * math.Log(chance)
		}
		return sum
	}
	surprise()
	n.learn(p, x.came, slope)
	weights, slopes := n.rows(), slope.rows()
	r, steep, wrong := engine.NewRand(3), 0, 0
	for range 4000 {
		i := r.Intn(len(weights))
		j := r.Intn(len(weights[i]))
		const step = 2e-3
		was := weights[i][j]
		weights[i][j] = was + step
		more := surprise()
		weights[i][j] = was - step
		less := surprise()
		weights[i][j] = was
		want, got := (more-less)/(2*step), float64(slopes[i][j])
		if math.Abs(want) > 1e-3 {
			steep++
		}
		if math.Abs(got-want) > .02*math.Abs(want)+3e-4 {
			t.Logf("row %d, weight %d: slope %v, want %v", i, j, got, want)
			wrong++
		}
	}
	if steep < 100 || wrong > steep/50 { // where a unit is about to begin there is no slope
		t.Errorf("of %d weights that matter %d have another slope", steep, wrong)
	}
}

func TestNetworkDoesNotCareAboutTheOrderOfSeats(t *testing.T) {
	n, err := fittedNetwork()
	if err != nil {
		t.Fatal(err)
	}
	p := newPass(4)
	for _, x := range asCaptains.attend(t, 20, 4) {
		p.seats = x.seats
		n.run(p)
		before := slices.Clone(p.chances)
		p.seats = []inputs{x.seats[2], x.seats[0], x.seats[3], x.seats[1]}
		n.run(p)
		for i, k := range []int{2, 0, 3, 1} {
			if math.Abs(p.chances[i]-before[k]) > 1e-5 {
				t.Fatalf("chances %v, in another order %v", before, p.chances)
			}
		}
	}
}

func TestAllThatIsSeenOfASeatHasItsPlace(t *testing.T) {
	seen := map[uint16]bool{}
	for _, x := range asCaptains.attend(t, 40, 60) {
		for i := range x.seats {
			if x.seats[i].next != places {
				t.Fatalf("%d numbers are seen of a seat: want %d", x.seats[i].next, places)
			}
			for k, at := range x.seats[i].at {
				if at >= places || k > 0 && at <= x.seats[i].at[k-1] {
					t.Fatalf("places %v of %d", x.seats[i].at, places)
				}
				seen[at] = true
			}
		}
	}
	if len(seen) < places/2 {
		t.Errorf("only %d of %d numbers were ever other than 0", len(seen), places)
	}
}

func TestNetworkEvaluatorAllocatesNothingAndGivesChances(t *testing.T) {
	g, err := engine.NewGame(networkGame)
	if err != nil {
		t.Fatal(err)
	}
	j, err := newNetworkEvaluator(g)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bots.New("greedy", g)
	if err != nil {
		t.Fatal(err)
	}
	m, r, chances := g.NewMatch(), engine.NewRand(2), make([]float64, 4)
	m.Reset(2)
	for {
		j.Value(m, chances)
		sum := 0.0
		for _, x := range chances {
			if sum += x; !(x >= 0) {
				t.Fatalf("%s: chances %v", m.Decision(), chances)
			}
		}
		if math.Abs(sum-1) > 1e-6 {
			t.Fatalf("chances %v sum to %v", chances, sum)
		}
		if m.Seat() == engine.Over {
			break
		}
		if err := m.Apply(b.Act(m, &r)); err != nil {
			t.Fatal(err)
		}
	}
	m.Reset(3)
	if n := testing.AllocsPerRun(100, func() { j.Value(m, chances) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestNetworkOfAnotherLengthIsRefused(t *testing.T) {
	for _, data := range [][]byte{nil, networkFile[:len(networkFile)-1], append(slices.Clone(networkFile), 0)} {
		if _, err := readNetwork(data); err == nil || !strings.Contains(err.Error(), "want") {
			t.Errorf("%d bytes: %v", len(data), err)
		}
	}
}
