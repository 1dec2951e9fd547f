package observe_test

import (
	"testing"

	"github.com/privateer-rl/privateer/encode/encodetest"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/jollyroger"
)

// rowsOf visits the row of every legal action of the decisions of a kind, in matches played at random, with the match after it.
func rowsOf(t *testing.T, game string, matches int, kind jollyroger.Kind, visit func(m, after engine.Match, a engine.Action, f encodetest.Features)) {
	t.Helper()
	g, e := encodetest.Make(t, game)
	after, size := g.NewMatch(), e.ActionSize()
	room := make([]uint8, 256*size)
	n := 0
	encodetest.Play(t, game, matches, func(m engine.Match) {
		if m.Seat() < 0 || engine.State[jollyroger.State](m).Top().Kind != kind {
			return
		}
		rows := room
		e.EncodeActions(m, rows)
		for a := m.Legal().First(); a >= 0; a = m.Legal().Next(a) {
			after.CopyFrom(m)
			rules, _ := engine.RulesOf[jollyroger.State, *jollyroger.Rules](m)
			rules.Apply(engine.State[jollyroger.State](after), a)
			visit(m, after, a, encodetest.Features{T: t, Schema: e.ActionSchema(), Obs: rows[:size]})
			rows = rows[size:]
			n++
		}
	})
	if n == 0 {
		t.Errorf("%s was never asked", kind)
	}
}

func TestMutinyRowsCountBothSidesWithTheCard(t *testing.T) {
	turned := 0
	rowsOf(t, "jolly_roger(seats=5)", 60, jollyroger.AskFaction, func(m, after engine.Match, a engine.Action, f encodetest.Features) {
		rules, _ := engine.RulesOf[jollyroger.State, *jollyroger.Rules](m)
		s, is := engine.State[jollyroger.State](m), engine.State[jollyroger.State](after)
		if is.Mutineer < 0 || is.Next() != jollyroger.AskFaction || is.Phase != s.Phase {
			return // it is over, or a card may be cancelled first
		}
		side := is.Side[m.Seat()]
		captain, mutineer := rules.Crewmen(is, jollyroger.ForCaptain), rules.Crewmen(is, jollyroger.ForMutineer)
		if got := f.Of("action.mutiny.crewmen"); int(got[0]) != captain || int(got[1]) != mutineer {
			t.Fatalf("%s: crewmen %v; want %d, %d\n%s", m.Info().ActionName(a), got, captain, mutineer, m.Render(engine.Full))
		}
		if f.One("action.mutiny.leads") != max(0, captain-mutineer+1) || f.One("action.mutiny.trails") != max(0, mutineer-captain) {
			t.Fatalf("%s: leads %d, trails %d", m.Info().ActionName(a), f.One("action.mutiny.leads"), f.One("action.mutiny.trails"))
		}
		if side != jollyroger.Neutral && f.Hot("action.mutiny.side") != int(side)-1 {
			t.Fatalf("%s: side %v; want %d", m.Info().ActionName(a), f.Of("action.mutiny.side"), side)
		}
		if got, want := f.One("action.hand"), int(is.Size[m.Seat()]); got != want {
			t.Fatalf("%s: %d cards in hand after it; want %d", m.Info().ActionName(a), got, want)
		}
		turned += f.One("action.mutiny.turns")
	})
	if turned == 0 {
		t.Error("no card turned a mutiny")
	}
}

