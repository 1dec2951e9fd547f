package doubloons

import (
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

func TestTheChronicleTellsCaptainsAndWhatHappensToShips(t *testing.T) {
	sc := acting(t, 3, "N39", hulls(10, 2, 10), captain(0, Voet), captain(1, Hayreddin))
	g, err := engine.NewGame(sc.m.Info().Config)
	if err != nil {
		t.Fatal(err)
	}
	c, ok := engine.ChronicleOf(g)
	if !ok {
		t.Fatal("the game has no chronicle")
	}
	check(t, "role", c.Roles()[c.Role(sc.m, 1)], "hayreddin")
	check(t, "no choice of a captain", c.RoleAction(sc.m, 0), -1)
	before := g.NewMatch()
	before.CopyFrom(sc.m)
	sc.do("do=broadsides")
	counts := [3][4]int{}
	for seat := range counts {
		c.Note(before, sc.m, seat, counts[seat][:])
	}
	check(t, "events", counts, [3][4]int{{}, {1, 0, 0, 0}, {}})

	m := drafting(t, 2, 0).m
	check(t, "choice", m.Info().ActionName(c.RoleAction(m, Voet)), "captain=voet")

	raided := raid(t, 2)
	if g, err = engine.NewGame(raided.m.Info().Config); err != nil {
		t.Fatal(err)
	}
	before = g.NewMatch()
	before.CopyFrom(raided.m)
	raided.do(steal)
	stolen := [2][]int{make([]int, 4), make([]int, 4)}
	for player := range stolen {
		rules, _ := engine.RulesOf[State, *Rules](raided.m)
		rules.Note(before, raided.m, player, stolen[player])
	}
	if !slices.Equal(stolen[0], []int{0, 0, 0, 1}) || !slices.Equal(stolen[1], []int{0, 0, 0, 1}) {
		t.Errorf("events of the two whose ships were stolen: %v", stolen)
	}
	end := ended(t, 2, hulls(0, 10), dug)
	measures := make([]float64, len(c.Measures()))
	c.Measure(end.m, measures)
	check(t, "dug, ghosts", [2]float64(measures[1:]), [2]float64{1, 1})
}
