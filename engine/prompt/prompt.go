package prompt

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

// Most is how many tokens a prompt has at most besides its rules and what was wrong with the last answer, in the games of the house. What has
// happened is cut to what the position and the legal actions leave of it, the oldest first; these are never cut.
const Most = 1500

// Prompter writes the prompts of one game. It may be used by many goroutines.
type Prompter struct {
	title string
	rules string
}

// New makes the prompter of a game. rules is the most tokens of rules in each prompt; 0 leaves the rules out.
func New(g engine.Game, rules int) (*Prompter, error) {
	info := g.Info()
	d, err := engine.Lookup(info.Game)
	if err != nil {
		return nil, err
	}
	c, err := engine.ParseSettings("game string", info.Config, d.Name, d.Parameters())
	if err != nil {
		return nil, err
	}
	p := &Prompter{title: d.Title}
	var set []string
	for _, param := range d.Params { // but those that are about learning
		if value := c.Get(param.Name); value != param.Default && !param.File && param.Name != engine.AdviceName && param.Name != engine.RewardsParam.Name {
			set = append(set, param.Name+"="+value)
		}
	}
	if len(set) > 0 {
		p.title += "; here " + strings.Join(set, ", ")
	}
	const head, end = "# Rules in brief\n\nEach line is a clause of the rules, with its id.\n\n", "\n"
	if text := brief(d, c, rules-Tokens(head+end)); text != "" {
		p.rules = head + text + end
	}
	return p, nil
}

// Rules are the part of every prompt that has the rules; "" if there are none.
func (p *Prompter) Rules() string { return p.rules }

// Write is the prompt for the seat that decides in m. log is what that seat has seen happen since its last decision; refused says why its
// last answer to the same was not taken, "" if it has given none.
func (p *Prompter) Write(m engine.Match, log []engine.Moment, refused string) string {
	var b strings.Builder
	b.Grow(len(p.rules) + 6*Most)
	fmt.Fprintf(&b, "You play %s. You are player %d of players 0 to %d, who sit at the seats of their numbers unless it says otherwise.\n\n", p.title, m.Seat(), m.Info().Seats-1)
	before := Tokens(b.String())
	b.WriteString(p.rules)

	position := "# What you see\n\n" + Position(m, m.Seat()) + "\n"
	decision := p.decision(m, refused)
	b.WriteString(position)
	writeLog(&b, log, Most-before-Tokens(position)-Tokens(decision))
	b.WriteString(decision)
	return b.String()
}

// decision is the question, the choices, and the form of an answer.
func (p *Prompter) decision(m engine.Match, refused string) string {
	var b strings.Builder
	b.WriteString("# Your decision\n\n")
	b.WriteString(m.Decision())
	b.WriteString("\n\nYour choices, each by number, name and words:\n\n")
	writeChoices(&b, m)
	if refused != "" {
		fmt.Fprintf(&b, "\nYour last answer was not taken: %s\n", refused)
	}
	b.WriteString("\nChoose one of them. End with a line that has its number or its name: Answer: NUMBER\n")
	return b.String()
}

// Position is a match as a seat sees it, in words, for any seat to act.
func Position(m engine.Match, seat int) string { return squeezed(engine.Outline(m, seat)) }

