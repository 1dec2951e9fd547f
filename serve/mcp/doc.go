// Package mcp lets language models play at the tables of a server, over the Model Context Protocol: by standard input and output
// ([Stdio]) or over HTTP ([Handler]).
//
//	games    what can be played, and by which bots
//	rules    clauses of a game's rules
//	open     deals a match; a key for each seat that no bot has
//	observe  what a seat sees: a prompt in words, and as JSON the position, what has happened and the legal actions
//	act      takes an action, and waits for what comes of it
//	ask      what a bot would do in a seat's place
//
// Tables, bots and limits are those of package serve. The key of a seat is all that tells who may see and play it; there are no sessions. An
// answer holds what the seat may know: it is made of what engine.Witness has seen, and a match's seed is in none before the match is over.
// What is asked wrongly is answered by an error of the tool, for the model to read, and changes nothing.
package mcp
