// Package measure has the statistics that everything that measures players reports: means with intervals.
//
// The rooms below it play matches (package match) and say what they show: compare who is stronger, rate a pool on one scale,
// balance how even a game is, response how exploitable a player is; plot draws estimates.
package measure
