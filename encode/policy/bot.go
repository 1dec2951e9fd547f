package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/policy/zoo"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	"github.com/privateer-rl/privateer/engine/portable"
)

// Prefix marks the name of a bot that is a trained policy: policy:PATH.
const Prefix = "policy:"

// WholePrefix marks one that computes in whole numbers (see InWholeNumbers): int16:PATH.
const WholePrefix = "int16:"

// File is the file of the bundle that a bot's name names, if it does.
func File(name string) (path string, ok bool) {
	if path, ok = strings.CutPrefix(name, WholePrefix); ok {
		return path, true
	}
	return strings.CutPrefix(name, Prefix)
}

// NewBot is bots.New that also knows policy:PATH and int16:PATH, the bundle in a file or in the zoo, by itself and in the settings of other bots,
// and policy:PATH+PATH, several as one player (see Ensemble).
func NewBot(name string, g engine.Game) (bots.Bot, error) { return new(Reader).NewBot(name, g) }

// Reader makes bots as NewBot does and reads each bundle once: whoever makes several bots of a name, one for each worker, has one policy
// of it, whatever becomes of the file meanwhile. Bots of one bundle share its weights. The zero value has read nothing; a Reader may be used by several goroutines.
type Reader struct {
	mu   sync.Mutex
	read map[string]*Bundle // by the name of its bot
}

// NewBot makes the bot of a name.
func (r *Reader) NewBot(name string, g engine.Game) (bots.Bot, error) { return newBot(name, g, r.load) }

// bundleOf is BundleOf, of a name that was read before what was read then.
func (r *Reader) bundleOf(name string) (*Bundle, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if b := r.read[name]; b != nil {
		return b, nil
	}
	b, err := BundleOf(name)
	if b == nil || err != nil {
		return nil, err
	}
	if r.read == nil {
		r.read = map[string]*Bundle{}
	}
	r.read[name] = b
	return b, nil
}

// has reports whether the bundle of a name was read.
func (r *Reader) has(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.read[name] != nil
}

func newBot(name string, g engine.Game, others func(string, engine.Game) (bots.Bot, error)) (bots.Bot, error) {
	b, err := bots.Maker{Others: others}.New(name, g)
	if errors.Is(err, bots.ErrUnknown) {
		err = fmt.Errorf("%w; policies are named %s", err, strings.Join(append([]string{Prefix + "FILE"}, Zoo(g)...), ", "))
	}
	return b, err
}

// BundleOf is the bundle that a bot's name names, in whole numbers if it says so; nil for a name that is not of one.
func BundleOf(name string) (*Bundle, error) {
	path, ok := File(name)
	if !ok {
		return nil, nil
	}
	if path == "" {
		return nil, fmt.Errorf("bot %q names no file: want %sFILE", name, Prefix)
	}
	b, err := Find(path)
	if err == nil && strings.HasPrefix(name, WholePrefix) {
		b, err = b.InWholeNumbers()
	}
	return b, err
}

// Names splits a list of players, or of files, at its commas, but for those in parentheses and in the name of a file that is there: a
// folder may be called lr=0.1,seed=2.
func Names(list string) []string {
	var names []string
	for more := true; more; {
		var name string
		if end := fileEnd(list); end > 0 {
			name, list, more = list[:end], strings.TrimPrefix(list[end:], ","), end < len(list)
		} else {
			name, list, more = engine.CutList(list)
		}
		names = append(names, strings.TrimSpace(name))
	}
	return names
}

// fileEnd is where the longest name of a file ends that a list begins with, if there is a comma in it; else 0.
func fileEnd(list string) int {
	for end := len(list); strings.Contains(list[:end], ","); end = strings.LastIndexByte(list[:end], ',') {
		name := strings.TrimSpace(list[:end])
		of := Members(name)
		if of == nil || !IsEnsemble(name) {
			of = []string{name}
		}
		if !slices.ContainsFunc(of, func(member string) bool { return !isThere(member) }) {
			return end
		}
	}
	return 0
}

// isThere reports whether a name, with or without a prefix, is that of a file or folder, or of the zoo's.
func isThere(name string) bool {
	path, ok := File(name)
	if !ok {
		path = name
	}
	if ok && slices.Contains(zoo.Names(), path) {
		return true
	}
	_, err := os.Stat(path)
	return err == nil
}

// Find reads a bundle: the zoo's of that name, or else a file.
func Find(path string) (*Bundle, error) {
	data, err := zoo.Bundle(path)
	if errors.Is(err, zoo.ErrUnknown) {
		b, err := Load(path)
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w (and the program has no policy of that name: it has %s)", err, strings.Join(zoo.Names(), ", "))
		}
		return b, err
	}
	if err != nil {
		return nil, err
	}
	return Decode(data)
}

// Zoo lists the zoo's policies for a game, by the names of their bots.
func Zoo(g engine.Game) []string {
	var names []string
	for _, name := range zoo.Names() {
		if zoo.Game(name) == g.Info().Game {
			names = append(names, Prefix+name)
		}
	}
	return names
}

// load makes the bot of a bundle or of several, nil for a name that is not of any.
func (r *Reader) load(name string, g engine.Game) (bots.Bot, error) {
	if !r.has(name) && IsEnsemble(name) {
		return NewEnsemble(name, g, r.bundleOf)
	}
	b, err := r.bundleOf(name)
	if b == nil || err != nil {
		return nil, err
	}
	return b.Bot(name, g)
}

