package main

// The functions that C calls, behind those of guard.c, which have the names in the header.

/*
#include "privateer.h"

typedef const char *text;

extern const char *volatile privateer_made; // in guard.c
*/
import "C"

import (
	"math"
	"time"
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

// opened is everything that this process has opened.
var opened library

func init() {
	name, _ := version.Build()
	C.privateer_made = C.CString(name)
}

// done is the result of an exported function: a number, or the code of an error, whose text is then this thread's last.
func done[N int | int64](n N, err error) C.int64_t {
	if err != nil {
		say(err)
		return C.int64_t(codeOf(err))
	}
	return C.int64_t(n)
}

// given is a text of the host's.
func given(t C.text, what string) (string, error) {
	if t == nil {
		return "", refuse(codeArgument, "%s is NULL", what)
	}
	return C.GoString((*C.char)(unsafe.Pointer(t))), nil
}

// room is a buffer of the host's; a NULL has none.
func room[T any](to *T, size *C.int64_t) ([]T, error) {
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

//export go_version
func go_version() C.text { return C.text(C.privateer_made) }

//export go_free
func go_free(handle C.privateer_handle) C.int64_t {
	return done(0, opened.free(int64(handle)))
}

//export go_game
func go_game(name C.text) C.int64_t {
	game, err := given(name, "game")
	if err != nil {
		return done(0, err)
	}
	return done(opened.game(game))
}

//export go_spec
func go_spec(game C.privateer_handle, json *C.char, size *C.int64_t) C.int64_t {
	to, err := room(json, size)
	if err != nil {
		return done(0, err)
	}
	n, err := opened.describe(int64(game), octets(to))
	return filled(n, err, size)
}

//export go_size
func go_size(game C.privateer_handle, what C.int32_t) C.int64_t {
	return done(opened.size(int64(game), int32(what)))
}

//export go_action
func go_action(game C.privateer_handle, name C.text) C.int64_t {
	action, err := given(name, "name")
	if err != nil {
		return done(0, err)
	}
	return done(opened.action(int64(game), action))
}

//export go_action_name
func go_action_name(game C.privateer_handle, action C.int32_t, name *C.char, size *C.int64_t) C.int64_t {
	to, err := room(name, size)
	if err != nil {
		return done(0, err)
	}
	n, err := opened.name(int64(game), int32(action), octets(to))
	return filled(n, err, size)
}

//export go_match
func go_match(game C.privateer_handle, seed C.uint64_t) C.int64_t {
	return done(opened.match(int64(game), uint64(seed)))
}

//export go_copy
func go_copy(match C.privateer_handle) C.int64_t {
	return done(opened.copy(int64(match)))
}

//export go_reset
func go_reset(match C.privateer_handle, seed C.uint64_t) C.int64_t {
	return done(0, opened.reset(int64(match), uint64(seed)))
}

//export go_seat
func go_seat(match C.privateer_handle) C.int64_t {
	return done(opened.seat(int64(match)))
}

//export go_apply
func go_apply(match C.privateer_handle, action C.int32_t) C.int64_t {
	return done(0, opened.apply(int64(match), int32(action)))
}

//export go_mask
func go_mask(match C.privateer_handle, mask *C.uint8_t, size *C.int64_t) C.int64_t {
	to, err := room(mask, size)
	if err != nil {
		return done(0, err)
	}
	n, err := opened.legal(int64(match), octets(to))
	return filled(n, err, size)
}

//export go_outcomes
func go_outcomes(match C.privateer_handle, probabilities *C.double, size *C.int64_t) C.int64_t {
	to, err := room((*float64)(probabilities), size)
	if err != nil {
		return done(0, err)
	}
	n, err := opened.outcomes(int64(match), to)
	return filled(n, err, size)
}

//export go_observation
func go_observation(match C.privateer_handle, seat C.int32_t, observation *C.uint8_t, size *C.int64_t) C.int64_t {
	to, err := room(observation, size)
	if err != nil {
		return done(0, err)
	}
	n, err := opened.observation(int64(match), int32(seat), octets(to))
	return filled(n, err, size)
}

//export go_rows
func go_rows(match C.privateer_handle, rows *C.uint8_t, size *C.int64_t) C.int64_t {
	to, err := room(rows, size)
	if err != nil {
		return done(0, err)
	}
	n, err := opened.rows(int64(match), octets(to))
	return filled(n, err, size)
}

//export go_returns
func go_returns(match C.privateer_handle, returns *C.float, size *C.int64_t) C.int64_t {
	to, err := room((*float32)(returns), size)
	if err != nil {
		return done(0, err)
	}
	n, err := opened.returns(int64(match), to)
	return filled(n, err, size)
}

//export go_show
func go_show(match C.privateer_handle, view, as C.int32_t, text *C.char, size *C.int64_t) C.int64_t {
	to, err := room(text, size)
	if err != nil {
		return done(0, err)
	}
	n, err := opened.show(int64(match), int32(view), int32(as), octets(to))
	return filled(n, err, size)
}

//export go_read
func go_read(match C.privateer_handle, position C.text) C.int64_t {
	json, err := given(position, "position")
	if err != nil {
		return done(0, err)
	}
	return done(0, opened.read(int64(match), json))
}

//export go_events
func go_events(match C.privateer_handle, view C.int32_t, json *C.char, size *C.int64_t) C.int64_t {
	to, err := room(json, size)
	if err != nil {
		return done(0, err)
	}
	n, err := opened.events(int64(match), int32(view), octets(to))
	return filled(n, err, size)
}

//export go_bot
func go_bot(game C.privateer_handle, name C.text) C.int64_t {
	bot, err := given(name, "name")
	if err != nil {
		return done(0, err)
	}
	return done(opened.bot(int64(game), bot))
}

//export go_think
func go_think(bot, match C.privateer_handle, seed C.uint64_t, probabilities *C.double, actions *C.int64_t, values *C.double, seats *C.int64_t) C.int64_t {
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

//export go_ask
func go_ask(question C.text, answer *C.char, size *C.int64_t) C.int64_t {
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

//export go_session
func go_session(policies C.text, mailbox, batches C.int32_t) C.int64_t {
	folder, err := given(policies, "policies")
	if err != nil {
		return done(0, err)
	}
	return done(opened.session(folder, uintptr(mailbox), uintptr(batches)))
}

//export go_perform
func go_perform(session C.privateer_handle, milliseconds C.int32_t) C.int64_t {
	return done(opened.perform(int64(session), time.Duration(milliseconds)*time.Millisecond))
}
