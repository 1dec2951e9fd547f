package main

/*
#include "privateer.h"

typedef const char *text;
*/
import "C"

import (
	"math"
	"unsafe"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/serve/version"
)

// The header says what this program computes with: a number that differs does not compile.
var _ = []struct{}{
	[1]struct{}{}[C.PRIVATEER_HANDLE-codeHandle],
	[1]struct{}{}[C.PRIVATEER_ARGUMENT-codeArgument],
	[1]struct{}{}[C.PRIVATEER_ILLEGAL-codeIllegal],
	[1]struct{}{}[C.PRIVATEER_MISFIT-codeMisfit],
	[1]struct{}{}[C.PRIVATEER_SHORT-codeShort],
	[1]struct{}{}[C.PRIVATEER_INTERNAL-codeInternal],
	[1]struct{}{}[C.PRIVATEER_SEATS-sizeSeats],
	[1]struct{}{}[C.PRIVATEER_ACTIONS-sizeActions],
	[1]struct{}{}[C.PRIVATEER_OUTCOMES-sizeOutcomes],
	[1]struct{}{}[C.PRIVATEER_OBSERVATION-sizeObservation],
	[1]struct{}{}[C.PRIVATEER_ROW-sizeRow],
	[1]struct{}{}[C.PRIVATEER_POSITION-asPosition],
	[1]struct{}{}[C.PRIVATEER_TEXT-asText],
	[1]struct{}{}[C.PRIVATEER_SVG-asSVG],
	[1]struct{}{}[C.PRIVATEER_DECISION-asDecision],
	[1]struct{}{}[C.PRIVATEER_CHANCE-engine.Chance],
	[1]struct{}{}[C.PRIVATEER_OVER-engine.Over],
	[1]struct{}{}[C.PRIVATEER_FULL-engine.Full],
}

// opened is what this process has opened.
var opened library

// made is the version, as C reads it.
var made = func() *C.char {
	name, _ := version.Build()
	return C.CString(name)
}()

// done is what an exported function returns: a number, or the code of an error, whose text is then this thread's last.
func done[N int | int64](n N, err error) C.int64_t {
	if err != nil {
		say(err)
		return C.int64_t(codeOf(err))
	}
	return C.int64_t(n)
}

// usable is an error if the library cannot be called here.
func usable() error {
	if hasForked() {
		return refuse(codeInternal, "this process was forked after it had loaded privateer, which does not survive that: load it in the new process only, or start that afresh (exec, spawn)")
	}
	return nil
}

// given is a text of the host's.
func given(t C.text, what string) (string, error) {
	if err := usable(); err != nil {
		return "", err
	}
	if t == nil {
		return "", refuse(codeArgument, "%s is NULL", what)
	}
	return C.GoString((*C.char)(unsafe.Pointer(t))), nil
}

// room is a buffer of the host's; a NULL has none.
func room[T any](to *T, size *C.int64_t) ([]T, error) {
	if err := usable(); err != nil {
		return nil, err
	}
	var one T
	switch {
	case size == nil:
		return nil, refuse(codeArgument, "size is NULL: want a pointer to how many elements the buffer has room for")
	case *size < 0 || int64(*size) > math.MaxInt64/2/int64(unsafe.Sizeof(one)):
		return nil, refuse(codeArgument, "size is %d: want how many elements the buffer has room for", *size)
	case to == nil:
		return []T{}, nil
	}
	return unsafe.Slice(to, int(*size)), nil
}

// filled is what a function returns that fills a buffer, of which it says how much it has filled or would.
func filled(n int, err error, size *C.int64_t) C.int64_t {
	if s, short := err.(shortage); short {
		*size = C.int64_t(s.need)
	} else if err == nil {
		*size = C.int64_t(n)
		n = 0
	}
	return done(n, err)
}

func octets[T C.char | C.uint8_t](to []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(to))), len(to))
}

//export privateer_version
func privateer_version() C.text { return C.text(made) }

//export privateer_error
func privateer_error() C.text { return C.text(lastSaid()) }

//export privateer_free
func privateer_free(handle C.privateer_handle) C.int64_t {
	err := usable()
	if err == nil {
		err = opened.free(int64(handle))
	}
	return done(0, err)
}

//export privateer_game
func privateer_game(name C.text) C.int64_t {
	game, err := given(name, "game")
	if err != nil {
		return done(0, err)
	}
	return done(opened.game(game))
}

//export privateer_spec
func privateer_spec(game C.privateer_handle, json *C.char, size *C.int64_t) C.int64_t {
	to, err := room(json, size)
	if err != nil {
		return done(0, err)
	}
	n, err := opened.describe(int64(game), octets(to))
	return filled(n, err, size)
}

//export privateer_size
func privateer_size(game C.privateer_handle, what C.int32_t) C.int64_t {
	if err := usable(); err != nil {
		return done(0, err)
	}
	return done(opened.size(int64(game), int32(what)))
}

//export privateer_action
func privateer_action(game C.privateer_handle, name C.text) C.int64_t {
	action, err := given(name, "name")
	if err != nil {
		return done(0, err)
	}
	return done(opened.action(int64(game), action))
}

