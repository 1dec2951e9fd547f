package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/serve/frontend"
)

func newEngine() *cobra.Command {
	var attended bool
	cmd := &cobra.Command{
		Use:   "engine",
		Short: "Answer programs in any language about matches of theirs: rules, views, policies",
		Long: `Answer questions about matches: a program in any language writes one JSON object a line to standard input, and
reads one answer a line; empty lines have none. It is for frontends that have matches of their own, such as a game's user interface, and want our rules, what a seat sees,
and bots or policies to play against: one child process answers thousands of questions a second. The protocol is public and versioned;
serve/frontend/README.md describes it, and protocol.schema.json beside it has every entry.

A question has "op" and "game" (which a position or a transcript may name itself). The match that it is about is a "state" that an earlier answer
had, or a "position" as ` + "`privateer position print`" + ` writes it, or else a fresh one of a "seed"; "actions" lead on from there, by number or name. Nothing is kept
between questions but games and players, so that a match is copied by keeping its state. Chance is explicit: the caller says what
it brings, unless the game string says chance=sampled. States have everything that is hidden.

  game                             seats, actions, parameters, players and what an observation is; with: spec
  match        with, view          the match after the actions. with: names and words of the legal actions; mask, rows and observation
                                   for networks; position, render and svg as the view sees it (a seat, or -1 for all); its events and log
  think        player, seed        a bot's or policy's choice there, its probabilities and value; with: account
  track        view, told          a match consistent with the events that a seat at a table elsewhere has seen; with: as of match
  redeal       view, seed          the match with everything hidden from the view dealt anew
  transcript   seed, actions       a match from its beginning, as text that ` + "`privateer replay`" + ` reads
  replay       transcript          the text's game, and the match before each step and after the last
  recall       view                what a seat has seen of the actions, in words, and its latest view of the match
  prompt       rules, refused      the decision in words, for a language model, with at most this many tokens of rules, and what its seat has seen of the
                                   actions. refused says why its last answer was not taken
  answer       text                the action that a text chooses; without a match, which of the actions
  rules        rules               the rules in brief, in at most this many tokens
  sets                             the information sets of a game that is small enough
  nash_conv    policy              how far a policy is from an equilibrium: probabilities by set, in that order
  solve        steps               a policy close to an equilibrium, by CFR+, in the same form

The answer to a refused question is {"error": "…", "code": "…", "field": "…"}.`,
		Example: `  echo '{"op": "match", "game": "kuhn", "seed": 1, "with": ["names"]}' | privateer engine
  echo '{"op": "think", "game": "doubloons(seats=4)", "position": {"round": 3}, "player": "captain"}' | privateer engine
  echo '{"op": "solve", "game": "leduc", "steps": 50}' | privateer engine`,
		Args: arguments(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if attended {
				return answerWhileAsked(cmd.InOrStdin(), cmd.OutOrStdout())
			}
			return answerAll(cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&attended, "attended", false, "for a program that starts this one: end when standard input ends, even before the last answer")
	return cmd
}

// answerWhileAsked is answerAll until in ends: the caller is gone then, and its question may take for ever.
func answerWhileAsked(in io.Reader, out io.Writer) error {
	questions, asked := io.Pipe()
	ended := make(chan error, 2)
	go func() {
		_, err := io.Copy(asked, in)
		ended <- err
	}()
	go func() { ended <- answerAll(questions, out) }()
	return <-ended
}

// answerAll answers one question after the other, each a line.
func answerAll(in io.Reader, out io.Writer) error {
	questions, e := bufio.NewReaderSize(in, 64<<10), frontend.New()
	if start, err := questions.Peek(3); err == nil && string(start) == "\ufeff" { // as PowerShell begins what it pipes
		_, _ = questions.Discard(3)
	} else if err == nil && (string(start[:2]) == "\xff\xfe" || string(start[:2]) == "\xfe\xff") {
		return errors.New("read a question: this is UTF-16: want UTF-8")
	}
	for {
		line, err := nextLine(questions)
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("read a question: %w", err)
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if _, err := out.Write(append(e.Answer(line), '\n')); err != nil {
			return fmt.Errorf("write an answer: %w", err)
		}
	}
}

// nextLine is the next line, cut after frontend.LongestQuestion bytes and one. The last one need not end.
func nextLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part[:min(len(part), frontend.LongestQuestion+1-len(line))]...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		}
		return line, err
	}
}
