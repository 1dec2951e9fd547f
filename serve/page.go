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
	"github.com/privateer-rl/privateer/engine/bots"
	"github.com/privateer-rl/privateer/serve/page"
	seating "github.com/privateer-rl/privateer/serve/page/table"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// The page to play on is a client like others: it plays at the same tables, with the keys of their seats. Who has the
// page's own key, or a token if the server has tokens, may open tables from it.

// pages serves the page and what it asks over WebSockets.
type pages struct {
	*Server
	key    string  // opens tables; "" if tokens do
	guests *roster // who can play, for whoever has no more than the key of a seat
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
	first, seat, err := p.openFirst(ctx)
	if err != nil {
		return nil, fmt.Errorf("serve: %w", plain(err))
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
func (p *pages) address(at net.Addr, t *table, seat int) string {
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

// openFirst opens the table that the configuration of the page begins with; nil if there is none.
func (p *pages) openFirst(ctx context.Context) (t *table, seat int, err error) {
	if p.opt.Opening == nil {
		return nil, 0, nil
	}
	return p.open(ctx, "", "", p.opt.Opening)
}

// open opens a table from the page. Who plays on a server of their own may ask for the very match of a seed.
func (p *pages) open(ctx context.Context, owner, client string, r *seating.Request) (t *table, seat int, err error) {
	host := &pb.HostRequest{Game: r.Game}
	for _, name := range r.Seats {
		if name = strings.TrimSpace(name); name == seating.Person {
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
	t, err = p.host(ctx, owner, client, host, r.Friendly)
	return t, seat, err
}

// most bytes and messages that a page may send.
const (
	messagesPerSecond = 20
	messageBurst      = 200
	strangersMessage  = 4 << 10          // bytes of a message, until a page has shown its key
	strangersTime     = 15 * time.Second // until it must have
	mostAdvisers      = 8                // that are kept for a page; one that searches has worlds of its own
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
	v := &visitor{pages: p, conn: c, client: address, leave: func() {}, limit: rate.NewLimiter(messagesPerSecond, messageBurst), advisers: map[string]bots.Bot{}}
	v.line, _ = r.Context().Value(lineKey{}).(*connection)
	if r.TLS != nil && len(r.TLS.VerifiedChains) > 0 {
		v.certified = owner(r.TLS.PeerCertificates[0])
		v.client = v.certified
	}
	v.house = seating.House{
		Bot:      v.bot,
		Policies: func(g engine.Game) []string { return v.known().policiesFor(g) },
		Game:     func(game string) (engine.Game, error) { return v.known().readGame("game", game) },
	}
	v.listen(ctx, r.Context(), cancel)
	if why := context.Cause(ctx); errors.Is(why, errEnds) || errors.Is(why, errStranger) {
		_ = c.Close(websocket.StatusGoingAway, why.Error()) // it may have gone first
	}
}

// visitor is a page that is open somewhere.
type visitor struct {
	*pages
	conn      *websocket.Conn
	line      *connection // under it; nil in tests of the handler alone
	certified string      // who its certificate names; "" if it has shown none
	limit     *rate.Limiter
	house     seating.House
	host      bool   // it may open tables, as …
	owner     string // … whoever this is
	client    string // whose time bots think in that it asks: owner, or an address
	table     *table // nil: it sits nowhere
	leave     func() // the table
	seat      int
	watcher   *seating.Watcher
	fault     error               // of the table's bots that the page has been told
	advisers  map[string]bots.Bot // for the game of its table
	thinking  chan struct{}       // closed when the adviser that was asked has answered; nil if none was
	decided   context.CancelFunc  // ends what an adviser thinks; nil if none was asked
}

// known are the bots and files that the page may name: those that the program may read only if it may open tables.
func (v *visitor) known() *roster {
	if v.host {
		return v.roster
	}
	return v.guests
}

func (v *visitor) bot(name string, g engine.Game) (bots.Bot, error) {
	b, err := v.known().bot(name, g)
	if err != nil {
		return nil, plain(err)
	}
	return b, nil
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
	defer func() { v.leave() }()
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
		moved, err := v.tell(ctx, false)
		if err != nil {
			return
		}
		select {
		case data, ok := <-asked:
			if !ok || v.limit.Wait(ctx) != nil || v.answer(ctx, data) != nil {
				return
			}
		case <-moved:
		case <-renew.C:
		case <-strange.C:
			if !v.host && v.table == nil {
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

// hear waits for the next message. A page that says nothing is asked now and then whether it is there, which only whoever
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

// tell sends what is new at the table, and returns what is closed when there is more.
func (v *visitor) tell(ctx context.Context, repeat bool) (moved <-chan struct{}, err error) {
	for v.table != nil {
		view, moved, fault, err := v.table.look(v.watcher, repeat)
		switch {
		case err != nil:
			v.stand()
			return nil, v.send(ctx, seating.Refuse(seating.DoLook, plain(err)))
		case view != nil:
			if err := v.send(ctx, view); err != nil {
				return nil, err
			}
			repeat = false
			continue
		}
		if told := v.fault; fault != told {
			if v.fault = fault; fault != nil {
				return moved, v.send(ctx, seating.Refuse(seating.DoLook, plain(fault)))
			}
		}
		return moved, nil
	}
	return nil, nil
}

// look is what is new to a page, what is closed when there may be more, and why the bots do not go on if they do not.
func (t *table) look(w *seating.Watcher, repeat bool) (view *seating.View, moved <-chan struct{}, fault, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.gone(); err != nil {
		return nil, nil, nil, err
	}
	t.goOn()
	view, err = w.View(t.friendly, repeat)
	return view, t.moved, t.fault, err
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

// answer answers one message. The error is of the conversation.
func (v *visitor) answer(ctx context.Context, data []byte) error {
	r, err := seating.Parse(data)
	if err != nil {
		return v.send(ctx, seating.Refuse("", err))
	}
	message, err := v.do(ctx, r)
	if err != nil {
		return v.send(ctx, seating.Refuse(r.Do, plain(err)))
	}
	if message != nil {
		return v.send(ctx, message)
	}
	return nil
}

var (
	errNoKey  = errors.New("this page needs its key: open the whole address that the program printed, or that you were given, with all that follows #")
	errNoSeat = errors.New("you sit at no table: open one, or use the address of a seat")
	errStrict = errors.New("this match is not friendly: what is decided stays so")
)

// do is what a request is answered by; nil: by what follows.
func (v *visitor) do(ctx context.Context, r *seating.Request) (message any, err error) {
	defer func() { v.recovered(recover(), "page: "+r.Do, &err) }()
	if r.Do == seating.DoSit {
		return v.sit(ctx, r)
	}
	if !v.host && v.table == nil {
		return nil, errNoKey
	}
	switch r.Do {
	case seating.DoGames:
		list := seating.ListGames()
		list.Many = true
		return list, nil
	case seating.DoBots:
		return v.house.ListBots(r.Game)
	case seating.DoReplay:
		var drawn *seating.Replay
		err := v.limits.think(ctx, v.client, func(ctx context.Context) (err error) {
			defer func() { v.recovered(recover(), "page: "+r.Do, &err) }()
			drawn, err = seating.NewReplay(ctx, r.Text, r.View)
			return err
		})
		return drawn, err
	case seating.DoOpen:
		if !v.host {
			return nil, errors.New("your key is that of a seat: who opens tables needs the page's own")
		}
		t, seat, err := v.open(ctx, v.owner, v.client, r)
		if err != nil {
			return nil, err
		}
		v.take(t, seat)
		return &seating.Opened{Is: "opened", Table: t.id, Keys: t.keys, Seat: seat}, nil
	}
	if v.table == nil {
		return nil, errNoSeat
	}
	return v.atTable(ctx, r)
}

// sit checks the keys that a page shows.
func (v *visitor) sit(ctx context.Context, r *seating.Request) (any, error) {
	if r.Table == "" {
		owner, ok := v.knows(r.Key)
		if !ok {
			return nil, errNoKey
		}
		v.host, v.owner = true, owner
		if owner != "" {
			v.client = owner
		}
		v.trust()
		list := seating.ListGames()
		list.Many = true
		return list, nil
	}
	t, err := v.tables.find(r.Table)
	if err != nil {
		return nil, errors.New("there is no such table here any more: it was closed, or nobody has played for too long")
	}
	seat := t.seat(r.Key)
	if seat < 0 {
		return nil, errNoKey
	}
	v.take(t, seat)
	v.trust()
	return nil, nil
}

// trust has a page that has shown its key be no stranger any more.
func (v *visitor) trust() {
	v.conn.SetReadLimit(seating.MaxRequest)
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

// take sits down at a table.
func (v *visitor) take(t *table, seat int) {
	v.stand()
	v.table, v.leave, v.seat, v.watcher = t, t.attend(), seat, t.play.Watch(seat)
	clear(v.advisers)
}

// stand leaves the table, if the page sits at one.
func (v *visitor) stand() {
	v.leave()
	v.table, v.leave, v.fault = nil, func() {}, nil
	v.dismiss()
}

// dismiss ends what an adviser thinks.
func (v *visitor) dismiss() {
	if v.decided != nil {
		v.decided()
	}
}

// atTable does what needs a seat.
func (v *visitor) atTable(ctx context.Context, r *seating.Request) (any, error) {
	t := v.table
	switch r.Do {
	case seating.DoLook:
		_, err := v.tell(ctx, true)
		return nil, err
	case seating.DoChoose:
		v.dismiss()
		return nil, v.decide(t, func() error { return t.play.Choose(v.seat, r.Decision, engine.Action(r.Action)) })
	case seating.DoUndo:
		v.dismiss()
		return nil, v.decide(t, func() error {
			if !t.friendly {
				return errStrict
			}
			t.halt() // what a bot thinks is about what is taken back
			return t.play.TakeBack(v.seat, r.Decision)
		})
	case seating.DoThink:
		return nil, v.consult(ctx, t, r.Bot)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.gone(); err != nil {
		return nil, err
	}
	return t.play.Save()
}

var errThinking = errors.New("a bot still thinks about what it was asked before: wait for it")

// consult asks a bot about the seat's decision. It thinks beside all else that the page asks, until the page decides or leaves, and what it
// thinks is sent when it is there.
func (v *visitor) consult(ctx context.Context, t *table, name string) error {
	q, err := t.question(v.seat)
	if err != nil {
		return err
	}
	if v.thinking != nil {
		select {
		case <-v.thinking:
		default:
			return errThinking
		}
	}
	b := v.advisers[name]
	if b == nil {
		if b, err = v.bot(name, t.play.Game()); err != nil {
			return err
		}
		if len(v.advisers) >= mostAdvisers {
			clear(v.advisers)
		}
		v.advisers[name] = b
	}
	about, decided := context.WithCancel(ctx)
	thinking := make(chan struct{})
	v.thinking, v.decided = thinking, decided
	client := v.client
	go func() {
		defer decided()
		var thought any
		err := v.think(about, client, b, "page: think", func(ctx context.Context) (err error) {
			thought, err = q.Think(ctx, b)
			return err
		})
		if err != nil && about.Err() != nil {
			err = errGoneOn
		}
		if err != nil {
			thought = seating.Refuse(seating.DoThink, plain(err))
		}
		close(thinking)
		_ = v.send(ctx, thought) // the page may have gone first
	}()
	return nil
}

var errGoneOn = errors.New("the match has gone on since")

// question is what a seat is asked, for a bot to think about.
func (t *table) question(seat int) (*seating.Question, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.gone(); err != nil {
		return nil, err
	}
	return t.play.Question(seat)
}

// decide changes the match, wakes all who look on, and lets the bots answer.
func (v *visitor) decide(t *table, change func() error) error {
	t.mu.Lock()
	err := t.gone()
	if err == nil {
		t.goOn()
		err = change()
	}
	if err == nil {
		t.changed()
	}
	t.mu.Unlock()
	if err == nil {
		v.tables.finish(t)
	}
	return err
}
