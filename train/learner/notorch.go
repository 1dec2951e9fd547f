//go:build !torch

package learner

// New builds a network with the given configuration; in this build it cannot.
func New(Config) (Learner, error) { return nil, ErrNoTorch }
