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
	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/infer"
	"github.com/privateer-rl/privateer/encode/policy/zoo"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/portable"
)

// Prefix marks the name of a bot that is a trained policy: policy:PATH.
const Prefix = "policy:"

// FloatPrefix marks one that computes in floats, as what is exported to other programs does: float:PATH. All others compute in whole numbers
// (bundle.Bundle.InWholeNumbers), which is 1.6 to 1.8 times as fast and takes another likeliest action in 1 of 3,000 decisions.
const FloatPrefix = "float:"

// File is the file of the bundle that a bot's name names, if it does.
func File(name string) (path string, ok bool) {
	if path, ok = strings.CutPrefix(name, FloatPrefix); ok {
		return path, true
	}
	return strings.CutPrefix(name, Prefix)
}

// NewBot is bots.New that also knows policy:PATH and float:PATH, the bundle in a file or in the zoo, by itself and in the settings of
// other bots, policy:PATH+PATH, several as one player (see Ensemble), and rule(…) (see Rule).
func NewBot(name string, g engine.Game) (bots.Bot, error) { return new(Reader).NewBot(name, g) }

// Reader makes bots as NewBot does and reads each bundle once: several bots of a name, one for each worker, play one policy, even if the
// file changes meanwhile, and share its weights. The zero value has read nothing. Several goroutines may use a Reader.
type Reader struct {
	mu   sync.Mutex
	read map[string]*bundle.Bundle // by the name of its bot
}

// NewBot makes the bot of a name.
func (r *Reader) NewBot(name string, g engine.Game) (bots.Bot, error) { return newBot(name, g, r.load) }

// bundleOf is BundleOf, but reads a name only once.
func (r *Reader) bundleOf(name string) (*bundle.Bundle, error) {
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
		r.read = map[string]*bundle.Bundle{}
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
	if file, was := strings.CutPrefix(name, "int16:"); was {
		err = fmt.Errorf("%w: write %s%s, which computes in whole numbers", err, Prefix, file)
	} else if errors.Is(err, bots.ErrUnknown) {
		err = fmt.Errorf("%w; policies are named %s", err, strings.Join(append([]string{Prefix + "FILE"}, Zoo(g)...), ", "))
	}
	return b, err
}

// BundleOf is the bundle that a bot's name names; nil for a name that is not of one.
func BundleOf(name string) (*bundle.Bundle, error) {
	path, ok := File(name)
	if !ok {
		return nil, nil
	}
	if path == "" {
		return nil, fmt.Errorf("bot %q names no file: want %sFILE", name, Prefix)
	}
	return Find(path)
}

// Names splits a list of players, or of files, at its commas, except for those in parentheses and in the name of an existing file: a folder
// may be called lr=0.1,seed=2.
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

// fileEnd is the end of the longest name of an existing file at the beginning of a list, if it has a comma; else 0.
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
	if _, err := zoo.Find(path); ok && err == nil {
		return true
	}
	_, err := os.Stat(path)
	return err == nil
}

// Find reads a bundle: the zoo's of that name, which may be pinned to a version (captain@1), or else a file.
func Find(path string) (*bundle.Bundle, error) {
	data, err := zoo.Bundle(path)
	if errors.Is(err, zoo.ErrUnknown) {
		b, err := bundle.Load(path)
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w (and the program has no policy of that name: it has %s)", err, strings.Join(zoo.Names(), ", "))
		}
		return b, err
	}
	if err != nil {
		return nil, err
	}
	return bundle.Decode(data)
}

// IsBundle reports whether a path names a policy of the zoo, or a file that begins as bundles do.
func IsBundle(path string) bool {
	_, err := zoo.Find(path)
	return err == nil || bundle.Begins(path)
}

// Zoo lists the zoo's policies for a game by the names of their bots, from weakest to strongest.
func Zoo(g engine.Game) []string { return of(g, zoo.Policies) }

// All lists them with the older versions that come with the program, policy:NAME@VERSION.
func All(g engine.Game) []string { return of(g, zoo.All) }

