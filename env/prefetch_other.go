//go:build !amd64

package env

// prefetch does nothing here: the core finds out by itself what will be needed.
func prefetch(*uint8, int) {}
