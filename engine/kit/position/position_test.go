package position_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games/leduc"
	"github.com/privateer-rl/privateer/engine/kit/position"
)

func parse(t *testing.T, text string) *position.Value {
	t.Helper()
	v, err := position.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestObjectsKeepTheirOrder(t *testing.T) {
	o := position.Object{{Name: "z", Value: 1}}
	o.Add("a", position.Object{{Name: "<", Value: []string{}}})
	got, err := json.Marshal(o)
	if err != nil || string(got) != `{"z":1,"a":{"\u003c":[]}}` {
		t.Errorf("%s, %v", got, err)
	}
}

// What objects write by themselves is what encoding/json would.
func TestValuesOfObjectsAreWrittenAsJSON(t *testing.T) {
	for _, v := range []any{
		"", "plain ~", "\"", "\\", "é\n<&>", "\x7f", "\u2028", 0, -7, int8(-128), uint8(255), true, false, nil, 1.5, uint64(1) << 63, []int{1, 2}, []int(nil), position.Field{},
		[]string(nil), []string{}, []string{"a", "\""}, []position.Object(nil), []position.Object{}, []position.Object{nil, {{Name: "\"<", Value: int16(3)}}},
		position.Object(nil), struct{ A []string }{[]string{"<"}}, engine.Rand{Key: 1<<64 - 1},
	} {
		got, err := json.Marshal(position.Object{{Name: "v", Value: v}})
		want, wantErr := json.Marshal(map[string]any{"v": v})
		if err != nil || wantErr != nil || string(got) != string(want) {
			t.Errorf("%#v: %s, %v; want %s, %v", v, got, err, want, wantErr)
		}
	}
	if _, err := json.Marshal(position.Object{{Name: "v", Value: []position.Object{{{Name: "f", Value: func() {}}}}}}); err == nil {
		t.Error("a function is written")
	}
}

func TestWhatIsReadIsWrittenAsItWas(t *testing.T) {
	const text = `{"z":[1.50,{"<b>":null,"a":[]}],"a":"é\n<","t":true,"o":{}}`
	v := parse(t, text)
	if got, err := v.MarshalJSON(); err != nil || string(got) != text {
		t.Errorf("%s, %v; want %s", got, err, text)
	}
	if a := v.Take("a"); a.Text != "é\n<" || v.Take("a") != nil || v.Take("none") != nil {
		t.Errorf("took %+v", a)
	}
	if got, err := v.MarshalJSON(); err != nil || string(got) != `{"z":[1.50,{"<b>":null,"a":[]}],"t":true,"o":{}}` {
		t.Errorf("%s, %v", got, err)
	}
}

func TestFaultsOfTheTextNameTheirLine(t *testing.T) {
	for text, line := range map[string]string{
		"{\n\"a\": [\n\n x]}": "line 4: ",
		"{\n\"a\": [\n":       "line 3: ",
		"{\n\"a\": \"b\n\"}":  "line 2: ",
	} {
		if _, err := position.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), line) {
			t.Errorf("%q: %v; want it to say %s", text, err, line)
		}
	}
}

func TestTextThatIsNoPositionIsRefused(t *testing.T) {
	for text, naming := range map[string]string{
		``:                                "ends too early",
		`{"a":`:                           "ends too early",
		`[]`:                              "want an object in braces",
		`{} {}`:                           "after the position's closing brace",
		"{\n\"a\": x}":                    "line 2",
		`{"a":1,"a":2}`:                   "a is given twice",
		`{"a":[{"b":1,"b":2}]}`:           "a[0].b is given twice",
		strings.Repeat(`{"a":`, 80) + "1": "nested too deep",
		`{"a":` + strings.Repeat(`[`, 80): "nested too deep",
	} {
		if _, err := position.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), naming) {
			t.Errorf("%s: %v: want it to say %q", text, err, naming)
		}
	}
}

