// Package engine is the contract between games and everything that plays,
// encodes, trains or serves them.
//
// A game author writes [Rules]: a handful of functions over a flat value S, the
// state of one match. The package turns them into a [Game], which makes
// matches, and a [Match], which is what everyone else drives:
//
//	game, err := engine.NewGame("leduc")
//	rand := engine.NewRand(1)
//	m := game.NewMatch()
//	m.Reset(7)
//	for m.Seat() != engine.Over {
//		a := m.Legal().Sample(&rand) // or a policy's choice
//		if err := m.Apply(a); err != nil { … }
//	}
//	m.Returns(returns)
//
// Rules may offer more: secret choices ([Secretive]), statistics ([Chronicle]), a limit that keeps matches from continuing
// for ever without being one of their rules ([Limiter]), what happens in a match, while it does ([Narrator]), a picture of a match ([Artist]), what
// actions are about in it ([Pointer]), a match in few words ([Outliner]), the way back to the decisions that led to what others hold ([Retracer]), and what they
// may hold for what happens next ([Supposer]).
//
// A program that shows a running match to a seat follows it with a [Witness]: a seat must not learn how often others are asked in secret.
// A program that plays for a seat of a table elsewhere builds the seat's view of what it sees happen there, with a [Tracker].
//
// The package reads a file if a game string names one ([Box]) and writes one if it is told to
// ([Transcript.Save]); it starts no goroutine and keeps no global state but the registry of
// games. Import engine/games to have every built-in game registered; ADDING_A_GAME.md shows how
// to add one of your own, in an hour.
//
// # Words
//
//	game      a configuration of rules, named by a game string
//	match     one playing of a game; a deal is the seed of matches that begin alike
//	seat      a place at the table, 0 … n−1, or Chance; decisions are asked of seats
//	player    decides for a seat: the caller, a bot or a policy. Players may change seats between matches
//	bot       a player by name, that looks at a match and answers with an action (package bots)
//	policy    a map from observations to probabilities of actions, for many decisions at once
//	          (match.Policy); a bundle is a trained one as a file (encode/bundle)
//	decision  the choice of an action by a seat; turns and rounds are the rulebook's
//	view      the part of a match that a seat may know, or Full; an observation is a view as bytes
//	position  the state of a match, or a view of it, as JSON; where a ship is, is its region or space
//	frame     a pending decision or step, on the decision stack of a match
//
// # What is in this folder
//
// games: a folder for each game, with its rules, documents, components and positions; in its sub-packages what a seat
// observes of it (observe) and its players (captain, pirate, bidder): doubloons, jollyroger, kuhn, leduc, liarsdice. The package
// games registers them all.
//
// kit: what games are made with. frames (the decision stack, a row for each kind of decision), position
// (position files and their schemas), svg (pictures), clauses (the numbered clauses of a RULES.md), yamlfile (components files).
//
// players: what plays any game. bots (players by name), search (players that simulate what follows), exploit (how far a policy is from an
// equilibrium, exactly).
//
// prompt: a decision as a text for a language model, and its answer read.
//
// enginetest holds the conformance suite and what tests of games share.
//
// Other rooms use these too: durable (files that survive a crash: transcripts here, and whatever
// encode/bundle, env, train, serve and the command write), portable (functions with the same result on
// every machine).
package engine
