package enginetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

// Pair is two matches of a game that a seat cannot tell apart: both show it the same position, and ask the same seat. They may be looked at until the next
// pair comes, not changed.
type Pair struct {
	Kind string // why they differ, for messages
	Seat int    // who cannot tell them apart
	A, B engine.Match
	Rand engine.Rand // for what is done with them

	// WasA and WasB are the pair before, if the two were played on from it; nil else. Between, the seat was shown nothing. A and B have noted what has
	// happened since: see engine.Listen.
	WasA, WasB engine.Match

	worlds [2]engine.Match // room
}

// Asked reports whether it is the seat itself that is to act.
func (p *Pair) Asked() bool { return p.A.Seat() == p.Seat }

// String says where the pair stands.
func (p *Pair) String() string {
	return fmt.Sprintf("%s, seat %d, %s, at %q", p.A.Info().Config, p.Seat, p.Kind, p.A.Decision())
}

// Redealt are both, dealt anew for the seat from equal generators.
func (p *Pair) Redealt() (a, b engine.Match) {
	for i, m := range []engine.Match{p.A, p.B} {
		r := p.Rand
		p.worlds[i].CopyFrom(m)
		p.worlds[i].Redeal(p.Seat, &r)
	}
	return p.worlds[0], p.worlds[1]
}

// Twins makes pairs of matches that a seat cannot tell apart, without an end, for any game and from its contract alone. They are
// pairs of four kinds, at moments of matches of which Play, if there is one, plays every other one; the rest are played at random:
//
//   - redealt: what the seat cannot know is dealt anew;
//   - of another generator: chance will go another way;
//   - changed by hand: two entries of the position have changed places, and the rules allow it;
//   - grown apart: from the set-up or from a redealt pair on, in both is done what looks the same to the seat, by Sight, so that cards that
//     go face down are others in the one than in the other, and a seat asked in secret passes or answers alike. That needs chance=explicit to go far.
type Twins struct {
	Game engine.Game
	Seed uint64
	Play func(m engine.Match, r *engine.Rand) engine.Action
	Grow int // a pair grows apart from one moment in Grow, which costs as much as hundreds of others; 500 if 0, and 4 in short matches

	// Parted, if not nil, is shown two matches in which the same has been done as far as the seat sees, and which it can tell apart all the
	// same: what was hidden has been revealed.
	Parted func(p *Pair)
}

const (
	grownMoments = 40 // at most of a pair that grows apart
	attempts     = 4  // to stay alike when something is done face down
)

// All are the pairs.
func (t Twins) All() iter.Seq[*Pair] {
	return func(yield func(*Pair) bool) {
		w := &twins{Twins: t, rand: engine.NewRand(t.Seed).At(2), words: words(t.Game.Info()), asked: map[string][]int{}, more: true, yield: yield, m: t.Game.NewMatch()}
		for i := range w.pair {
			w.pair[i], w.was[i], w.worlds[i] = t.Game.NewMatch(), t.Game.NewMatch(), t.Game.NewMatch()
			engine.Listen(w.pair[i])
		}
		for deal := t.Seed << 20; w.more; deal++ {
			w.played = deal%2 == 0
			w.match(deal)
		}
	}
}

// twins is All at work.
type twins struct {
	Twins
	rand  engine.Rand
	words []int            // of actions and outcomes: those of one word have one number
	asked map[string][]int // how often each action could be taken, by what was asked
	yield func(*Pair) bool
	more  bool // pairs are wanted

	played    bool            // the match is played by Play
	m         engine.Match    // from which pairs come
	seat      int             // of the pair
	kind      string          // of the pair
	pair, was [2]engine.Match // the pair, and the one before it while they are grown apart
	worlds    [2]engine.Match // room
}

// words numbers actions by the word before "=" in their names.
func words(info *engine.Info) []int {
	number, of := map[string]int{}, make([]int, len(info.Actions)+len(info.Outcomes))
	for a := range of {
		word, _, _ := strings.Cut(info.ActionName(engine.Action(a)), "=")
		if _, has := number[word]; !has {
			number[word] = len(number)
		}
		of[a] = number[word]
	}
	return of
}

// match plays a match and shows pairs on the way: several where something may be done that seldom may, few where all of it often may.
func (w *twins) match(deal uint64) {
	m := w.m
	seldom, grow := 512, 500 // one in this many moments, of matches of hundreds
	if m.Info().MaxDecisions < 200 {
		seldom, grow = 8, 4
	}
	if w.Grow > 0 {
		grow = w.Grow
	}
	for m.Reset(deal); w.more; {
		wanted := 0
		switch n := w.often(m); {
		case n < 8:
			wanted = 4
		case w.rand.Intn(min(n, seldom)) < 8:
			wanted = 1
		}
		for range wanted {
			w.begin(m)
		}
		if w.rand.Intn(grow) == 0 {
			w.grow(w.rand.Intn(m.Info().Seats))
		}
		if m.Seat() == engine.Over {
			return
		}
		w.apply(m, w.choose(m))
	}
}

