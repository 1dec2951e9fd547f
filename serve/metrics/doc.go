// Package metrics has what the server and training runs export to Prometheus.
//
// The counters of steps are in a shard for each session, those of messages in
// a few padded cells; both are added up when Prometheus asks. A batch costs a handful of
// additions to memory that no other core writes, whatever its number of rows.
//
// Labels are bounded: games, seats, methods and codes, never a match, a seed
// or a client.
package metrics
