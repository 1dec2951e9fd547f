package doubloons

import (
	"fmt"
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// Scenarios as a person writes them: a position that says only what matters, what
// is done in it, and what that changes.
func TestHandwrittenScenarios(t *testing.T) {
	enginetest.Clause(t, "BRD-1", "FWD-1", "WAT-5", "WAT-7", "WAT-11", "LAND-9", "EXP-1", "BOA-5", "ORB-1", "CAPT-7", "GHOST-12", "PHASE-3", "DIG-2", "ADV-2")
	for _, tc := range []struct {
		name, game, position, actions string
		changes                       []string
	}{
		{
			"Voet fires from High Water over a Rip Current", "doubloons(seats=2)",
			`{"water": ["coral_reef", "high_water", "rip_current", "the_shallows"],
			  "ships": [{"captain": "voet", "region": 1, "table": ["N33"]}, {"captain": "pollyanna", "region": 3, "doubloons": 5}]}`,
			"do=forward;target=far;die=doubloon",
			[]string{"ships[0].doubloons: 2 → 3", "ships[1].doubloons: 5 → 4", "ships[1].hull: 10 → 8"},
		},
		{
			"a broadside into the fog sinks nobody", "doubloons(seats=3)",
			`{"water": ["fog", "high_water", "rip_current", "the_shallows"],
			  "ships": [{"region": 0, "captain": "voet", "table": ["N39"]}, {"captain": "hayreddin", "region": 0, "hull": 2}, {"captain": "valparisa", "region": 1}]}`,
			"do=broadsides;die=crew",
			[]string{"ships[1].crew: 4 → 3", "ships[1].hull: 2 → 1"},
		},
		{
			"Boarding Valparisa for her orb costs a crew", "doubloons(seats=4)",
			`{"water": ["fog", "coral_reef", "high_water", "merfolk_seer"],
			  "ships": [{"captain": "voet", "region": 3, "table": ["N39"], "crew": 2}, {"captain": "valparisa", "region": 3, "hull": 6, "orbs": 1},
			            {"captain": "hayreddin", "region": 0}, {"captain": "pollyanna", "region": 0}]}`,
			"do=board;seat=+1",
			[]string{"ships[0].crew: 2 → 1", "ships[0].orbs: 0 → 1", "ships[1].orbs: 1 → 0"},
		},
		{
			"a captain card steals reputation from a ship that shows Board", "doubloons(seats=2)",
			`{"dug": true, "slot": 2, "water": ["coral_reef", "high_water", "rip_current", "the_shallows"],
			  "ships": [{"captain": "voet", "region": 0, "reputation": 3, "table": ["N01", "C13", "N02"]},
			            {"captain": "hayreddin", "region": 0, "hull": 9, "reputation": 2, "table": ["N39", "N33", "N03"]}]}`,
			"stay;do=board;seat=+1",
			[]string{"ships[0].track: 0 → 1", "ships[1].reputation: 2 → 1"},
		},
		{
			"Advance with a follower, who resolves the tile that the hunter laid", "doubloons(seats=2)",
			`{"water": ["coral_reef", "high_water", "rip_current", "the_shallows"],
			  "ships": [{"captain": "voet", "captain_at": "P1", "region": 0, "table": ["N13"], "fragments": {"x": 1, "sun": 1}},
			            {"captain": "hayreddin", "captain_at": "P1", "region": 0, "fragments": {"x": 1}}]}`,
			"do=hunt;symbol=x;landmark=bleeding_totem",
			[]string{
				`landmarks.P2: "bleeding_totem" (new)`,
				`ships[0].captain_at: "P1" → "P2"`, "ships[0].crew: 4 → 3", "ships[0].hull: 10 → 8",
				`ships[1].captain_at: "P1" → "P2"`, "ships[1].crew: 4 → 3", "ships[1].hull: 10 → 8",
			},
		},
		{
			"the Whispering Portal, given away, robs the one who exploited it", "doubloons(seats=2)",
			`{"dug": true, "water": ["coral_reef", "high_water", "rip_current", "the_shallows"],
			  "ships": [{"captain": "voet", "region": 0, "table": ["N13"], "fragments": {"x": 2}}, {"captain": "hayreddin", "region": 0, "fragments": {"sun": 1}}]}`,
			"do=hunt;stack=blue;landmark=whispering_portal;seat=+1;seat=self;seat=+1;symbol=x",
			[]string{"ships[0].fragments.x: 2 → 1", "ships[1].fragments.x: 1 (new)"},
		},
		{
			"alone at the pillage, a ghost ship earns its redemption", "doubloons(seats=3)",
			`{"slot": 3, "turn": 2, "island": 6, "water": ["fog", "high_water", "rip_current", "the_shallows"],
			  "ships": [{"captain": "voet", "region": 0}, {"captain": "hayreddin", "region": 0},
			            {"captain": "pollyanna", "region": 0, "ghost": true, "crew": 1, "doubloons": 1, "table": ["N01", "N02", "N26"]}]}`,
			"do=pillage",
			[]string{"initiative: 0 → 1", "island: 6 → 10", "round: 1 → 2", "ships[2].crew: 1 → 3",
				"ships[2].doubloons: 1 → 0", "ships[2].ghost: true → false", "ships[2].hull: 0 → 7", "supply: 37 → 34"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			g, err := engine.NewGame(tc.game[:len(tc.game)-1] + ",chance=explicit,forced=show)")
			if err != nil {
				t.Fatal(err)
			}
			m := g.NewMatch()
			if err := m.SetPosition([]byte(tc.position)); err != nil {
				t.Fatal(err)
			}
			before, err := m.Position(engine.Full)
			if err != nil {
				t.Fatal(err)
			}
			enginetest.Do(t, m, tc.actions)
			after, err := m.Position(engine.Full)
			if err != nil {
				t.Fatal(err)
			}
			// Where cards and tiles lie in their stacks is not what these scenarios are about.
			ignore := []string{"generator", "stack", "stacks", "slot", "turn", "phase", "revealed", "deck", "discard"}
			for i := range m.Info().Seats {
				ignore = append(ignore, fmt.Sprintf("ships[%d].table", i), fmt.Sprintf("ships[%d].hand", i))
			}
			all, err := engine.Changes(before, after, ignore...)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range all {
				got = append(got, c.String())
			}
			slices.Sort(got)
			slices.Sort(tc.changes)
			if !slices.Equal(got, tc.changes) {
				t.Errorf("changes:\n%q\nwant:\n%q", got, tc.changes)
			}
		})
	}
}
