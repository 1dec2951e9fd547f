package encode_test

import (
	"fmt"
	"testing"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
)

type place struct {
	Node uint8    `name:"node" max:"12" scale:"1/4" doc:"where it is"`
	Card [2]uint8 `name:"card" doc:"one-hot"`
}

type seat struct {
	Place place
	Hull  uint8 `name:"hull" max:"10" doc:"hull"`
}

type row struct {
	Sea   [2][3]uint8 `name:"sea" max:"3" scale:"0.5" doc:"tiles"`
	Seats [3]seat     `name:"self,opponents[]"`
	Past  [2][2]place `name:"opponents[].past[]"`
}

type full struct {
	row
	Deck uint8 `name:"hidden.deck" doc:"what is left"`
}

func layout[Row, Full any](t *testing.T) *encode.Schema {
	t.Helper()
	g, err := engine.Make(&engine.Info{Game: "tictactoe", Seats: 2, Actions: []string{"a"}}, engine.Rules[struct{}](nil))
	if err != nil {
		t.Fatal(err)
	}
	return encode.New[Row, Full](g, 1, nil, nil).FullSchema()
}

func TestTagsDeclareGroups(t *testing.T) {
	var got []string
	for _, g := range layout[row, full](t).Groups {
		got = append(got, fmt.Sprintln(g.Name, g.Offset, g.Size, g.Shape, g.Max, g.Scale, g.Doc))
	}
	want := []string{
		"sea 0 6 [2 3] 3 0.5 tiles\n",
		"self.node 6 1 [1] 12 0.25 where it is\n", "self.card 7 2 [2] 1 1 one-hot\n", "self.hull 9 1 [1] 10 0.1 hull\n",
		"opponents[0].node 10 1 [1] 12 0.25 where it is\n", "opponents[0].card 11 2 [2] 1 1 one-hot\n", "opponents[0].hull 13 1 [1] 10 0.1 hull\n",
		"opponents[1].node 14 1 [1] 12 0.25 where it is\n", "opponents[1].card 15 2 [2] 1 1 one-hot\n", "opponents[1].hull 17 1 [1] 10 0.1 hull\n",
		"opponents[0].past[0].node 18 1 [1] 12 0.25 where it is\n", "opponents[0].past[0].card 19 2 [2] 1 1 one-hot\n",
		"opponents[0].past[1].node 21 1 [1] 12 0.25 where it is\n", "opponents[0].past[1].card 22 2 [2] 1 1 one-hot\n",
		"opponents[1].past[0].node 24 1 [1] 12 0.25 where it is\n", "opponents[1].past[0].card 25 2 [2] 1 1 one-hot\n",
		"opponents[1].past[1].node 27 1 [1] 12 0.25 where it is\n", "opponents[1].past[1].card 28 2 [2] 1 1 one-hot\n",
		"hidden.deck 30 1 [1] 1 1 what is left\n",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("groups\n%v\nwant\n%v", got, want)
	}
}

func TestDeclarationsThatMakeNoSensePanic(t *testing.T) {
	type noDoc struct {
		A uint8 `name:"a"`
	}
	type twice struct {
		A, B uint8 `name:"a" doc:"a"`
	}
	type noBytes struct {
		A int32 `name:"a" doc:"a"`
	}
	type tooMuch struct {
		A uint8 `name:"a" max:"256" doc:"a"`
	}
	type noScale struct {
		A uint8 `name:"a" scale:"x/2" doc:"a"`
	}
	type other struct {
		Row noDoc
		row
	}
	for what, declare := range map[string]func(){
		"no doc":               func() { layout[noDoc, struct{ noDoc }](t) },
		"a name twice":         func() { layout[twice, struct{ twice }](t) },
		"a field of no bytes":  func() { layout[noBytes, struct{ noBytes }](t) },
		"more than a byte":     func() { layout[tooMuch, struct{ tooMuch }](t) },
		"a scale of no number": func() { layout[noScale, struct{ noScale }](t) },
		"another seat view":    func() { layout[row, other](t) },
		"no seat view":         func() { layout[row, struct{}](t) },
		"too few bytes":        func() { encode.As[row](make([]uint8, 29)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error(what + ": no panic")
				}
			}()
			declare()
		}()
	}
}
