package policy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	_ "github.com/privateer-rl/privateer/engine/games"
)

func newGame(t testing.TB, name string) engine.Game {
	t.Helper()
	g, err := engine.NewGame(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// drawn is a bundle of the network mlp with weights from a generator.
func drawn(t testing.TB, game string, activation string, hidden ...int) *Bundle {
	return drawnAs(t, game, Network{Name: MLP, Hidden: hidden, Activation: activation, NormEps: 1e-5})
}

// drawnBare is one without norms, which tells two values.
func drawnBare(t testing.TB, game string, activation string, hidden ...int) *Bundle {
	return drawnAs(t, game, Network{Hidden: hidden, Activation: activation, Norm: NoNorm})
}

// drawnEntity is one of the network entity.
func drawnEntity(t testing.TB, game string, activation string, rowHidden []int, hidden ...int) *Bundle {
	return drawnAs(t, game, Network{Name: Entity, Hidden: hidden, RowHidden: rowHidden, Activation: activation, NormEps: 1e-5})
}

func drawnAs(t testing.TB, game string, network Network) *Bundle {
	t.Helper()
	g := newGame(t, game)
	e, err := encode.For(g)
	if err != nil {
		t.Fatal(err)
	}
	b := &Bundle{Game: g.Info().Config, Choice: Sample, Network: network}
	b.SetLayout(e.Schema())
	r := engine.NewRand(7)
	add := func(name string, shape ...int) {
		n := 1
		for _, s := range shape {
			n *= s
		}
		data := make([]float32, n)
		for i := range data {
			data[i] = float32(r.Float64()-0.5) * 0.5
		}
		b.Weights = append(b.Weights, NewTensor(name, shape, data))
	}
	in := e.Schema().Size
	for i, h := range network.Hidden {
		prefix := "trunk." + string(rune('0'+i)) + "."
		add(prefix+"linear.weight", h, in)
		add(prefix+"linear.bias", h)
		if network.Norm != NoNorm {
			add(prefix+"norm.weight", h)
			add(prefix+"norm.bias", h)
		}
		in = h
	}
	last := in
	if network.Name == Entity {
		b.SetActionLayout(e.ActionSchema())
		width := e.ActionSize()
		for i, h := range network.RowHidden {
			add("rows."+string(rune('0'+i))+".weight", h, width)
			add("rows."+string(rune('0'+i))+".bias", h)
			width = h
		}
		add("context.weight", width, 2*width)
		add("query.weight", width, in)
		add("query.bias", width)
		add("direct.weight", width, in)
		add("embed.weight", width, width)
		add("score.weight", 1, width)
	} else {
		add("policy.weight", len(b.Actions), in)
		add("policy.bias", len(b.Actions))
	}
	if network.Norm == NoNorm { // such are other people's, and some of them tell values
		add("value.weight", 2, last)
		add("value.bias", 2)
	}
	if err := b.MakeGolden(g, 4); err != nil {
		t.Fatal(err)
	}
	return b
}

// reference is the logits of the legal actions, and the values, as the network's description says, in float64 and without any
// of network.go's shortcuts.
func reference(b *Bundle, obs []uint8, legal []int32, rows []uint8) (logits, values []float64) {
	linear := func(x []float64, weight, bias string) []float64 {
		w := tensorOf(b, weight)
		y := make([]float64, len(w)/len(x))
		for j := range y {
			if bias != "" {
				y[j] = float64(tensorOf(b, bias)[j])
			}
			for i, v := range x {
				y[j] += v * float64(w[j*len(x)+i])
			}
		}
		return y
	}
	activate := func(x []float64) {
		for i, v := range x {
			switch b.Network.Activation {
			case "silu":
				x[i] = v / (1 + math.Exp(-v))
			case "tanh":
				x[i] = math.Tanh(v)
			default:
				x[i] = max(v, 0)
			}
		}
	}
	scaled := func(bytes []uint8, groups []Slice) []float64 {
		x := make([]float64, len(bytes))
		for _, o := range groups {
			for i := o.Offset; i < o.Offset+o.Size; i++ {
				x[i] = float64(bytes[i]) * float64(o.Scale)
			}
		}
		return x
	}
	x := scaled(obs, b.Observation)
	for k := range b.Network.Hidden {
		prefix := "trunk." + string(rune('0'+k)) + "."
		x = linear(x, prefix+"linear.weight", prefix+"linear.bias")
		if b.Network.Norm == NoNorm {
			activate(x)
			continue
		}
		mean, variance := 0.0, 0.0
		for _, v := range x {
			mean += v / float64(len(x))
		}
		for _, v := range x {
			variance += (v - mean) * (v - mean) / float64(len(x))
		}
		gain, shift := tensorOf(b, prefix+"norm.weight"), tensorOf(b, prefix+"norm.bias")
		for i, v := range x {
			x[i] = (v-mean)/math.Sqrt(variance+b.Network.NormEps)*float64(gain[i]) + float64(shift[i])
		}
		activate(x)
	}
	if b.Values() > 0 {
		values = linear(x, "value.weight", "value.bias")
	}
	logits = make([]float64, len(legal))
	if !b.ReadsActions() {
		all := linear(x, "policy.weight", "policy.bias")
		for i, a := range legal {
			logits[i] = all[a]
		}
		return logits, values
	}
	var embedded [][]float64
	width := b.Network.RowHidden[len(b.Network.RowHidden)-1]
	common := slices.Concat(make([]float64, width), slices.Repeat([]float64{math.Inf(-1)}, width))
	f := len(rows) / len(legal)
	for i := range legal {
		e := scaled(rows[i*f:(i+1)*f], b.Row)
		for k := range b.Network.RowHidden {
			prefix := "rows." + string(rune('0'+k)) + "."
			e = linear(e, prefix+"weight", prefix+"bias")
			activate(e)
		}
		embedded = append(embedded, e)
		for j, v := range e {
			common[j] += v / float64(len(legal))
			common[width+j] = max(common[width+j], v)
		}
	}
	query, direct := linear(x, "query.weight", "query.bias"), linear(x, "direct.weight", "")
	for j, v := range linear(common, "context.weight", "") {
		query[j] += v
	}
	for i, e := range embedded {
		met := linear(e, "embed.weight", "")
		for j := range met {
			met[j] += query[j]
			logits[i] += e[j] * direct[j]
		}
		activate(met)
		logits[i] += linear(met, "score.weight", "")[0]
	}
	return logits, values
}

func tensorOf(b *Bundle, name string) []float32 {
	i := slices.IndexFunc(b.Weights, func(t Tensor) bool { return t.Name == name })
	data, err := b.Weights[i].floats(b.Weights[i].Shape)
	if err != nil {
		panic(err)
	}
	return data
}

// asked are decisions of a match played at random: what a policy is asked.
type asked struct {
	obs, mask, rows []uint8
	offsets         []int32
}

// legal are the actions that decision i allows, and their rows.
func (q *asked) legal(b *Bundle, i int) (legal []int32, rows []uint8) {
	a, f := len(b.Actions), size(b.Row)
	for k, ok := range q.mask[i*a : (i+1)*a] {
		if ok != 0 {
			legal = append(legal, int32(k))
		}
	}
	return legal, q.rows[int(q.offsets[i])*f : int(q.offsets[i+1])*f]
}

func questions(t testing.TB, g engine.Game, n int) *asked {
	t.Helper()
	e, err := encode.For(g)
	if err != nil {
		t.Fatal(err)
	}
	m, r := g.NewMatch(), engine.NewRand(3)
	d, a := e.Schema().Size, len(g.Info().Actions)
	q := &asked{obs: make([]uint8, n*d), mask: make([]uint8, n*a), offsets: []int32{0}}
	for i, seed := 0, uint64(0); i < n; i++ {
		for m.Seat() < 0 {
			m.Reset(seed)
			seed++
		}
		e.Encode(m, m.Seat(), q.obs[i*d:(i+1)*d])
		m.Legal().Expand(q.mask[i*a : (i+1)*a])
		at := len(q.rows)
		q.rows = append(q.rows, make([]uint8, m.Legal().Count()*e.ActionSize())...)
		e.EncodeActions(m, q.rows[at:])
		q.offsets = append(q.offsets, q.offsets[i]+int32(m.Legal().Count()))
		if err := m.Apply(m.Legal().Sample(&r)); err != nil {
			t.Fatal(err)
		}
	}
	return q
}

func TestNetworkComputesWhatItsDescriptionSays(t *testing.T) {
	for _, b := range []*Bundle{
		drawn(t, "kuhn", "relu", 5), drawn(t, "leduc", "silu", 16, 7), drawn(t, "doubloons(seats=3)", "relu", 33, 18, 21),
		drawnEntity(t, "kuhn", "relu", []int{5}, 6), drawnEntity(t, "leduc", "relu", []int{21, 9}, 16, 7), drawnEntity(t, "leduc", "silu", []int{4, 9, 40}, 8),
		drawn(t, "leduc", "tanh", 16, 7), drawnBare(t, "leduc", "tanh", 16, 7), drawnBare(t, "kuhn", "relu", 9), drawnEntity(t, "kuhn", "tanh", []int{5}, 6),
	} {
		q, p := questions(t, newGame(t, b.Game), 20), b.Inference()
		d := b.ObservationSize()
		for i := range 20 {
			legal, rows := q.legal(b, i)
			logits := make([]float32, len(legal))
			p.Scores(q.obs[i*d:(i+1)*d], legal, rows, logits)
			wantLogits, wantValues := reference(b, q.obs[i*d:(i+1)*d], legal, rows)
			values := make([]float32, len(wantValues))
			p.Values(q.obs[i*d:(i+1)*d], values)
			got := slices.Concat(logits, values)
			for k, want := range slices.Concat(wantLogits, wantValues) {
				if math.Abs(float64(got[k])-want) > 1e-4*max(1, math.Abs(want)) {
					t.Fatalf("%s of %s, decision %d: number %d of %d logits and %d values is %v; want %v", b.Network.Name, b.Game, i, k, len(logits), len(values), got[k], want)
				}
			}
		}
	}
}

func TestProbabilitiesAreTheSoftmaxOfLegalLogits(t *testing.T) {
	const n = 50
	for _, b := range []*Bundle{drawn(t, "doubloons(seats=2)", "relu", 16), drawnEntity(t, "leduc", "relu", []int{8}, 16)} {
		q := questions(t, newGame(t, b.Game), n)
		d, a := b.ObservationSize(), len(b.Actions)
		probs, again := make([]float32, n*a), make([]float32, n*a)
		one, three := b.Inference().each, b.Parallel(3).split
		offsets := q.offsets
		if !b.ReadsActions() {
			offsets = nil
		}
		if err := one(n, q.obs, q.mask, q.rows, offsets, probs); err != nil {
			t.Fatal(err)
		}
		if err := three(n, q.obs, q.mask, q.rows, offsets, again); err != nil || !slices.Equal(probs, again) {
			t.Errorf("three inferences compute other probabilities than one (%v)", err)
		}
		for i := range n {
			legal, rows := q.legal(b, i)
			logits := make([]float32, len(legal))
			b.Inference().Scores(q.obs[i*d:(i+1)*d], legal, rows, logits)
			sum := 0.0
			for _, x := range logits {
				sum += math.Exp(float64(x))
			}
			k := 0
			for action, ok := range q.mask[i*a : (i+1)*a] {
				got, want := probs[i*a+action], 0.0
				if ok != 0 {
					want = math.Exp(float64(logits[k])) / sum
					k++
				}
				if math.Abs(float64(got)-want) > 1e-5 || ok == 0 && got != 0 {
					t.Fatalf("decision %d, action %d (legal %d): probability %v; want %v", i, action, ok, got, want)
				}
			}
		}
		if err := one(1, q.obs[:d], make([]uint8, a), nil, offsets[:min(len(offsets), 2)], make([]float32, a)); err == nil {
			t.Error("a row without a legal action has probabilities")
		}
		if err := three(2, q.obs[:d], q.mask[:a], q.rows, offsets[:min(len(offsets), 3)], probs[:a]); err == nil {
			t.Error("half of the tensors are enough")
		}
	}
}

func TestNetworkThatReadsActionsIsNotAskedWithoutThem(t *testing.T) {
	b := drawnEntity(t, "leduc", "relu", []int{8}, 16)
	q := questions(t, newGame(t, "leduc"), 4)
	probs := make([]float32, 4*len(b.Actions))
	for _, p := range []interface {
		Probs(n int, obs, mask []uint8, probs []float32) error
	}{b.Inference(), b.Parallel(2), b.Policy(2)} {
		if err := p.Probs(4, q.obs, q.mask, probs); err == nil || !strings.Contains(err.Error(), "ActionProbs") {
			t.Errorf("%T: error %v", p, err)
		}
	}
	p, ok := b.Policy(2).(Reading)
	if !ok {
		t.Fatalf("the policy is a %T", b.Policy(2))
	}
	if err := p.ActionProbs(4, q.obs, q.mask, q.rows, q.offsets, probs); err != nil {
		t.Error(err)
	}
	if err := p.ActionProbs(4, q.obs, q.mask, q.rows, nil, probs); err == nil {
		t.Error("rows without offsets are enough")
	}
	if err := p.ActionProbs(4, q.obs, q.mask, q.rows[1:], q.offsets, probs); err == nil {
		t.Error("a byte too few is enough")
	}
	if _, ok := drawn(t, "leduc", "relu", 3).Policy(1).(Parallel); !ok {
		t.Error("a network that does not read actions would be asked with them")
	}
}

// Files of format 1, which had one network and no name for it, and of format 2, which had one norm and no name for it.
func TestBundlesOfOldFormatsAreRead(t *testing.T) {
	b := drawn(t, "kuhn", "relu", 3)
	b.Network.Name, b.Network.Norm = "", ""
	var payload bytes.Buffer
	if err := msgpack.NewEncoder(&payload).Encode(b); err != nil {
		t.Fatal(err)
	}
	for v := range uint32(version) {
		old, err := Decode(frame(payload.Bytes(), v+1))
		if err != nil || old.Network.Name != MLP || old.Network.Norm != LayerNorm {
			t.Fatalf("format %d: %+v, error %v", v+1, old, err)
		}
	}
}

func TestBotSamplesByItsProbabilitiesAndGreedyOneDoesNot(t *testing.T) {
	for _, b := range []*Bundle{drawn(t, "leduc", "relu", 8), drawnEntity(t, "leduc", "relu", []int{8}, 8)} {
		samples(t, b)
	}
}

func samples(t *testing.T, b *Bundle) {
	g := newGame(t, "leduc")
	bot, err := b.Bot("pirate", g)
	if err != nil {
		t.Fatal(err)
	}
	m := g.NewMatch()
	m.Reset(1)
	obs, mask, probs := make([]uint8, b.ObservationSize()), make([]uint8, 3), make([]float32, 3)
	bot.encoder.Encode(m, m.Seat(), obs)
	m.Legal().Expand(mask)
	rows := make([]uint8, m.Legal().Count()*size(b.Row))
	if b.ReadsActions() {
		bot.encoder.EncodeActions(m, rows)
	}
	if err := b.Inference().probs(obs, mask, rows, probs); err != nil {
		t.Fatal(err)
	}
	r, count := engine.NewRand(2), [3]float64{}
	const n = 20000
	for range n {
		count[bot.Act(m, &r)]++
	}
	for a, c := range count {
		if math.Abs(c/n-float64(probs[a])) > 0.015 {
			t.Errorf("action %d is chosen in %.3f of cases; want %.3f", a, c/n, probs[a])
		}
	}
	b.Choice = Greedy
	likeliest := slices.Index(probs, slices.Max(probs))
	for range 20 {
		if a := bot.Act(m, &r); int(a) != likeliest {
			t.Fatalf("the greedy bot plays %d; want %d", a, likeliest)
		}
	}
	if n := testing.AllocsPerRun(100, func() { bot.Act(m, &r) }); n != 0 {
		t.Errorf("a decision allocates %v times", n)
	}
}

func TestBundlePlaysEveryConfigurationOfItsGame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pirate"+Ext)
	if err := drawn(t, "doubloons(seats=4)", "relu", 8).Save(path); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"doubloons(seats=2)", "doubloons(seats=6,modules=compass)"} {
		g := newGame(t, name)
		seats := make([]bots.Bot, g.Info().Seats)
		for i := range seats {
			var err error
			if seats[i], err = NewBot(Prefix+path, g); err != nil {
				t.Fatal(err)
			}
		}
		m, r := g.NewMatch(), engine.NewRand(5)
		m.Reset(5)
		if err := bots.Play(m, seats, &r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMisfitsAreRefusedWithTheDifference(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Bundle)
		game   string
		want   string
	}{
		{"other game", func(*Bundle) {}, "kuhn", "it plays leduc, not kuhn"},
		{"group moved", func(b *Bundle) { b.Observation[1].Name = "self.hat" }, "leduc", "self.hat"},
		{"group more", func(b *Bundle) {
			b.Observation = append(b.Observation, Slice{"more", b.ObservationSize(), 2, 1})
		}, "leduc", "goes on with more"},
		{"group less", func(b *Bundle) { b.Observation = b.Observation[:len(b.Observation)-1] }, "leduc", "lacks"},
		{"action", func(b *Bundle) { b.Actions[2] = "go all in" }, "leduc", `action 2 is "go all in"`},
		{"actions less", func(b *Bundle) { b.Actions = b.Actions[:2] }, "leduc", "lacks action 2"},
		{"range", func(*Bundle) {}, "leduc", "largest values"},
	} {
		b := drawn(t, "leduc", "relu", 4)
		if c.name != "other game" {
			b.Schema = "00000000000000"
		}
		c.change(b)
		_, err := b.Bot("pirate", newGame(t, c.game))
		if !errors.Is(err, ErrMisfit) || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "pirate: ") {
			t.Errorf("%s: error %v; want %q in it", c.name, err, c.want)
		}
	}
}