// often is how often what may be done now could be done before, where the same was asked: the least of it all.
func (w *twins) often(m engine.Match) int {
	question := strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return -1
		}
		return c
	}, m.Decision())
	times := w.asked[question]
	if times == nil {
		times = make([]int, len(w.words))
		w.asked[question] = times
	}
	n := math.MaxInt
	for _, a := range options(m) {
		n = min(n, times[a])
		times[a]++
	}
	return n
}

// begin shows a pair that begins here.
func (w *twins) begin(m engine.Match) {
	seat := w.rand.Intn(m.Info().Seats)
	if m.Seat() >= 0 && w.rand.Intn(4) > 0 {
		seat = m.Seat()
	}
	switch kind := w.rand.Intn(240); {
	case engine.Veiled(m, seat):
	case kind < 8:
		w.show(seat, "of another generator", func(b engine.Match) bool { b.Redeal(engine.Full, &w.rand); return true })
	case kind == 8: // which costs as much as a hundred others
		w.show(seat, "changed by hand", func(b engine.Match) bool { return w.swap(m, b, seat) })
	default:
		w.show(seat, "redealt", func(b engine.Match) bool { b.Redeal(seat, &w.rand); return true })
	}
}

// choose is the next action in a match that continues.
func (w *twins) choose(m engine.Match) engine.Action {
	switch {
	case m.Seat() == engine.Chance && w.rand.Intn(4) > 0:
		return m.SampleChance()
	case m.Seat() >= 0 && w.Play != nil && w.played:
		return w.Play(m, &w.rand)
	}
	return w.among(options(m))
}

// among picks an action: a word first, so that a pass comes as often as any of many cards.
func (w *twins) among(all []engine.Action) engine.Action { return among(all, w.words, &w.rand) }

func among(all []engine.Action, words []int, r *engine.Rand) engine.Action {
	first := all[r.Intn(len(all))]
	n := 1
	met := map[int]bool{words[first]: true}
	for _, a := range all {
		if word := words[a]; !met[word] {
			met[word] = true
			if n++; r.Intn(n) == 0 {
				first = a
			}
		}
	}
	chosen := slices.DeleteFunc(slices.Clone(all), func(a engine.Action) bool { return words[a] != words[first] })
	return chosen[r.Intn(len(chosen))]
}

// options are the legal actions, or the outcomes of chance.
func options(m engine.Match) (all []engine.Action) {
	for _, o := range m.Outcomes(nil) {
		all = append(all, o.Action)
	}
	for a := m.Legal().First(); a >= 0; a = m.Legal().Next(a) {
		all = append(all, a)
	}
	return all
}

// apply does what may be done.
func (w *twins) apply(m engine.Match, a engine.Action) {
	if err := m.Apply(a); err != nil {
		panic(err) // a match that refuses what it calls legal: other checks say so
	}
}

// show shows the match and what become makes of its copy.
func (w *twins) show(seat int, kind string, become func(b engine.Match) bool) {
	w.seat, w.kind = seat, kind
	w.pair[0].CopyFrom(w.m)
	if w.pair[1].CopyFrom(w.m); become(w.pair[1]) {
		w.hand(nil, nil)
	}
}

// hand hands the pair on.
func (w *twins) hand(wasA, wasB engine.Match) {
	w.more = w.more && w.yield(w.now(wasA, wasB))
}

// now is the pair as it stands.
func (w *twins) now(wasA, wasB engine.Match) *Pair {
	return &Pair{Kind: w.kind, Seat: w.seat, A: w.pair[0], B: w.pair[1], Rand: w.rand.Split(), WasA: wasA, WasB: wasB, worlds: w.worlds}
}

// grow plays two matches on that begin as one, or as a redealt pair.
func (w *twins) grow(seat int) {
	if w.seat, w.kind = seat, "grown apart"; engine.Veiled(w.m, seat) {
		return
	}
	w.pair[0].CopyFrom(w.m)
	w.pair[1].CopyFrom(w.m)
	if w.rand.Intn(2) == 0 && w.m.Seat() == seat {
		w.pair[1].Redeal(seat, &w.rand)
	}
	for range grownMoments {
		for i := range w.pair {
			w.was[i].CopyFrom(w.pair[i])
		}
		if w.pair[0].Seat() == engine.Over || !w.further() {
			return
		}
		if w.hand(w.was[0], w.was[1]); !w.more {
			return
		}
	}
}

