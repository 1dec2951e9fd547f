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
		Long: `Answer questions about single matches: a program writes one JSON object a line to standard
input, and reads one a line. It is what privateer.Engine of the Python package and its OpenSpiel games are made with.

A question has "op" and "game" (which a transcript names itself), and most have "state", the match as an earlier answer had it. Nothing is
kept between questions but what the game itself is, so that a match is copied by keeping its state. Chance is explicit:
whoever asks says what it brings, unless the game string says chance=sampled. States have everything that is hidden.

  game                                       seats, actions, parameters and what an observation is
  new          seed                          a fresh match
  read         position                      a match at a position, as of ` + "`privateer position`" + `
  apply        state, actions                the match after actions and outcomes of chance, by number or name
  transcript   seed, actions                 a match from its beginning, as text that ` + "`privateer replay`" + ` reads
  replay       transcript                    what the text has: its game, and the match before each step and after the last
  redeal       state, seat, seed             the match with all that the seat cannot know dealt anew
  show         state, view, as               the match as position, text or svg, for a seat or for -1, which sees all
  recall       state, actions, seat          what a seat has seen of the actions since the state, in words, and the match as it saw it last
  prompt       state, actions, rules         the decision after actions in words, for a language model, with at most so many tokens of rules; it
                                             says what its seat has seen happen since the state. refused says why its last answer was not taken
  answer       state, text                   the action that a text chooses; with actions in place of a state, which of those
  rules        rules                         the rules in brief, in at most so many tokens
  sets                                       the information sets of a game that is small enough
  nash_conv    policy                        how far a policy is from an equilibrium: probabilities by set, in that order
  solve        steps                         a policy close to an equilibrium, by CFR+, in the same form

An answer to a question that is refused is {"error": "…"}.`,
		Example: `  echo '{"op": "new", "game": "kuhn", "seed": 1}' | privateer engine
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

// answerWhileAsked is answerAll until in ends: whoever asked is gone then, and what it wanted to know may take for ever.
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
