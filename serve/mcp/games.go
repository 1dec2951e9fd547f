package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/clauses"
	"github.com/privateer-rl/privateer/engine/prompt"
	"github.com/privateer-rl/privateer/serve/table"
)

type gamesIn struct {
	Game string `json:"game,omitempty" jsonschema:"a game string, such as doubloons(seats=3): who can play it; none: all games"`
}

type gamesOut struct {
	Games []table.Game `json:"games,omitempty"`
	Bots  *table.Bots  `json:"bots,omitempty"`
}

func (g *guest) games(_ context.Context, in gamesIn) (string, gamesOut, error) {
	if in.Game == "" {
		return "", gamesOut{Games: g.house.ListGames().Games}, nil
	}
	bots, err := g.house.ListBots(in.Game)
	return "", gamesOut{Bots: bots}, err
}

type rulesIn struct {
	Game    string   `json:"game" jsonschema:"a game string, such as doubloons(seats=3)"`
	Clauses []string `json:"clauses,omitempty" jsonschema:"ids of clauses, such as MOV-4, or beginnings of ids, such as MOV"`
}

type rulesOut struct {
	Sections []section        `json:"sections,omitempty"`
	Clauses  []clauses.Clause `json:"clauses,omitempty"`
}

// section is a heading of the rules with the ids of the clauses under it.
type section struct {
	Title string `json:"title"`
	First string `json:"first"`
	Last  string `json:"last"`
}

const mostClauses = 100 // that are named

func (g *guest) rules(_ context.Context, in rulesIn) (said string, out rulesOut, err error) {
	if n := len(in.Clauses); n > mostClauses {
		return "", out, fmt.Errorf("clauses: %d: want at most %d at a time", n, mostClauses)
	}
	game, err := g.house.Game(in.Game)
	if err != nil {
		return "", out, err
	}
	d, err := engine.Lookup(game.Info().Game)
	if err != nil {
		return "", out, err
	}
	all := clauses.Parse(d.Rules)
	if len(in.Clauses) == 0 {
		return brief(game, all)
	}
	for _, id := range in.Clauses {
		named := clauses.Named(all, id)
		if len(named) == 0 {
			return "", out, fmt.Errorf("clauses: %s has no clause %q: rules with the game alone lists the sections and their ids", d.Name, id)
		}
		out.Clauses = append(out.Clauses, named...)
	}
	var text strings.Builder
	for _, c := range out.Clauses {
		fmt.Fprintf(&text, "%s %s\n", c.ID, c.Text)
		if c.Notes != "" {
			fmt.Fprintf(&text, "    %s\n", c.Notes)
		}
	}
	return text.String(), out, nil
}

// brief are the rules in brief, and what the rest of them is about.
func brief(game engine.Game, all []clauses.Clause) (said string, out rulesOut, err error) {
	p, err := prompt.New(game, prompt.RulesInBrief)
	if err != nil {
		return "", out, err
	}
	for _, c := range all {
		if n := len(out.Sections); n > 0 && out.Sections[n-1].Title == c.Section {
			out.Sections[n-1].Last = c.ID
			continue
		}
		out.Sections = append(out.Sections, section{c.Section, c.ID, c.ID})
	}
	var text strings.Builder
	text.WriteString(p.Rules())
	text.WriteString("\n# All sections\n\n")
	for _, s := range out.Sections {
		fmt.Fprintf(&text, "%s: %s to %s\n", s.Title, s.First, s.Last)
	}
	return text.String(), out, nil
}

type openIn struct {
	Game  string   `json:"game" jsonschema:"a game string, such as doubloons(seats=3)"`
	Seats []string `json:"seats,omitempty" jsonschema:"by seat the name of a bot, or person for a seat that gets a key; none: you at seat 0, against the game's best quick bot"`
}

type openOut struct {
	Game  string   `json:"game"`
	Seats []opened `json:"seats"`
}

// opened is a seat of a new table.
type opened struct {
	Seat   int    `json:"seat"`
	Player string `json:"player"`
	Key    string `json:"key,omitempty" jsonschema:"opens this seat and nothing else; a bot's has none"`
	Page   string `json:"page,omitempty" jsonschema:"address at which a person can play this seat in a browser"`
}

func (g *guest) open(ctx context.Context, in openIn) (said string, out openOut, err error) {
	if err := g.server.MayOpen(g.who); err != nil {
		return "", out, err
	}
	bots, err := g.house.ListBots(in.Game)
	if err != nil {
		return "", out, err
	}
	if len(in.Seats) == 0 {
		in.Seats = append([]string{table.Person}, slices.Repeat([]string{bots.Best}, bots.Seats-1)...)
	}
	if len(in.Seats) != bots.Seats {
		return "", out, fmt.Errorf("seats: %d entries for the %d seats of %s: want for each seat the name of a bot, or %s", len(in.Seats), bots.Seats, bots.Game, table.Person)
	}
	keys, err := g.server.OpenTable(ctx, g.who, in.Game, in.Seats)
	if err != nil {
		return "", out, err
	}
	out.Game = bots.Game
	var text strings.Builder
	fmt.Fprintf(&text, "A match of %s is dealt.\n", bots.Game)
	for seat, key := range keys {
		one := opened{Seat: seat, Player: in.Seats[seat], Key: key}
		if key == "" {
			fmt.Fprintf(&text, "Seat %d: a bot.\n", seat)
		} else {
			one.Page = g.who.PageOf(key)
			fmt.Fprintf(&text, "Seat %d: key %s\n", seat, key)
		}
		out.Seats = append(out.Seats, one)
	}
	text.WriteString("Call observe with a key to see what its seat sees.\n")
	return text.String(), out, nil
}
