// Command wasm is the program in the page that needs no server: engine, encoders, bots and policies in a worker of the
// browser. The worker (worker.js) gives it a host, an object with
//
//	answer(text)      takes a message to the page
//	keep(text)        keeps the match, so that it survives a reload; nobody but the program may read it
//	kept              the match that was kept, or undefined
//	policies          trained policies: what game each plays, by its name
//	bundle(name)      a promise of a policy's file, as Uint8Array
//
// and gets the global object privateer, with
//
//	ask(text)         takes a message of the page, as package table describes them
//	match(text)       what package trace has of a transcript
//	outputs(text, bot)  a promise of what package trace has of it and a bot
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall/js"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/players/bots"
	_ "github.com/privateer-rl/privateer/engine/players/search"
	"github.com/privateer-rl/privateer/serve/page/wasm/trace"
	"github.com/privateer-rl/privateer/serve/table"
)

func main() {
	p := &program{host: js.Global().Get("host"), jobs: make(chan func(), 1<<10), bundles: map[string]*bundle.Bundle{}}
	p.desk = table.NewDesk(table.House{Bot: p.bot, Policies: p.policies}, rand.Uint64)
	if kept := p.host.Get("kept"); kept.Type() == js.TypeString {
		p.resume(kept.String())
	}
	js.Global().Set("privateer", map[string]any{
		"ask":     js.FuncOf(p.ask),
		"match":   js.FuncOf(p.match),
		"outputs": js.FuncOf(p.outputs),
	})
	p.host.Call("answer", `{"is":"ready"}`)
	for job := range p.jobs {
		job()
	}
}

// program is what the worker runs. What takes long is a job: JavaScript's own callbacks must not wait.
type program struct {
	host    js.Value
	desk    *table.Desk
	jobs    chan func()
	bundles map[string]*bundle.Bundle
	kept    string
}

func (p *program) resume(kept string) {
	if err := p.desk.Resume([]byte(kept)); err != nil {
		p.send(table.Refuse(table.DoSit, err))
	}
}

func (p *program) send(message any) {
	text, err := json.Marshal(message)
	if err != nil {
		text, _ = json.Marshal(table.Refuse("", err))
	}
	p.host.Call("answer", string(text))
}

func (p *program) ask(_ js.Value, args []js.Value) any {
	text := args[0].String()
	p.jobs <- func() {
		p.desk.Do([]byte(text), p.send)
		p.keep()
	}
	return nil
}

// keep keeps the match if it has changed.
func (p *program) keep() {
	data, err := p.desk.Keep()
	if err == nil && data != nil && string(data) != p.kept {
		p.kept = string(data)
		p.host.Call("keep", p.kept)
	}
}

// policies are the names of those that play a game.
func (p *program) policies(g engine.Game) []string {
	all := p.host.Get("policies")
	var names []string
	keys := js.Global().Get("Object").Call("keys", all)
	for i := range keys.Length() {
		if name := keys.Index(i).String(); all.Get(name).String() == g.Info().Game {
			names = append(names, policy.Prefix+name)
		}
	}
	slices.Sort(names)
	return names
}

// bot makes bots by name, policies too.
func (p *program) bot(name string, g engine.Game) (bots.Bot, error) {
	return bots.Maker{Others: p.policy}.New(name, g)
}

// policy makes the bot of a policy, whose file is fetched once; nil for a name that is not of one.
func (p *program) policy(name string, g engine.Game) (bots.Bot, error) {
	short, ok := strings.CutPrefix(name, policy.Prefix)
	if !ok {
		return nil, nil
	}
	b := p.bundles[short]
	if b == nil {
		data, err := p.fetch(short)
		if err == nil {
			b, err = bundle.Decode(data)
		}
		if err != nil {
			return nil, fmt.Errorf("bot %q: %w", name, err)
		}
		p.bundles[short] = b
	}
	return policy.Of(name, b, g)
}

// fetch waits for the file of a policy.
func (p *program) fetch(name string) ([]byte, error) {
	if p.host.Get("policies").Get(name).Type() != js.TypeString {
		return nil, errors.New("the page has no such policy")
	}
	var data []byte
	err := errors.New("it cannot be fetched")
	done := make(chan bool)
	got := js.FuncOf(func(_ js.Value, args []js.Value) any {
		data, err = make([]byte, args[0].Length()), nil
		js.CopyBytesToGo(data, args[0])
		close(done)
		return nil
	})
	failed := js.FuncOf(func(_ js.Value, args []js.Value) any {
		err = fmt.Errorf("it cannot be fetched: %s", js.Global().Get("String").Invoke(args[0]).String())
		close(done)
		return nil
	})
	defer got.Release()
	defer failed.Release()
	p.host.Call("bundle", name).Call("then", got, failed)
	<-done
	return data, err
}

func (p *program) match(_ js.Value, args []js.Value) any {
	t, err := engine.ReadTranscript(strings.NewReader(args[0].String()))
	if err != nil {
		return err.Error()
	}
	digest, err := trace.Match(t)
	if err != nil {
		return err.Error()
	}
	return digest
}

func (p *program) outputs(_ js.Value, args []js.Value) any {
	text, name := args[0].String(), args[1].String()
	var run js.Func
	run = js.FuncOf(func(_ js.Value, settle []js.Value) any {
		p.jobs <- func() {
			defer run.Release()
			lines, err := p.outputsOf(text, name)
			if err != nil {
				lines = err.Error()
			}
			settle[0].Invoke(lines)
		}
		return nil
	})
	return js.Global().Get("Promise").New(run)
}

func (p *program) outputsOf(text, name string) (string, error) {
	t, err := engine.ReadTranscript(strings.NewReader(text))
	if err != nil {
		return "", err
	}
	g, err := engine.NewGame(t.Game)
	if err != nil {
		return "", err
	}
	b, err := p.bot(name, g)
	if err != nil {
		return "", err
	}
	mixed, ok := b.(bots.Mixed)
	if !ok {
		return "", fmt.Errorf("bot %s does not say by which chances it chooses", name)
	}
	return trace.Outputs(t, mixed)
}
