package cli

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
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/serve/table"
	"github.com/privateer-rl/privateer/serve/version"
)

func newPlay() *cobra.Command {
	var (
		p         person
		opponents []string
		web       string
	)
	cmd := &cobra.Command{
		Use:         "play GAME",
		Short:       "Play in the terminal or the browser against bots",
		Annotations: inOrder(),
		Long: `Play one seat of a match in the terminal, bots play the others. At each of your
decisions choose an action by its number, its name, or the start of its name; ? helps.
You see only what your seat may know; the seed is shown when the match has
ended. End the input (ctrl-D), press ctrl-C or enter q to leave.

With --explain a bot gives its account of each of your decisions before you take it, as
` + "`privateer position think`" + ` prints it. It sees what your seat may know. Searching bots use all cores.

With --web you play on a page instead, at the address that is printed; it contains the key. On the page you can change
bots, give seats to other people, ask for a bot's account, take back decisions, and watch and save a match that is over.`,
		Example: `  privateer play leduc
  privateer play "doubloons(seats=3)" --seat 1 --seed 7 --save match.json
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
			if p.seat < 0 || p.seat >= info.Seats {
				return usagef("--seat %d: want a seat from 0 to %d", p.seat, info.Seats-1)
			}
			if len(opponents) == 0 {
				// The last one listed is the strongest.
				names := bots.Names(g)
				opponents = names[len(names)-1:]
			}
			if len(opponents) > info.Seats-1 {
				return usagef("--bots: %d bots: want at most %d, one for each other seat of %s", len(opponents), info.Seats-1, info.Config)
			}
			names := make([]string, info.Seats)
			names[p.seat] = table.Person
			for k := range info.Seats - 1 {
				names[(p.seat+1+k)%info.Seats] = strings.TrimSpace(opponents[k%len(opponents)])
			}
			if web == "" {
				return p.playAtTerminal(cmd, g, names, opponents)
			}
			for _, flag := range []string{"save", "explain", "fields"} {
				if cmd.Flags().Changed(flag) {
					return usagef("--%s: is for the terminal: the page has its own", flag)
				}
			}
			return playOnPage(cmd, web, args[0], names, p.seed)
		},
	}
	f := cmd.Flags()
	f.IntVar(&p.seat, "seat", 0, "your seat")
	f.BoolVar(&p.fields, "fields", false, "show events as actions and fields of the position, instead of words")
	f.Uint64Var(&p.seed, "seed", 0, "seed of the match (default: a random one)")
	botsFlag(cmd, &opponents, "players of the other seats, clockwise from yours (see privateer help players), repeated to fill them (default: the strongest bot of the game)")
	f.StringVar(&p.explain, "explain", "", "player that gives its account of each of your decisions")
	f.Lookup("explain").NoOptDefVal = "search-100ms"
	f.StringVar(&web, "web", "", "play on a page in the browser; as --web=HOST:PORT, at that address")
	f.Lookup("web").NoOptDefVal = "127.0.0.1:0"
	f.StringVar(&p.save, "save", "", "file to write the transcript to, also when you leave early: as JSON if its name ends in .json, else as text")
	return cmd
}

// errLeft ends a match that the person leaves.
var errLeft = errors.New("left")

// person is the player in the terminal.
type person struct {
	seat    int
	seed    uint64
	save    string // file for the transcript; "": none
	explain string // bot that gives its account of the person's decisions; "": none
	fields  bool   // show actions and fields of positions instead of words

	table   *table.Table
	adviser bots.Bot
	advice  engine.Rand   // what it draws from: others play the same with it or without
	in      <-chan string // closed at the end of the input
	out     io.Writer
	seen    []byte // the position that the person saw last
	told    int    // how many moments of the match the person has been told
}

// playAtTerminal plays a match to its end, or until the person leaves. names are the players by seat.
func (p *person) playAtTerminal(cmd *cobra.Command, g engine.Game, names, opponents []string) (err error) {
	players := make([]table.Occupant, len(names))
	for seat, name := range names {
		players[seat].Name = name
		if seat == p.seat {
			continue
		}
		b, err := match.NewBot(new(policy.Reader), name, g)
		if err == nil {
			err = employ(b, 0)
		}
		if err != nil {
			return fmt.Errorf("--bots: %w", err)
		}
		players[seat].Bot = b
		defer bots.Close(b)
	}
	if p.adviser, err = adviserNamed(p.explain, g); err != nil {
		return fmt.Errorf("--explain: %w", err)
	}
	if p.save != "" {
		if err := durable.Check(p.save); err != nil {
			return fmt.Errorf("--save: %w", err)
		}
	}
	if p.table, err = table.New(g, players); err != nil {
		return err
	}
	if !cmd.Flags().Changed("seed") {
		p.seed = rand.Uint64()
	}
	outliveReaders()
	p.table.Deal(p.seed)
	p.advice = engine.NewRand(p.seed).At(2)
	p.in, p.out = lines(cmd.InOrStdin()), cmd.OutOrStdout()
	if m := p.table.Match(); !p.fields {
		p.fields = engine.Listen(m) == nil
	}
	fmt.Fprintf(p.out, "%s: you are seat %d, the bots are %s. ? helps.\n\n", g.Info().Config, p.seat, strings.Join(opponents, ", "))
	err = p.play(cmd.Context())
	left := errors.Is(err, errLeft)
	if err != nil && !left {
		return err
	}
	// First of all, because the terminal may be gone.
	record := p.table.Transcript()
	record.Version, _ = version.Build()
	if p.save != "" {
		if err := os.MkdirAll(filepath.Dir(p.save), 0o755); err != nil {
			return fmt.Errorf("--save: %w", err)
		}
		if err := record.Save(p.save); err != nil {
			return fmt.Errorf("--save: %w", err)
		}
	}
	if left {
		fmt.Fprintf(p.out, "\nleft after %s\n", engine.Count(len(record.Steps), "decision", ""))
	} else if err := p.end(); err != nil {
		return err
	}
	// Not earlier: all hands follow from it.
	fmt.Fprintf(p.out, "seed: %d\n", p.seed)
	if p.save != "" {
		fmt.Fprintf(p.out, "transcript: %s\n", p.save)
	}
	return nil
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
	for {
		if err := p.table.PlayOn(nil); err != nil || p.table.Over() {
			return err
		}
		if err := p.show(); err != nil {
			return err
		}
		a, err := p.ask(ctx)
		if err != nil {
			return err
		}
		if err := p.table.Choose(p.seat, p.table.Next(p.seat), a); err != nil {
			return err
		}
	}
}

// show prints what happened since the person's last decision, and the board: what
// others did, as far as the person may see it, and what changed in that view.
func (p *person) show() error {
	m := p.table.Match()
	now, err := m.Position(p.seat)
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
	p.seen, p.told = now, p.told+len(p.table.Moments(p.seat, p.told))
	fmt.Fprint(p.out, m.Render(p.seat))
	return nil
}

// news prints what happened since the person's last decision: what others have openly chosen and what came of it in words, or as actions
// and fields of the position.
func (p *person) news(now []byte) error {
	info, last := p.table.Game().Info(), p.seat
	var words, actions strings.Builder
	for _, m := range p.table.Moments(p.seat, p.told) {
		for _, d := range m.Deeds {
			if d.Seat == p.seat {
				continue
			}
			name := info.ActionName(d.Action)
			if d.Seat == last {
				fmt.Fprintf(&actions, ", %s", name)
			} else {
				fmt.Fprintf(&actions, "\n  %s: %s", engine.SeatName(d.Seat), name)
			}
			last = d.Seat
		}
		if m.Line != "" {
			fmt.Fprintf(&words, "  %s\n", m.Line)
		}
	}
	if words.Len() > 0 && !p.fields {
		fmt.Fprint(p.out, words.String())
		return nil
	}
	diff, err := changes(p.seen, now)
	if err != nil {
		return err
	}
	if actions.Len() > 0 {
		fmt.Fprintln(p.out, actions.String()[1:])
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
	m := p.table.Match()
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
		account := bots.Think(p.adviser, m, &p.advice)
		if err := writeThought(p.out, account); err != nil {
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
	m := p.table.Match()
	fmt.Fprintf(p.out, "\n%s\n", m.Render(engine.Full))
	if err := writeStandings(p.out, m.Info(), standingsOf(m), p.seat); err != nil {
		return err
	}
	fmt.Fprintln(p.out, table.Verdict(m, p.seat))
	return nil
}
