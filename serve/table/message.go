package table

import (
	"github.com/privateer-rl/privateer/serve/page/replay"
)

// MaxRequest is the most bytes of what a page asks: a transcript to be watched is the longest.
const MaxRequest = 1 << 20

// Request is what a page asks; the package comment says which fields go with what.
type Request struct {
	Do string `json:"do"`

	Table string `json:"table,omitempty"`
	Key   string `json:"key,omitempty"`

	Game     string   `json:"game,omitempty"`
	Seats    []string `json:"seats,omitempty"`    // players by seat: "person", or a bot's name
	Seed     string   `json:"seed,omitempty"`     // a whole number; "": a random one
	Friendly bool     `json:"friendly,omitempty"` // decisions may be taken back

	Action   int `json:"action,omitempty"`
	Decision int `json:"decision,omitempty"`

	Bot  string `json:"bot,omitempty"`
	Text string `json:"text,omitempty"` // of a transcript
	View string `json:"view,omitempty"` // whose: "full", or a seat's number
}

// The requests of a page: Request.Do.
const (
	DoGames  = "games"
	DoBots   = "bots"
	DoSit    = "sit"
	DoOpen   = "open"
	DoLook   = "look"
	DoChoose = "choose"
	DoUndo   = "undo"
	DoThink  = "think"
	DoSave   = "save"
	DoReplay = "replay"
	DoRules  = "rules"
)

// Refusal says why nothing was done.
type Refusal struct {
	Is  string `json:"is"` // "refusal"
	For string `json:"for,omitempty"`
	Why string `json:"why"`
}

// Refuse makes one of an error.
func Refuse(do string, err error) *Refusal { return &Refusal{"refusal", do, err.Error()} }

// Games are the games that can be played.
type Games struct {
	Is    string `json:"is"` // "games"
	Games []Game `json:"games"`
	// Many: several people may sit at a table, each with a page of their own.
	Many bool   `json:"many"`
	Game string `json:"game,omitempty"` // the game string that the page proposes
	Seat int    `json:"seat,omitempty"` // the person's seat there
	Bots string `json:"bots,omitempty"` // the names of the bots there, clockwise, joined by commas
}

// Game is one of them.
type Game struct {
	Name     string    `json:"name"`
	Title    string    `json:"title"`
	Settings []Setting `json:"settings"`
}

// Setting is a parameter of a game string.
type Setting struct {
	Name    string   `json:"name"`
	Default string   `json:"default"`
	Help    string   `json:"help"`
	Choices []string `json:"choices,omitempty"` // one of these
	Words   []string `json:"words,omitempty"`   // or some of these, joined by +, or none
}

// Bots lists the bots that can play a configuration.
type Bots struct {
	Is    string `json:"is"` // "bots"
	Game  string `json:"game"`
	Seats int    `json:"seats"`
	Bots  []Bot  `json:"bots"`
	Best  string `json:"best"` // the strongest that answers at once
}

// Bot is one of them.
type Bot struct {
	Name string `json:"name"`
	Help string `json:"help,omitempty"`
	Slow bool   `json:"slow,omitempty"`
}

// Rules are the rules of a game.
type Rules struct {
	Is   string `json:"is"` // "rules"
	Game string `json:"game"`
	Text string `json:"text"` // its RULES.md, clause by clause; "" if it has none
}

// Opened is a new table.
type Opened struct {
	Is    string   `json:"is"`              // "opened"
	Table string   `json:"table,omitempty"` // its name …
	Keys  []string `json:"keys,omitempty"`  // … and the keys by seat, "" for a bot's; none in the browser
	Seat  int      `json:"seat"`            // the page's own
}

// View is the match as a seat sees it.
type View struct {
	Is       string   `json:"is"` // "view"
	Game     string   `json:"game"`
	Title    string   `json:"title"`
	Seat     int      `json:"seat"`
	Players  []string `json:"players"` // by seat: names of bots, or "person"
	Friendly bool     `json:"friendly"`

	Picture string   `json:"picture"` // SVG without style
	Told    int      `json:"told"`    // lines of the log before these
	Log     []string `json:"log"`

	Turn     string   `json:"turn"` // you, wait, over
	Decision int      `json:"decision"`
	Question string   `json:"question,omitempty"`
	Actions  []Choice `json:"actions,omitempty"`
	Undo     bool     `json:"undo,omitempty"` // there is a decision that can be taken back

	Scores []int32 `json:"scores,omitempty"` // by seat, as far as this seat knows them
	End    *End    `json:"end,omitempty"`
}

// Choice is an action that may be chosen.
type Choice struct {
	Action int    `json:"action"`
	Name   string `json:"name"`
	Label  string `json:"label"`
	Mark   string `json:"mark,omitempty"`
}

// End is how a match ended.
type End struct {
	Verdict string    `json:"verdict"`
	Returns []float32 `json:"returns"`
	Sources []string  `json:"sources,omitempty"` // of scores
	Scores  [][]int32 `json:"scores,omitempty"`  // by seat and source
}

// Thought is what a bot thinks about a decision.
type Thought struct {
	Is       string `json:"is"` // "thought"
	Decision int    `json:"decision"`
	*replay.Thought
}

// Saved is a file for the reader.
type Saved struct {
	Is   string `json:"is"` // "saved"
	Name string `json:"name"`
	Text string `json:"text"`
}

// Replay is a transcript to be watched.
type Replay struct {
	Is    string `json:"is"` // "replay"
	Title string `json:"title"`
	Match any    `json:"match"` // as the player of `privateer replay --html` reads it
}
