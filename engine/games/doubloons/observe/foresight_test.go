package observe_test

import (
	"bytes"
	"testing"

	"github.com/privateer-rl/privateer/encode/encodetest"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
	"github.com/privateer-rl/privateer/engine/games/doubloons/captain"
)

// What a row says of the end of the slot is found again by playing on from its action.
func TestForesightIsHowTheSlotEndsOnAverage(t *testing.T) {
	for _, game := range []string{"doubloons(seats=4,advice=foresight)", "doubloons(seats=2,modules=advanced_scoring+compass+alternate_island,advice=foresight)"} {
		g, _ := encodetest.Make(t, game)
		rollout, err := captain.NewRollout(g)
		if err != nil {
			t.Fatal(err)
		}
		seats, seen := g.Info().Seats, map[string]int{}
		for kind, all := range decisions(t, game, 40) {
			for _, m := range all {
				rows := rowsOf(t, m)
				rules, _ := engine.RulesOf[doubloons.State, *doubloons.Rules](m)
				me, best := int(engine.State[doubloons.State](m).Top().Seat), -1<<20
				leads := map[engine.Action]int{}
				for a, f := range rows {
					if kind <= doubloons.AskPlace || kind == doubloons.AskProgram {
						first, err := f.Schema.Group("foresight.seen")
						if err != nil {
							t.Fatal(err)
						}
						if end := f.Obs[first.Offset:]; bytes.Count(end, []byte{0}) != len(end) {
							t.Fatalf("%s: at %s something is looked ahead: %v", game, m.Decision(), end)
						}
						continue
					}
					world := *engine.State[doubloons.State](m)
					chance := engine.NewRand(1)
					rules.Redeal(&world, m.Seat(), &chance)
					lead, over, wins, hull, coins := 0, 0, 0, 0, 0
					for k := range uint64(2) {
						s := world
						s.Rand = engine.NewRand(k)
						rules.Apply(&s, a)
						rollout.FinishSlot(&s)
						by := lastBy(rules, &s, seats, me)
						lead += 8 * by
						hull += 8 * (int(s.Ships[me].Hull) - int(world.Ships[me].Hull))
						coins += 8 * (int(s.Ships[me].Doubloons) - int(world.Ships[me].Doubloons))
						if s.Phase == doubloons.PhaseOver {
							over++
							wins += int(engine.Bit(by > 0))
						}
					}
					leads[a], best = lead, max(best, lead)
					want := map[string]int{
						"seen": 1, "over": 255 * over / 2, "wins": 255 * wins / 2, "ahead": lead / 4, "behind": -lead / 4,
						"gain.hull": hull, "loss.hull": -hull, "gain.doubloons": coins, "loss.doubloons": -coins,
					}
					for what, n := range want {
						if n = min(max(n, 0), 255); f.One("foresight."+what) != n {
							t.Fatalf("%s: %s at %s: foresight.%s is %d; want %d", game, m.Info().ActionName(a), m.Decision(), what, f.One("foresight."+what), n)
						}
						if n > 0 {
							seen[what]++
						}
					}
				}
				for a, lead := range leads {
					others := -1 << 20
					for b, other := range leads {
						if b != a {
							others = max(others, other)
						}
					}
					want := min(max(lead-others, 0), 255)
					if len(leads) == 1 {
						want = 0
					}
					if got := rows[a].One("foresight.lead"); got != want || rows[a].One("foresight.lag") != min(best-lead, 255) {
						t.Fatalf("%s: %s at %s: lead %d, lag %d; want %d, %d", game, m.Info().ActionName(a), m.Decision(), got, rows[a].One("foresight.lag"), want, best-lead)
					}
				}
			}
		}
		if len(seen) < 9 {
			t.Errorf("%s: not everything is looked ahead: %v", game, seen)
		}
	}
}

// lastBy is by how many points a seat is ahead of the best of the others.
func lastBy(rules *doubloons.Rules, s *doubloons.State, seats, me int) int {
	most, own := -1<<20, 0
	for seat := range seats {
		player, sum := rules.PlayerAt(s, seat), 0
		by := make([]int32, doubloons.NumScores)
		rules.Scores(s, player, player, by)
		for _, n := range by {
			sum += int(n)
		}
		if seat == me {
			own = sum
		} else {
			most = max(most, sum)
		}
	}
	return own - most
}
