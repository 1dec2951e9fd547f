//go:build !amd64

package env

// prefetch does nothing here: the core's own prefetcher has to do.
func prefetch(*uint8, int) {}