// Digests lists the digests of the bundles that the bot of a name plays by, itself or in its settings, such as the
// prior of a search.
func (r *Reader) Digests(name string, g engine.Game) ([]string, error) {
	var found []string
	_, err := newBot(name, g, func(name string, g engine.Game) (bots.Bot, error) {
		b, err := r.load(name, g)
		if err != nil {
			return nil, err
		}
		switch b := b.(type) {
		case *Bot:
			found = append(found, b.net.bundle.Digest())
		case *Ensemble:
			for _, one := range b.of {
				found = append(found, one.net.bundle.Digest())
			}
		}
		return b, nil
	})
	return found, err
}

// Label is a bot's name for tags and file names: that of a bundle is policy_ and
// its file's name without folder and ending, so bundles used in one run should
// have different file names. Settings are joined by underscores.
func Label(name string) string {
	if path, ok := File(name); ok {
		kind, _, _ := strings.Cut(name, ":")
		return kind + "_" + strings.TrimSuffix(filepath.Base(path), Ext)
	}
	return strings.Join(strings.FieldsFunc(name, func(c rune) bool { return strings.ContainsRune("(),=:/\\ ", c) }), "_")
}

// CheckName reports, without reading files, why NewBot would refuse a name.
func CheckName(name string, g engine.Game) error {
	_, err := newBot(name, g, func(name string, g engine.Game) (bots.Bot, error) {
		if path, ok := File(name); ok && path != "" {
			return bots.New("random", g) // whatever is in the file
		}
		return new(Reader).load(name, g)
	})
	return err
}

// Bot makes a bot that plays a game, which is refused with ErrMisfit if its
// tensors are not the bundle's. Bots of one bundle share its weights.
func (b *Bundle) Bot(name string, g engine.Game) (*Bot, error) {
	e, err := b.Encoder(g)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	a := len(b.Actions)
	return &Bot{
		name: name, net: b.inference(g.Info().Seats), encoder: e, obs: make([]uint8, e.Schema().Size), rows: make([]uint8, a*size(b.Row)),
		legal: make([]int32, 0, a), logits: make([]float32, a),
		ahead: g.NewMatch(), returns: make([]float32, g.Info().Seats), values: make([]float32, b.Values()),
	}, nil
}

// Bot plays a bundle. It implements bots.Bot.
type Bot struct {
	name    string
	net     *Inference
	encoder *encode.Encoder
	obs     []uint8
	rows    []uint8 // of the legal actions; empty unless the network reads them
	legal   []int32
	logits  []float32 // of them

	// Of Value: a match looked ahead in, by what luck, and room for what is told.
	ahead   engine.Match
	luck    engine.Rand
	returns []float32
	values  []float32
}

// Name is the name that the bot was made with.
func (b *Bot) Name() string { return b.name }

// ReadsActions reports whether the bot needs to know what the legal actions do: it then plays matches, and
// observations alone are not enough for it.
func (b *Bot) ReadsActions() bool { return b.net.bundle.ReadsActions() }

// Act chooses for the seat that m asks.
func (b *Bot) Act(m engine.Match, r *engine.Rand) engine.Action {
	legal := m.Legal()
	if only := legal.First(); legal.Next(only) < 0 { // whatever it scores, and as much is drawn from r
		b.legal, b.logits[0] = append(b.legal[:0], int32(only)), 0
		return b.pick(b.logits[:1], r)
	}
	return b.pick(b.score(m, legal), r)
}

// Choose chooses one of the legal actions for an observation, [D], for bundles that do not read what actions
// do. All its chance comes from r, of which it draws once if the bundle samples.
func (b *Bot) Choose(obs []uint8, legal *engine.Mask, r *engine.Rand) engine.Action {
	if b.ReadsActions() {
		panic("policy: " + b.name + " reads what actions do: an observation is not enough for it")
	}
	return b.pick(b.logitsOf(obs, legal), r)
}

// score is the logits of the legal actions for the seat that m asks.
func (b *Bot) score(m engine.Match, legal *engine.Mask) []float32 {
	b.net.whose = m.Seat()
	b.encoder.Encode(m, m.Seat(), b.obs)
	if b.ReadsActions() {
		b.encoder.EncodeActions(m, b.rows)
	}
	return b.logitsOf(b.obs, legal)
}

// logitsOf lists the legal actions, and returns their logits.
func (b *Bot) logitsOf(obs []uint8, legal *engine.Mask) []float32 {
	b.legal = b.legal[:0]
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		b.legal = append(b.legal, int32(a))
	}
	logits := b.logits[:len(b.legal)]
	b.net.Scores(obs, b.legal, b.rows[:len(b.legal)*size(b.net.bundle.Row)], logits)
	return logits
}

// pick chooses by logits, which it overwrites.
func (b *Bot) pick(logits []float32, r *engine.Rand) engine.Action {
	best := 0
	for i, x := range logits {
		if x > logits[best] {
			best = i
		}
	}
	likeliest := engine.Action(b.legal[best])
	if b.net.bundle.Choice == Greedy {
		return likeliest
	}
	most, sum := logits[best], 0.0
	for i, x := range logits {
		e := portable.Exp(float64(x - most))
		logits[i] = float32(e)
		sum += e
	}
	pick := r.Pick(sum)
	for i, x := range logits {
		if pick.On(float64(x)) {
			return engine.Action(b.legal[i])
		}
	}
	return likeliest
}

// Chances writes the chance with which Act chooses each legal action into dst, in ascending order of actions.
func (b *Bot) Chances(m engine.Match, dst []float64) {
	logits := b.score(m, m.Legal())
	most, sum := slices.Max(logits), 0.0
	for i, x := range logits {
		dst[i] = 0
		if b.net.bundle.Choice != Greedy {
			dst[i] = float64(float32(portable.Exp(float64(x - most)))) // as pick has them
		} else if x == most && sum == 0 {
			dst[i] = 1
		}
		sum += dst[i]
	}
	for i := range dst {
		dst[i] /= sum
	}
}
