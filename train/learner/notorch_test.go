//go:build !torch

package learner

import (
	"errors"
	"testing"
)

func TestNewSaysHowToGetLibtorch(t *testing.T) {
	if _, err := New(small); !errors.Is(err, ErrNoTorch) {
		t.Errorf("error %v, want ErrNoTorch", err)
	}
}
