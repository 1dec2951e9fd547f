// Package frames declares the frames of a game's decision stack, each kind in one row.
//
// A frame (see engine.Frame) is what is to be decided or done next: a kind, whose it is, and a few
// small arguments. What a game says of a kind in its [Form] is all that has to be said: from it
// come the frame's text in positions and how that is read back, the ranges of its arguments, its JSON
// Schema, what it may stand on, the line of words that describes the decision, and the
// arguments that an observation shows. What a kind does stays in the game's own switches, which are faster
// than any table.
//
//	var forms = frames.New(
//		frames.Form[Kind]{Kind: AskBid, Name: "ask_bid", Seat: seats, On: "do_auction",
//			Args: frames.Args("least", frames.Number(0, 60)),
//			Says: "{seat}: bid more than {least}, or pass"},
//		…
//	)
//
// Ranges may depend on the configuration of a game, as in the number of seats: then the rules of each
// configuration have a table of their own, and one with the widest ranges gives schema and names.
package frames
