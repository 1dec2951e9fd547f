// Package child has the players that are programs of their own: child processes that get JSON lines and answer JSON lines,
// as engines of chess do by UCI. PROTOCOL.md says what the lines are. A program is asked in objects (exec:) or in words (exec-text:), as
// a language model is, by package prompt.
//
//	bot, err := child.New("exec:python3 bot.py", game)
//	defer bot.Close()
//
// A bot runs one process for each seat that it is asked for, so that no process is told what another seat sees, and keeps it for
// all its matches. Whatever a process does ends as an action or as a counted fault (bots.Faults): it may end, hang, print without
// end or leave processes behind, and nobody but its seat is worse off.
package child
