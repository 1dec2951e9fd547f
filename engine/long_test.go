package engine_test

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

// A reader that has only doubles does not change a number without a word.
func TestLongSurvivesReadersOfDoubles(t *testing.T) {
	for _, n := range []uint64{0, 7, 1<<53 - 1, 1 << 53, 1<<53 + 1, 1<<53 + 2, 1 << 60, 1827500913555596551, 13419779825826515364, math.MaxUint64 - 1, math.MaxUint64} {
		text, err := json.Marshal(engine.Long(n))
		if err != nil {
			t.Fatal(err)
		}
		var double any
		if err := json.Unmarshal(text, &double); err != nil {
			t.Fatal(err)
		}
		passed, err := json.Marshal(double)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range [][]byte{text, passed, []byte(`"` + strconv.FormatUint(n, 10) + `"`)} {
			var got engine.Long
			if err := json.Unmarshal(text, &got); err != nil || uint64(got) != n {
				t.Errorf("%d through %s: %d, error %v", n, text, got, err)
			}
		}
		// What an older program wrote as a number, and a reader of doubles has changed.
		for _, format := range []byte{'f', 'e'} {
			for _, precision := range []int{-1, 0} {
				changed := strconv.FormatFloat(float64(n), format, precision, 64)
				var got engine.Long
				if err := json.Unmarshal([]byte(changed), &got); err == nil && uint64(got) != n {
					t.Errorf("%d became %s, which is read as %d", n, changed, got)
				}
			}
		}
	}
	for _, text := range []string{`-1`, `1.5`, `18446744073709551616`, `"0x7"`, `""`, `"-1"`, `true`, `[]`, `13419779825826515000`, `1e19`} {
		var got engine.Long
		if err := json.Unmarshal([]byte(text), &got); err == nil {
			t.Errorf("%s is read as %d", text, got)
		}
	}
	var r engine.Rand
	if err := json.Unmarshal([]byte(`{"key": 13419779825826515365, "counter": 2}`), &r); err != nil || r != (engine.Rand{Key: 13419779825826515365, Counter: 2}) {
		t.Errorf("an older position's generator: %v, error %v", r, err)
	}
}
