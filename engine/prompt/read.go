package prompt

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/privateer-rl/privateer/engine"
)

// ErrIllegal is the error of an answer that names an action of the game which is not legal now.
var ErrIllegal = errors.New("not legal now")

// Read is the legal action that an answer in free words chooses for the seat that decides in m, as Among reads it.
func Read(m engine.Match, text string) (engine.Action, error) {
	return Among(m.Info(), Choices(m), text)
}

// Among is which of the choices of a decision in a game an answer in free words names. An action is named by its number, its name or
// its words, in any case and spacing, or by the beginning of one of these that no other legal action has. What an answer says of itself counts most, and
// of several the last:
//
//	raise                          the whole answer, with quotes, in a fence or in bold if it likes
//	{"action": "raise"}            an object that has action, answer, choice, move, name or number
//	Answer: 2  /  I choose raise.  what follows such words
//	2                              the last line
//	I could call, but I raise.     the last action that is named, if what goes before does not deny it
//
// Whatever may mean several actions, or none, is an error that lists what may have been meant.
func Among(info *engine.Info, choices []Choice, text string) (engine.Action, error) {
	if i := strings.LastIndex(text, "</think>"); i >= 0 {
		text = text[i+len("</think>"):]
	}
	if len(text) > longest {
		text = strings.ToValidUTF8(text[len(text)-longest:], "")
	}
	r := reader{info: info}
	for _, c := range choices {
		name, words := wordsOf(c.Name), wordsOf(c.Words)
		_, argument, _ := strings.Cut(c.Name, "=")
		r.all = append(r.all, spelling{c.Action, name, words, wordsOf(argument)})
	}
	for _, way := range []func(string) (said, error){r.whole, r.inJSON, r.inFence, r.announced, r.lastLine, r.mentioned, r.marked} {
		s, err := way(text)
		switch {
		case err != nil:
			return -1, err
		case len(s) == 1:
			return s[0], nil
		case len(s) > 1:
			return -1, fmt.Errorf("%s may mean %s: name one of them by its number", shown(text), r.list(s))
		}
	}
	if len(wordsOf(text)) == 0 {
		return -1, errors.New("it is empty: answer with the number or the name of a choice")
	}
	return -1, fmt.Errorf("%s names no choice: the choices are %s", shown(text), r.list(r.actions()))
}

// Bounds of what is read, so that no answer takes long.
const (
	longest   = 64 << 10 // bytes of an answer, its end
	longLine  = 2 << 10  // bytes of a line that says what is chosen, its beginning
	mostWords = 100      // of a text that is a choice and nothing more
	mostTries = 20       // objects, announcements and marked texts, the last ones
)

// said are the actions that an answer may mean: none, one or several. They are different ones.
type said []engine.Action

func (s said) with(a engine.Action) said {
	if slices.Contains(s, a) {
		return s
	}
	return append(s, a)
}

// reader reads an answer about a decision.
type reader struct {
	info    *engine.Info
	all     []spelling
	illegal map[string]string // names of actions that are not legal, by their words; nil before they are asked for
}

// spelling is how an action may be written besides by its number, each as wordsOf has it.
type spelling struct {
	action   engine.Action
	name     []string
	words    []string
	argument []string // of the name, what follows the =
}

// wordsOf splits a text into its words, in small letters: letters and digits, and a sign before a number. All else only parts them.
func wordsOf(text string) []string {
	words, _ := split(text)
	return words
}

