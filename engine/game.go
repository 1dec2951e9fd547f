package engine

import (
	"fmt"
	"sort"
	"strings"
)

// Action is an index into a game's one flat action space. Actions 0 … len(Info.Actions)−1
// are the players'; the outcomes of chance follow them.
type Action int32

// Results of Match.Seat other than a seat 0 … n−1.
const (
	Chance = -1 // nature is to act: Match.Outcomes lists the outcomes
	Over   = -2 // the match is over
)

// Full is the view that hides nothing, for Match.Position and Match.Render.
const Full = -1

// Outcome is one result that a chance event may have.
type Outcome struct {
	Action Action
	Prob   float64
}

// Rules are the rules of one configured game over match states of type S, a
// flat value: fixed-size arrays only, no pointers, maps, slices, interfaces or strings. Rules
// are read-only once made and may be used by many goroutines.
//
// Rules whose matches a limit of the game string may end also implement Limiter.
//
// Rules never loop over decisions and never draw numbers outside Reset,
// Sample and Redeal: whatever chance decides is a decision of the seat Chance,
// and Match either samples it at once or, with chance=explicit, lets the
// caller decide.
type Rules[S comparable] interface {
	// Reset sets the match up. All chance of the match comes from seed.
	Reset(s *S, seed uint64)
	// Seat is who decides now: a seat, Chance or Over.
	Seat(s *S) int
	// Legal adds the legal actions of the seat that decides; the mask comes
	// empty. It is not called if Seat is Chance or Over.
	Legal(s *S, m *Mask)
	// Apply performs a legal action, or an outcome if Seat is Chance.
	Apply(s *S, a Action)
	// Outcomes appends what chance may decide now, each with its positive
	// probability; they sum to 1. It is only called if Seat is Chance.
	Outcomes(s *S, dst []Outcome) []Outcome
	// Sample draws one of the outcomes with its probability from the match's own
	// generator.
	Sample(s *S) Action
	// Redeal replaces what seat cannot know (the match's generator included) by
	// a sample from r that agrees with everything the seat has seen, and depends on nothing else. That another is asked it
	// cannot know either, if there is a choice that it sees nothing of (Unseen): then the match continues first, as if that choice were made, to where
	// the seat sees what comes. Full knows all but what chance will decide: only the generator is replaced.
	Redeal(s *S, seat int, r *Rand)
	// Returns writes each seat's return so far into dst, [seats]; in [−1, 1]
	// at the end of the match.
	Returns(s *S, dst []float32)
	// Scores writes seat's score by source into dst, [len(Info.ScoreSources)]: all
	// of it for Full, otherwise what the seat view may know of it. The rest counts 0.
	Scores(s *S, view, seat int, dst []int32)
	// Position returns what encodes to readable JSON: the whole match for Full,
	// otherwise what the seat view may know of it.
	Position(s *S, view int) any
	// SetPosition is the inverse of Position(s, Full). What the JSON leaves out
	// takes its value from a fresh set-up. Every inconsistency is an error that names
	// it; s is then undefined.
	SetPosition(s *S, data []byte) error
	// Decision describes the decision at hand in one line.
	Decision(s *S) string
	// Render draws the match as text for a person, as seat view sees it.
	Render(s *S, view int) string
}

// Info is the static description of a configured game.
type Info struct {
	Game         string   `json:"game"`          // name in the registry
	Config       string   `json:"config"`        // canonical game string: NewGame(Config) makes the same game
	Seats        int      `json:"seats"`         // number of seats, 0 … Seats−1
	Actions      []string `json:"actions"`       // name of each action of a player
	Outcomes     []string `json:"outcomes"`      // name of each outcome of chance; action len(Actions)+i
	ScoreSources []string `json:"score_sources"` // what a score is made of; empty if the game has no scores
	ReturnScale  float64  `json:"return_scale"`  // a return times ReturnScale is in the game's own unit (chips); 1 if there is none
	MaxDecisions int      `json:"max_decisions"` // no match takes more decisions of players
	PaysEarly    bool     `json:"pays_early"`    // returns may differ from zero before the match is over
	Explicit     bool     `json:"explicit"`      // chance=explicit: chance events are the caller's
	ShowForced   bool     `json:"show_forced"`   // forced=show: decisions with one legal action are the caller's too

	Advice []string `json:"advice,omitempty"` // what rows of actions end with; see AdviceName

	start  string // the position file of StartParam; "" if matches begin at set-up
	byName map[string]Action
}

func (in *Info) index() error {
	if in.Seats < 1 || len(in.Actions) > MaxActions {
		return fmt.Errorf("game %s: %d seats and %d actions: want at least 1 seat and at most %d actions", in.Game, in.Seats, len(in.Actions), MaxActions)
	}
	in.byName = make(map[string]Action, len(in.Actions)+len(in.Outcomes))
	for i := range len(in.Actions) + len(in.Outcomes) {
		name := in.ActionName(Action(i))
		if _, dup := in.byName[name]; dup || name == "" || name != strings.TrimSpace(name) || strings.ContainsAny(name, ";#\n") {
			return fmt.Errorf("game %s: action %d: name %q is empty, used twice or has a character of the notation", in.Game, i, name)
		}
		in.byName[name] = Action(i)
	}
	return nil
}

