package main

import (
	"encoding/json"
	"math/rand/v2"
	"syscall/js"

	"github.com/privateer-rl/privateer/serve/table"
)

// table opens the one table of a page without a server, and returns the function that takes messages of the page, as package table
// describes them: (page), an object with
//
//	answer(text)  takes a message to the page
//	keep(text)    keeps the match, so that it survives a reload; nobody but the program may read it
//	kept          the match that was kept, or undefined
func (p *program) table(args []js.Value) (any, error) {
	page, kept := args[0], ""
	send := func(message any) {
		text, err := json.Marshal(message)
		if err != nil {
			text, _ = json.Marshal(table.Refuse("", err))
		}
		page.Call("answer", string(text))
	}
	desk := table.NewDesk(table.House{Bot: p.bot, Policies: p.policiesFor}, rand.Uint64)
	if before := page.Get("kept"); before.Type() == js.TypeString {
		p.later(func() {
			if err := desk.Resume([]byte(before.String())); err != nil {
				send(table.Refuse(table.DoSit, err))
			}
		})
	}
	return p.function(func(args []js.Value) (any, error) {
		text := args[0].String()
		p.later(func() {
			desk.Do([]byte(text), send)
			if data, err := desk.Keep(); err == nil && data != nil && string(data) != kept {
				kept = string(data)
				page.Call("keep", kept)
			}
		})
		return nil, nil
	}), nil
}
