// Package metrics has what the server and training runs tell Prometheus.
//
// What a step counts lies in a shard of its own for each session, and what a
// message counts in one of a few padded cells; both are added up when Prometheus asks. A
// batch costs a handful of additions to memory that no other core writes, whatever its
// number of rows.
//
// Labels are bounded: games, seats, methods and codes, never a match, a seed
// or a client.
package metrics
