package search

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games/kuhn"
	_ "github.com/privateer-rl/privateer/engine/games/leduc"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/exploit"
)

// rehearsal is a search whose trees have grown from the beginning of a game.
func rehearsal(t *testing.T, game, settings string, simulations int) (*ISMCTS, *exploit.Tree) {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := exploit.Build(g)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bots.New("ismcts(c=100,"+settings+")", g) // so curious that it comes everywhere
	if err != nil {
		t.Fatal(err)
	}
	r := engine.NewRand(1)
	s := b.(*ISMCTS)
	s.Rehearse(simulations, &r)
	return s, tree
}

// What a seat can tell apart are nodes of its tree, and nothing else is.
func TestEachInformationSetIsOneNodeOfItsSeatsTree(t *testing.T) {
	for _, c := range []struct {
		game        string
		simulations int
	}{{"kuhn", 2_000}, {"kuhn(seats=3)", 60_000}, {"leduc", 60_000}} {
		if testing.Short() && c.simulations > 2_000 {
			continue // fewer do not come everywhere
		}
		s, tree := rehearsal(t, c.game, "", c.simulations)
		want := make([]int, len(s.forest.trees))
		for _, set := range tree.InfoSets() {
			want[set.Seat]++
		}
		for seat := range want {
			got := 0
			for _, n := range s.forest.trees[seat].nodes {
				if n.tries >= 0 {
					got++
				}
			}
			if got != want[seat] {
				t.Errorf("%s: the tree of seat %d has %d nodes with choices, and there are %d information sets", c.game, seat, got, want[seat])
			}
		}
	}
}

func TestWhatIsDealtFaceDownLeadsOthersToOneNode(t *testing.T) {
	s, _ := rehearsal(t, "kuhn", "", 500)
	for seat, want := range []int{3, 1} { // cards of seat 0, as both see them
		tr, n := &s.forest.trees[seat], 0
		for i := tr.nodes[0].links; i >= 0; i = tr.links[i].next {
			n++
		}
		if n != want {
			t.Errorf("seat %d sees %d deals of a card to seat 0, want %d", seat, n, want)
		}
	}
}

func TestRivalsRootsAreWhatTheyMayKnow(t *testing.T) {
	g, err := engine.NewGame("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	for settings, want := range map[string]int{"observers=split": 2, "observers=multiple": 0} {
		b, err := bots.New("ismcts(simulations=200,"+settings+")", g)
		if err != nil {
			t.Fatal(err)
		}
		m := g.NewMatch()
		m.Reset(1)
		r := engine.NewRand(1)
		b.Act(m, &r)
		tr, n := &b.(*ISMCTS).forest.trees[1], 0
		for i := tr.nodes[0].links; i >= 0; i = tr.links[i].next {
			if tr.links[i].event < 0 {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: the rival's tree has %d roots: want %d, one for each card that it may hold", settings, n, want)
		}
	}
}

func TestHowOftenAnActionCouldBeTakenIsCounted(t *testing.T) {
	s, _ := rehearsal(t, "leduc", "", 5_000)
	for seat := range s.forest.trees {
		tr := &s.forest.trees[seat]
		for at := range tr.nodes {
			tried, last := int32(0), int32(-1)
			for i := tr.nodes[at].tries; i >= 0; i = tr.tries[i].next {
				y := &tr.tries[i]
				if tried += y.n; y.key <= last || y.n > y.avail {
					t.Fatalf("node %d of seat %d: an action was tried %d of %d times, after one of key %d", at, seat, y.n, y.avail, last)
				}
				last = y.key
			}
			// In Leduc the same actions are legal whatever is hidden.
			if first := tr.nodes[at].tries; first >= 0 && tr.tries[first].avail != tried {
				t.Fatalf("node %d of seat %d: %d tries at %d visits", at, seat, tried, tr.tries[first].avail)
			}
		}
	}
}