// split is wordsOf, and where each word begins and ends in the text.
func split(text string) (words []string, at [][2]int) {
	begin, sign := -1, -1
	end := func(i int) {
		if begin >= 0 {
			word := strings.ToLower(text[begin:i])
			if sign >= 0 {
				word = text[sign:sign+1] + word
				begin = sign
			}
			words, at = append(words, word), append(at, [2]int{begin, i})
		}
		begin = -1
	}
	for i, c := range text {
		switch {
		case unicode.IsLetter(c) || unicode.IsNumber(c):
			if begin < 0 {
				if begin = i; !unicode.IsDigit(c) {
					sign = -1
				}
			}
		case c == '+' || c == '-' && begin < 0 && i+1 < len(text) && isDigit(text[i+1]): // 2-3 is no −3, nor is a dash before a list's item a sign
			end(i)
			sign = i
		case c == ' ' && sign >= 0 && begin < 0 && text[sign] == '+':
		default:
			end(i)
			sign = -1
		}
	}
	end(len(text))
	return words, at
}

// number is a word that is a number of an action, or what is written like one.
func number(word string) (engine.Action, bool) {
	n, err := strconv.ParseUint(word, 10, 31)
	return engine.Action(n), err == nil
}

// fillers may stand before what is chosen, and say nothing.
var fillers = []string{"action", "option", "number", "choice", "move", "no", "the", "is", "to", "with", "my", "will", "be", "index", "id"}

// choose reads a text that is to be one choice and nothing more. A number or a name of an action that is not legal is an error.
func (r *reader) choose(text string) (said, error) {
	words := wordsOf(text)
	for len(words) > 0 && len(words) <= mostWords {
		if s, err := r.exactly(words); err != nil || s != nil {
			return s, err
		}
		if s := r.beginning(words); s != nil {
			return s, nil
		}
		if !slices.Contains(fillers, words[0]) {
			break
		}
		words = words[1:]
	}
	return nil, nil
}

// exactly reads words that are a number, a name or the words of an action, whole, or a line of the prompt: a number and what it stands for.
func (r *reader) exactly(words []string) (said, error) {
	var s said
	for _, is := range []func(c spelling) bool{
		func(c spelling) bool { return slices.Equal(words, c.name) },
		func(c spelling) bool { return slices.Equal(words, c.words) },
		func(c spelling) bool { return slices.Equal(words, slices.Concat(c.name, c.words)) },
	} {
		for _, c := range r.all {
			if is(c) {
				s = s.with(c.action)
			}
		}
		if s != nil {
			return s, nil
		}
	}
	if a, is := number(words[0]); is {
		if !r.legal(a) {
			if len(words) == 1 {
				return nil, r.refuse(words[0])
			}
			return nil, nil
		}
		rest := words[1:]
		if len(rest) > 0 {
			if s, _ = r.exactly(rest); s == nil {
				s = r.beginning(rest)
			}
			if s == nil {
				return nil, nil
			}
		}
		if s == nil || slices.Contains(s, a) {
			return said{a}, nil
		}
		return s.with(a), nil // its number says this, its name that
	}
	if r.illegal == nil {
		r.illegal = map[string]string{}
		for i, name := range r.info.Actions {
			if !r.legal(engine.Action(i)) {
				r.illegal[strings.Join(wordsOf(name), " ")] = name
			}
		}
	}
	if name, is := r.illegal[strings.Join(words, " ")]; is {
		return nil, r.refuse(name)
	}
	return nil, nil
}

// beginning reads words that begin the name or the words of one action, or of several; failing that what follows the = of a name.
func (r *reader) beginning(words []string) (s said) {
	text := strings.Join(words, " ")
	begins := func(spelled []string) bool { return strings.HasPrefix(strings.Join(spelled, " "), text) }
	for _, c := range r.all {
		if begins(c.name) || begins(c.words) {
			s = s.with(c.action)
		}
	}
	if s == nil {
		for _, c := range r.all {
			if slices.Equal(words, c.argument) {
				s = s.with(c.action)
			}
		}
	}
	return s
}

// whole reads the answer as nothing but a choice.
func (r *reader) whole(text string) (said, error) { return r.choose(text) }

var objectKeys = []string{"action", "answer", "choice", "move", "name", "number"}

