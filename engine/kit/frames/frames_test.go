package frames_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/frames"
	"github.com/privateer-rl/privateer/engine/kit/position"
)

type kind uint8

const (
	askBid kind = iota + 1
	askCard
	doPoll
	doAuction
)

var seat = frames.Number(0, 3)

func table() *frames.Table[kind] {
	return frames.New(
		frames.Form[kind]{Kind: askBid, Name: "ask_bid", Seat: frames.Or(seat, 7, "bank"), On: "do_auction do_poll:ask_bid",
			Args: frames.Args("slot", frames.Shifted(1, 1, 3), "against", frames.Seats(4), "hundreds", frames.Octet(200)),
			Says: "{seat}: bid in slot {slot} against {against}, {purse} at most"},
		frames.Form[kind]{Kind: askCard, Name: "ask_card", Seat: seat, On: "do_poll:ask_card", Secret: true,
			Args: frames.Args("card", frames.NameFrom(-1, "none", "ace", "", "king"), "open", frames.Flag())},
		frames.Form[kind]{Kind: doPoll, Name: "do_poll", Args: append(frames.Args("asks", frames.Name("", "ask_bid", "ask_card")),
			frames.Arg{Name: "about", Means: frames.Number(-2, 2), At: 3, Used: func(args [6]int8) bool { return args[0] == 1 }}),
			Sorts: map[string]string{"ask_bid": "do_auction", "ask_card": "- do_auction"}},
		frames.Form[kind]{Kind: doAuction, Name: "do_auction", On: frames.Bottom},
	)
}

func read(t testing.TB, text string, plain func(engine.Frame[kind], string) (int8, bool)) (engine.Frame[kind], error) {
	v, err := position.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var faults position.Faults
	f := table().Read(&faults, v, plain)
	return f, faults.Err()
}

func TestWhatIsWrittenReadsBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := engine.Frame[kind]{Kind: kind(rapid.IntRange(1, 4).Draw(rt, "kind")), Seat: rapid.Int8().Draw(rt, "seat")}
		for i := range f.Arg {
			f.Arg[i] = rapid.Int8().Draw(rt, "arg")
		}
		var faults position.Faults
		if !table().InRange(&faults, "stack[0]", f) {
			if len(faults.List) == 0 {
				rt.Fatal("refused without a reason")
			}
			return
		}
		text, err := json.Marshal(table().Write(f))
		if err != nil {
			rt.Fatal(err)
		}
		if back, err := read(t, string(text), nil); err != nil || back != f {
			rt.Fatalf("%s reads as %v, %v; want %v", text, back, err, f)
		}
	})
}

func TestFramesInRangeAreMet(t *testing.T) {
	for _, f := range []engine.Frame[kind]{
		{Kind: askBid, Seat: 7, Arg: [6]int8{2, 0b101, -56}},
		{Kind: askCard, Seat: 3, Arg: [6]int8{-1, 1}},
		{Kind: doPoll, Arg: [6]int8{1, 0, 0, -2}},
		{Kind: doPoll, Arg: [6]int8{2}},
	} {
		var faults position.Faults
		if !table().InRange(&faults, "f", f) {
			t.Errorf("%v: %v", f, faults.Err())
		}
	}
}