func TestBundleSurvivesTheFile(t *testing.T) {
	b := drawn(t, "leduc", "silu", 6, 5)
	b.Provenance = Provenance{Program: "v1", Checkpoint: "best.ckpt", Iteration: 3, Steps: 400, Config: "game: leduc\n"}
	b.Evaluation = []Evaluation{{Game: "leduc", Bot: "random", Matches: 10, EqualShare: 0.5, WinRate: [3]float64{0.6, 0.5, 0.7}}}
	path := filepath.Join(t.TempDir(), "x"+Ext)
	if err := b.Save(path); err != nil {
		t.Fatal(err)
	}
	got, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	one, err1 := b.Encode()
	two, err2 := got.Encode()
	if err := errors.Join(err1, err2); err != nil || !bytes.Equal(one, two) {
		t.Errorf("the bundle read is another one (%v)", err)
	}
	if !IsBundle(path) || IsBundle(path+"x") {
		t.Error("IsBundle is wrong")
	}
}

func TestDamagedFilesAreRefused(t *testing.T) {
	whole, err := drawn(t, "kuhn", "relu", 3).Encode()
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) {
		if _, err := Decode(whole[:n]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut to %d bytes: error %v", n, err)
		}
	}
	for i := range whole {
		bent := bytes.Clone(whole)
		bent[i] ^= 0x10
		if _, err := Decode(bent); err == nil {
			t.Fatalf("with byte %d altered it is read", i)
		}
	}
	if _, err := Decode(append(bytes.Clone(whole), 0)); !errors.Is(err, ErrDamaged) {
		t.Errorf("with a byte more: error %v", err)
	}
	if _, err := Decode(frame(whole[head:len(whole)-4], telling+1)); err == nil || !strings.Contains(err.Error(), "format 6") {
		t.Errorf("of another version: error %v", err)
	}
	if _, err := Load(t.TempDir()); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("a folder: error %v", err)
	}
}

