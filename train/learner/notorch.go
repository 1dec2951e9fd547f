//go:build !torch

package learner

// New cannot build a network in this build.
func New(Config) (Learner, error) { return nil, ErrNoTorch }
