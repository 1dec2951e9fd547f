// Package policy is a trained bot as a file, a bundle, and plays it without
// libtorch.
//
//	bundle, err := policy.Load("pirate.bundle")
//	bot, err := bundle.Bot("pirate", game) // refused if the game is not the bundle's
//	action := bot.Act(match, &rand)
//
// It reads in this order: bundle.go (what a bundle holds, and what it fits),
// file.go (the bytes), network.go (the arithmetic), whole.go (the same in whole numbers, int16:FILE), bot.go (the bot).
//
// A bundle carries all that another program needs to play it: the layout of the
// observation with the scale of every byte, the names of the actions, how an action is chosen,
// the weights, and decisions with their logits by which a frontend can tell that it
// computes the same.
//
// # What a decision costs
//
// BenchmarkDecision/captain-2-int16/played measures decisions of doubloons(seats=4) in matches that the policy plays in all seats, with all that
// they take: observation, mask, rows, network, choice and rules. (/parts leaves the network out, /rules the observation and the rows too.)
// Of captain-2 in whole numbers, int16:captain-2, half is the network, most of the rest are rows. What keeps it low:
//
//   - Inputs that are zero are never read and are listed by vectors, and the sums of the first layer follow what has changed since the
//     same seat's last decision: 40 inputs, of which 186 are not zero; since any seat's last decision, 62.
//   - A layer with its bias and relu is one call of the kernel for Ice Lake, Zen 4 and later (AVX-512 with VNNI and VBMI2), and its weights
//     are bytes if the bundle is compact: they come from the second-level cache, which is what they cost. Older machines take the kernel of AVX2.
//   - What a captain's first card could bring in a round serves his second and third, and what is known at his movement serves his action.
//
// A decision takes 5.6 to 5.9 µs on a quiet core, 0.17 M a second (0.15 M were to be reached; BenchmarkDecision): about half is the network, a
// twentieth are the rules. Before weights of bytes and layers in one call it took longer: the median of 12 pairs of runs of 150,000
// decisions in turn is 0.86 of the time, and 0.73 for the network. The weights that a decision reads, about 130 kB, come from the
// second-level cache. The rows of a programme's first card cost most: several times those of a movement or an action.
package policy