// Content that has a correct checksum and makes no sense.
func TestSenselessBundlesAreRefusedByName(t *testing.T) {
	for want, change := range map[string]func(*Bundle){
		"choice":                   func(b *Bundle) { b.Choice = "guess" },
		"activation":               func(b *Bundle) { b.Network.Activation = "gelu" },
		"norm is":                  func(b *Bundle) { b.Network.Norm = "batch" },
		"norm_eps":                 func(b *Bundle) { b.Network.NormEps = math.NaN() },
		"0 hidden layers":          func(b *Bundle) { b.Network.Hidden = nil },
		"network is":               func(b *Bundle) { b.Network.Name = "convolution" },
		"hidden layer 0":           func(b *Bundle) { b.Network.Hidden[0] = -1 },
		"observation group 1":      func(b *Bundle) { b.Observation[1].Offset++ },
		"observation is empty":     func(b *Bundle) { b.Observation = nil },
		"0 actions":                func(b *Bundle) { b.Actions = nil },
		"5 tensors":                func(b *Bundle) { b.Weights = b.Weights[1:] },
		"trunk.0.norm.bias are":    func(b *Bundle) { b.Weights[3].Name = "trunk.0.norm.bios" },
		"policy.weight: shape":     func(b *Bundle) { b.Weights[4].Shape[0]++ },
		"trunk.0.linear.bias: num": func(b *Bundle) { copy(b.Weights[1].Data, []byte{0, 0, 0xc0, 0x7f}) },
		"golden observations":      func(b *Bundle) { b.Golden.Observation = b.Golden.Observation[1:] },
		"golden values of":         func(b *Bundle) { b.Golden.Values = []float32{1} },
		"value.weight are missing": func(b *Bundle) { b.Weights = append(b.Weights, NewTensor("value.bias", []int{1}, []float32{0})) },
		"golden decision 1":        func(b *Bundle) { b.Golden.Logits[len(b.Actions)] += 0.1 },
	} {
		b := drawn(t, "kuhn", "relu", 3)
		change(b)
		if err := b.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want %q in it", err, want)
		}
	}
}

