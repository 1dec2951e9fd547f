package learner

import (
	"fmt"
	"math"
)

// entity is the network that scores an action by the row that describes it. With E the last of RowHidden, and x the trunk's output:
//
//	rows.I.weight   [RowHidden[I], in]      rows.I.bias [RowHidden[I]]
//	context.weight  [E, 2E]
//	query.weight    [E, last]               query.bias  [E]
//	direct.weight   [E, last]
//	embed.weight    [E, E]
//	score.weight    [1, E]
//
// Linear layers, each followed by ReLU, the same for all rows, make an embedding e of each legal action's row. Its score is
//
//	score · relu(embed e + q) + e · (direct x),   q = query x + context [mean of all e, largest of all e]
//
// Cost grows with the legal actions, not with the game's, and a new action has a score. The first policy is nearly uniform.
func entity(c Config, last int, add adder) {
	in := c.RowDim
	for i, h := range c.RowHidden {
		add(fmt.Sprintf("rows.%d.weight", i), math.Sqrt2, h, in)
		add(fmt.Sprintf("rows.%d.bias", i), 0, h)
		in = h
	}
	add("context.weight", 1, in, 2*in)
	add("query.weight", 1, in, last)
	add("query.bias", 0, in)
	add("direct.weight", 0.01, in, last)
	add("embed.weight", 1, in, in)
	add("score.weight", 0.01, 1, in)
}
