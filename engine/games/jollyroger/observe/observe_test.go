package observe_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode/encodetest"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/jollyroger"
)

// pirateSight is a position of Jolly Roger as a seat sees it.
type pirateSight struct {
	Round, Captain, Quartermaster, Guard int
	Phase, Destination, Target           string
	Needs                                map[string]uint8
	MutinyTried                          bool `json:"mutiny_tried"`
	Interrupted, Barred, Map             bool
	Mutiny                               *pirateMutiny
	Discard, Deck, Played, Spoils, Old   map[string]uint8
	PrizeDeck                            map[string]uint8 `json:"prize_deck"`
	PrizeDiscard                         map[string]uint8 `json:"prize_discard"`
	Stacks                               map[string][]string
	Players                              []piratePlayer
	Offer                                map[string]uint8
	Sightings                            []pirateSighting
	Stack                                []map[string]any
}

type pirateMutiny struct {
	Mutineer    int
	Role        string           `json:"quartermaster_card"`
	ForCaptain  map[string]uint8 `json:"for_captain"`
	ForMutineer map[string]uint8 `json:"for_mutineer"`
}

type piratePlayer struct {
	Hand, Prizes, Buried map[string]uint8
	Side                 string
	Split                uint8
	NewCards             uint8 `json:"new_cards"`
	OfferedTo            []int `json:"offered_to"`
	Said                 *struct {
		Phrase string
		To     int
	}
}

type pirateSighting struct {
	Card    string
	Among   []int
	OnTable bool  `json:"on_table"`
	KnownBy []int `json:"known_by"`
}

var (
	pirateSides        = []string{"captain", "mutineer"}
	pirateDestinations = []string{"fort", "merchant_ship", "settlement", "pirate_port", "treasure_island"}
	pirateSkills       = []string{"navigation", "guns", "melee"}
	pirateWindows      = []string{"round_start", "appointed", "choosing_again", "chosen", "revealed", "changed", "in_port", "on_island", "before_split", "sharing", "before_punishment", "ordered", "before_deal", "round_end"}
	pirateMoments      = []string{"destination", "mutiny", "prizes", "punishment"}
	piratePhases       = []string{"setup", "appointment", "voyage", "attack", "prizes", "port", "island", "punishment", "over"}
	piratePhrases      = []string{"side_with_me", "i_side_with_you", "give_me", "i_give_you", "i_will_mutiny", "i_will_not_mutiny"}
)

// pirateReader makes the observation of a seat from the position that it sees, slowly and
// by names: the result that the encoder must have.
type pirateReader struct {
	rules         *jollyroger.Rules
	config        *engine.Info
	cards, prizes []string
	seat          int
	at            *pirateSight
	want          map[string][]uint8
}

func newPirateReader(t *testing.T, g engine.Game) *pirateReader {
	t.Helper()
	rules, ok := engine.RulesOf[jollyroger.State, *jollyroger.Rules](g.NewMatch())
	if !ok {
		t.Fatal("no match of Jolly Roger")
	}
	r := &pirateReader{rules: rules, config: g.Info()}
	for _, name := range g.Info().Actions {
		if card, ok := strings.CutPrefix(name, "discard="); ok {
			r.cards = append(r.cards, card)
		}
		if prize, ok := strings.CutPrefix(name, "prize="); ok {
			r.prizes = append(r.prizes, prize)
		}
	}
	return r
}

func hot(names []string, name string) []uint8 {
	row := make([]uint8, len(names))
	if i := slices.Index(names, name); i >= 0 {
		row[i] = 1
	}
	return row
}

func hotAt(n, i int) []uint8 {
	row := make([]uint8, n)
	if i >= 0 {
		row[i] = 1
	}
	return row
}

func counts(names []string, of map[string]uint8) []uint8 {
	row := make([]uint8, len(names))
	for i, name := range names {
		row[i] = of[name]
	}
	return row
}

func cardsIn(of map[string]uint8) (n uint8) {
	for _, k := range of {
		n += k
	}
	return n
}

func bytesOf(flags ...bool) []uint8 {
	row := make([]uint8, len(flags))
	for i, b := range flags {
		row[i] = engine.Bit(b)
	}
	return row
}

