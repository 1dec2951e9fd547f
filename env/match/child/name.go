package child

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/prompt"
)

// The kinds of names: what a program is asked and answers.
const (
	name     = "exec"      // objects
	textName = "exec-text" // prompts in words, and answers in free text
)

// Params are the settings that a name may have, in parentheses before the colon: exec(ms=500,on_fault=stop):COMMAND.
var Params = []engine.Param{
	{Name: "ms", Default: "1000", Help: "milliseconds for a decision"},
	{Name: "start_ms", Default: "10000", Help: "milliseconds from the start of the program to its hello"},
	{Name: "retries", Default: "0", Help: "how often a question is repeated after a fault, with the error, within the same time unless it was silent or has ended"},
	{Name: "on_fault", Default: random, Choices: []string{random, forfeit, stop}, Help: "effect of a fault when no retries are left: a random action, the match is forfeited, or everything stops"},
}

// TextParams are the settings of exec-text:COMMAND: a language model gets more time.
var TextParams = func() []engine.Param {
	all := slices.Clone(Params)
	all[0].Default = "60000"
	return append(all, engine.Param{Name: "rules", Default: strconv.Itoa(prompt.RulesInBrief), Help: "tokens of rules in each prompt; 0 for none"})
}()

// mostRules is the most tokens of rules that can be asked for.
const mostRules = 100_000

// Effects of a fault.
const (
	random  = "random"
	forfeit = "forfeit"
	stop    = "stop"
)

// settings are the settings in a name.
type settings struct {
	args    []string // the program and its arguments
	think   time.Duration
	start   time.Duration
	retries int
	onFault string
	text    bool // it is asked in words
	rules   int  // tokens of rules in each prompt
}

// Is reports whether a name is of a program.
func Is(text string) bool {
	_, ok := kindOf(text)
	return ok
}

// kindOf is the kind of a name; false if it is no program's.
func kindOf(text string) (kind string, ok bool) {
	i := strings.IndexAny(text, ":(")
	if i < 0 {
		return "", false
	}
	return text[:i], text[:i] == name || text[:i] == textName
}

// CheckName refuses a name that New would refuse for every game.
func CheckName(text string) error {
	_, err := read(text)
	return err
}

// read reads a name: exec or exec-text, settings in parentheses if there are any, a colon and the command.
func read(text string) (settings, error) {
	fail := func(err error) (settings, error) { return settings{}, fmt.Errorf("bot %q: %w", text, err) }
	if strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) }) {
		return fail(errors.New("it has a character that cannot be printed: put the command into a script"))
	}
	kind, known := kindOf(text)
	head, command, ok := strings.Cut(text, ":")
	if strings.HasPrefix(text, kind+"(") {
		head, command, ok = strings.Cut(text, "):")
		head += ")"
	}
	if !ok || !known {
		return fail(errors.New("want exec:COMMAND or exec-text:COMMAND, or with settings exec(SETTING=VALUE,…):COMMAND"))
	}
	s := settings{text: kind == textName}
	params := Params
	if s.text {
		params = TextParams
	}
	config, err := engine.ParseSettings("bot", head, kind, params)
	if err != nil {
		return settings{}, err
	}
	ms := func(param string) time.Duration {
		n, e := config.Int(param, 1, 24*60*60*1000)
		err = errors.Join(err, e)
		return time.Duration(n) * time.Millisecond
	}
	s.think, s.start = ms("ms"), ms("start_ms")
	var e error
	s.retries, e = config.Int("retries", 0, 100)
	err = errors.Join(err, e)
	if s.text {
		s.rules, e = config.Int("rules", 0, mostRules)
		err = errors.Join(err, e)
	}
	s.onFault, e = config.OneOf("on_fault", random, forfeit, stop)
	if err = errors.Join(err, e); err != nil {
		return fail(err)
	}
	if s.args, err = words(command); err != nil {
		return fail(err)
	}
	if s.args[0], err = exec.LookPath(s.args[0]); err != nil {
		return fail(err)
	}
	return s, nil
}

// words splits a command at its spaces, except for those in quotes. There is no shell: nothing else has a meaning.
func words(command string) ([]string, error) {
	var all []string
	var word strings.Builder
	begun, quote := false, rune(0)
	for _, c := range command + " " {
		switch {
		case c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '"' || c == '\'':
			quote, begun = c, true
		case c != ' ':
			word.WriteRune(c)
			begun = true
		case begun:
			all = append(all, word.String())
			word.Reset()
			begun = false
		}
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("the closing %c is missing", quote)
	case len(all) == 0:
		return nil, errors.New("it names no program: want exec:COMMAND")
	}
	return all, nil
}
