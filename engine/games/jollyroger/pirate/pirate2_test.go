package pirate

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/jollyroger"
	"github.com/privateer-rl/privateer/engine/players/bots/botstest"
)

// The odd one out does better, so both directions are played.
func TestPirate2IsStrongerThanTheHeuristicPirate(t *testing.T) {
	for _, seats := range []int{3, 4, 6, 10} {
		g := jollyRoger(t, seats, "")
		old, mended := botstest.Bot(t, "heuristic", g), botstest.Bot(t, "heuristic2", g)
		alone, half := botstest.WinRate(t, g, mended, old, 1200/seats)
		against, _ := botstest.WinRate(t, g, old, mended, 1200/seats)
		t.Logf("%d seats: pirate 2 alone: %.3f ± %.3f, the heuristic pirate alone: %.3f", seats, alone, half, against)
		if equal := 1 / float64(seats); alone-half < equal || against+half > alone || against > equal {
			t.Errorf("%d seats: pirate 2 wins %.3f ± %.3f of matches alone against heuristic pirates, and one of them %.3f against it", seats, alone, half, against)
		}
	}
}

func TestPirate2KnowsWhenToRise(t *testing.T) {
	for _, c := range []struct {
		rule, position string
		before         []string // choices up to the decision
		want           string
	}{{
		rule: "even the Cutthroat waits for the last rounds",
		position: `"phase": "voyage", "round": 5, "players": [{"hand": {"gun15": 1, "nav15": 1}, "prizes": {"gold_3": 3}},
			{"hand": {"cutthroat": 1, "nav12": 1}}, {"hand": {"nav12": 1}}, {"hand": {"gun12": 1}}]`,
		before: []string{"sail=fort"}, want: "pass",
	}, {
		rule: "as Captain it keeps its cards while gold is still to be won",
		position: `"phase": "voyage", "round": 5, "destination": "fort", "mutiny": {"mutineer": 3, "for_mutineer": {"gun12": 1}},
			"players": [{"hand": {"gun15": 1, "gun31": 1}, "prizes": {"gold_3": 3}}, {"hand": {}}, {"hand": {}}, {"hand": {}}]`,
		want: "pass",
	}, {
		rule: "and defends itself in the last rounds, with no more men than it needs",
		position: `"phase": "voyage", "round": 10, "destination": "fort", "mutiny": {"mutineer": 3, "for_mutineer": {"gun12": 1}},
			"players": [{"hand": {"gun15": 1, "gun31": 1}, "prizes": {"gold_3": 3}}, {"hand": {}}, {"hand": {}}, {"hand": {}}]`,
		want: "support=gun31",
	}, {
		rule: "in the last round but one it calls a mutiny with the card that it misses the least",
		position: `"phase": "appointment", "round": 9, "quartermaster": 2, "players": [{"hand": {"gun15": 1, "nav15": 1}, "prizes": {"gold_3": 3}},
			{"hand": {"mel15": 1, "nav12": 1}}, {"hand": {"nav12": 1}}, {"hand": {"gun12": 1}}]`,
		before: []string{"seat=+2"}, want: "oppose=nav12",
	}, {
		rule: "and does not fight for it",
		position: `"phase": "voyage", "round": 9, "captain": 1, "quartermaster": 2, "destination": "fort", "mutiny": {"mutineer": 0, "for_mutineer": {"gun12": 1}, "for_captain": {"nav15": 1}},
			"players": [{"hand": {"gun15": 1, "mel15": 1, "carpenter": 1}}, {"hand": {"nav12": 1, "gun14": 1, "mel14": 1, "nav14": 1}, "prizes": {"gold_3": 1}}, {"hand": {}}, {"hand": {}}]`,
		before: []string{"support=gun14", "pass"}, want: "pass",
	}, {
		rule: "in the last round it means it",
		position: `"phase": "appointment", "round": 10, "quartermaster": 2, "players": [{"hand": {"gun15": 1, "nav15": 1}, "prizes": {"gold_3": 3}},
			{"hand": {"mel15": 1, "nav12": 1}}, {"hand": {"nav12": 1}}, {"hand": {"gun12": 1}}]`,
		before: []string{"seat=+2"}, want: "oppose=mel15",
	}, {
		rule: "who has nothing to lose takes the mutineers' part",
		position: `"phase": "voyage", "round": 10, "captain": 1, "quartermaster": 2, "destination": "fort", "mutiny": {"mutineer": 3, "for_mutineer": {"gun12": 1}, "for_captain": {"gun15": 1}},
			"players": [{"hand": {"mel15": 1, "gun31": 1}}, {"hand": {}, "prizes": {"gold_1": 1}}, {"hand": {}}, {"hand": {"any": 1}, "prizes": {"gold_1": 1}}]`,
		want: "oppose=mel15",
	}, {
		rule: "who has does not",
		position: `"phase": "voyage", "round": 10, "captain": 1, "quartermaster": 2, "destination": "fort", "mutiny": {"mutineer": 3, "for_mutineer": {"gun12": 1}, "for_captain": {"gun15": 1}},
			"players": [{"hand": {"mel15": 1, "gun31": 1}, "prizes": {"gold_3": 2}}, {"hand": {}, "prizes": {"gold_1": 1}}, {"hand": {}}, {"hand": {"any": 1}, "prizes": {"gold_1": 1}}]`,
		want: "pass",
	}, {
		rule: "the Captain buries before the last round",
		position: `"phase": "voyage", "round": 9, "mutiny_tried": true,
			"players": [{"hand": {"old_sailor": 1, "mel12": 2}, "prizes": {"gold_2": 1}}, {"hand": {"gun12": 1}}, {"hand": {"nav13": 1}}, {"hand": {"gun13": 1}}]`,
		want: "sail=treasure_island",
	}} {
		g := jollyRoger(t, 4, ",forced=show")
		m := g.NewMatch()
		if err := m.SetPosition([]byte("{" + c.position + "}")); err != nil {
			t.Errorf("%s: %v", c.rule, err)
			continue
		}
		botstest.WantChoice(t, "heuristic2", g, m, c.rule, c.before, c.want)
	}
}

// With three seats, which have no Quartermaster to appoint, the Captain's first decision of a round is where to sail.
func TestPirate2RisesAtTablesOfThree(t *testing.T) {
	g := jollyRoger(t, 3, "")
	p := botstest.Bot(t, "heuristic2", g)
	m, r := g.NewMatch(), engine.NewRand(1)
	called := 0
	for seed := range uint64(20) {
		m.Reset(seed)
		for m.Seat() != engine.Over {
			a := p.Act(m, &r)
			if engine.State[jollyroger.State](m).Top().Kind == jollyroger.AskMutiny && a != jollyroger.ToPass {
				called++
			}
			if err := m.Apply(a); err != nil {
				t.Fatal(err)
			}
		}
	}
	if called == 0 {
		t.Error("pirates of a table of three never call a mutiny")
	}
}
