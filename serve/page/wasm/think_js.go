package main

import (
	"errors"
	"slices"
	"strings"
	"syscall/js"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// listed is a trained policy that can be had.
type listed struct {
	Name string `json:"name"`
	Game string `json:"game"`
}

// policies are those of the host, and those that were added.
func (p *program) policies() []listed {
	var all []listed
	given := p.host.Get("policies")
	for i := range given.Length() {
		all = append(all, listed{given.Index(i).Get("name").String(), given.Index(i).Get("game").String()})
	}
	return append(all, p.own...)
}

func (p *program) hasPolicy(name string) bool {
	return slices.ContainsFunc(p.policies(), func(l listed) bool { return l.Name == name })
}

func (p *program) listPolicies([]js.Value) (any, error) { return toJSON(p.policies(), nil) }

// policiesFor are the names of the bots of those that play a game.
func (p *program) policiesFor(g engine.Game) []string {
	var names []string
	for _, l := range p.policies() {
		if l.Game == g.Info().Game {
			names = append(names, policy.Prefix+l.Name)
		}
	}
	slices.Sort(names)
	return names
}

// policy adds one, and returns its name: (bytes, name), of which the second may be undefined.
func (p *program) policy(args []js.Value) (any, error) {
	b, err := bundle.Decode(toGo(args[0]))
	if err != nil {
		return nil, because(badPolicy, err)
	}
	name := b.Digest()
	if !args[1].IsUndefined() {
		if name, err = text(args[1], "name"); err != nil {
			return nil, err
		}
	}
	if strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") != "" || name == "" {
		return nil, refuse(badArgument, "name %q: want one of letters, digits, -, _ and .", name)
	}
	if p.hasPolicy(name) {
		return nil, refuse(badArgument, "there is a policy called %s already", name)
	}
	p.bundles[name] = b
	p.own = append(p.own, listed{name, b.Name})
	return name, nil
}

// bot makes bots by name, policies too. It waits for a policy's file, which is fetched once.
func (p *program) bot(name string, g engine.Game) (bots.Bot, error) {
	return bots.Maker{Others: func(name string, g engine.Game) (bots.Bot, error) {
		short, ok := strings.CutPrefix(name, policy.Prefix)
		if !ok {
			return nil, nil
		}
		b, err := p.bundle(short)
		if err != nil {
			return nil, err
		}
		return policy.Of(name, b, g)
	}}.New(name, g)
}

func (p *program) bundle(name string) (*bundle.Bundle, error) {
	if b := p.bundles[name]; b != nil {
		return b, nil
	}
	if !p.hasPolicy(name) {
		return nil, refuse(unknownPlayer, "there is no policy %q here", name)
	}
	data, err := p.fetch(name)
	if err == nil {
		p.bundles[name], err = bundle.Decode(data)
	}
	if err != nil {
		delete(p.bundles, name)
		return nil, refuse(badPolicy, "policy %s: %w", name, err)
	}
	return p.bundles[name], nil
}

// fetch waits for the file of a policy.
func (p *program) fetch(name string) (data []byte, err error) {
	done := make(chan struct{})
	got := js.FuncOf(func(_ js.Value, args []js.Value) any {
		data = toGo(args[0])
		close(done)
		return nil
	})
	failed := js.FuncOf(func(_ js.Value, args []js.Value) any {
		err = errors.New(js.Global().Get("String").Invoke(args[0]).String())
		close(done)
		return nil
	})
	defer got.Release()
	defer failed.Release()
	p.host.Call("bundle", name).Call("then", got, failed)
	<-done
	return data, err
}

// mostPlayers is how many players are kept. With one more all are forgotten, and made again when they are asked.
const mostPlayers = 16

// player is the one of a name. A policy is known by its own name too.
func (p *program) player(name string, g engine.Game) (bots.Bot, error) {
	key := g.Info().Config + " " + name
	if b := p.players[key]; b != nil {
		return b, nil
	}
	b, err := p.bot(name, g)
	if errors.Is(err, bots.ErrUnknown) && p.hasPolicy(name) {
		b, err = p.bot(policy.Prefix+name, g)
	}
	switch {
	case errors.Is(err, bundle.ErrMisfit):
		return nil, because(misfit, err)
	case err != nil:
		return nil, because(unknownPlayer, err)
	}
	if len(p.players) == mostPlayers {
		clear(p.players)
	}
	p.players[key] = b
	return b, nil
}

// thought is a player's account of a decision.
type thought struct {
	Action        engine.Action `json:"action"`
	Name          string        `json:"name"`
	Probabilities []float64     `json:"probabilities"` // by action
	Value         []*float64    `json:"value"`         // by seat, null if it is not known
	Account       *bots.Thought `json:"account"`
}

// think asks a player for the action of the seat to act, and returns a promise: (match, player, seed). The match is the one of now,
// whatever happens to it before the player has thought.
func (p *program) think(args []js.Value) (any, error) {
	m, err := p.match(args)
	if err != nil {
		return nil, err
	}
	name, err := text(args[1], "player")
	if err != nil {
		return nil, err
	}
	from, err := seed(args[2])
	if err != nil {
		return nil, err
	}
	if m.m.Seat() < 0 {
		return nil, refuse(wrongSeat, "no seat is to act: %s", m.m.Decision())
	}
	now := m.NewMatch()
	now.CopyFrom(m.m)
	return p.promise(func() (any, error) {
		b, err := p.player(name, m.Game)
		if err != nil {
			return nil, err
		}
		whole := false
		defer func() {
			if !whole {
				clear(p.players) // it panicked, and may have stopped half-way
			}
		}()
		r := engine.NewRand(from).At(1) // as `privateer position think` draws
		told := bots.Explain(b, now, &r)
		t := thoughtOf(b, now, &told)
		whole = true
		return toJSON(t, nil)
	}), nil
}

func thoughtOf(b bots.Bot, m engine.Match, told *bots.Account) *thought {
	info := m.Info()
	t := &thought{
		Action: told.Choice, Name: info.ActionName(told.Choice), Probabilities: make([]float64, len(info.Actions)), Value: bots.Known(told.Value),
		Account: bots.ThoughtOf(b, m, told),
	}
	if t.Value == nil {
		t.Value = make([]*float64, info.Seats)
	}
	a := m.Legal().First()
	for _, x := range told.Probabilities(b, m) {
		t.Probabilities[a] = x
		a = m.Legal().Next(a)
	}
	return t
}