// inJSON reads the last JSON object that says what it chooses.
func (r *reader) inJSON(text string) (said, error) {
	at := len(text)
	for range mostTries {
		if at = strings.LastIndexByte(text[:at], '{'); at < 0 {
			break
		}
		var object map[string]any
		d := json.NewDecoder(strings.NewReader(text[at:]))
		d.UseNumber()
		if d.Decode(&object) != nil {
			continue
		}
		var s said
		found := false
		for key, value := range object {
			if !slices.Contains(objectKeys, strings.ToLower(key)) {
				continue
			}
			spelled := fmt.Sprint(value)
			one, err := r.choose(spelled)
			if err != nil {
				return nil, err
			}
			if one == nil {
				one, _ = r.mentioned(spelled)
			}
			found = true
			for _, a := range one {
				s = s.with(a)
			}
		}
		if found && s == nil {
			return nil, fmt.Errorf("%s names no choice: the choices are %s", shown(text[at:]), r.list(r.actions()))
		}
		if found {
			slices.Sort(s)
			return s, nil
		}
	}
	return nil, nil
}

var fence = regexp.MustCompile("(?s)```[a-zA-Z]*\\n(.*?)```")

// inFence reads the last fenced block.
func (r *reader) inFence(text string) (said, error) {
	blocks := fence.FindAllStringSubmatch(text, -1)
	if blocks == nil {
		return nil, nil
	}
	return r.choose(blocks[len(blocks)-1][1])
}

// Phrases that announce a choice: a heading with a colon or =, or that it is something; or that the writer chooses.
var announces = regexp.MustCompile(`(?i)\b(?:answer|action|choice|decision|move|selection)\b[*_"'” ]*(?:(:|=|->|→)|is\b)|` +
	`\bI(?:['’]ll| will| would|['’]d)?(?: now| therefore| thus| then| finally)?(?: like to| decide to| decided to| have decided to| want to| go and)? (?:choose|chose|pick|select|opt for|go with|answer)\b:?`)

// leading is a number that a sentence follows which says more about it.
var leading = regexp.MustCompile(`^[^\pL\pN]*\d+\W*?[,.;:)]`)

// announced reads what follows the last words that announce a choice and are followed by one.
func (r *reader) announced(text string) (said, error) {
	all := announces.FindAllStringSubmatchIndex(text, -1)
	for _, at := range slices.Backward(all[max(0, len(all)-mostTries):]) {
		heading := at[2] >= 0
		line := firstLine(text[at[1]:])
		s, err := r.choose(line)
		if err == nil && s == nil {
			s, err = r.choose(firstSentence(line))
		}
		if first := leading.FindStringSubmatch(line); err == nil && s == nil && heading && first != nil {
			s, err = r.numbered(wordsOf(first[0]))
		}
		if err == nil && s == nil {
			s, err = r.mentioned(line)
		}
		if words := wordsOf(line); err == nil && s == nil && heading && len(words) > 0 {
			s, err = r.numbered(words)
		}
		if err != nil || s != nil {
			return s, err
		}
		if heading && len(wordsOf(line)) > 0 {
			return nil, fmt.Errorf("%s names no choice: the choices are %s", shown(line), r.list(r.actions()))
		}
	}
	return nil, nil
}

// numbered reads a number that other words follow, as in "2 because they are weak".
func (r *reader) numbered(words []string) (said, error) {
	a, is := number(words[0])
	switch {
	case !is:
		return nil, nil
	case !r.legal(a):
		return nil, r.refuse(words[0])
	}
	return said{a}, nil
}

// firstLine is the first line of a text that has a word, or as much of it as is read.
func firstLine(text string) string {
	if len(text) > longLine {
		text = strings.ToValidUTF8(text[:longLine], "")
	}
	for line := range strings.Lines(text) {
		if len(wordsOf(line)) > 0 {
			return line
		}
	}
	return ""
}

func firstSentence(line string) string {
	if i := strings.IndexAny(line, ".;!?"); i >= 0 {
		return line[:i]
	}
	return line
}

