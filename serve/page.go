package serve

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"crypto/tls"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"
	"google.golang.org/grpc/status"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/serve/page"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
	"github.com/privateer-rl/privateer/serve/table"
)

// The page to play on is a client like others: it plays at the same tables, with the keys of their seats. Who has the
// page's own key, or a token if the server has tokens, may open tables from it.

// pages serves the page and what it asks over WebSockets.
type pages struct {
	*Server
	key    string  // opens tables; "" if tokens do
	guests *roster // who can play, for clients that have only the key of a seat
	ctx    context.Context
}

// newPages makes one that ends its conversations with the context.
func (s *Server) newPages(ctx context.Context) *pages {
	p := &pages{Server: s, guests: s.roster.notLocal(), ctx: ctx}
	if s.tokens == nil {
		p.key = newName()
	}
	return p
}

// handler serves files and conversations.
func (p *pages) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(page.Files()))
	mux.HandleFunc("GET /talk", p.talk)
	if p.opt.MCP != nil {
		models := p.opt.MCP(p.Server)
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
			mux.HandleFunc(method+" /mcp", func(w http.ResponseWriter, r *http.Request) {
				if line, _ := r.Context().Value(lineKey{}).(*connection); line != nil && p.MayOpen(p.GuestOf(r)) == nil {
					line.known.Store(true)
				}
				models.ServeHTTP(w, r)
			})
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", page.Policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-cache")
		mux.ServeHTTP(w, r)
	})
}

// server serves the handler until it is closed.
func (p *pages) server() *http.Server {
	return &http.Server{
		Handler: p.handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
		ErrorLog: slog.NewLogLogger(p.log.Handler(), slog.LevelWarn),
		ConnContext: func(ctx context.Context, conn net.Conn) context.Context {
			if secured, ok := conn.(*tls.Conn); ok {
				conn = secured.NetConn()
			}
			return context.WithValue(ctx, lineKey{}, conn)
		},
	}
}

// lineKey is that of the net.Conn which a request of the page's server came over.
type lineKey struct{}

// servePage serves the page until the function that it returns is called, and says where it is.
func (s *Server) servePage(ctx context.Context, web net.Listener, failed chan<- error) (end func(), err error) {
	p := s.newPages(ctx)
	var first *hosted // that the page begins with
	seat := 0
	if s.opt.Opening != nil {
		if first, seat, err = p.openTable(ctx, "", "", s.opt.Opening); err != nil {
			return nil, fmt.Errorf("serve: %w", plain(err))
		}
	}
	at := web.Addr()
	visitors := connections{most: s.cfg.MaxConnections, told: true, timeout: time.Duration(s.cfg.SendTimeout)}
	listener := visitors.count(web)
	if s.tls != nil {
		listener = tls.NewListener(listener, s.tls)
	}
	server := p.server()
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			failed <- fmt.Errorf("serve: web: %w", err)
		}
	}()
	address := p.address(at, first, seat)
	if s.opt.Page != nil {
		s.opt.Page(address)
	} else {
		s.log.Info("a page to play on", "address", address)
	}
	return func() { server.Close() }, nil
}

// address is where the page is, with what it needs to begin: in the part that browsers do not send.
func (p *pages) address(at net.Addr, t *hosted, seat int) string {
	scheme, with := "http", url.Values{}
	if p.tls != nil {
		scheme = "https"
	}
	if p.key != "" {
		with.Set("host", p.key)
	}
	if t != nil {
		with.Set("table", t.id)
		with.Set("key", t.keys[seat])
	}
	return fmt.Sprintf("%s://%s/#%s", scheme, at, with.Encode())
}

// openTable opens a table from the page. People who play on a server of their own may ask for the match of a seed.
func (s *Server) openTable(ctx context.Context, owner, client string, r *table.Request) (t *hosted, seat int, err error) {
	host := &pb.HostRequest{Game: r.Game}
	for _, name := range r.Seats {
		if name = strings.TrimSpace(name); name == table.Person {
			name = ""
		}
		host.Seats = append(host.Seats, name)
	}
	if seat = slices.Index(host.Seats, ""); seat < 0 {
		return nil, 0, errors.New("no seat is a person's: want one at least")
	}
	var draw [8]byte
	rand.Read(draw[:]) // never fails
	host.Seed = r.DealtFrom(func() uint64 { return binary.LittleEndian.Uint64(draw[:]) })
	t, err = s.host(ctx, owner, client, host, r.Friendly)
	return t, seat, err
}