// place is a seat's place clockwise from the observer, or −1 of none.
func (r *pirateReader) place(seat int) int {
	if seat < 0 {
		return -1
	}
	return (seat - r.seat + r.config.Seats) % r.config.Seats
}

func (r *pirateReader) read(position []byte, seat int) (map[string][]uint8, error) {
	r.at, r.seat, r.want = &pirateSight{}, seat, map[string][]uint8{}
	if err := json.Unmarshal(position, r.at); err != nil {
		return nil, err
	}
	r.table()
	r.hidden()
	r.players()
	r.known()
	r.asked()
	return r.want, nil
}

// table is what lies open, and the configuration.
func (r *pirateReader) table() {
	at, want := r.at, r.want
	want["game.players"] = hotAt(8, r.config.Seats-3)
	want["game.hidden_prizes"] = bytesOf(strings.Contains(r.config.Config, "hidden_prizes"))
	want["game.captains_gold"] = bytesOf(strings.Contains(r.config.Config, "captains_gold"))
	want["game.bribes"] = bytesOf(!strings.Contains(r.config.Config, "bribes=gifts") && !strings.Contains(r.config.Config, "bribes=talk"),
		strings.Contains(r.config.Config, "bribes=gifts"), strings.Contains(r.config.Config, "bribes=talk"))
	want["game.limit"] = []uint8{r.rules.HandLimit[r.config.Seats]}
	want["game.phase"] = hot(piratePhases, at.Phase)
	want["game.round"] = []uint8{uint8(at.Round)}
	want["voyage.destination"] = hot(pirateDestinations, at.Destination)
	want["voyage.needs"] = counts(pirateSkills, at.Needs)
	want["voyage.barred"] = bytesOf(at.Barred)
	want["voyage.map"] = bytesOf(at.Map)
	target, left, stacks := make([]uint8, 35), make([]uint8, 35), make([]uint8, 5)
	prizes := uint8(0)
	for d, name := range pirateDestinations {
		for i := range 8 {
			card := fmt.Sprintf("%s_%d", name, i+1)
			if at.Target == card {
				target[8*d+i], prizes = 1, r.rules.Targets[8*d+i].Prizes
			}
			if slices.Contains(at.Stacks[name], card) {
				left[8*d+i] = 1
				stacks[d]++
			}
		}
	}
	want["voyage.target"], want["voyage.left"], want["stacks.cards"] = target, left, stacks
	want["voyage.prizes"] = []uint8{prizes}
	ends := func(d int, of func(*jollyroger.Target) uint8) []uint8 {
		var all []uint8
		for i := range 8 {
			if left[8*d+i] != 0 {
				all = append(all, of(&r.rules.Targets[8*d+i]))
			}
		}
		if all == nil {
			return []uint8{0, 0}
		}
		return []uint8{slices.Min(all), slices.Max(all)}
	}
	for d := range 3 {
		var needs []uint8
		for k := range pirateSkills {
			needs = append(needs, ends(d, func(t *jollyroger.Target) uint8 { return t.Needs[k] })...)
		}
		want[fmt.Sprintf("stacks[%d].needs", d)] = needs
		want[fmt.Sprintf("stacks[%d].prizes", d)] = ends(d, func(t *jollyroger.Target) uint8 { return t.Prizes })
	}
	want["stacks[3].crew"] = ends(3, func(t *jollyroger.Target) uint8 { return t.Crew })
	want["attack.played"] = counts(r.cards, at.Played)
	want["attack.strength"] = r.strength(at.Played)
	want["mutiny.tried"] = bytesOf(at.MutinyTried)
	want["mutiny.interrupted"] = bytesOf(at.Interrupted)
	m := at.Mutiny
	if m == nil {
		m = &pirateMutiny{Mutineer: -1}
	}
	want["mutiny.role"] = hot(pirateSides, m.Role)
	crewmen := []uint8{r.crewmen(m.ForCaptain) + engine.Bit(m.Role == "captain"), r.crewmen(m.ForMutineer) + engine.Bit(m.Role == "mutineer")}
	crewmen[0] += engine.Bit(at.Mutiny != nil) // the Captain
	want["mutiny.crewmen"] = crewmen
	want["mutiny.cards"] = append(counts(r.cards, m.ForCaptain), counts(r.cards, m.ForMutineer)...)
	want["crew.discard"] = counts(r.cards, at.Discard)
	want["crew.old"] = counts(r.cards, at.Old)
	want["prizes.discard"] = counts(r.prizes, at.PrizeDiscard)
	want["prizes.left"] = []uint8{cardsIn(at.PrizeDeck)}
	want["spoils.prizes"] = counts(r.prizes, at.Spoils)
	want["spoils.cards"] = []uint8{cardsIn(at.Spoils)}
	want["offer.crew"] = counts(r.cards, at.Offer)
	want["offer.prizes"] = counts(r.prizes, at.Offer)
}