// squeezed is a drawing of a match without what only an eye needs: columns that stand in line.
func squeezed(drawing string) string {
	const gap = "  "
	var b strings.Builder
	b.Grow(len(drawing))
	for line := range strings.Lines(drawing) {
		line = strings.TrimSpace(line)
		for {
			i := strings.Index(line, gap)
			if i < 0 {
				break
			}
			b.WriteString(line[:i])
			b.WriteString(gap)
			line = strings.TrimLeft(line[i:], " ")
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return b.String()
}

// writeLog writes as much of what has happened as there is room for, a sentence a line, the newest of it.
func writeLog(b *strings.Builder, log []engine.Moment, room int) {
	const reserve = 40 // for the heading and what says that something is left out
	room -= reserve
	var all []string
	for _, moment := range log {
		switch {
		case len(moment.Told) > 0:
			all = append(all, moment.Told...)
		case moment.Line != "":
			all = append(all, moment.Line)
		}
	}
	if len(all) == 0 {
		return
	}
	first := len(all)
	for first > 0 {
		if room -= Tokens(all[first-1]) + 1; room < 0 {
			break
		}
		first--
	}
	b.WriteString("# What has happened since your last decision\n\n")
	if first > 0 {
		fmt.Fprintf(b, "(%s left out)\n", engine.Count(first, "older line is", "older lines are"))
	}
	for _, sentence := range all[first:] {
		b.WriteString(sentence)
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
}

// Choice is a legal action: its number, its name and what it does in words.
type Choice struct {
	Action engine.Action `json:"action"`
	Name   string        `json:"name"`
	Words  string        `json:"words"`
}

// Choices are the legal actions of a match, in their order.
func Choices(m engine.Match) []Choice {
	legal := m.Legal()
	all := make([]Choice, 0, legal.Count())
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		_, words := engine.Point(m, a)
		all = append(all, Choice{a, m.Info().ActionName(a), words})
	}
	return all
}

// many choices are more than a list of lines has room for: those that differ in their ends share a line.
const many = 8

// writeChoices writes the legal actions, a line each, or of many a line for those that are alike.
func writeChoices(b *strings.Builder, m engine.Match) {
	all := Choices(m)
	var above []Choice // those of the line above, if they are alike
	for i := 0; i < len(all); {
		n := 1
		if len(all) > many {
			n = alike(all[i:])
		}
		these := all[i : i+n]
		i += n
		if n == 1 {
			writeChoice(b, these[0])
			above = nil
			continue
		}
		writeAlike(b, these, above)
		above = these
	}
}

func writeChoice(b *strings.Builder, c Choice) {
	writeNumber(b, c.Action)
	b.WriteByte(' ')
	b.WriteString(c.Name)
	if !strings.EqualFold(c.Name, c.Words) {
		b.WriteString(": ")
		b.WriteString(c.Words)
	}
	b.WriteByte('\n')
}

func writeNumber(b *strings.Builder, a engine.Action) {
	var room [12]byte
	b.Write(strconv.AppendInt(room[:0], int64(a), 10))
}

// alike is how many of the first choices have the same beginning of name and words, and then one word each.
func alike(all []Choice) int {
	name, words := stem(all[0].Name), stem(all[0].Words)
	n := 1
	for n < len(all) && name != "" && words != "" && stem(all[n].Name) == name && stem(all[n].Words) == words {
		n++
	}
	return n
}

// stem is a text without its last word, which an =, a comma or a space comes before.
func stem(text string) string { return text[:strings.LastIndexAny(text, "=, ")+1] }

// writeAlike writes choices that have a stem in common: the stems, and then each with its number and its ends, unless those are the ends of
// the line above.
func writeAlike(b *strings.Builder, all, above []Choice) {
	name, words := len(stem(all[0].Name)), len(stem(all[0].Words))
	b.WriteString(all[0].Name[:name])
	b.WriteString("… (")
	b.WriteString(all[0].Words[:words])
	b.WriteString("…): ")
	if first, last := all[0].Action, all[len(all)-1].Action; int(last-first) == len(all)-1 && endAlike(all, above) {
		writeNumber(b, first)
		b.WriteString(" to ")
		writeNumber(b, last)
		b.WriteString(", in the order of the line above\n")
		return
	}
	for i, c := range all {
		if i > 0 {
			b.WriteString(", ")
		}
		writeNumber(b, c.Action)
		b.WriteByte(' ')
		b.WriteString(c.Name[name:])
		if c.Name[name:] != c.Words[words:] {
			b.WriteString(" (")
			b.WriteString(c.Words[words:])
			b.WriteByte(')')
		}
	}
	b.WriteByte('\n')
}

// endAlike reports whether the choices of two lines end in the same way, one after the other.
func endAlike(these, others []Choice) bool {
	return slices.EqualFunc(these, others, func(a, b Choice) bool {
		return a.Name[len(stem(a.Name)):] == b.Name[len(stem(b.Name)):] && a.Words[len(stem(a.Words)):] == b.Words[len(stem(b.Words)):]
	})
}
