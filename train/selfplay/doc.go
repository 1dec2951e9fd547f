// Package selfplay has the parts of training algorithms: matches in which a network has all seats, or those that opponents
// leave it, and a buffer of its decisions.
//
// Read it in this order: config.go (the settings), schedule.go (their changes during a run), network.go (the network, and
// the bundle that it becomes), advantage.go (the values of decisions), buffer.go (which decisions belong together), critic.go (values
// that stand in for unknown returns), opponents.go (bots and the league), mixture.go (several configurations side by side), play.go
// (one step of all matches, minibatches), update.go (one iteration of an algorithm, and its measurements), fit.go
// (learning target distributions).
package selfplay