// further plays both on to the next moment that the seat sees, at which they are alike. It is false if they are not: what was hidden has been revealed.
func (w *twins) further() bool {
	for range attempts {
		for i := range w.pair {
			w.pair[i].CopyFrom(w.was[i])
		}
		if !w.both() || !w.unveil() {
			continue
		}
		if w.alike() {
			return true
		}
		if w.Parted != nil {
			w.Parted(w.now(w.was[0], w.was[1]))
		}
	}
	return false
}

// alike reports whether both show the seat the same position and ask the same.
func (w *twins) alike() bool {
	a, b := w.pair[0], w.pair[1]
	return a.Seat() == b.Seat() && bytes.Equal(seenPosition(a, w.seat), seenPosition(b, w.seat))
}

// both does in both what looks the same to the seat. It is false if nothing does.
func (w *twins) both() bool {
	a, b := w.pair[0], w.pair[1]
	like := map[look][]engine.Action{} // what may be done in b, by how it looks
	for _, x := range options(b) {
		k := w.looks(b, x)
		like[k] = append(like[k], x)
	}
	can := slices.DeleteFunc(options(a), func(x engine.Action) bool { return like[w.looks(a, x)] == nil })
	if len(can) == 0 {
		return false
	}
	x := w.among(can)
	others := like[w.looks(a, x)]
	y := others[w.rand.Intn(len(others))]
	if slices.Contains(others, x) && w.rand.Intn(2) == 0 { // as a rule they are to stay much the same
		y = x
	}
	w.apply(a, x)
	w.apply(b, y)
	return true
}

// look is how a choice looks to the seat.
type look struct {
	sight engine.Sight
	what  engine.Action // 0 if it is not seen
}

func (w *twins) looks(m engine.Match, a engine.Action) look {
	if sight := m.Sight(w.seat, a); m.Seat() != w.seat && sight != engine.Open {
		return look{sight: sight}
	}
	return look{what: a}
}

// unveil plays both on until neither is veiled: a seat asked in secret in both answers what looks the same, else it does what nobody sees. It
// is false if that leads nowhere.
func (w *twins) unveil() bool {
	a, b := w.pair[0], w.pair[1]
	for range 200 {
		switch va, vb := engine.Veiled(a, w.seat), engine.Veiled(b, w.seat); {
		case !va && !vb:
			return true
		case va && vb && a.Seat() == b.Seat():
			if !w.both() {
				return false
			}
		case va:
			w.pass(a)
		default:
			w.pass(b)
		}
	}
	return false
}

// pass does what the seat does not see.
func (w *twins) pass(m engine.Match) {
	w.apply(m, w.among(slices.DeleteFunc(options(m), func(a engine.Action) bool { return m.Sight(w.seat, a) != engine.Unseen })))
}

// seenPosition is a match as a seat sees it; nil if the game fails to write it, which other checks find.
func seenPosition(m engine.Match, seat int) []byte {
	p, err := m.Position(seat)
	if err != nil {
		return nil
	}
	return p
}

// swap sets b to the match m with two entries of its position changed over. It is false if the rules refuse that or the seat can tell.
func (w *twins) swap(m, b engine.Match, seat int) bool {
	var file any
	exactly := json.NewDecoder(bytes.NewReader(seenPosition(m, engine.Full)))
	exactly.UseNumber()
	if exactly.Decode(&file) != nil {
		return false
	}
	all, view := entries(file, nil), seenPosition(m, seat)
	for range 12 {
		one, other := all[w.rand.Intn(len(all))], all[w.rand.Intn(len(all))]
		x, y := one.get(), other.get()
		if fmt.Sprintf("%T", x) != fmt.Sprintf("%T", y) || x == y {
			continue
		}
		one.set(y)
		other.set(x)
		changed, err := json.Marshal(file)
		if err == nil && b.SetPosition(changed) == nil && b.Seat() == m.Seat() && !b.Equal(m) && bytes.Equal(seenPosition(b, seat), view) {
			return true
		}
		one.set(x)
		other.set(y)
	}
	return false
}

// entry is a number, a word or a truth value somewhere in a JSON document.
type entry struct {
	get func() any
	set func(any)
}

// entries appends those of a document to dst, in a fixed order.
func entries(document any, dst []entry) []entry {
	take := func(value any, e entry) {
		switch value.(type) {
		case map[string]any, []any:
			dst = entries(value, dst)
		default:
			dst = append(dst, e)
		}
	}
	switch x := document.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(x)) {
			take(x[k], entry{func() any { return x[k] }, func(to any) { x[k] = to }})
		}
	case []any:
		for i := range x {
			take(x[i], entry{func() any { return x[i] }, func(to any) { x[i] = to }})
		}
	}
	return dst
}