func TestFaultsNameTheArgumentAndTheFix(t *testing.T) {
	for text, naming := range map[string]string{
		`{"seat":1}`:                     "kind: it is missing: want one of ask_bid",
		`{"kind":"ask_bit"}`:             "did you mean ask_bid?",
		`{"kind":"ask_card","card":"x"}`: "seat: it is missing",
		`{"kind":"ask_card","seat":4,"card":"ace","open":true}`:            "seat: 4: want a whole number from 0 to 3",
		`{"kind":"ask_card","seat":1,"card":"","open":true}`:               "unknown name",
		`{"kind":"ask_card","seat":1,"card":"king","open":1}`:              "want true or false",
		`{"kind":"ask_card","seat":1,"card":"king","open":true,"x":1}`:     "x: unknown field",
		`{"kind":"do_poll","asks":"ask_card","about":1}`:                   "about: unknown field",
		`{"kind":"ask_bid","seat":"bank","slot":0,"hundreds":1}`:           "slot: 0: want a whole number from 1 to 3",
		`{"kind":"ask_bid","seat":1,"slot":1,"against":[],"hundreds":201}`: "want at least one seat",
	} {
		if _, err := read(t, text, nil); err == nil || !strings.Contains(err.Error(), naming) {
			t.Errorf("%s: %v: want it to say %q", text, err, naming)
		}
	}
	for _, c := range []struct {
		f      engine.Frame[kind]
		naming string
	}{
		{engine.Frame[kind]{Kind: 9}, "no frame of kind 9"},
		{engine.Frame[kind]{Kind: doAuction, Seat: 1}, "belongs to no seat"},
		{engine.Frame[kind]{Kind: askBid, Seat: 5, Arg: [6]int8{0, 1}}, "5: want 0 to 3, or bank"},
		{engine.Frame[kind]{Kind: askCard, Arg: [6]int8{1}}, "card: 1: want one of none, ace, king"},
		{engine.Frame[kind]{Kind: doPoll, Arg: [6]int8{2, 0, 0, 1}}, "no argument 3"},
	} {
		var faults position.Faults
		table().InRange(&faults, "stack[0]", c.f)
		if err := faults.Err(); err == nil || !strings.Contains(err.Error(), c.naming) {
			t.Errorf("%v: %v: want it to say %q", c.f, err, c.naming)
		}
	}
}

func TestWhatIsLeftOutIsPlain(t *testing.T) {
	f, err := read(t, `{"kind":"ask_card","seat":2,"card":"king"}`, func(f engine.Frame[kind], arg string) (int8, bool) { return 1, arg == "open" })
	if want := (engine.Frame[kind]{Kind: askCard, Seat: 2, Arg: [6]int8{2, 1}}); err != nil || f != want {
		t.Errorf("%v, %v: want %v", f, err, want)
	}
}

func TestOptionalArgumentsFollowFromTheSeat(t *testing.T) {
	table := frames.New(frames.Form[kind]{Kind: 1, Name: "ask", Seat: seat, Args: frames.Args(
		"whose", frames.Optional(seat, func(seat int8) int8 { return seat }), "least", frames.Number(0, 3))})
	for text, want := range map[string][6]int8{
		`{"kind":"ask","seat":2,"least":1}`:           {2, 1},
		`{"kind":"ask","seat":2,"least":1,"whose":3}`: {3, 1},
	} {
		v, err := position.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var faults position.Faults
		if f := table.Read(&faults, v, nil); faults.Err() != nil || f.Arg != want {
			t.Errorf("%s: %v, %v: want %v", text, f.Arg, faults.Err(), want)
		}
	}
}

func TestDescriptionsStandInTheSchema(t *testing.T) {
	text, err := json.Marshal(frames.Described(seat, "Whose it is.").Shape())
	if want := `{"description":"Whose it is.","type":"integer","minimum":0,"maximum":3}`; err != nil || string(text) != want {
		t.Errorf("%s, %v: want %s", text, err, want)
	}
}

func TestAFrameWithoutAPlaceIsRefused(t *testing.T) {
	var faults position.Faults
	table := frames.New(frames.Form[kind]{Kind: 1, Name: "do_at_once"})
	if table.Stands(&faults, "stack[0]", engine.Frame[kind]{Kind: 1}, engine.Frame[kind]{}) || !strings.Contains(faults.Err().Error(), "never stands") {
		t.Error(faults.Err())
	}
}

func TestFramesStandOnWhatTheirRowsSay(t *testing.T) {
	bid, poll := engine.Frame[kind]{Kind: askBid}, engine.Frame[kind]{Kind: doPoll, Arg: [6]int8{1}}
	other := engine.Frame[kind]{Kind: doPoll, Arg: [6]int8{2}}
	for _, c := range []struct {
		f, below engine.Frame[kind]
		may      bool
	}{
		{bid, poll, true}, {bid, other, false}, {bid, engine.Frame[kind]{}, false},
		{other, engine.Frame[kind]{}, true}, {poll, engine.Frame[kind]{}, false}, {poll, engine.Frame[kind]{Kind: doAuction}, true},
	} {
		var faults position.Faults
		if got := table().Stands(&faults, "stack[1]", c.f, c.below); got != c.may || (len(faults.List) == 0) != c.may {
			t.Errorf("%v on %v: %v, %v", c.f, c.below, got, faults.Err())
		}
	}
}