//export privateer_action_name
func privateer_action_name(game C.privateer_handle, action C.int32_t, name *C.char, size *C.int64_t) C.int64_t {
	to, err := room(name, size)
	if err != nil {
		return done(0, err)
	}
	n, err := opened.name(int64(game), int32(action), octets(to))
	return filled(n, err, size)
}

//export privateer_match
func privateer_match(game C.privateer_handle, seed C.uint64_t) C.int64_t {
	if err := usable(); err != nil {
		return done(0, err)
	}
	return done(opened.match(int64(game), uint64(seed)))
}

//export privateer_copy
func privateer_copy(match C.privateer_handle) C.int64_t {
	if err := usable(); err != nil {
		return done(0, err)
	}
	return done(opened.copy(int64(match)))
}

//export privateer_reset
func privateer_reset(match C.privateer_handle, seed C.uint64_t) C.int64_t {
	if err := usable(); err != nil {
		return done(0, err)
	}
	return done(0, opened.reset(int64(match), uint64(seed)))
}

//export privateer_seat
func privateer_seat(match C.privateer_handle) C.int64_t {
	if err := usable(); err != nil {
		return done(0, err)
	}
	return done(opened.seat(int64(match)))
}

//export privateer_apply
func privateer_apply(match C.privateer_handle, action C.int32_t) C.int64_t {
	if err := usable(); err != nil {
		return done(0, err)
	}
	return done(0, opened.apply(int64(match), int32(action)))
}

//export privateer_mask
func privateer_mask(match C.privateer_handle, mask *C.uint8_t, size *C.int64_t) C.int64_t {
	to, err := room(mask, size)
	if err != nil {
		return done(0, err)
	}
	n, err := opened.legal(int64(match), octets(to))
	return filled(n, err, size)
}

//export privateer_outcomes
func privateer_outcomes(match C.privateer_handle, probabilities *C.double, size *C.int64_t) C.int64_t {
	to, err := room((*float64)(probabilities), size)
	if err != nil {
		return done(0, err)
	}
	n, err := opened.outcomes(int64(match), to)
	return filled(n, err, size)
}

//export privateer_observation
func privateer_observation(match C.privateer_handle, seat C.int32_t, observation *C.uint8_t, size *C.int64_t) C.int64_t {
	to, err := room(observation, size)
	if err != nil {
		return done(0, err)
	}
	n, err := opened.observation(int64(match), int32(seat), octets(to))
	return filled(n, err, size)
}

//export privateer_rows
func privateer_rows(match C.privateer_handle, rows *C.uint8_t, size *C.int64_t) C.int64_t {
	to, err := room(rows, size)
	if err != nil {
		return done(0, err)
	}
	n, err := opened.rows(int64(match), octets(to))
	return filled(n, err, size)
}

//export privateer_returns
func privateer_returns(match C.privateer_handle, returns *C.float, size *C.int64_t) C.int64_t {
	to, err := room((*float32)(returns), size)
	if err != nil {
		return done(0, err)
	}
	n, err := opened.returns(int64(match), to)
	return filled(n, err, size)
}

//export privateer_show
func privateer_show(match C.privateer_handle, view, as C.int32_t, text *C.char, size *C.int64_t) C.int64_t {
	to, err := room(text, size)
	if err != nil {
		return done(0, err)
	}
	n, err := opened.show(int64(match), int32(view), int32(as), octets(to))
	return filled(n, err, size)
}

//export privateer_read
func privateer_read(match C.privateer_handle, position C.text) C.int64_t {
	json, err := given(position, "position")
	if err != nil {
		return done(0, err)
	}
	return done(0, opened.read(int64(match), json))
}

//export privateer_events
func privateer_events(match C.privateer_handle, view C.int32_t, json *C.char, size *C.int64_t) C.int64_t {
	to, err := room(json, size)
	if err != nil {
		return done(0, err)
	}
	n, err := opened.events(int64(match), int32(view), octets(to))
	return filled(n, err, size)
}

//export privateer_bot
func privateer_bot(game C.privateer_handle, name C.text) C.int64_t {
	bot, err := given(name, "name")
	if err != nil {
		return done(0, err)
	}
	return done(opened.bot(int64(game), bot))
}

//export privateer_think
func privateer_think(bot, match C.privateer_handle, seed C.uint64_t, probabilities *C.double, actions *C.int64_t, values *C.double, seats *C.int64_t) C.int64_t {
	var to [2][]float64
	for i, buffer := range [2]struct {
		to   *C.double
		size *C.int64_t
	}{{probabilities, actions}, {values, seats}} {
		if buffer.to == nil && buffer.size == nil {
			continue
		}
		var err error
		if to[i], err = room((*float64)(buffer.to), buffer.size); err != nil {
			return done(0, err)
		}
	}
	action, n, err := opened.think(int64(bot), int64(match), uint64(seed), to[0], to[1])
	if _, short := err.(shortage); short || err == nil {
		for i, size := range [2]*C.int64_t{actions, seats} {
			if size != nil {
				*size = C.int64_t(n[i])
			}
		}
	}
	return done(action, err)
}

//export privateer_ask
func privateer_ask(question C.text, answer *C.char, size *C.int64_t) C.int64_t {
	asked, err := given(question, "question")
	if err != nil {
		return done(0, err)
	}
	to, err := room(answer, size)
	if err != nil {
		return done(0, err)
	}
	n, err := opened.ask(asked, octets(to))
	return filled(n, err, size)
}