func (r *pirateReader) strength(cards map[string]uint8) []uint8 {
	sum := make([]uint8, 4)
	for c, card := range r.rules.Crew[:jollyroger.NumNormal] {
		if card.Skill == jollyroger.AnySkill {
			sum[3] += cards[r.cards[c]]
		} else {
			sum[card.Skill] += cards[r.cards[c]] * card.Value
		}
	}
	return sum
}

func (r *pirateReader) crewmen(cards map[string]uint8) (n uint8) {
	for c, card := range r.rules.Crew {
		n += cards[r.cards[c]] * card.Crewmen
	}
	return n
}

// hidden is what one's own cards and those on the table leave.
func (r *pirateReader) hidden() {
	at, want := r.at, r.want
	own := at.Players[r.seat]
	want["self.hand_cards"] = counts(r.cards, own.Hand)
	want["self.strength"] = r.strength(own.Hand)
	want["self.crewmen"] = []uint8{r.crewmen(own.Hand)}
	want["crew.deck"] = []uint8{cardsIn(at.Deck)}
	cards, prizes := make([]uint8, len(r.cards)), make([]uint8, len(r.prizes))
	for c := range cards {
		cards[c] = r.rules.Crew[c].Copies
	}
	for p := range prizes {
		prizes[p] = r.rules.Prizes[p].Copies
	}
	seen := []map[string]uint8{own.Hand, at.Discard, at.Played}
	if m := at.Mutiny; m != nil {
		seen = append(seen, m.ForCaptain, m.ForMutineer)
	}
	if at.Map {
		seen = append(seen, map[string]uint8{"old_sailor": 1})
	}
	for _, f := range at.Stack {
		switch f["kind"] {
		case "do_effect", "do_join", "do_commit": // a Traitor is on the discard at once
			seen = append(seen, map[string]uint8{f["card"].(string): 1})
		}
	}
	for _, some := range seen {
		for c, name := range r.cards {
			cards[c] -= some[name]
		}
	}
	seen = []map[string]uint8{at.PrizeDiscard, at.Spoils}
	for _, p := range at.Players {
		seen = append(seen, p.Prizes, p.Buried)
	}
	for _, some := range seen {
		for p, name := range r.prizes {
			prizes[p] -= some[name]
		}
	}
	want["crew.unseen"], want["prizes.unseen"] = cards, prizes
}

func (r *pirateReader) players() {
	at, want := r.at, r.want
	mutineer := -1
	if at.Mutiny != nil {
		mutineer = at.Mutiny.Mutineer
	}
	for k := range jollyroger.MaxSeats {
		name := "self"
		if k > 0 {
			name = fmt.Sprintf("opponents[%d]", k-1)
		}
		var p piratePlayer
		if k < r.config.Seats {
			p = at.Players[(r.seat+k)%r.config.Seats]
		}
		want[name+".present"] = bytesOf(k < r.config.Seats)
		want[name+".captain"] = bytesOf(k == r.place(at.Captain))
		want[name+".quartermaster"] = bytesOf(k == r.place(at.Quartermaster))
		want[name+".mutineer"] = bytesOf(k == r.place(mutineer))
		want[name+".guard"] = bytesOf(k == r.place(at.Guard))
		want[name+".side"] = hot(pirateSides, p.Side)
		want[name+".hand"] = []uint8{cardsIn(p.Hand)}
		want[name+".new"] = []uint8{p.NewCards}
		want[name+".prizes"] = counts(r.prizes, p.Prizes)
		want[name+".prize_cards"] = []uint8{cardsIn(p.Prizes)}
		want[name+".buried"] = counts(r.prizes, p.Buried)
		want[name+".buried_cards"] = []uint8{cardsIn(p.Buried)}
		want[name+".split"] = []uint8{p.Split}
		phrase, to := "", -1
		if p.Said != nil {
			phrase, to = p.Said.Phrase, p.Said.To
		}
		want[name+".says"] = hot(piratePhrases, phrase)
		want[name+".says_to"] = hotAt(jollyroger.MaxSeats, r.place(to))
	}
}

