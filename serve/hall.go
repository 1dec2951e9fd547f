package serve

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/prompt"
	"github.com/privateer-rl/privateer/serve/table"
)

// The tables of a server, for packages that offer them in another way than gRPC and the page: see Options.MCP and Options.Beside. They have
// the same keys, bots and limits, for every client.

// Guest is a client that does not come over gRPC.
type Guest struct {
	Owner  string // whose the tables are that it opens; "" if nobody knows
	Client string // whose time bots think in: Owner, or an address
	Page   string // address of the page to play on; "" if there is none
}

// GuestOf is the client that sends a request over HTTP.
func (s *Server) GuestOf(r *http.Request) Guest {
	g := Guest{Page: "http://" + r.Host}
	if r.TLS != nil {
		g.Page = "https://" + r.Host
		if len(r.TLS.VerifiedChains) > 0 {
			g.Owner = owner(r.TLS.PeerCertificates[0])
		}
	}
	if s.tokens != nil {
		g.Owner = ""
		if kind, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(kind, "bearer") {
			if name := s.tokens.name(strings.TrimSpace(token)); name != "" {
				g.Owner = "token:" + name
			}
		}
	}
	if g.Client = g.Owner; g.Client == "" {
		g.Client, _, _ = net.SplitHostPort(r.RemoteAddr)
	}
	return g
}

// MayOpen is why a guest may not open tables; nil: it may.
func (s *Server) MayOpen(g Guest) error {
	if s.tokens != nil && g.Owner == "" {
		return errors.New("opening a table needs a token of this server, in the header Authorization: Bearer TOKEN; the key of a seat plays without one")
	}
	return nil
}

// House is what a guest may play, and how bots are asked for it.
func (s *Server) House(g Guest) table.House {
	known := s.roster.notLocal()
	return table.House{
		Bot: known.bot,
		Policies: func(g engine.Game) []string {
			return append(known.policiesFor(g), slices.Sorted(maps.Keys(known.programs))...)
		},
		Game: func(game string) (engine.Game, error) { return known.readGame("game", game) },
		Ask: func(ctx context.Context, b bots.Bot, f func(context.Context) error) error {
			return s.think(ctx, g.Client, b, "guest", f)
		},
		Recovered: s.recovered, Plain: plain,
	}
}

// OpenTable deals a match for a guest. seats are players by seat: the names of bots, and table.Person for each seat that gets a key. A key opens its
// seat, here and, at the address that PageOf makes of it, on the page.
func (s *Server) OpenTable(ctx context.Context, g Guest, game string, seats []string) (keys []string, err error) {
	if err := s.MayOpen(g); err != nil {
		return nil, err
	}
	t, _, err := s.openTable(ctx, g.Owner, g.Client, &table.Request{Game: game, Seats: seats})
	if err != nil {
		return nil, plain(err)
	}
	for _, key := range t.keys {
		if key != "" {
			key = t.id + keyMark + key
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// keyMark parts the table's name from the key of its seat.
const keyMark = "."

// PageOf is where the holder of a key can play on the page; "" if there is none.
func (g Guest) PageOf(key string) string {
	id, seat, _ := strings.Cut(key, keyMark)
	if g.Page == "" {
		return ""
	}
	return g.Page + "/#" + url.Values{"table": {id}, "key": {seat}}.Encode()
}

// Seat is one at a table, for the holder of its key.
type Seat struct {
	*table.Table
	Number int
}

var errKey = errors.New("key: opens no seat here: give a key exactly as open returned it; a table is closed when nobody has used it for the server's lease, and open deals a new match")

// Seat finds the seat of a key.
func (s *Server) Seat(key string) (*Seat, error) {
	id, secret, _ := strings.Cut(key, keyMark)
	t, err := s.tables.find(id)
	if err != nil {
		return nil, errKey
	}
	seat := t.seat(secret)
	if seat < 0 {
		return nil, errKey
	}
	return &Seat{t.Table, seat}, nil
}

// InWords is what a seat sees, for a language model: a prompt when it is asked, else what there is to see without a question. Both tell what
// has happened since the seat's last decision.
func InWords(p *prompt.Prompter, seat int, now table.Glance) string {
	if now.Turn == table.You {
		return p.Write(now.Match, now.Since, "")
	}
	var text strings.Builder
	if now.Turn == table.Done {
		fmt.Fprintf(&text, "The match is over: %s.\n", table.Verdict(now.Match, seat))
	} else {
		text.WriteString("Others decide: your next decision has not come.\n")
	}
	fmt.Fprintf(&text, "\n# What you see, as player %d\n\n%s\n# What has happened since your last decision\n\n", seat, engine.Outline(now.Match, seat))
	for _, line := range table.Lines(now.Since) {
		text.WriteString(line + "\n")
	}
	return text.String()
}

// Patience is how long a guest may wait for others at a time: its table is kept meanwhile.
func (s *Server) Patience() time.Duration { return min(50*time.Second, time.Duration(s.cfg.Lease)/2) }