// most bytes and messages that a page may send.
const (
	messagesPerSecond = 20
	messageBurst      = 200
	strangersMessage  = 4 << 10          // bytes of a message, until a page has shown its key
	strangersTime     = 15 * time.Second // until it must have
)

// Why a conversation ends, as the page is told.
var (
	errEnds     = errors.New("the server ends")
	errStranger = fmt.Errorf("no key was shown within %s", strangersTime)
)

// talk answers a page until it leaves.
func (p *pages) talk(w http.ResponseWriter, r *http.Request) {
	c, err := websocket.Accept(w, r, nil) // from a page of this origin only
	if err != nil {
		return // Accept has answered
	}
	defer func() { _ = c.CloseNow() }()
	c.SetReadLimit(strangersMessage)
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	stop := context.AfterFunc(p.ctx, func() { cancel(errEnds) })
	defer stop()
	address, _, _ := net.SplitHostPort(r.RemoteAddr)
	v := &visitor{pages: p, conn: c, client: address, limit: rate.NewLimiter(messagesPerSecond, messageBurst)}
	v.line, _ = r.Context().Value(lineKey{}).(*connection)
	if r.TLS != nil && len(r.TLS.VerifiedChains) > 0 {
		v.certified = owner(r.TLS.PeerCertificates[0])
		v.client = v.certified
	}
	v.House = table.House{
		Bot: func(name string, g engine.Game) (bots.Bot, error) { return v.known().bot(name, g) },
		Policies: func(g engine.Game) []string {
			return append(v.known().policiesFor(g), slices.Sorted(maps.Keys(v.known().programs))...)
		},
		Game: func(game string) (engine.Game, error) { return v.known().readGame("game", game) },
		Open: v.open, Sit: v.sit, Stranger: v.stranger, NoSeat: errNoSeat, Many: true, Ask: v.thinking(v.client), Stop: context.WithCancel,
		Recovered: func(panicked any, do string, err *error) { v.recovered(panicked, "page: "+do, err) },
		Plain:     plain,
	}
	v.Send = func(message any) error { return v.send(r.Context(), message) } // what is being sent at the end is sent
	v.listen(ctx, r.Context(), cancel)
	if why := context.Cause(ctx); errors.Is(why, errEnds) || errors.Is(why, errStranger) {
		_ = c.Close(websocket.StatusGoingAway, why.Error()) // it may have gone first
	}
}

// visitor is a page that is open somewhere.
type visitor struct {
	*pages
	table.Page
	conn      *websocket.Conn
	line      *connection // under it; nil in tests of the handler alone
	certified string      // who its certificate names; "" if it has shown none
	limit     *rate.Limiter
	host      bool   // it may open tables, as …
	owner     string // … this owner
	client    string // whose time bots think in that it asks: owner, or an address
}

// known are the bots and files that the page may name: those that the program may read only if it may open tables.
func (v *visitor) known() *roster {
	if v.host {
		return v.roster
	}
	return v.guests
}

// plain is an error without what gRPC adds.
func plain(err error) error {
	if s, ok := status.FromError(err); ok {
		return errors.New(s.Message())
	}
	return err
}