func (r *pirateReader) known() {
	crew, prizes, spoils := make([]uint8, len(r.cards)*9), make([]uint8, len(r.prizes)*9), make([]uint8, len(r.prizes))
	for _, e := range r.at.Sightings {
		if !slices.Contains(e.KnownBy, r.seat) {
			continue
		}
		e.Among = slices.DeleteFunc(e.Among, func(seat int) bool { return seat == r.seat })
		places := len(e.Among) + int(engine.Bit(e.OnTable))
		share := uint8((36 + places/2) / places)
		to := crew
		kind := slices.Index(r.cards, e.Card)
		if kind < 0 {
			to, kind = prizes, slices.Index(r.prizes, e.Card)
			spoils[kind] += share * engine.Bit(e.OnTable)
		}
		for _, seat := range e.Among {
			to[9*kind+r.place(seat)-1] += share
		}
	}
	r.want["known.crew"], r.want["known.prizes"], r.want["known.spoils"] = crew, prizes, spoils
}

// asked is the decision at the top of the stack, if the position shows it.
func (r *pirateReader) asked() {
	var top, below map[string]any
	if n := len(r.at.Stack); n > 0 && strings.HasPrefix(r.at.Stack[n-1]["kind"].(string), "ask_") {
		top = r.at.Stack[n-1]
		if n > 1 {
			below = r.at.Stack[n-2]
		}
		if top["kind"] == "ask_traitor" {
			below = r.at.Stack[n-3] // between is the poll
		}
	}
	text := func(of map[string]any, key string) string { s, _ := of[key].(string); return s }
	number := func(of map[string]any, key string) uint8 { x, _ := of[key].(float64); return uint8(int(x)) }
	truth := func(key string) bool { b, _ := top[key].(bool); return b }
	seat := func(of map[string]any, key string) int {
		x, ok := of[key].(float64)
		if !ok {
			return -1
		}
		return r.place(int(x))
	}
	want, kind := r.want, text(top, "kind")
	names := make([]string, jollyroger.NumAsks)
	for k := range names {
		names[k] = jollyroger.Kind(k).String()
	}
	want["decision.kind"] = hot(names, kind)
	want["decision.window"] = hot(pirateWindows, text(top, "window"))
	want["decision.moment"] = hot(pirateMoments, text(top, "moment"))
	var offered []int
	if kind == "ask_faction" {
		offered = r.at.Players[number(top, "seat")].OfferedTo
	}
	want["decision.settings"] = bytesOf(truth("mutiny"), truth("cook"), truth("guard"), truth("spoken"), len(offered) > 0, truth("without"))
	want["decision.left"] = []uint8{number(top, "left")}
	want["decision.trade"] = []uint8{number(top, "hostages"), number(top, "jewels")}
	want["mutiny.passes"] = []uint8{0}
	if kind == "ask_faction" {
		want["mutiny.passes"] = []uint8{number(below, "passes")}
	}
	side, killed, flight, aims := text(top, "side"), "", "", []int{}
	by := make([]uint8, 2)
	if kind == "ask_traitor" {
		flight = text(below, "kind")
		side = text(below, "side")
		switch text(below, "card") {
		case "second_mate":
			aims = append(aims, seat(below, "with"), seat(below, "and"))
			if x, _ := below["and"].(float64); x < 0 {
				aims = aims[:1]
			}
		case "boatswain", "smart_kid":
			aims = append(aims, seat(below, "with"))
		case "first_mate", "master_mariner", "sharpshooter":
			by = bytesOf(below["with"] == 1.0, below["with"] == -1.0)
		}
		if flight != "do_effect" {
			aims, by = nil, make([]uint8, 2)
		}
		if flight == "do_commit" && below["effect"] == true {
			switch text(below, "card") {
			case "sea_dog":
				aims = append(aims, seat(below, "target"))
			case "cutthroat":
				killed = pirateSides[number(below, "target")-1]
			}
		}
		want["decision.card"] = hot(r.cards, text(top, "card"))
	} else {
		want["decision.card"] = make([]uint8, len(r.cards))
	}
	want["decision.side"] = hot(pirateSides, side)
	want["decision.killed"] = hot(pirateSides, killed)
	want["decision.flight"] = hot([]string{"do_effect", "do_join", "do_commit", "do_cancel"}, flight)
	want["decision.by"] = by
	asked := int(number(top, "asked_low")|number(top, "named_low")) | int(number(top, "asked_high")|number(top, "named_high"))<<8
	for _, seat := range offered {
		asked |= 1 << seat
	}
	for k := range jollyroger.MaxSeats {
		name := "self"
		if k > 0 {
			name = fmt.Sprintf("opponents[%d]", k-1)
		}
		about := false
		for _, key := range []string{"whose", "carpenter", "victim", "suggested", "first", "receiver", "giver"} {
			x, ok := top[key].(float64)
			about = about || ok && x >= 0 && r.place(int(x)) == k
		}
		want[name+".decides"] = bytesOf(k == seat(top, "seat"))
		want[name+".concerned"] = bytesOf(about)
		want[name+".asked"] = bytesOf(k < r.config.Seats && asked>>((r.seat+k)%r.config.Seats)&1 != 0)
		want[name+".aimed"] = bytesOf(slices.Contains(aims, k))
	}
}