func TestSenselessBundlesThatReadActionsAreRefusedByName(t *testing.T) {
	for want, change := range map[string]func(*Bundle){
		"0 row layers":              func(b *Bundle) { b.Network.RowHidden = nil },
		"row layer 1 has 0":         func(b *Bundle) { b.Network.RowHidden[1] = 0 },
		"row group 0":               func(b *Bundle) { b.Row[0].Scale = 0 },
		"rows of actions with 0":    func(b *Bundle) { b.Row = nil },
		"\"mlp\" has rows":          func(b *Bundle) { b.Network.Name = MLP },
		"rows.1.bias are missing":   func(b *Bundle) { b.Weights[7].Name = "x" },
		"embed.weight: shape":       func(b *Bundle) { b.Weights[12].Shape[0]++ },
		"of rows for":               func(b *Bundle) { b.Golden.Rows = b.Golden.Rows[1:] },
		"has 0 legal actions":       func(b *Bundle) { b.Golden.Counts[0] = 0 },
		"golden decision 0: the lo": func(b *Bundle) { b.Golden.Logits[1] -= 0.1 },
	} {
		b := drawnEntity(t, "leduc", "relu", []int{4, 3}, 5)
		change(b)
		if err := b.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want %q in it", err, want)
		}
	}
}

// allocated is how many bytes f asks for, all in all.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// mostMemory is what decoding n bytes may ask for: a list is made twice over, and the weights are
// kept in three orders.
func mostMemory(n int) uint64 { return uint64(48*n + 1<<20) }

