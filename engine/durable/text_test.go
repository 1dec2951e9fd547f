package durable_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/privateer-rl/privateer/engine/durable"
)

// in16 is a text as an editor of Windows saves it.
func in16(text string, little bool) string {
	var b strings.Builder
	for _, u := range append([]uint16{0xfeff}, utf16.Encode([]rune(text))...) {
		high, low := byte(u>>8), byte(u)
		if little {
			high, low = low, high
		}
		b.WriteByte(high)
		b.WriteByte(low)
	}
	return b.String()
}

func TestTextIsReadHoweverAnEditorHasSavedIt(t *testing.T) {
	for _, text := range []string{"", "seed: 7\n", "é ☠ 𝄞\r\n"} {
		for _, saved := range []string{text, "\ufeff" + text, in16(text, true), in16(text, false)} {
			if got, err := durable.Text([]byte(saved)); err != nil || string(got) != text {
				t.Errorf("%q: %q, error %v; want %q", saved, got, err, text)
			}
		}
	}
	for saved, want := range map[string]string{
		"a\nb\x00":                      "line 2: a byte of 0",
		in16("a", true)[2:]:             "a byte of 0",
		"\xff\xfe\x00\x00a\x00\x00\x00": "a byte of 0",
		"\xff\xfea":                     "middle of a character",
		"a\n\nM\xf6we":                  "line 3: the byte 0xf6 is not UTF-8: save",
	} {
		if got, err := durable.Text([]byte(saved)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, error %v; want %q", saved, got, err, want)
		}
	}
}
