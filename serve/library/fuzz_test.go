package main

import (
	"math"
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

// texts are what a host may pass: names of games, bots and actions, and positions.
var texts = []string{
	"", "kuhn", "leduc(", "doubloons(seats=2)", "jolly_roger(seats=3)", "kuhn(chance=explicit)", "doubloons(seats=9)", "start=x",
	"random", "heuristic", "captain", "pirate@1", "search(rollouts=3)", "rule()", "policy:", "policy:testdata/none.bundle",
	"call", "card=N05", "{}", `{"game": "leduc"}`, `{"round": 2}`, `{"deck": [0, 1]}`, `{"ships": [{"hull": 1}]}`, "[[[[", "\x00\xff",
}

// host makes calls out of bytes.
type host struct {
	library
	t       *testing.T
	data    []byte
	handles []int64
}

func (h *host) next() int {
	if len(h.data) == 0 {
		return 0
	}
	x := h.data[0]
	h.data = h.data[1:]
	return int(x)
}

func (h *host) handle() int64 { return h.handles[h.next()%len(h.handles)] }

func (h *host) number() int32 {
	switch x := h.next(); {
	case x < 250:
		return int32(x) - 3
	case x < 253:
		return math.MinInt32 + int32(x)
	default:
		return math.MaxInt32 - int32(x)
	}
}

// text is one of texts, or what another call has written, with perhaps a byte that is another.
func (h *host) text(written []byte) string {
	one := []byte(texts[h.next()%len(texts)])
	if h.next()%4 == 0 && len(written) > 0 {
		one = slices.Clone(written)
	}
	if h.next()%2 == 0 && len(one) > 0 {
		one[(h.next()<<8|h.next())%len(one)] = byte(h.next())
	}
	return string(one)
}

// check looks at an error: a bug is none of the host's, and everything else leaves what it is about as it was.
func (h *host) check(err error, before, after []byte) {
	if err == nil {
		return
	}
	if codeOf(err) == codeInternal {
		h.t.Fatal(err)
	}
	if !slices.Equal(before, after) {
		h.t.Fatalf("%v, and the match is another one: %s, before %s", err, after, before)
	}
}

// position is that of a match, nothing of another handle.
func (h *host) position(handle int64) []byte {
	to := make([]byte, 1<<18)
	n, err := h.show(handle, engine.Full, asPosition, to)
	if err != nil {
		return nil
	}
	return to[:n-1]
}

func FuzzCalls(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{5, 0, 0, 5, 1, 9, 1, 4, 4, 4, 4, 9, 2, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
	for op := range byte(20) {
		f.Add(slices.Repeat([]byte{op, 6, 4, 0, 0, 1, 2}, 12))
	}
	var games []any
	for _, name := range []string{"kuhn(chance=explicit)", "leduc", "doubloons(seats=2)", "jolly_roger(seats=3)"} {
		var l library
		handle, err := l.game(name)
		if err != nil {
			f.Fatal(err)
		}
		games = append(games, l.open[handle])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		h := &host{t: t, data: data, handles: []int64{0, -1, 1 << 40}}
		for _, g := range games {
			of := h.add(g)
			match, err := h.match(of, 1)
			if err != nil {
				t.Fatal(err)
			}
			h.handles = append(h.handles, of, match)
			for _, name := range []string{"random", "heuristic"} {
				if bot, err := h.bot(of, name); err == nil {
					h.handles = append(h.handles, bot)
				}
			}
		}
		for range 40 {
			if len(h.data) > 0 {
				h.call()
			}
		}
	})
}

// call makes one call.
func (h *host) call() {
	op, handle := h.next()%19, h.handle()
	to := make([]byte, h.next()*h.next())
	before := h.position(handle)
	var opened int64
	var err error
	switch op {
	case 0:
		opened, err = h.game(h.text(before))
	case 1:
		opened, err = h.bot(handle, h.text(before))
	case 2:
		opened, err = h.match(handle, uint64(h.next()))
	case 3:
		opened, err = h.copy(handle)
	case 4:
		err = h.apply(handle, h.number())
	case 5: // something legal
		mask := make([]uint8, engine.MaxActions)
		var n int
		if n, err = h.legal(handle, mask); err == nil {
			if a := slices.Index(mask[:n], 1); a >= 0 {
				err = h.apply(handle, int32(a))
			}
		}
	case 6:
		_, err = h.observation(handle, h.number(), to)
	case 7:
		_, err = h.rows(handle, to)
	case 8:
		_, err = h.returns(handle, make([]float32, len(to)))
	case 9:
		_, err = h.outcomes(handle, make([]float64, len(to)))
	case 10:
		_, err = h.show(handle, h.number(), h.number(), to)
	case 11:
		err = h.read(handle, h.text(before))
	case 12:
		_, err = h.events(handle, h.number(), to)
	case 13:
		_, _, err = h.think(handle, h.handle(), uint64(h.next()), make([]float64, len(to)), make([]float64, h.next()))
	case 14:
		_, err = h.action(handle, h.text(before))
	case 15:
		_, err = h.name(handle, h.number(), to)
	case 16:
		_, err = h.size(handle, h.number())
	case 17:
		if err = h.reset(handle, uint64(h.next())); err == nil {
			before = h.position(handle)
		}
	case 18:
		if handle > 0 && h.next()%4 == 0 {
			err = h.free(handle)
		}
	}
	if err == nil && opened > 0 {
		h.handles = append(h.handles, opened)
	}
	h.check(err, before, h.position(handle))
}
