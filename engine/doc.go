// Package engine is the contract between games and everything that plays,
// encodes, trains or serves them.
//
// A game author writes [Rules]: a handful of functions over a flat value S, the
// state of one match. The package turns them into a [Game], which makes
// matches, and a [Match], which is what everyone else drives:
//
//	game, err := engine.NewGame("leduc")
//	m := game.NewMatch()
//	m.Reset(7)
//	for m.Seat() != engine.Over {
//		a := m.Legal().Sample(&rand)       // or a policy's choice
//		if err := m.Apply(a); err != nil { … }
//	}
//	m.Returns(returns)
//
// Rules may offer more: what is seen of a choice where that is not all of it
// ([Secretive]), what statistics ask for ([Chronicle]), and a limit that keeps matches from going on
// for ever without being one of their rules ([Limiter]).
//
// Package engine itself does no I/O beyond text readers and writers, starts no
// goroutine and keeps no global state but the registry of games. Import
// engine/games to have every game registered.
package engine