// NameActions gives names to actions or outcomes of chance, in the order of their
// numbers, from first on; each begins with prefix. Actions and Outcomes must have their lengths.
func (in *Info) NameActions(first Action, prefix string, names ...string) {
	for i, name := range names {
		if at := int(first) + i; at < len(in.Actions) {
			in.Actions[at] = prefix + name
		} else {
			in.Outcomes[at-len(in.Actions)] = prefix + name
		}
	}
}

// ActionName returns the name of an action or an outcome of chance.
func (in *Info) ActionName(a Action) string {
	i, n := int(a), len(in.Actions)
	switch {
	case i >= 0 && i < n:
		return in.Actions[i]
	case i >= n && i < n+len(in.Outcomes):
		return in.Outcomes[i-n]
	}
	return fmt.Sprintf("action(%d)", i)
}

// ParseAction is the inverse of ActionName. The error names the actions that
// come closest.
func (in *Info) ParseAction(name string) (Action, error) {
	name = strings.TrimSpace(name)
	if a, ok := in.byName[name]; ok {
		return a, nil
	}
	key, _, _ := strings.Cut(strings.ToLower(name), "=")
	var near []string
	for n := range in.byName {
		if k, _, _ := strings.Cut(n, "="); strings.ToLower(k) == key {
			near = append(near, n)
		}
	}
	sort.Strings(near)
	if len(near) == 0 {
		return -1, fmt.Errorf("unknown action %q: `privateer spec %q` lists the names", name, in.Config)
	}
	return -1, fmt.Errorf("unknown action %q: known are %s", name, strings.Join(near, ", "))
}

// Game makes matches of one configuration.
type Game interface {
	Info() *Info
	// NewMatch returns one match, not yet reset.
	NewMatch() Match
	// NewMatches returns n matches whose states lie side by side in one slice.
	NewMatches(n int) []Match
	// NewBatch returns n matches to be stepped together.
	NewBatch(n int) Batch
}

// Match is one game being played. A match belongs to one goroutine at a time.
// It must be given a state (Reset, SetPosition, CopyFrom, SetBytes) before anything else.
type Match interface {
	Info() *Info

	// Reset deals a new match from seed: same seed, same match.
	Reset(seed uint64)
	// Seat is the seat to decide: 0 … Seats−1, Chance (only with chance=explicit) or Over,
	// whether by the rules or by a limit (Truncated).
	Seat() int
	// Legal is the set of legal actions, empty if Seat is Chance or Over. It
	// is read-only and valid until the match changes.
	Legal() *Mask
	// Outcomes appends the possible outcomes of chance; nothing if Seat is not Chance.
	Outcomes(dst []Outcome) []Outcome
	// SampleChance draws an outcome from the match's own generator, which
	// advances: applied, it leads where chance=sampled would have led. It is −1 if
	// Seat is not Chance.
	SampleChance() Action
	// Apply performs an action, or an outcome if Seat is Chance, and runs on
	// to the next decision. An illegal one is an *IllegalActionError and changes nothing.
	Apply(a Action) error

	// Truncated names the limit of the game string that has ended the match before its rules
	// did, and the seat that would have decided next; "" and Over for any other match. See Limiter.
	Truncated() (limit string, next int)
	// Returns writes each seat's return, in [−1, 1], into dst, [seats]. They are
	// final when the match is over by its rules, and zero before that, as in a truncated match, unless
	// the game pays earlier.
	Returns(dst []float32)
	// Scores writes seat's raw score by source into dst, [len(Info.ScoreSources)],
	// at any time, as seat view, or Full, may know it: hidden parts count 0.
	Scores(view, seat int, dst []int32)
	// Decision describes the pending decision in one line.
	Decision() string
	// Render draws the match for a person, as seat view sees it, or Full.
	Render(view int) string
	// Sight is how much seat view, or Full, sees of it if a is chosen now.
	Sight(view int, a Action) Sight

	// Redeal replaces the information hidden from seat by a sample drawn from r that agrees
	// with everything it has seen and depends on nothing else, for search that must not cheat. If seat does not see that another is
	// asked, because it would see nothing of some choice, the match first continues as if that choice were made; the seat to act may change then, but
	// nothing else that seat sees, before chance decides or seat is asked itself. From Full only future chance is hidden.
	Redeal(seat int, r *Rand)
	// CopyFrom makes this match equal to o, a match of the same game.
	CopyFrom(o Match)
	// Equal reports whether two matches of one game have the same state.
	Equal(o Match) bool
	// Bytes is the state's memory, [state size], read-only, for snapshots on
	// machines of one architecture. SetBytes is its inverse.
	Bytes() []byte
	SetBytes(b []byte) error
	// Position is the match as readable JSON: whole for Full, otherwise what
	// seat view may know. SetPosition is the inverse of Position(Full) and leaves the match
	// as it was when it returns an error.
	Position(view int) ([]byte, error)
	SetPosition(data []byte) error
}

// IllegalActionError names the refused action and its seat.
type IllegalActionError struct {
	Game   string
	Seat   int
	Action string
	Why    string
}

func (e *IllegalActionError) Error() string {
	return fmt.Sprintf("%s: illegal action %q for %s: %s", e.Game, e.Action, SeatName(e.Seat), e.Why)
}

// SeatName names what Match.Seat returns: "seat 2", "chance" or "over".
func SeatName(seat int) string {
	switch seat {
	case Chance:
		return "chance"
	case Over:
		return "over"
	}
	return fmt.Sprintf("seat %d", seat)
}