// An element of a list takes a byte in the file and a hundred in memory.
func TestSmallFileDoesNotAskForMuchMemory(t *testing.T) {
	list := func(field string, n int, element ...byte) []byte {
		b := append([]byte{0x81, 0xa0 | byte(len(field))}, field...)
		b = binary.BigEndian.AppendUint32(append(b, 0xdd), uint32(n))
		return append(b, bytes.Repeat(element, n)...)
	}
	within := func(field string, inner []byte) []byte {
		return append(append([]byte{0x81, 0xa0 | byte(len(field))}, field...), inner...)
	}
	const million = 1 << 20
	for name, payload := range map[string][]byte{
		"evaluations of nothing":   list("evaluation", million, 0x80),
		"some evaluations":         list("evaluation", 1<<10, 0x80),
		"groups of nothing":        list("observation", million, 0x80),
		"65,536 groups of nothing": list("observation", 1<<16, 0x80),
		"nameless actions":         list("actions", million, 0xa0),
		"tensors of nothing":       list("weights", million, 0x80),
		"hidden layers":            within("network", list("hidden", million, 1)),
		"axes":                     within("weights", append([]byte{0x91}, list("shape", million, 1)...)),
		"logits":                   within("golden", list("logits", million, 1)),
		"lists in a list":          list("actions", million, 0x90),
		"fields again and again":   append([]byte{0xde, 0x40, 0}, bytes.Repeat(list("evaluation", 1<<10, 0x80)[1:], 1<<14)...),
	} {
		whole := frame(payload, version)
		var err error
		if n := allocated(func() { _, err = Decode(whole) }); n > mostMemory(len(whole)) || err == nil {
			t.Errorf("%s: %d bytes for a file of %d, error %v", name, n, len(whole), err)
		} else if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestNamesThatAreNoBundlesAreRefused(t *testing.T) {
	g := newGame(t, "kuhn")
	path := filepath.Join(t.TempDir(), "x.ckpt")
	if err := os.WriteFile(path, []byte("PRIVCKPT and so on"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"shark":             "policy:FILE",
		Prefix + path:       "privateer export",
		Prefix + path + "x": "no such file",
		Prefix:              "policy:FILE",
	} {
		if _, err := NewBot(name, g); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v; want %q in it", name, err, want)
		}
	}
	if b, err := NewBot("random", g); err != nil || b.Name() != "random" {
		t.Errorf("random: %v", err)
	}
}

func TestForcedDecisionsAreTakenAsTheNetworkWouldTakeThem(t *testing.T) {
	b := drawnEntity(t, "doubloons(seats=3)", "relu", []int{8}, 16)
	g := newGame(t, "doubloons(seats=3,forced=show)")
	one, err := b.Bot("one", g)
	if err != nil {
		t.Fatal(err)
	}
	two, err := b.Bot("two", g)
	if err != nil {
		t.Fatal(err)
	}
	m, r, s, forced := g.NewMatch(), engine.NewRand(1), engine.NewRand(1), 0
	for m.Reset(1); m.Seat() >= 0; {
		if m.Legal().Count() == 1 {
			forced++
		}
		got, want := one.Act(m, &r), two.pick(two.score(m, m.Legal()), &s)
		if got != want || r != s {
			t.Fatalf("%s: %d, not %d, or other luck afterwards", m.Decision(), got, want)
		}
		if err := m.Apply(got); err != nil {
			t.Fatal(err)
		}
	}
	if forced == 0 {
		t.Error("nothing was forced")
	}
}

// Whatever it reads, the decoder returns a bundle that plays, or an error.
func FuzzDecode(f *testing.F) {
	for _, activation := range []string{"relu", "silu"} {
		whole, err := drawn(f, "kuhn", activation, 3).Encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(whole[head : len(whole)-4])
	}
	bare, err := drawnBare(f, "kuhn", "tanh", 3).Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(bare[head : len(bare)-4])
	whole, err := drawnEntity(f, "kuhn", "relu", []int{2}, 3).Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole[head : len(whole)-4])
	f.Add(append([]byte("\x81\xaaevaluation\xdc\x04\x00"), bytes.Repeat([]byte{0x80}, 1<<10)...))
	f.Add(append([]byte("\x81\xa7actions\xdc\x04\x00"), bytes.Repeat([]byte{0xa0}, 1<<10)...))
	g := newGame(f, "kuhn")
	f.Fuzz(func(t *testing.T, payload []byte) {
		if _, err := Decode(payload); err == nil {
			t.Error("content without a frame is read")
		}
		// The checksum would keep the fuzzer from the content.
		var b *Bundle
		var err error
		whole := frame(payload, version)
		if n := allocated(func() { b, err = Decode(whole) }); n > mostMemory(len(whole)) {
			t.Errorf("%d bytes are asked for a file of %d", n, len(whole))
		}
		if err != nil {
			return
		}
		if bot, err := b.Bot("x", g); err == nil {
			m, r := g.NewMatch(), engine.NewRand(1)
			m.Reset(1)
			if a := bot.Act(m, &r); !m.Legal().Has(a) {
				t.Errorf("plays %d, which is not legal", a)
			}
		}
	})
}

// BenchmarkDecision is a decision of a match with all that it takes: the observation, what the legal actions do, the
// network, the choice and the rules. /rules is a match of greedy captains with nothing else, /parts adds all but the network.
func BenchmarkDecision(b *testing.B) {
	const game = "doubloons(seats=4)"
	entity := func(rows []int, hidden ...int) *Bundle { return drawnEntity(b, game, "relu", rows, hidden...) }
	captain := func() *Bundle {
		bundle, err := Find("captain-1")
		if err != nil {
			b.Fatal(err)
		}
		return bundle
	}
	for _, c := range []struct {
		name   string
		bundle func() *Bundle
	}{
		{"mlp", func() *Bundle { return drawn(b, game, "relu", 256, 256) }},
		{"small", func() *Bundle { return entity([]int{64, 32}, 128, 64) }},
		{"small-int16", func() *Bundle { return inWholes(b, entity([]int{64, 32}, 128, 64)) }},
		{"captain-1", captain},
		{"captain-1-int16", func() *Bundle { return inWholes(b, captain()) }},
	} {
		b.Run(c.name, func(b *testing.B) { benchmarkDecision(b, c.bundle(), newGame(b, game)) })
	}
}

func benchmarkDecision(b *testing.B, bundle *Bundle, g engine.Game) {
	bot, err := bundle.Bot("x", g)
	if err != nil {
		b.Fatal(err)
	}
	// Positions of good play: a random captain gets nowhere.
	play, err := bots.New("greedy", g)
	if err != nil {
		b.Fatal(err)
	}
	m, r := g.NewMatch(), engine.NewRand(1)
	for _, c := range []struct {
		name   string
		decide func()
	}{
		{"whole", func() { bot.Act(m, &r) }},
		{"rules", func() {}},
		{"parts", func() {
			bot.encoder.Encode(m, m.Seat(), bot.obs)
			if bundle.ReadsActions() {
				bot.encoder.EncodeActions(m, bot.rows)
			}
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			m.Reset(1)
			for b.Loop() {
				if m.Seat() < 0 {
					m.Reset(r.Uint64())
				}
				c.decide()
				if err := m.Apply(play.Act(m, &r)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