func TestFaultsNameThePlaceAndTheFix(t *testing.T) {
	names := []string{"fort", "merchant_ship", ""}
	for text, read := range map[string]struct {
		get    func(f *position.Faults, v *position.Value)
		naming string
	}{
		`{"ports":1}`:        {func(f *position.Faults, v *position.Value) { f.IsObject(v, "port", "x") }, "ports: unknown field: did you mean port?"},
		`{"v":[1]}`:          {func(f *position.Faults, v *position.Value) { f.IsObject(v.Get("v")) }, "v: a list: want an object"},
		`{"v":{}}`:           {func(f *position.Faults, v *position.Value) { f.IsList(v.Get("v"), 2) }, "v: an object: want a list"},
		`{"v":[1,2,3]}`:      {func(f *position.Faults, v *position.Value) { f.IsList(v.Get("v"), 2) }, "v: 3 entries: want at most 2"},
		`{"v":7}`:            {func(f *position.Faults, v *position.Value) { f.Number(v.Get("v"), 0, 6, 0) }, "v: 7: want a whole number from 0 to 6"},
		`{"v":1.5}`:          {func(f *position.Faults, v *position.Value) { f.Number(v.Get("v"), 0, 6, 0) }, "v: 1.5: want a whole number"},
		`{"v":-1}`:           {func(f *position.Faults, v *position.Value) { f.Long(v.Get("v"), 0) }, "v: -1: want a whole number from 0 to 2^64"},
		`{"v":"yes"}`:        {func(f *position.Faults, v *position.Value) { f.Truth(v.Get("v"), false) }, `v: "yes": want true or false`},
		`{"v":"fart"}`:       {func(f *position.Faults, v *position.Value) { f.Name(v.Get("v"), names, 0) }, "did you mean fort?"},
		`{"v":"mer"}`:        {func(f *position.Faults, v *position.Value) { f.Name(v.Get("v"), names, 0) }, "did you mean merchant_ship?"},
		`{"v":"quay"}`:       {func(f *position.Faults, v *position.Value) { f.Name(v.Get("v"), names, 0) }, "want one of fort, merchant_ship"},
		`{"v":null}`:         {func(f *position.Faults, v *position.Value) { f.Name(v.Get("v"), names, 0) }, "v: null: want a name in quotes"},
		`{"v":"?"}`:          {func(f *position.Faults, v *position.Value) { f.Name(v.Get("v"), names, 0) }, "only for a seat's view"},
		`{"v":"kuhnn"}`:      {func(f *position.Faults, v *position.Value) { f.SameGame(v.Get("v"), "leduc") }, "v: unknown game"},
		`{"v":{}} `:          {func(f *position.Faults, v *position.Value) { f.SameGame(v.Get("v"), "leduc") }, "want a game string"},
		`{"v":"leduc(x=1)"}`: {func(f *position.Faults, v *position.Value) { f.SameGame(v.Get("v"), "leduc") }, "v: "},
	} {
		var f position.Faults
		read.get(&f, parse(t, text))
		if err := f.Err(); err == nil || !strings.Contains(err.Error(), read.naming) {
			t.Errorf("%s: %v: want it to say %q", text, err, read.naming)
		}
	}
}

func TestWhatIsLeftOutHasItsDefault(t *testing.T) {
	var f position.Faults
	v := parse(t, `{"n":3,"b":true,"name":"fort","long":18446744073709551615,"list":[{}],"game":"leduc(chance=explicit)"}`)
	f.SameGame(v.Get("game"), "leduc")
	f.SameGame(nil, "leduc")
	if f.Number(v.Get("n"), 0, 9, 1) != 3 || f.Number(v.Get("m"), 0, 9, 1) != 1 ||
		!f.Truth(v.Get("b"), false) || !f.Truth(v.Get("c"), true) ||
		f.Name(v.Get("name"), []string{"x", "fort"}, 0) != 1 || f.Name(nil, nil, 4) != 4 ||
		f.Long(v.Get("long"), 0) != 1<<64-1 || f.Long(nil, 5) != 5 ||
		len(f.IsList(v.Get("list"), 3)) != 1 || f.IsList(nil, 3) != nil || f.IsObject(nil) {
		t.Error("a value was misread")
	}
	if err := f.Err(); err != nil {
		t.Error(err)
	}
}

func TestTheFirstFaultsAreListed(t *testing.T) {
	var f position.Faults
	for range 6 {
		f.Wrong("v", "odd")
	}
	if got := f.Err().Error(); got != "v: odd; v: odd; v: odd; v: odd (and 2 more)" {
		t.Error(got)
	}
}

// FuzzParse: any text is read or refused, and what is read can say what it is.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":"c"},null,true]}`))
	f.Add([]byte(`{"a":`))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := position.Parse(data)
		if err == nil && (v == nil || v.What() != "an object") {
			t.Errorf("%q is read as %v", data, v)
		}
	})
}

func TestRowsSayWhatIsShownReadAndAllowed(t *testing.T) {
	type ship struct{ hull, flags int }
	rows := position.Rows[ship]{
		{Name: "seed", Shape: position.Natural()},
		{Name: "hull", Shape: position.Whole(0, 6), Show: func(s ship) any { return s.hull }},
		{Name: "flags", Shape: position.Ref("flags"), Show: func(s ship) any {
			if s.flags == 0 {
				return nil
			}
			return s.flags
		}},
	}
	for want, of := range map[string]ship{`{"hull":0}`: {}, `{"hull":3,"flags":2}`: {3, 2}} {
		if text, err := json.Marshal(rows.Object(of)); err != nil || string(text) != want {
			t.Errorf("%s, %v: want %s", text, err, want)
		}
	}
	if names := strings.Join(rows.Names(), " "); names != "seed hull flags" {
		t.Error(names)
	}
	text, err := json.Marshal(rows.ObjectShape().Defines(position.Named{Name: "flags", Shape: position.Whole(1, 2)}).Examples(`{"hull": 6}`))
	want := `{"type":"object","additionalProperties":false,"properties":{"seed":{"type":"integer","minimum":0},"hull":{"type":"integer","minimum":0,"maximum":6},` +
		`"flags":{"$ref":"#/$defs/flags"}},"$defs":{"flags":{"type":"integer","minimum":1,"maximum":2}},"examples":[{"hull":6}]}`
	if err != nil || string(text) != want {
		t.Errorf("%s, %v: want %s", text, err, want)
	}
}