func TestAttackRowsSayWhatIsStillMissing(t *testing.T) {
	enough := 0
	rowsOf(t, "jolly_roger(seats=4)", 60, jollyroger.AskAttack, func(m, after engine.Match, a engine.Action, f encodetest.Features) {
		rules, _ := engine.RulesOf[jollyroger.State, *jollyroger.Rules](m)
		s := engine.State[jollyroger.State](m)
		if a >= jollyroger.ToSupport {
			if f.One("action.attack.helps") != 0 {
				t.Fatalf("%s helps the attack", m.Info().ActionName(a))
			}
			return
		}
		played := s.Played
		played[a-jollyroger.ToPlay]++
		wins, n := 0, 0
		for i := range jollyroger.StackSize {
			if s.Stacks[s.Destination]>>i&1 == 0 {
				continue
			}
			n++
			lacking, each := 0, int(rules.Crew[jollyroger.AnyCard].Value)
			for k, need := range rules.Targets[int(s.Destination)*jollyroger.StackSize+i].Needs {
				have := 0
				for c := range jollyroger.AnyCard {
					if int(rules.Crew[c].Skill) == k {
						have += int(played[c]) * int(rules.Crew[c].Value)
					}
				}
				lacking += (max(0, int(need)-have) + each - 1) / each
			}
			wins += int(engine.Bit(lacking <= int(played[jollyroger.AnyCard])))
		}
		if s.Target >= 0 {
			return // revealed by the Lookout
		}
		enough += wins
		if got := f.One("action.attack.wins"); got != 255*wins/n {
			t.Fatalf("%s: suffices for %d of 255; want %d of %d\n%s", m.Info().ActionName(a), got, wins, n, m.Render(engine.Full))
		}
	})
	if enough == 0 {
		t.Error("no attack was ever strong enough")
	}
}

func TestSharingRowsSayWhoHasGotLeast(t *testing.T) {
	rowsOf(t, "jolly_roger(seats=4)", 40, jollyroger.AskShare, func(m, _ engine.Match, a engine.Action, f encodetest.Features) {
		s := engine.State[jollyroger.State](m)
		x := int(a - jollyroger.ToGive)
		seat := (m.Seat() + x%jollyroger.MaxSeats) % 4
		least := true
		for i := range 4 {
			least = least && s.Split[i] >= s.Split[seat]
		}
		if f.Hot("action.prize") != x/jollyroger.MaxSeats || f.Hot("action.target") != x%jollyroger.MaxSeats || f.One("action.target.split") != int(s.Split[seat]) || f.One("action.target.fewest") == 1 != least {
			t.Fatalf("%s: prize %v to %v, which has got %d", m.Info().ActionName(a), f.Of("action.prize"), f.Of("action.target"), f.One("action.target.split"))
		}
	})
}

func TestRowsDoNotCountPrizesThatLieFaceDown(t *testing.T) {
	rowsOf(t, "jolly_roger(seats=4,variants=hidden_prizes)", 30, jollyroger.AskVictim, func(m, _ engine.Match, a engine.Action, f encodetest.Features) {
		seat := (m.Seat() + int(a-jollyroger.ToSeat)) % 4
		s := engine.State[jollyroger.State](m)
		n := 0
		for _, k := range s.Prizes[seat] {
			n += int(k)
		}
		if seat != m.Seat() && (f.One("action.target.gold") != n || f.One("action.target.best") != 0) {
			t.Fatalf("%s: %d gold of %d prizes that one does not see, the best %d", m.Info().ActionName(a), f.One("action.target.gold"), n, f.One("action.target.best"))
		}
	})
}

func TestReignRowsCountTheRoundsOfTheCaptain(t *testing.T) {
	const game = "jolly_roger(seats=5,advice=reign)"
	_, e := encodetest.Make(t, game)
	room, size := make([]uint8, 256*e.ActionSize()), e.ActionSize()
	captain, round, since, longest, deposed := int8(-1), uint8(0), uint8(0), 0, 0
	encodetest.Play(t, game, 20, func(m engine.Match) {
		s := engine.State[jollyroger.State](m)
		switch {
		case s.Round < round: // another match
			since = 0
		case s.Captain != captain && captain >= 0:
			since, deposed = s.Round, deposed+1
		}
		captain, round = s.Captain, s.Round
		if m.Seat() < 0 || captain < 0 {
			return
		}
		for i := range e.EncodeActions(m, room) {
			f := encodetest.Features{T: t, Schema: e.ActionSchema(), Obs: room[i*size : (i+1)*size]}
			if got, want := f.One("action.reign"), int(round-since); got != want {
				t.Fatalf("a reign of %d rounds; want %d\n%s", got, want, m.Render(engine.Full))
			}
		}
		longest = max(longest, int(round-since))
	})
	if longest < 3 || deposed < 20 {
		t.Errorf("the longest reign had %d rounds, and %d Captains fell", longest, deposed)
	}
}
