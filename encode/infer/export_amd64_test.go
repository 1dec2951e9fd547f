package infer

// WithVectors and BitsOf are for the tests of whole networks, which import package bundle.
var (
	WithVectors = withVectors
	BitsOf      = bitsOf
)
