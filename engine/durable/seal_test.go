package durable_test

import (
	"bytes"
	"testing"

	"github.com/privateer-rl/privateer/engine/durable"
)

func TestASealTellsWhatWasAlteredOrCutShort(t *testing.T) {
	for _, text := range []string{"", "a", "the sealed bytes"} {
		sealed := durable.Seal([]byte(text))
		if b, ok := durable.Unseal(sealed); !ok || string(b) != text {
			t.Errorf("%q is unsealed as %q, %v", text, b, ok)
		}
		for i := range sealed {
			bad := bytes.Clone(sealed)
			bad[i] ^= 4
			if _, ok := durable.Unseal(bad); ok {
				t.Errorf("%q: byte %d was altered unnoticed", text, i)
			}
			if _, ok := durable.Unseal(sealed[:i]); ok {
				t.Errorf("%q: cut to %d bytes unnoticed", text, i)
			}
		}
	}
	if got := durable.Seal([]byte("123456789")); !bytes.Equal(got[9:], []byte{0x83, 0x92, 0x06, 0xe3}) {
		t.Errorf("the seal of 123456789 is %x: CRC-32C of it is e3069283", got[9:])
	}
}