func of(g engine.Game, policies []zoo.Policy) []string {
	var names []string
	for _, p := range policies {
		if p.Game == g.Info().Game {
			names = append(names, Prefix+p.Name)
		}
	}
	return names
}

// load makes the bot of a bundle or of several, nil for a name that is not of any.
func (r *Reader) load(name string, g engine.Game) (bots.Bot, error) {
	if b, err := RuleNamed(name, g, true); b != nil || err != nil {
		return b, err
	}
	if !r.has(name) && IsEnsemble(name) {
		return NewEnsemble(name, g, r.bundleOf)
	}
	b, err := r.bundleOf(name)
	if b == nil || err != nil {
		return nil, err
	}
	return Of(name, b, g)
}

// Digests lists the digests of the bundles that the bot of a name uses, itself or in its settings, such as the prior of a search, and of the weights
// that a rule reads from a file.
func (r *Reader) Digests(name string, g engine.Game) ([]string, error) {
	var found []string
	_, err := newBot(name, g, func(name string, g engine.Game) (bots.Bot, error) {
		b, err := r.load(name, g)
		if err != nil {
			return nil, err
		}
		switch b := b.(type) {
		case *Bot:
			found = append(found, b.bundle.Digest())
		case *Ensemble:
			for _, one := range b.of {
				found = append(found, one.bundle.Digest())
			}
		case *Rule:
			if b.digest != "" {
				found = append(found, b.digest)
			}
		}
		return b, nil
	})
	return found, err
}

// Label is a bot's name for tags and file names: that of a bundle is policy_ and its file's name without folder and ending, so bundles used
// in one run should have different file names. Settings are joined by underscores.
func Label(name string) string {
	if path, ok := File(name); ok {
		kind, _, _ := strings.Cut(name, ":")
		return kind + "_" + strings.TrimSuffix(filepath.Base(path), bundle.Ext)
	}
	return strings.Join(strings.FieldsFunc(name, func(c rune) bool { return strings.ContainsRune("(),=:/\\ ", c) }), "_")
}

// CheckName reports, without reading bundles, why NewBot would refuse a name.
func CheckName(name string, g engine.Game) error {
	_, err := newBot(name, g, func(name string, g engine.Game) (bots.Bot, error) {
		if path, ok := File(name); ok && path != "" {
			return bots.New("random", g) // whatever is in the file
		}
		return new(Reader).load(name, g)
	})
	return err
}

