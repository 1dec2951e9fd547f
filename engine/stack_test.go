package engine

import (
	"testing"

	"pgregory.net/rapid"
)

type stackKind uint8

type testStack = Stack[stackKind, [24]Frame[stackKind]]

func TestAFrameIsComposedOfItsParts(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		want := Frame[stackKind]{Kind: stackKind(rapid.Uint8().Draw(rt, "kind")), Seat: rapid.Int8().Draw(rt, "seat")}
		args := rapid.SliceOfN(rapid.Int8(), 0, len(want.Arg)).Draw(rt, "args")
		copy(want.Arg[:], args)
		wide := make([]int, len(args))
		for i, a := range args {
			wide[i] = int(a)
		}
		if got := NewFrame(want.Kind, int(want.Seat), wide...); got != want {
			rt.Fatalf("got %v, want %v", got, want)
		}
	})
}

// A slice is the model of a stack; what was popped leaves no trace in its bytes.
func TestAStackGivesBackWhatWasPushedLast(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var s testStack
		var model []Frame[stackKind]
		for range rapid.IntRange(0, 100).Draw(rt, "steps") {
			n := len(model)
			switch {
			case n < len(s.Frames) && (n == 0 || rapid.Bool().Draw(rt, "push")):
				f := NewFrame(stackKind(rapid.IntRange(1, 255).Draw(rt, "kind")), rapid.IntRange(-1, 9).Draw(rt, "seat"))
				s.Push(f)
				model = append(model, f)
			case rapid.Bool().Draw(rt, "edit"):
				s.Edit().Arg[2]++
				model[n-1].Arg[2]++
			default:
				if got := s.Pop(); got != model[n-1] {
					rt.Fatalf("popped %v, want %v", got, model[n-1])
				}
				model = model[:n-1]
			}
			want, top := testStack{Depth: uint8(len(model))}, Frame[stackKind]{}
			copy(want.Frames[:], model)
			if len(model) > 0 {
				top = model[len(model)-1]
			}
			if s != want || s.Top() != top || s.Next() != top.Kind {
				rt.Fatalf("stack %v, top %v, next %v; want %v, %v", s, s.Top(), s.Next(), want, top)
			}
		}
	})
}

func TestAFullStackPanicsBeforeItWritesBeyond(t *testing.T) {
	var s testStack
	for range s.Frames {
		s.Push(NewFrame(stackKind(1), 0))
	}
	full := s
	defer func() {
		if recover() == nil || s != full {
			t.Errorf("a push on a full stack: %v", s)
		}
	}()
	s.Push(NewFrame(stackKind(2), 0))
}

func TestOnlyAFrameOfTheKindIsTaken(t *testing.T) {
	var s testStack
	s.Push(NewFrame(stackKind(3), 1))
	full := s
	for _, k := range []stackKind{0, 4} {
		func() {
			defer func() {
				if recover() == nil || s != full {
					t.Errorf("kind %d is taken: %v", k, s)
				}
			}()
			s.Take(k)
		}()
	}
	if f := s.Take(3); f.Seat != 1 || s.Depth != 0 {
		t.Errorf("took %v of %v", f, s)
	}
}