// listen answers what the page asks, and tells it what happens at its table, until the conversation ends. It is open for longer
// than ctx, so that the page can be told why that has ended.
func (v *visitor) listen(ctx, open context.Context, end context.CancelCauseFunc) {
	defer v.Leave()
	asked := make(chan []byte)
	go func() {
		defer close(asked)
		defer end(nil) // a page that has gone waits for nothing
		for {
			data, err := v.hear(open)
			if err != nil {
				return
			}
			select {
			case asked <- data:
			case <-ctx.Done():
				return
			}
		}
	}()
	strange := time.NewTimer(strangersTime)
	defer strange.Stop()
	// Asking again keeps the table while the page is open.
	renew := time.NewTicker(v.often())
	defer renew.Stop()
	for {
		moved, err := v.News(false)
		if err != nil {
			return
		}
		select {
		case data, ok := <-asked:
			if !ok || v.limit.Wait(ctx) != nil || v.Answer(ctx, data) != nil {
				return
			}
		case <-moved:
		case <-renew.C:
		case <-strange.C:
			if !v.host && !v.Seated() {
				end(errStranger)
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// often is how long a page may be silent before it is asked whether it is there, and its table kept for it.
func (v *visitor) often() time.Duration {
	return max(min(time.Duration(v.cfg.Lease)/4, 30*time.Second), time.Second)
}

// hear waits for the next message. A page that says nothing is asked now and then whether it is there, which only a goroutine that
// reads can hear: one that does not answer within send_timeout, while this waits, is gone.
func (v *visitor) hear(ctx context.Context) ([]byte, error) {
	heard := make(chan struct{})
	defer close(heard)
	go func() {
		ask := time.NewTicker(v.often())
		defer ask.Stop()
		for {
			select {
			case <-ask.C:
			case <-heard:
				return
			}
			err := v.ping(ctx)
			select {
			case <-heard:
				return
			default:
			}
			if err != nil {
				_ = v.conn.CloseNow()
				return
			}
		}
	}()
	_, data, err := v.conn.Read(ctx)
	return data, err
}

func (v *visitor) ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(v.cfg.SendTimeout))
	defer cancel()
	return v.conn.Ping(ctx)
}

func (v *visitor) send(ctx context.Context, message any) error {
	data, err := json.Marshal(message)
	if err != nil {
		v.log.Error("a message to the page", "error", err.Error())
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(v.cfg.SendTimeout))
	defer cancel()
	return v.conn.Write(ctx, websocket.MessageText, data)
}

var (
	errNoKey  = errors.New("this page needs its key: open the whole address that the program printed, or that you were given, with all that follows #")
	errNoSeat = errors.New("you sit at no table: open one, or use the address of a seat")
)

// stranger is why a page that sits nowhere may do nothing, unless it may open tables.
func (v *visitor) stranger() error {
	if v.host {
		return nil
	}
	return errNoKey
}

// open opens a table and sits down there.
func (v *visitor) open(ctx context.Context, r *table.Request) (any, error) {
	if !v.host {
		return nil, errors.New("your key is that of a seat: opening tables needs the page's own key")
	}
	t, seat, err := v.openTable(ctx, v.owner, v.client, r)
	if err != nil {
		return nil, err
	}
	v.Take(t.Table, seat)
	return &table.Opened{Is: "opened", Table: t.id, Keys: t.keys, Seat: seat}, nil
}

// sit checks the keys that a page shows.
func (v *visitor) sit(r *table.Request) (any, error) {
	if r.Table == "" {
		owner, ok := v.knows(r.Key)
		if !ok {
			return nil, errNoKey
		}
		v.host, v.owner = true, owner
		if owner != "" {
			v.client, v.Ask = owner, v.thinking(owner)
		}
		v.trust()
		return v.ListGames(), nil
	}
	t, err := v.tables.find(r.Table)
	if err != nil {
		return nil, errors.New("this table is gone: it was closed, or nobody played for too long")
	}
	seat := t.seat(r.Key)
	if seat < 0 {
		return nil, errNoKey
	}
	v.Take(t.Table, seat)
	v.trust()
	return nil, nil
}

// thinking lets a page ask bots in a client's time.
func (v *visitor) thinking(client string) table.Ask {
	return func(ctx context.Context, b bots.Bot, f func(context.Context) error) error {
		return v.think(ctx, client, b, "page", f)
	}
}

// trust has a page that has shown its key be no stranger any more.
func (v *visitor) trust() {
	v.conn.SetReadLimit(table.MaxRequest)
	if v.line != nil {
		v.line.known.Store(true)
	}
}

// knows reports whether a key opens tables, and for whom.
func (v *visitor) knows(key string) (owner string, ok bool) {
	if v.tokens == nil {
		return v.certified, subtle.ConstantTimeCompare([]byte(v.key), []byte(key)) == 1
	}
	name := v.tokens.name(key)
	return "token:" + name, name != ""
}
