// Package selfplay is what algorithms of training are made of: matches in which a network has all seats, or those that opponents
// leave it, and a buffer of its decisions.
//
// It reads in this order: config.go (what is played and learnt), schedule.go (how it changes during a run), network.go (the network, and
// the bundle that it becomes), advantage.go (what decisions were worth), buffer.go (which decisions belong together), critic.go (values
// that stand in for what is not known), opponents.go (bots and the league), mixture.go (several configurations side by side), play.go
// (one step of all matches, minibatches), update.go (what an algorithm does in an iteration, and what is measured of it), fit.go
// (learning target distributions).
package selfplay
