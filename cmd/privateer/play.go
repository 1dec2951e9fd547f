package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	"github.com/privateer-rl/privateer/engine/durable"
)

func newPlay() *cobra.Command {
	var (
		seat      int
		seed      uint64
		opponents []string
		save      string
		explain   string
		fields    bool
		web       string
	)
	cmd := &cobra.Command{
		Use:         "play GAME",
		Short:       "Play in the terminal or the browser against bots",
		Annotations: inOrder(),
		Long: `Play one seat of a match in the terminal, bots play the others. At each of your
decisions choose an action by its number, its name, or the start of its name; ? helps.
You see what your seat may know, and nothing else; the seed is shown when the match has
ended. End the input (ctrl-D), press ctrl-C or enter q to leave.

With --explain a bot gives its account of each of your decisions before you take it, as
` + "`privateer position think`" + ` prints it. It sees what your seat may know. Bots that search use all cores.

With --web the match is played on a page instead. Its address, which is printed, has the key that it needs.
Bots may be changed there, and seats given to other people; the page shows what a bot thinks, decisions may be taken
back, and a match that is over can be watched and saved.`,
		Example: `  privateer play leduc
  privateer play "doubloons(seats=3)" --seat 1 --seed 7 --save match.txt
  privateer play "doubloons(seats=4)" --bots random,heuristic,heuristic
  privateer play "doubloons(seats=4)" --bots search-100ms --explain
  privateer play "doubloons(seats=4)" --web
  privateer play "jolly_roger(seats=5)" --explain="search(rollouts=400)"`,
		Args: arguments(1, 1, "GAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := engine.NewGame(args[0])
			if err != nil {
				return err
			}
			info := g.Info()
			if info.Explicit {
				return fmt.Errorf("game %q: chance=explicit is for callers that decide chance: leave it out", args[0])
			}
			if seat < 0 || seat >= info.Seats {
				return usagef("--seat %d: want a seat from 0 to %d", seat, info.Seats-1)
			}
			if web != "" {
				for _, flag := range []string{"save", "explain", "fields"} {
					if cmd.Flags().Changed(flag) {
						return usagef("--%s: is for the terminal: the page has its own", flag)
					}
				}
			}
			if len(opponents) == 0 {
				// The last one listed is the strongest.
				names := bots.Names(g)
				opponents = names[len(names)-1:]
			}
			if web != "" {
				return playOnPage(cmd, web, args[0], info.Seats, seat, opponents, seed)
			}
			seats, err := seatBots(g, seat, opponents)
			if err != nil {
				return err
			}
			adviser, err := adviserNamed(explain, g)
			if err != nil {
				return fmt.Errorf("--explain: %w", err)
			}
			if !cmd.Flags().Changed("seed") {
				seed = rand.Uint64()
			}
			if save != "" {
				if err := durable.Check(save); err != nil {
					return fmt.Errorf("--save: %w", err)
				}
			}
			outliveReaders()
			p := &person{
				match: g.NewMatch(), seat: seat, bots: seats, rand: engine.NewRand(seed).At(1),
				record: engine.Transcript{Game: info.Config, Seed: seed},
				in:     lines(cmd.InOrStdin()), out: cmd.OutOrStdout(),
				eyes: engine.NewWitness(g, seat), before: g.NewMatch(), fields: fields,
				adviser: adviser, advice: engine.NewRand(seed).At(2),
			}
			fmt.Fprintf(p.out, "%s: you are seat %d, the bots are %s. ? helps.\n\n", info.Config, seat, strings.Join(opponents, ", "))
			err = p.play(cmd.Context())
			left := errors.Is(err, errLeft)
			if err != nil && !left {
				return err
			}
			// First of all, because the terminal may be gone.
			if save != "" {
				if err := os.MkdirAll(filepath.Dir(save), 0o755); err != nil {
					return fmt.Errorf("--save: %w", err)
				}
				if err := p.record.Save(save); err != nil {
					return fmt.Errorf("--save: %w", err)
				}
			}
			if left {
				fmt.Fprintf(p.out, "\nleft after %s\n", engine.Count(len(p.record.Steps), "decision", ""))
			} else if err := p.end(); err != nil {
				return err
			}
			// Not earlier: all hands follow from it.
			fmt.Fprintf(p.out, "seed: %d\n", seed)
			if save != "" {
				fmt.Fprintf(p.out, "transcript: %s\n", save)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.IntVar(&seat, "seat", 0, "your seat")
	f.BoolVar(&fields, "fields", false, "show what happened as actions and fields of the position, instead of words")
	f.Uint64Var(&seed, "seed", 0, "seed of the match (default: a random one)")
	botsFlag(cmd, &opponents, "bots of the other seats, by name or policy:BUNDLE, clockwise from yours; repeated to fill them (default: the strongest bot of the game)")
	f.StringVar(&explain, "explain", "", "bot, by name or policy:BUNDLE, that says what it thinks about each of your decisions")
	f.Lookup("explain").NoOptDefVal = "search-100ms"
	f.StringVar(&web, "web", "", "play on a page in the browser; as --web=HOST:PORT, at that address")
	f.Lookup("web").NoOptDefVal = "127.0.0.1:0"
	f.StringVar(&save, "save", "", "file to write the transcript to, also when you leave early")
	return cmd
}

// seatBots makes the bots of all seats but one.
func seatBots(g engine.Game, person int, names []string) ([]bots.Bot, error) {
	n := g.Info().Seats
	if len(names) > n-1 {
		return nil, usagef("--bots: %d bots: want at most %d, one for each other seat of %s", len(names), n-1, g.Info().Config)
	}
	seats := make([]bots.Bot, n)
	for k := range n - 1 {
		b, err := policy.NewBot(strings.TrimSpace(names[k%len(names)]), g)
		if err != nil {
			return nil, fmt.Errorf("--bots: %w", err)
		}
		if err := employ(b, 0); err != nil {
			return nil, fmt.Errorf("--bots: %w", err)
		}
		seats[(person+1+k)%n] = b
	}
	return seats, nil
}

// errLeft is what ends a match that the person leaves.
var errLeft = errors.New("left")

// person is who plays in the terminal, with the match.
type person struct {
	match  engine.Match
	seat   int
	bots   []bots.Bot // of the other seats
	rand   engine.Rand
	record engine.Transcript
	in     <-chan string // closed at the end of the input
	out    io.Writer
	seen   []byte          // the position that the person saw last
	others []turn          // what others have openly done since
	eyes   *engine.Witness // how the person sees the match
	before engine.Match
	told   []string // what has happened since, in words
	fields bool     // show actions and fields of positions instead of words

	adviser bots.Bot    // gives its account of the person's decisions; nil: nobody
	advice  engine.Rand // what it draws from: others play the same with it or without
}

// turn is what a seat did, one action after the other.
type turn struct {
	seat    int
	actions []string
}

// lines reads lines in the background, so that waiting for one can be
// interrupted.
func lines(in io.Reader) <-chan string {
	ch := make(chan string)
	go func() {
		defer close(ch)
		for sc := bufio.NewScanner(in); sc.Scan(); {
			ch <- sc.Text()
		}
	}()
	return ch
}

// play plays the match to its end or until the person leaves.
func (p *person) play(ctx context.Context) error {
	m := p.match
	m.Reset(p.record.Seed)
	p.eyes.Begin(m)
	if _, tells := engine.Tell(m, m, p.seat); !tells {
		p.fields = true
	}
	for m.Seat() != engine.Over {
		var a engine.Action
		if m.Seat() == p.seat {
			if err := p.show(); err != nil {
				return err
			}
			var err error
			if a, err = p.ask(ctx); err != nil {
				return err
			}
		} else {
			a = p.bots[m.Seat()].Act(m, &p.rand)
		}
		if err := p.take(a); err != nil {
			return err
		}
	}
	p.record.Returns = make([]float32, m.Info().Seats)
	m.Returns(p.record.Returns)
	return nil
}

// take performs an action, and notes what the person sees of it.
func (p *person) take(a engine.Action) error {
	p.before.CopyFrom(p.match)
	if err := p.match.Apply(a); err != nil {
		return err
	}
	p.record.Record(p.before, a)
	p.eyes.Chosen(p.before, a)
	if deeds, told, seen := p.eyes.See(p.match); seen {
		p.hear(deeds, told)
	}
	return nil
}

// hear notes what others have openly chosen, and in words what came of it.
func (p *person) hear(deeds []engine.Deed, told []string) {
	var did []string
	for _, d := range deeds {
		if d.Seat == p.seat {
			continue
		}
		name := p.match.Info().ActionName(d.Action)
		if n := len(p.others); n == 0 || p.others[n-1].seat != d.Seat {
			p.others = append(p.others, turn{seat: d.Seat})
		}
		last := &p.others[len(p.others)-1]
		last.actions = append(last.actions, name)
		did = append(did, fmt.Sprintf("%s: %s.", engine.SeatName(d.Seat), name))
	}
	if all := append(did, told...); len(all) > 0 {
		p.told = append(p.told, strings.Join(all, " "))
	}
}

// show prints what happened since the person's last decision, and the board: what
// others did, as far as the person may see it, and what changed in that view.
func (p *person) show() error {
	now, err := p.match.Position(p.seat)
	if err != nil {
		return err
	}
	if p.seen != nil {
		fmt.Fprintln(p.out, "since your last decision:")
		if err := p.news(now); err != nil {
			return err
		}
		fmt.Fprintln(p.out)
	}
	p.seen, p.others, p.told = now, nil, nil
	fmt.Fprint(p.out, p.match.Render(p.seat))
	return nil
}

// news prints what happened since the person's last decision: in words, or as actions and fields of the position.
func (p *person) news(now []byte) error {
	if p.told != nil && !p.fields {
		for _, sentence := range p.told {
			fmt.Fprintf(p.out, "  %s\n", sentence)
		}
		return nil
	}
	diff, err := changes(p.seen, now)
	if err != nil {
		return err
	}
	for _, t := range p.others {
		fmt.Fprintf(p.out, "  %s: %s\n", engine.SeatName(t.seat), strings.Join(t.actions, ", "))
	}
	for _, c := range diff {
		if !c.pending() {
			fmt.Fprintf(p.out, "  %s\n", c)
		}
	}
	return nil
}

// ask returns the action that the person chooses.
func (p *person) ask(ctx context.Context) (engine.Action, error) {
	m := p.match
	var legal []engine.Action
	for a := m.Legal().First(); a >= 0; a = m.Legal().Next(a) {
		legal = append(legal, a)
	}
	menu := func() {
		fmt.Fprintf(p.out, "\n%s\n", m.Decision())
		for i, a := range legal {
			fmt.Fprintf(p.out, "  %2d  %s\n", i+1, m.Info().ActionName(a))
		}
	}
	if p.adviser != nil {
		fmt.Fprintln(p.out)
		account := thinkOver(p.adviser, m, &p.advice)
		if err := account.write(p.out); err != nil {
			return 0, errLeft // nobody would see it any more
		}
	}
	menu()
	for {
		if _, err := fmt.Fprint(p.out, "> "); err != nil {
			return 0, errLeft // nobody would see it any more
		}
		var line string
		select {
		case text, ok := <-p.in:
			if !ok {
				return 0, errLeft
			}
			line = strings.TrimSpace(text)
		case <-ctx.Done():
			return 0, errLeft
		}
		switch line {
		case "":
			continue
		case "q", "quit":
			return 0, errLeft
		case "?", "help":
			fmt.Fprint(p.out, "Enter the number or the name of an action, or the start of its name.\nb shows the board again, q leaves, ? shows this.\n")
			menu()
			continue
		case "b", "board":
			fmt.Fprint(p.out, m.Render(p.seat))
			menu()
			continue
		}
		a, err := pick(m.Info(), legal, line)
		if err != nil {
			fmt.Fprintf(p.out, "%v\n", err)
			continue
		}
		return a, nil
	}
}

// pick finds the action that was meant, by number from 1, name or start of a
// name.
func pick(info *engine.Info, legal []engine.Action, line string) (engine.Action, error) {
	if n, err := strconv.ParseUint(line, 10, 16); err == nil {
		if n < 1 || n > uint64(len(legal)) {
			return 0, fmt.Errorf("there is no number %d: enter 1 to %d", n, len(legal))
		}
		return legal[n-1], nil
	}
	var near []engine.Action
	for _, a := range legal {
		name := strings.ToLower(info.ActionName(a))
		_, value, _ := strings.Cut(name, "=")
		want := strings.ToLower(line)
		if name == want || value == want {
			return a, nil
		}
		if strings.HasPrefix(name, want) || value != "" && strings.HasPrefix(value, want) {
			near = append(near, a)
		}
	}
	switch len(near) {
	case 1:
		return near[0], nil
	case 0:
		return 0, fmt.Errorf("%q is not a legal action: enter a number, a name, or ? for help", line)
	}
	names := make([]string, len(near))
	for i, a := range near {
		names[i] = info.ActionName(a)
	}
	return 0, fmt.Errorf("%q could be %s: enter more of it", line, strings.Join(names, ", "))
}

// end prints the last board and the result.
func (p *person) end() error {
	m, info := p.match, p.match.Info()
	fmt.Fprintf(p.out, "\n%s\n", m.Render(engine.Full))
	if err := writeStandings(p.out, info, standingsOf(m), p.seat); err != nil {
		return err
	}
	fmt.Fprintln(p.out, p.verdict())
	return nil
}

func (p *person) verdict() string {
	if limit, _ := p.match.Truncated(); limit != "" {
		return limit + " has ended the match, not the rules: nobody has won"
	}
	own, ahead, level := p.record.Returns[p.seat], 0, 0
	for _, r := range p.record.Returns {
		if r > own {
			ahead++
		} else if r == own {
			level++
		}
	}
	switch {
	case ahead > 0:
		return "you lost"
	case level > 1:
		return "you share the win"
	}
	return "you won"
}