// A seat's observation holds what its position says and nothing else, in every group.
func TestJollyRogerObservationsSayWhatPositionsSay(t *testing.T) {
	for game, matches := range map[string]int{
		"jolly_roger(seats=3,bribes=talk)":                                       2,
		"jolly_roger(seats=4,bribes=gifts,variants=hidden_prizes)":               2,
		"jolly_roger(seats=6,forced=show)":                                       2,
		"jolly_roger(seats=7,chance=explicit,variants=hidden_prizes)":            1,
		"jolly_roger(seats=10,bribes=talk,variants=captains_gold+hidden_prizes)": 1,
	} {
		g, e := encodetest.Make(t, game)
		r := newPirateReader(t, g)
		obs := make([]uint8, e.Schema().Size)
		step := 0
		encodetest.Play(t, game, matches, func(m engine.Match) {
			for seat := range g.Info().Seats {
				if step++; step%11 != 0 && seat != m.Seat() {
					continue // the views of others are alike
				}
				position, err := m.Position(seat)
				if err != nil {
					t.Fatal(err)
				}
				want, err := r.read(position, seat)
				if err != nil {
					t.Fatal(err)
				}
				e.Encode(m, seat, obs)
				for _, group := range e.Schema().Groups {
					have := obs[group.Offset : group.Offset+group.Size]
					if !bytes.Equal(have, want[group.Name]) {
						t.Fatalf("%s: %s, as seat %d sees it: %s is %v; the position says %v:\n%s", game, m.Decision(), seat, group.Name, have, want[group.Name], position)
					}
				}
			}
		})
	}
}

// Nine sightings of one kind with one seat are more than a byte holds; the bytes beside it
// stay as they are.
func TestJollyRogerManySightingsOfAKindStopAtTheMost(t *testing.T) {
	g, e := encodetest.Make(t, "jolly_roger(seats=6,variants=hidden_prizes)")
	sighting := `{"card": "gold_1", "among": [4], "known_by": [2]}`
	m := g.NewMatch()
	if err := m.SetPosition([]byte(`{"sightings": [` + sighting + strings.Repeat(", "+sighting, 8) + `], "players": [{}, {}, {}, {}, {"buried": {"gold_1": 9}}]}`)); err != nil {
		t.Fatal(err)
	}
	obs := make([]uint8, e.FullSchema().Size)
	e.EncodeFull(m, 2, obs)
	known := encodetest.Features{T: t, Schema: e.FullSchema(), Obs: obs}.Of("known.prizes")
	if want := []uint8{0, 255, 0, 0, 0, 0, 0, 0, 0}; !bytes.Equal(known[:9], want) {
		t.Errorf("known of gold 1: %v; want %v", known[:9], want)
	}
	if e.EncodeFull(m, 3, obs); bytes.Count(known, []byte{0}) != len(known) {
		t.Errorf("who has seen nothing knows of %v", known)
	}
}
