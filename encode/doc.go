// Package encode turns matches into tensors: one vector of uint8 features per observation, in a layout that a [Schema] describes and
// that does not change with the configuration of the game.
//
//	enc, err := encode.For(game)
//	obs := make([]uint8, enc.Schema().Size)
//	enc.Encode(match, match.Seat(), obs)
//
// An observation is egocentric: its own seat comes first, the others follow clockwise, and seats that the match does not
// have are zero with a presence flag of zero. The pending decision is part of it. Encode writes what the seat may know and nothing
// else; EncodeFull adds what is hidden, for critics that are only used in training.
//
// A game may also describe the effects of each legal action, in a row of bytes (see [DescribeActions]):
//
//	rows := make([]uint8, match.Legal().Count()*enc.ActionSize())
//	n := enc.EncodeActions(match, rows)
//
// Rows have their own schema and hash. A batch of them is ragged: rows [total, F], those of decision i from offsets[i] to offsets[i+1],
// [n+1].
//
// A game may have advice (see [Advise]), with which rows end if the game string asks for it, such as Doubloons'
// advice=foresight: how the ships stand at the end of the slot if greedy captains play on, twice for each action.
//
// A game declares its observations as a struct of bytes, whose tags document each field (see
// [As]), and registers the function that fills it (see [Register], [New]). Schema, offsets and SCHEMA.md
// follow from the struct. Import engine/games to register the built-in encoders.
//
// Beside it, encode/infer computes networks, encode/bundle is a trained policy as a file, and encode/policy plays it as a bot.
package encode
