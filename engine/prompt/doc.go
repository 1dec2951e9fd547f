// Package prompt lets a language model, or a person at a bare terminal, have a seat: it writes a decision as a text that says all there
// is to know, and reads an action out of an answer in free words.
//
//	p, err := prompt.New(game, prompt.RulesInBrief)
//	text := p.Write(match, log, "") // log: the moments that the seat has seen since its last decision, by a Witness
//	a, err := prompt.Read(match, "I will raise.\nAnswer: 2")
//
// A prompt holds the rules in brief, each with the id of its clause; the position as the seat that decides sees it; what has happened
// since its last decision; and its legal actions by number, name and words. It is made of what that seat may know and of nothing
// else, and names players by their seats only: names of bots and files are chosen by others, who could write instructions in
// them.
//
// Read is generous with spelling and strict with meaning: where an answer may mean two actions it is an error that names both.
package prompt
