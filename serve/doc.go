// Package serve offers matches and bots over gRPC: batches of environments that a
// trainer in any language steps, and tables at which clients sit with bots.
//
//	srv, err := serve.New(serve.DefaultConfig(), serve.Options{})
//	err = srv.Run(ctx) // until ctx ends; then it drains
//
// [Server.Share] serves one program on this machine over shared memory instead.
//
// The services are in proto/privateer/v1. Read the files in this order: config.go (every
// setting), server.go (life of the process), session.go and sessions.go (a
// vector that outlives connections, and all of them), commands.go (requests
// checked), batch.go (answers on the wire), unsent.go
// (answers that nobody reads), roster.go (who can play), environment.go
// and stream.go (the environment service), policy.go and tables.go (the policy
// service), page.go (the page to play on, at the same tables), connections.go,
// auth.go and limits.go (who may, and how much), drain.go and folder.go (what
// the next server continues), shared.go and shared_memory.go (a program on
// this machine), clock.go (the only clock). What is played at a table is in
// serve/table, metrics are in serve/metrics, the Python client in serve/python.
//
// The locks are few. A session's lock is held while its vector is used, and
// never while something is sent: a slow reader holds up nobody. The table of
// sessions has a lock of its own, which is held for map operations only.
package serve
