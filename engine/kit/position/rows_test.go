package position_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine/kit/position"
)

// sloop is a state of which each field is one row.
type sloop struct {
	hull, cannon uint8
	region       int8
}

func rows() position.Rows[*sloop] {
	return position.Rows[*sloop]{
		position.Number("hull", 1, 6, "Left out: 6.", func(s *sloop) *uint8 { return &s.hull }),
		position.Number("region", -2, 3, "Where it sails.", func(s *sloop) *int8 { return &s.region }).If(func(s *sloop) bool { return s.region != 9 }),
		{Name: "seed", Shape: position.Natural()},
	}
}

func TestARowIsShownReadCheckedAndDescribed(t *testing.T) {
	cannon := position.Number("cannon", 0, 4, "Of a module.", func(s *sloop) *uint8 { return &s.cannon })
	all := rows().Before("seed", cannon)
	s := sloop{hull: 6, region: 9}
	read := func(text string) string {
		var f position.Faults
		v := parse(t, text)
		f.IsObject(v, all.Names()...)
		all.Read(&s, &f, v)
		all.Check(&s, &f, "ships[0]")
		return strings.Join(f.List, "; ")
	}
	if faults := read(`{"hull": 5, "region": -2, "seed": 1}`); faults != "" || s != (sloop{5, 0, -2}) {
		t.Errorf("%v, %s", s, faults)
	}
	if got, err := json.Marshal(all.Object(&s)); err != nil || string(got) != `{"hull":5,"region":-2,"cannon":0}` {
		t.Errorf("%s, %v", got, err)
	}
	if faults := read(`{"cannon": 5, "hul": 1}`); faults != "hul: unknown field: did you mean hull?; cannon: 5: want a whole number from 0 to 4" {
		t.Error(faults)
	}
	s = sloop{hull: 7, region: 9}
	if faults := read(`{}`); faults != "ships[0].hull: 7: want 1 to 6" {
		t.Error(faults)
	}
	if got, err := json.Marshal(all.Object(&s)); err != nil || string(got) != `{"hull":7,"cannon":0}` {
		t.Errorf("a region that means nothing is shown: %s, %v", got, err)
	}
	const want = `"hull":{"description":"Left out: 6.","type":"integer","minimum":1,"maximum":6}`
	if got, err := json.Marshal(all.ObjectShape()); err != nil || !strings.Contains(string(got), want) {
		t.Errorf("%s, %v: want %s", got, err, want)
	}
}

func TestAFieldThatIsRefusedIsKnownAndSaysWhy(t *testing.T) {
	s := sloop{cannon: 9}
	refused := position.Number("cannon", 0, 4, "Of a module.", func(s *sloop) *uint8 { return &s.cannon }).Refused("no cannon here")
	all := rows().Before("hull", refused)
	var f position.Faults
	v := parse(t, `{"cannon": 1, "hull": 2}`)
	f.IsObject(v, all.Names()...)
	all.Read(&s, &f, v)
	all.Check(&s, &f, "")
	if got := strings.Join(f.List, "; "); got != "cannon: no cannon here" || s.cannon != 9 {
		t.Errorf("%q, %v", got, s)
	}
	if got, err := json.Marshal(all.Object(&s)); err != nil || string(got) != `{"hull":2,"region":0}` {
		t.Errorf("%s, %v", got, err)
	}
}

func TestAFieldBeforeNoneIsADefect(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a field stands before one that there is not")
		}
	}()
	rows().Before("mast")
}

func TestASetIsAListWithoutRepeats(t *testing.T) {
	const want = `{"description":"Two.","type":"array","uniqueItems":true,"items":{"enum":["a","b"]}}`
	got, err := json.Marshal(position.SetOf(position.OneOf("a", "", "b")).Of("One.").Of("Two."))
	if err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}