// Of makes a bot of the given name that plays a game by a bundle, whose weights its bots share, in whole numbers unless the name has the
// FloatPrefix. A game with other tensors is refused with bundle.ErrMisfit.
func Of(name string, b *bundle.Bundle, g engine.Game) (*Bot, error) {
	e, err := b.Encoder(g)
	if err == nil && !strings.HasPrefix(name, FloatPrefix) {
		b, err = b.InWholeNumbers()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	a := len(b.Actions)
	return &Bot{
		name: name, bundle: b, net: b.Inference(g.Info().Seats), encoder: e, obs: make([]uint8, e.Schema().Size), rows: make([]uint8, a*b.RowSize()),
		legal: make([]int32, 0, a), logits: make([]float32, a),
		ahead: g.NewMatch(), returns: make([]float32, g.Info().Seats), values: make([]float32, b.Values()),
	}, nil
}

// Bot plays a bundle. It implements bots.Bot.
type Bot struct {
	name    string
	bundle  *bundle.Bundle
	net     *infer.Inference
	encoder *encode.Encoder // nil if another bot of an ensemble writes the buffers
	obs     []uint8
	rows    []uint8 // of the legal actions; empty unless the network reads them
	legal   []int32
	logits  []float32 // of them

	// Of Value: a match to look ahead in, its luck, and buffers.
	ahead   engine.Match
	luck    engine.Rand
	returns []float32
	values  []float32
}

// Name is the name that the bot was made with.
func (b *Bot) Name() string { return b.name }

// Digest is the digest of the bundle.
func (b *Bot) Digest() string { return b.bundle.Digest() }

// ReadsActions reports whether the bot reads what the legal actions do, so that observations alone are not enough for it.
func (b *Bot) ReadsActions() bool { return b.bundle.ReadsActions() }

// Act chooses for the seat that m asks.
func (b *Bot) Act(m engine.Match, r *engine.Rand) engine.Action {
	legal := m.Legal()
	if only := legal.First(); legal.Next(only) < 0 { // nothing to score, but as much is drawn from r
		b.legal, b.logits[0] = append(b.legal[:0], int32(only)), 0
		return b.pick(b.logits[:1], r)
	}
	return b.pick(b.score(m, legal), r)
}

// Reads is the layout of what the bot reads, as encode.Schema.Hash has it: of an observation, and of the rows of actions; "" if it reads none.
func (b *Bot) Reads() (observation, rows string) { return b.bundle.Schema, b.bundle.RowSchema }

// Sizes are the bytes of an observation and of the row of an action; that is 0 if the bot reads no rows.
func (b *Bot) Sizes() (observation, row int) { return b.bundle.ObservationSize(), b.bundle.RowSize() }

// Choose chooses one of the legal actions for an observation, [D], and the rows of the legal actions, [legal, F], if the bundle reads what actions
// do. It draws as Act does. Into probs, unless it is nil, it writes how likely the network holds each action to be right, [A].
func (b *Bot) Choose(obs, rows []uint8, legal *engine.Mask, r *engine.Rand, probs []float32) engine.Action {
	b.net.Follow(0)
	copy(b.rows, rows)
	logits := b.logitsOf(obs, legal)
	if probs != nil {
		clear(probs)
		weights := make([]float64, len(logits))
		softmax(logits, weights)
		for i, a := range b.legal {
			probs[a] = float32(weights[i])
		}
	}
	return b.pick(logits, r)
}

// ValueOf is the return that the network expects for the seat of an observation, [D], if the bundle has a value head.
func (b *Bot) ValueOf(obs []uint8) (value float32, ok bool) {
	if len(b.values) == 0 {
		return 0, false
	}
	b.net.Values(obs, b.values)
	return b.values[0], true
}

// score is the logits of the legal actions for the seat that m asks.
func (b *Bot) score(m engine.Match, legal *engine.Mask) []float32 {
	b.net.Follow(m.Seat())
	if b.encoder != nil {
		b.encoder.Encode(m, m.Seat(), b.obs)
		if b.ReadsActions() {
			b.encoder.EncodeActions(m, b.rows)
		}
	}
	return b.logitsOf(b.obs, legal)
}

// readsWith makes b read what another bot of its ensemble, which is asked before it, has encoded, if both read the same.
func (b *Bot) readsWith(other *Bot) {
	if b.bundle.Schema == other.bundle.Schema && b.bundle.RowSchema == other.bundle.RowSchema {
		b.encoder, b.obs, b.rows = nil, other.obs, other.rows
	}
}

// logitsOf lists the legal actions, and returns their logits.
func (b *Bot) logitsOf(obs []uint8, legal *engine.Mask) []float32 {
	b.legal = b.legal[:0]
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		b.legal = append(b.legal, int32(a))
	}
	logits := b.logits[:len(b.legal)]
	b.net.Scores(obs, b.legal, b.rows[:len(b.legal)*b.bundle.RowSize()], logits)
	return logits
}

// pick chooses by logits, which it overwrites.
func (b *Bot) pick(logits []float32, r *engine.Rand) engine.Action {
	likeliest := engine.Action(b.legal[infer.Largest(logits)])
	if b.bundle.Choice == bundle.Greedy {
		return likeliest
	}
	sum := exponentials(logits)
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
	if b.bundle.Choice == bundle.Greedy {
		clear(dst[:len(logits)])
		dst[infer.Largest(logits)] = 1
		return
	}
	exponentials(logits)
	sum := 0.0
	for _, x := range logits {
		sum += float64(x)
	}
	for i, x := range logits {
		dst[i] = float64(x) / sum
	}
}

// exponentials writes the softmax without its division by the sum, which it returns.
func exponentials(logits []float32) (sum float64) {
	most := slices.Max(logits)
	for i, x := range logits {
		e := portable.Exp(float64(x - most))
		logits[i] = float32(e)
		sum += e
	}
	return sum
}
