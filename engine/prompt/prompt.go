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

// New makes the prompter of a game, with at most so many tokens of rules in each prompt; 0 for none.
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
	if text := brief(d, c, rules); text != "" {
		p.rules = "# Rules in brief\n\nEach line is a clause of the rules, with its id.\n\n" + text + "\n"
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

	position := "# What you see\n\n" + squeezed(engine.Outline(m, m.Seat())) + "\n"
	decision := p.decision(m, refused)
	b.WriteString(position)
	writeLog(&b, log, Most-before-Tokens(position)-Tokens(decision))
	b.WriteString(decision)
	return b.String()
}

// decision is what is asked, the choices, and how to answer.
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

// choice is a legal action as a prompt has it.
type choice struct {
	action engine.Action
	name   string
	words  string
}

func choicesOf(m engine.Match) []choice {
	legal := m.Legal()
	all := make([]choice, 0, legal.Count())
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		_, words := engine.Point(m, a)
		all = append(all, choice{a, m.Info().ActionName(a), words})
	}
	return all
}

// many choices are more than a list of lines has room for: those that differ in their ends share a line.
const many = 8

// writeChoices writes the legal actions, a line each, or of many a line for those that are alike.
func writeChoices(b *strings.Builder, m engine.Match) {
	all := choicesOf(m)
	var above []choice // those of the line above, if they are alike
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

func writeChoice(b *strings.Builder, c choice) {
	writeNumber(b, c.action)
	b.WriteByte(' ')
	b.WriteString(c.name)
	if !strings.EqualFold(c.name, c.words) {
		b.WriteString(": ")
		b.WriteString(c.words)
	}
	b.WriteByte('\n')
}

func writeNumber(b *strings.Builder, a engine.Action) {
	var room [12]byte
	b.Write(strconv.AppendInt(room[:0], int64(a), 10))
}

// alike is how many of the first choices have the same beginning of name and words, and then one word each.
func alike(all []choice) int {
	name, words := stem(all[0].name), stem(all[0].words)
	n := 1
	for n < len(all) && name != "" && words != "" && stem(all[n].name) == name && stem(all[n].words) == words {
		n++
	}
	return n
}

// stem is a text without its last word, which an =, a comma or a space comes before.
func stem(text string) string { return text[:strings.LastIndexAny(text, "=, ")+1] }

// writeAlike writes choices that have a stem in common: the stems, and then each with its number and its ends, unless those are the ends of
// the line above.
func writeAlike(b *strings.Builder, all, above []choice) {
	name, words := len(stem(all[0].name)), len(stem(all[0].words))
	b.WriteString(all[0].name[:name])
	b.WriteString("… (")
	b.WriteString(all[0].words[:words])
	b.WriteString("…): ")
	if first, last := all[0].action, all[len(all)-1].action; int(last-first) == len(all)-1 && endAlike(all, above) {
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
		writeNumber(b, c.action)
		b.WriteByte(' ')
		b.WriteString(c.name[name:])
		if c.name[name:] != c.words[words:] {
			b.WriteString(" (")
			b.WriteString(c.words[words:])
			b.WriteByte(')')
		}
	}
	b.WriteByte('\n')
}

// endAlike reports whether the choices of two lines end in the same way, one after the other.
func endAlike(these, others []choice) bool {
	return slices.EqualFunc(these, others, func(a, b choice) bool {
		return a.name[len(stem(a.name)):] == b.name[len(stem(b.name)):] && a.words[len(stem(a.words)):] == b.words[len(stem(b.words)):]
	})
}