// lastLine reads the last line, if it is a choice and nothing more.
func (r *reader) lastLine(text string) (said, error) {
	lines := strings.Split(text, "\n")
	for _, line := range slices.Backward(lines) {
		switch words := wordsOf(line); {
		case len(words) > mostWords:
			return nil, nil
		case len(words) > 0:
			return r.exactly(words)
		}
	}
	return nil, nil
}

// Phrases before an action that is not chosen, and those that end their effect.
var (
	denials  = []string{"not", "t", "never", "than", "over", "instead", "without", "if", "unless", "because", "since", "when", "avoid", "against", "beats"}
	turnings = []string{"but", "so", "therefore", "hence", "thus", "however"}
)

// mentioned reads the last sentence that names actions, except those that it denies.
func (r *reader) mentioned(text string) (said, error) {
	words, at := split(text)
	var last, now said
	denied := false
	for i := 0; i < len(words); {
		if i > 0 {
			switch between := text[at[i-1][1]:at[i][0]]; {
			case strings.ContainsAny(between, ".;!?\n"):
				if now != nil {
					last = now
				}
				now, denied = nil, false
			case strings.ContainsAny(between, ",:"):
				denied = false
			}
		}
		s, n := r.longestAt(words[i:])
		switch {
		case n > 0 && !denied:
			for _, a := range s {
				now = now.with(a)
			}
		case n > 0:
		case slices.Contains(turnings, words[i]):
			if now != nil {
				last = now
			}
			now, denied, n = nil, false, 1
		default:
			denied, n = denied || slices.Contains(denials, words[i]), 1
		}
		i += n
	}
	if now != nil {
		last = now
	}
	slices.Sort(last)
	return last, nil
}

// longestAt are the actions that words begin with, by the longest of their names and words, and how many words that is.
func (r *reader) longestAt(words []string) (s said, n int) {
	for _, c := range r.all {
		for _, spelled := range [][]string{c.name, c.words} {
			switch k := len(spelled); {
			case k < n || k == 0 || k > len(words) || !slices.Equal(words[:k], spelled):
			case k > n:
				s, n = said{c.action}, k
			default:
				s = s.with(c.action)
			}
		}
	}
	return s, n
}

var marks = regexp.MustCompile("\\*\\*([^*\n]+)\\*\\*|`([^`\n]+)`|\"([^\"\n]+)\"|“([^”\n]+)”")

// marked reads what stands in bold or in quotes last, if all of it that is a choice is the same one.
func (r *reader) marked(text string) (s said, err error) {
	all := marks.FindAllStringSubmatch(text, -1)
	for _, found := range all[max(0, len(all)-mostTries):] {
		one, err := r.choose(strings.Join(found[1:], ""))
		if err != nil {
			return nil, err
		}
		for _, a := range one {
			s = s.with(a)
		}
	}
	return s, nil
}

func (r *reader) refuse(what string) error {
	return fmt.Errorf("%s is %w: the choices are %s", shown(what), ErrIllegal, r.list(r.actions()))
}

func (r *reader) legal(a engine.Action) bool {
	return slices.ContainsFunc(r.all, func(c spelling) bool { return c.action == a })
}

func (r *reader) actions() (all said) {
	for _, c := range r.all {
		all = append(all, c.action)
	}
	return all
}

// mostListed is how many actions an error names.
const mostListed = 8

// list are actions by number and name.
func (r *reader) list(s said) string {
	var parts []string
	for i, a := range s {
		if i == mostListed {
			return fmt.Sprintf("%s and %d more", strings.Join(parts, ", "), len(s)-i)
		}
		parts = append(parts, fmt.Sprintf("%d (%s)", a, r.info.ActionName(a)))
	}
	return strings.Join(parts, ", ")
}

// shown is the beginning of a text in quotes, printable and in a line.
func shown(text string) string {
	const most = 60
	text = strings.TrimSpace(text)
	if short := []rune(text); len(short) > most {
		text = string(short[:most]) + "…"
	}
	return strconv.Quote(text)
}
