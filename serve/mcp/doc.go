// Package mcp lets language models play at the tables of a server, over the Model Context Protocol: by standard input and output
// ([Stdio]) or over HTTP ([Handler]).
//
//	games    the games, and their bots
//	rules    clauses of a game's rules
//	open     deals a match; a key for each seat that no bot has
//	observe  what a seat sees: a prompt in words, and as JSON the position, what has happened and the legal actions
//	act      takes an action, and waits for its effects
//	ask      a bot's choice in a seat's place
//
// Tables, bots and limits are those of package serve. The key of a seat is the only credential to see and play it; there are no sessions. An
// answer contains only what the seat may know: it is made from an engine.Witness, and a match's seed is in none before the match is over.
// A wrong call returns an error of the tool, for the model to read, and changes nothing.
package mcp
