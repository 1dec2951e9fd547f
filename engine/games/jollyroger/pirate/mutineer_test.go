package pirate

import (
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/jollyroger"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/bots/botstest"
)

// In mutinies against a Captain of three rounds or more that has more gold than all others it decides as the heuristic pirate, else as the player
// that it names.
func TestAMutineerDecidesMutiniesAgainstACaptainThatStaysAndLeads(t *testing.T) {
	for _, c := range []struct {
		seats int
		rises bool
	}{{6, true}, {4, true}, {3, false}} {
		g := jollyRoger(t, c.seats, "")
		both, greedy, heuristic := botstest.Bot(t, "heuristic(player=greedy)", g), botstest.Bot(t, "greedy", g), botstest.Bot(t, "heuristic", g)
		m, r, rose, behind := g.NewMatch(), engine.NewRand(1), 0, 0
		rules, _ := engine.RulesOf[jollyroger.State, *jollyroger.Rules](m)
		for seed := range uint64(30) {
			captain, since := int8(-1), uint8(0)
			for m.Reset(seed); m.Seat() >= 0; {
				s := engine.State[jollyroger.State](m)
				if s.Captain != captain {
					captain, since = s.Captain, s.Round
					if s.Round == 1 && s.Phase == jollyroger.PhaseAppointment && !s.MutinyTried {
						since = 0 // by the deal
					}
				}
				k := s.Top().Kind
				mutiny := k == jollyroger.AskMutiny || k == jollyroger.AskFaction
				stays := c.rises && mutiny && m.Seat() != int(captain) && s.Round >= since+3
				want := greedy
				switch {
				case stays && leads(rules, s, int(captain)):
					want = heuristic
					rose++
				case stays:
					behind++
				}
				luck := r
				got, like := both.Act(m, &r), want.Act(m, &luck)
				if got != like {
					t.Fatalf("seat %d of %d plays %s; want %s, as %s\n%s", m.Seat(), c.seats, m.Info().ActionName(got), m.Info().ActionName(like), want.Name(), m.Render(engine.Full))
				}
				if k == jollyroger.AskMutiny && seed%2 == 0 {
					got = jollyroger.ToPass // so that Captains stay
				}
				if err := m.Apply(got); err != nil {
					t.Fatal(err)
				}
			}
		}
		if c.rises && (rose < 20 || behind < 20) {
			t.Errorf("%d seats: %d decisions of such mutinies, %d against Captains that stay and do not lead", c.seats, rose, behind)
		}
	}
}

// leads reports whether the prizes of a seat are worth more than those of each other.
func leads(rules *jollyroger.Rules, s *jollyroger.State, seat int) bool {
	gold := func(seat int) (sum float64) {
		for k, n := range s.Prizes[seat] {
			var each float64
			switch k := jollyroger.Prize(k); k {
			case jollyroger.Rum:
				each = rumWorth
			case jollyroger.Jewels:
				each = drawWorth
			case jollyroger.Hostage:
				each = 1
				if s.Round < tooLate {
					each = .4 + .6*2*drawWorth
				}
			default:
				each = float64(rules.Components.Prizes[k].Value)
			}
			sum += float64(float64(n+s.Buried[seat][k]) * each)
		}
		return sum
	}
	for i := range rules.Seats() {
		if i != seat && gold(i) > gold(seat)-1e-9 {
			return false
		}
	}
	return true
}

// first takes the first of the legal actions, and says so.
type first struct{}

func (first) Name() string { return "first" }

func (first) Act(m engine.Match, _ *engine.Rand) engine.Action { return m.Legal().First() }

func (f first) Explain(m engine.Match, r *engine.Rand) bots.Account {
	return bots.Account{Choice: f.Act(m, r), Prior: -1, Notes: []string{"the first"}}
}

func init() {
	bots.Register(bots.Kind{Name: "first", Game: "jolly_roger", New: func(engine.Game) (bots.Bot, error) { return first{}, nil }})
}

// It gives its player's reasons for what that decides, and none for what the heuristic pirate does.
func TestAMutineerExplainsAsItsPlayer(t *testing.T) {
	g := jollyRoger(t, 6, "")
	if _, ok := botstest.Bot(t, "heuristic(player=greedy)", g).(bots.Explainer); ok {
		t.Error("it explains what a greedy pirate plays, which gives no reasons")
	}
	b := botstest.Bot(t, "heuristic(player=first)", g).(bots.Explainer)
	m, r, rose := g.NewMatch(), engine.NewRand(1), 0
	for seed := range uint64(30) {
		for m.Reset(seed); m.Seat() >= 0; {
			luck, again := r, r
			account, choice := b.Explain(m, &luck), b.Act(m, &again)
			if account.Choice != choice || luck != again {
				t.Fatalf("it plays %d and explains %d", choice, account.Choice)
			}
			own := account.Notes[0] == "the first"
			if rises := b.(*explainedMutineer).rises(m); own == rises {
				t.Fatalf("%s: the heuristic pirate decides: %v; its player's reasons: %v", m.Decision(), rises, own)
			} else if rises {
				rose++
			}
			if k := engine.State[jollyroger.State](m).Top().Kind; k == jollyroger.AskMutiny {
				choice = jollyroger.ToPass // so that Captains stay
			} else {
				choice = m.Legal().Sample(&r)
			}
			if err := m.Apply(choice); err != nil {
				t.Fatal(err)
			}
		}
	}
	if rose < 20 {
		t.Errorf("%d decisions of such mutinies", rose)
	}
}

func TestAMutineerNamesItsPlayer(t *testing.T) {
	g := jollyRoger(t, 6, "")
	if name := botstest.Bot(t, "heuristic(player=greedy)", g).Name(); name != "heuristic(player=greedy)" {
		t.Errorf("it calls itself %s", name)
	}
	if name := botstest.Bot(t, "heuristic(player=itself)", g).Name(); name != "heuristic" {
		t.Errorf("the heuristic pirate calls itself %s", name)
	}
	for name, says := range map[string]string{
		"heuristic(player=nobody)": `player: unknown bot "nobody"`,
		"heuristic(player=search)": "it searches itself: want a quick bot",
	} {
		if _, err := bots.New(name, g); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; want an error that says %s", name, err, says)
		}
	}
}
