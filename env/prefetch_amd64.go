package env

// prefetch asks the core to bring n bytes of memory into its cache while it does
// something else.
//
//go:noescape
func prefetch(p *uint8, n int)
