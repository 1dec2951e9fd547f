package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

func changes(t *testing.T, before, after string, ignore ...string) string {
	t.Helper()
	all, err := engine.Changes([]byte(before), []byte(after), ignore...)
	if err != nil {
		t.Fatal(err)
	}
	lines := make([]string, len(all))
	for i, c := range all {
		lines[i] = c.String()
	}
	return strings.Join(lines, "\n")
}

func TestChangesAreNamedByPath(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{`{"a":1,"b":[1,2]}`, `{"b":[1,2],"a":1}`, ""},
		{`{"a":{"b":1}}`, `{"a":{"b":2}}`, "a.b: 1 → 2"},
		{`{"a":[1,2]}`, `{"a":[1,3]}`, "a: [1,2] → [1,3]"},
		{`{"ships":[{"hull":3},{"hull":2}]}`, `{"ships":[{"hull":3},{"hull":1}]}`, "ships[1].hull: 2 → 1"},
		{`{"z":1,"b":"x"}`, `{"a":true,"b":"y"}`, "a: true (new)\nb: \"x\" → \"y\"\nz: 1 (gone)"},
		{`{"key":18446744073709551615}`, `{"key":18446744073709551614}`, "key: 18446744073709551615 → 18446744073709551614"},
		{`{"a":null}`, `{"a":0}`, "a: null → 0"},
	} {
		if got := changes(t, c.before, c.after); got != c.want {
			t.Errorf("from %s to %s: %q, want %q", c.before, c.after, got, c.want)
		}
	}
}

func TestChangesCanBeIgnored(t *testing.T) {
	before := `{"rand":{"key":1,"counter":1},"random":1,"log":[{"x":1}]}`
	after := `{"rand":{"key":1,"counter":2},"random":2,"log":[{"x":2}]}`
	if got := changes(t, before, after, "rand", "log"); got != "random: 1 → 2" {
		t.Errorf("left is %q", got)
	}
	if got := changes(t, before, after, "random", "log[0].x"); got != "rand.counter: 1 → 2" {
		t.Errorf("left is %q", got)
	}
}

func TestChangesOfWhatIsNoPositionAreAnError(t *testing.T) {
	for _, c := range [][2]string{{`{`, `{}`}, {`{}`, `nonsense`}, {``, `{}`}} {
		if got, err := engine.Changes([]byte(c[0]), []byte(c[1])); err == nil {
			t.Errorf("%q against %q: %v", c[0], c[1], fmt.Sprint(got))
		}
	}
}
