// Package table is a match with people and bots in its seats ([Table]), wherever it is played: over gRPC, on the page, in the
// browser alone or in the terminal. It has the page's messages too, and what they do ([Page]). A server adds who may sit where and for
// how long, [Desk] stands in for one in the browser. It imports what a browser can afford: no server, no protobuf, no YAML of its
// own, nothing of networks.
//
// A message holds only what the seat that gets it may know of the match. A match's seed, from which all hands
// follow, is in no message before the match is over.
//
// # Messages
//
// Both sides send JSON objects, one a message. A message from the page has a field "do"; a message to it has a
// field "is". Every request has an answer, though perhaps after others; a view may also arrive unasked, because others have
// played. A wrong request is answered by a refusal and changes nothing.
//
// The page asks ([Request]):
//
//	do         with                                     answered by
//	games                                               games: what can be played, with settings and bots
//	bots       game                                     bots: who can play this configuration
//	sit        table, key                               view; of a backend in the browser: without table and key, the match that it kept
//	rules      game                                     rules: those of the game, by clause
//	open       game, seats, seed, friendly              opened, then view
//	look                                                view, with the whole log
//	choose     action, decision                         view: that it is chosen; and what comes of it, as soon as the seat may see that
//	undo       decision                                 view: the match at one's last decision; friendly matches only
//	think      bot, decision                            thought: what a bot thinks about one's decision
//	save                                                saved: the transcript of a match that is over
//	replay     text, view                               replay: a transcript to be watched
//
// It is told:
//
//	is         type        what it is
//	games      [Games]     games with their settings
//	bots       [Bots]      bots of a configuration
//	rules      [Rules]     the text that has the clauses of a game
//	opened     [Opened]    a new table; the seats' keys, of which the page uses its own and gives the others away
//	view       [View]      the match as a seat sees it: picture, log, what it may choose
//	thought    [Thought]   probabilities, and of a search what it tried
//	saved      [Saved]     a file
//	replay     [Replay]    pictures, words and chances to win, step by step
//	refusal    [Refusal]   why nothing was done, in words for the reader; for is what was asked
//
// A view's log has the lines from line told on; those before it the page has. After decisions were taken back that the log tells of, told is 0.
//
// Views show and tell the moments of the match that a seat may see, and no others: neither what a view has nor when there is one depends on
// whether somebody is asked in secret, except for the time that such a question takes. See engine.Witness.
//
// A seat is asked by a view whose turn is "you". Its actions have a label in words, and if the picture shows what the action is
// about a mark: the elements of the picture whose data-mark is this are where it can be clicked. Several actions may have one mark.
// decision numbers what a seat is asked, from 1, so that a choice sent twice is taken once. Numbers only grow: after decisions were taken back
// what is asked has a new one, so that a choice that was made before is not taken for an answer to it.
package table
