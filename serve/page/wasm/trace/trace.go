// Package trace writes down what a program computes of a match, so that two builds can be compared: the native one, and the one
// that the page has.
package trace

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
	"math"
	"strings"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// often is at which steps a match is shown in full: pictures and positions take a hundred times as long as a step.
const often = 16

// Match replays a transcript and returns a digest of what networks read of it at every step, of what is shown and told
// at every 16th and at its end, and of its returns.
func Match(t *engine.Transcript) (string, error) {
	g, err := engine.NewGame(t.Game)
	if err != nil {
		return "", err
	}
	w := &witness{Hash: sha256.New()}
	if w.encoder, err = encode.For(g); err != nil {
		return "", err
	}
	m, err := t.Replay(func(m engine.Match, i int, a engine.Action) error {
		fmt.Fprintf(w, "%d %d %d\n", i, m.Seat(), a)
		return w.see(m)
	})
	if err == nil {
		err = w.see(m)
	}
	if err != nil {
		return "", err
	}
	returns := make([]float32, g.Info().Seats)
	m.Returns(returns)
	for _, x := range returns {
		fmt.Fprintf(w, "%08x\n", math.Float32bits(x))
	}
	return fmt.Sprintf("%x", w.Sum(nil)), nil
}

// witness digests what it sees.
type witness struct {
	hash.Hash
	encoder   *encode.Encoder
	log       *engine.Log // of the match
	heard     int         // events that were told
	steps     int
	obs, rows []uint8
}

func (w *witness) see(m engine.Match) error {
	if m.Seat() >= 0 {
		w.observe(m)
	}
	if w.steps == 0 {
		w.log = engine.Listen(m)
	}
	if w.steps++; w.steps%often != 1 && m.Seat() != engine.Over {
		return nil
	}
	for _, view := range []int{engine.Full, 0} {
		position, err := m.Position(view)
		if err != nil {
			return err
		}
		picture, err := engine.Picture(m, view)
		if err != nil {
			return err
		}
		told := engine.Tell(m, w.log.Since(w.heard), view)
		fmt.Fprintln(w, string(position), picture, strings.Join(told, "\n"), m.Decision())
	}
	w.heard = w.log.Count()
	return nil
}

// observe digests what a network reads.
func (w *witness) observe(m engine.Match) {
	w.obs = append(w.obs[:0], make([]uint8, w.encoder.Schema().Size)...)
	w.encoder.Encode(m, m.Seat(), w.obs)
	w.Write(w.obs)
	w.rows = append(w.rows[:0], make([]uint8, m.Legal().Count()*w.encoder.ActionSize())...)
	if len(w.rows) > 0 {
		w.encoder.EncodeActions(m, w.rows)
		w.Write(w.rows)
	}
}

// Outputs replays a transcript and returns, for each decision, the bits of the chances by which a bot chooses among the
// legal actions: one JSON list a line.
func Outputs(t *engine.Transcript, b bots.Mixed) (string, error) {
	var lines strings.Builder
	chances := make([]float64, engine.MaxActions)
	_, err := t.Replay(func(m engine.Match, _ int, _ engine.Action) error {
		if m.Seat() < 0 {
			return nil
		}
		chances = chances[:m.Legal().Count()]
		b.Chances(m, chances)
		bits := make([]string, len(chances))
		for i, x := range chances {
			bits[i] = fmt.Sprintf("%016x", math.Float64bits(x))
		}
		line, err := json.Marshal(bits)
		lines.Write(append(line, '\n'))
		return err
	})
	return lines.String(), err
}