func TestLinesOfWords(t *testing.T) {
	f := engine.Frame[kind]{Kind: askBid, Seat: 7, Arg: [6]int8{1, 0b11, 5}}
	got := table().Says(f, func(word string) string { return "<" + word + ">" })
	if want := "bank: bid in slot 2 against [0 1], <purse> at most"; got != want {
		t.Errorf("%q; want %q", got, want)
	}
	if got := table().Says(engine.Frame[kind]{Kind: doAuction}, nil); got != "" {
		t.Errorf("%q of a frame that decides nothing", got)
	}
}

func TestSchemaTakesWhatAnyKindTakes(t *testing.T) {
	text, err := json.Marshal(table().Shape(5))
	for _, part := range []string{`"enum":["ask_bid","ask_card","do_poll","do_auction"]`, `"maxItems":5`, `"required":["kind"]`, `"slot":{"type":"integer","minimum":1,"maximum":3}`, `{"enum":["bank"]}`} {
		if err != nil || !strings.Contains(string(text), part) {
			t.Errorf("%v, %s: want it to have %s", err, text, part)
		}
	}
}

func TestArgumentsOfSeveralKindsHaveAShapeForAll(t *testing.T) {
	doc := func(m frames.Meaning) frames.Meaning { return frames.Described(m, "How many.") }
	for want, means := range map[string][2]frames.Meaning{
		`"n":{"description":"How many.","type":"integer","minimum":-1,"maximum":9}`:                             {doc(frames.Number(0, 9)), doc(frames.Number(-1, 3))},
		`"n":{"type":"integer","minimum":0,"maximum":9}`:                                                        {frames.Number(0, 4), frames.Number(5, 9)},
		`"n":{"anyOf":[{"type":"integer","minimum":0,"maximum":3},{"type":"integer","minimum":5,"maximum":9}]}`: {frames.Number(0, 3), frames.Number(5, 9)},
		`"n":{"anyOf":[{"type":"integer","minimum":0,"maximum":3},{"type":"boolean"}]}`:                         {frames.Number(0, 3), frames.Flag()},
		`"n":{"anyOf":[{"type":"integer","minimum":0,"maximum":5},{"enum":["bank"]}]}`:                          {frames.Number(0, 3), frames.Or(frames.Number(2, 5), 7, "bank")},
		`"n":{"enum":["ace","king"]}`: {frames.Name("ace", "king"), frames.Name("ace", "king")},
	} {
		text, err := json.Marshal(frames.New(
			frames.Form[kind]{Kind: 1, Name: "a", Args: frames.Args("n", means[0])},
			frames.Form[kind]{Kind: 2, Name: "b", Args: frames.Args("n", means[1])}).Shape(5))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%v, %s: want it to have %s", err, text, want)
		}
	}
}

func TestTablesThatMakeNoSensePanic(t *testing.T) {
	for what, forms := range map[string][]frames.Form[kind]{
		"a kind twice": {{Kind: 1, Name: "a"}, {Kind: 1, Name: "b"}},
		"a name twice": {{Kind: 1, Name: "a"}, {Kind: 2, Name: "a"}},
		"no name":      {{Kind: 1}},
		"on nothing":   {{Kind: 1, Name: "a", On: "b"}},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error(what + ": no panic")
				}
			}()
			frames.New(forms...)
		}()
	}
}

// A row declares a kind completely: its name, whose it is, its arguments, what it may stand on.
func Example() {
	const (
		askBid    kind = 1
		doAuction kind = 2
	)
	forms := frames.New(
		frames.Form[kind]{Kind: askBid, Name: "ask_bid", Seat: frames.Number(0, 3), On: "do_auction",
			Args: frames.Args("least", frames.Number(0, 60)), Says: "seat {seat}: bid more than {least}, or pass"},
		frames.Form[kind]{Kind: doAuction, Name: "do_auction", On: frames.Bottom},
	)
	f := engine.NewFrame(askBid, 2, 20)
	text, _ := json.Marshal(forms.Write(f))
	fmt.Println(string(text))
	fmt.Println(forms.Says(f, nil))
	// Output:
	// {"kind":"ask_bid","seat":2,"least":20}
	// seat 2: bid more than 20, or pass
}
