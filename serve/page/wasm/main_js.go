// Command wasm is privateer for JavaScript: engine, encoders, bots and policies as WebAssembly, for the page without a server and for
// the frontends of others. Its one caller is ../js/index.js, which gives it the global object host, with
//
//	policies            trained policies, a list of {name, game}
//	bundle(name)        a promise of a policy's file, as Uint8Array
//	failure(code, text) the error to throw
//
// and gets the global object privateer: the version, and the functions of program. What one of them returns is a result, or the
// error to throw.
//
// Read it in this order: main_js.go (calls and errors), match_js.go (games and matches), think_js.go (bots and policies),
// table_js.go (what the page asks).
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"syscall/js"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/players/bots"
	_ "github.com/privateer-rl/privateer/engine/players/search"
	"github.com/privateer-rl/privateer/serve/version"
)

func main() {
	p := &program{
		host: js.Global().Get("host"), woken: make(chan struct{}, 1), games: map[string]*game{}, matches: map[int]*match{},
		bundles: map[string]*bundle.Bundle{}, players: map[string]bots.Bot{},
	}
	number, _ := version.Build()
	functions := map[string]any{"version": strings.TrimPrefix(number, "v")}
	for name, f := range map[string]func(args []js.Value) (any, error){
		"games": p.list, "game": p.describe,
		"match": p.deal, "read": p.read, "copy": p.copy, "free": p.free,
		"replay": p.replay, "transcript": p.transcript,
		"about": p.about, "seat": p.seat, "returns": p.returns, "legal": p.legal, "apply": p.apply, "show": p.show, "events": p.events, "encode": p.encode,
		"track": p.track, "asked": p.asked,
		"think": p.think, "policies": p.listPolicies, "policy": p.policy,
		"table": p.table,
	} {
		functions[name] = p.function(f)
	}
	js.Global().Set("privateer", functions)
	for range p.woken {
		for len(p.jobs) > 0 {
			job := p.jobs[0]
			p.jobs = p.jobs[1:]
			_, _ = guarded(func() (any, error) {
				job()
				return nil, nil
			})
		}
	}
}

// program is what there is of it. What takes long or waits is a job, because JavaScript's own calls must not wait.
type program struct {
	host    js.Value
	jobs    []func()
	woken   chan struct{}    // there are jobs
	games   map[string]*game // by the game string that was asked for
	matches map[int]*match   // by handle
	handle  int              // the last one; none is used again
	bundles map[string]*bundle.Bundle
	own     []listed            // the policies that were added here
	players map[string]bots.Bot // by name and game
}

// later adds a job. Jobs are done one after the other.
func (p *program) later(job func()) {
	p.jobs = append(p.jobs, job)
	select {
	case p.woken <- struct{}{}:
	default:
	}
}

// The codes of errors.
const (
	badArgument   = "bad_argument"   // one that means nothing
	unknownGame   = "unknown_game"   // the game string names no game, or sets what the game does not have
	badPosition   = "bad_position"   // one that cannot be, or is none of the game
	badTold       = "bad_told"       // what cannot have happened
	badTranscript = "bad_transcript" // one that cannot be replayed, or cannot be had
	illegalAction = "illegal_action" // there is no such action, or it is not legal now
	wrongSeat     = "wrong_seat"     // there is no such seat, or none is to act
	unknownPlayer = "unknown_player" // nobody has the name, or who has it does not play the game
	badPolicy     = "bad_policy"     // a bundle that is damaged, or cannot be had
	misfit        = "misfit"         // a policy, or a position, of another game
	freed         = "freed"          // the match was freed
	internal      = "internal"       // a bug
)

// failure is an error with its code.
type failure struct {
	code string
	error
}

func (f failure) Unwrap() error { return f.error }

func refuse(code, format string, args ...any) error {
	return failure{code, fmt.Errorf(format, args...)}
}

// because gives an error its code, unless it has one; nil if there is none.
func because(code string, err error) error {
	var f failure
	if err == nil || errors.As(err, &f) {
		return err
	}
	return failure{code, err}
}

// guarded calls f, and makes a panic an error: it must not end the program.
func guarded(f func() (any, error)) (result any, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = refuse(internal, "this is a bug of privateer, please report it: %v", fault)
		}
	}()
	return f()
}

// function is a function that JavaScript calls.
func (p *program) function(f func(args []js.Value) (any, error)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		result, err := guarded(func() (any, error) { return f(args) })
		if err != nil {
			return p.failure(err)
		}
		return result
	})
}

// failure is an error as JavaScript throws it.
func (p *program) failure(err error) js.Value {
	f := failure{code: internal}
	errors.As(err, &f)
	return p.host.Call("failure", f.code, err.Error())
}

// promise is a promise of what a job returns.
func (p *program) promise(job func() (any, error)) js.Value {
	var begin js.Func
	begin = js.FuncOf(func(_ js.Value, settle []js.Value) any {
		p.later(func() {
			defer begin.Release()
			if result, err := guarded(job); err != nil {
				settle[1].Invoke(p.failure(err))
			} else {
				settle[0].Invoke(result)
			}
		})
		return nil
	})
	return js.Global().Get("Promise").New(begin)
}

// text is an argument that is a text.
func text(v js.Value, what string) (string, error) {
	if v.Type() != js.TypeString {
		return "", refuse(badArgument, "%s: want a text, and it is of the type %s", what, v.Type())
	}
	return v.String(), nil
}

// whole is an argument that is a whole number.
func whole(v js.Value, what string) (int, error) {
	if v.Type() != js.TypeNumber {
		return 0, refuse(badArgument, "%s: want a whole number, and it is of the type %s", what, v.Type())
	}
	x := v.Float()
	if x != float64(int32(x)) {
		return 0, refuse(badArgument, "%s: %v: want a whole number", what, x)
	}
	return int(x), nil
}

// seed is an argument that is one, as digits.
func seed(v js.Value) (uint64, error) {
	digits, err := text(v, "seed")
	if err != nil {
		return 0, err
	}
	var n engine.Long
	err = n.UnmarshalJSON([]byte(`"` + digits + `"`))
	return uint64(n), because(badArgument, err)
}

// toBytes is an Uint8Array of JavaScript's own.
func toBytes(data []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(array, data)
	return array
}

func toGo(array js.Value) []byte {
	data := make([]byte, array.Length())
	js.CopyBytesToGo(data, array)
	return data
}

// toJSON is JSON, for JavaScript to parse.
func toJSON(what any, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err = e.Encode(what)
	return b.String(), err
}
