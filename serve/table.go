package serve

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	seating "github.com/privateer-rl/privateer/serve/page/table"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// table is one hosted match. The holder of a seat's key plays that seat.
type table struct {
	id      string
	owner   string          // identity of the client that opened it
	client  string          // whose time its bots think in: owner, or an address
	host    *pb.HostRequest // what opened it
	hostKey string          // closes it
	keys    []string        // by seat; "" for a bot's
	enc     *encode.Encoder
	server  *Server
	ended   bool // the match is over, and tables knows it; has the lock of tables

	mu       sync.Mutex // never held while a bot thinks
	play     *seating.Table
	waiting  int                // requests and pages that want to know what happens
	stop     context.CancelFunc // ends what the bot thinks whose turn it is; nil if none is asked
	fault    error              // why the bot whose turn it is has not decided
	friendly bool               // decisions may be taken back, on the page
	moved    chan struct{}      // closed and replaced when something is decided
	used     instant
	closed   bool
	kept     bool   // written, for the next server to go on with
	discard  func() // removes the file that the table was restored from; nil if there is none
}

// newTable makes a table at which nothing has been dealt.
func (s *Server) newTable(play *seating.Table, enc *encode.Encoder, owner string, host *pb.HostRequest) *table {
	t := &table{
		id: newName(), owner: owner, client: owner, host: host, hostKey: newName(), server: s, play: play, enc: enc,
		moved: make(chan struct{}), used: clock(),
	}
	t.keys = make([]string, len(play.Players()))
	for i, p := range play.Players() {
		if p.Bot == nil {
			t.keys[i] = newName()
		}
	}
	return t
}

// save writes the table as it stands after its last decision, and ends it here. It reports whether that was still to be done, and
// went well. It waits for the table no longer than ctx.
func (t *table) save(ctx context.Context, write func(*pb.TableState) error, lease time.Duration) (bool, error) {
	for !t.mu.TryLock() {
		select {
		case <-time.After(time.Millisecond):
		case <-ctx.Done():
			return false, errAtWork
		}
	}
	defer t.mu.Unlock()
	if t.kept || t.closed {
		return false, nil
	}
	st := t.state()
	st.Left = int64(lease - clock().since(t.used))
	if err := write(st); err != nil {
		return false, err
	}
	t.kept = true
	t.halt()
	return true, nil
}

// goOn is called before the table is used: from then on the file that it was restored
// from is outdated.
func (t *table) goOn() {
	if t.discard != nil {
		t.discard()
		t.discard = nil
	}
	t.used = clock()
}

// state is the table as a message.
func (t *table) state() *pb.TableState {
	st := &pb.TableState{
		TableId: t.id, Owner: t.owner, Host: t.host, HostKey: t.hostKey, SeatKeys: t.keys,
		MatchSeed: t.play.Seed(), Draws: t.play.Draws(), Friendly: t.friendly,
	}
	for _, m := range t.play.Taken() {
		st.Seat, st.Action, st.Number = append(st.Seat, uint32(m.Seat)), append(st.Action, int32(m.Action)), append(st.Number, uint32(m.Number))
	}
	for _, n := range t.play.Numbers() {
		st.Next = append(st.Next, uint32(n))
	}
	return st
}

// adopt sets a new table to that of a message: the same decisions are taken again.
func (t *table) adopt(st *pb.TableState) error {
	if len(st.SeatKeys) != len(t.keys) || len(st.Action) != len(st.Seat) {
		return errDamaged
	}
	if n := len(st.Number); n > 0 && n != len(st.Seat) {
		return errDamaged
	}
	for i, key := range st.SeatKeys {
		if (key == "") != (t.play.Players()[i].Bot != nil) {
			return errDamaged
		}
	}
	t.id, t.hostKey, t.keys, t.friendly = st.TableId, st.HostKey, st.SeatKeys, st.Friendly
	var moves []seating.Move
	for i, seat := range st.Seat {
		m := seating.Move{Seat: int(seat), Action: engine.Action(st.Action[i])}
		if len(st.Number) > 0 { // older files have none
			m.Number = int(st.Number[i])
		}
		moves = append(moves, m)
	}
	var next []int
	for _, n := range st.Next {
		next = append(next, int(n))
	}
	return t.play.Restore(st.MatchSeed, moves, next, st.Draws)
}

// attend is called by whoever wants to know what happens at the table, and what it returns when that is over. Bots think only while
// somebody waits for them.
func (t *table) attend() (leave func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting++
	t.wake()
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.waiting--; t.waiting == 0 {
			t.halt()
		}
	}
}

// due reports whether a bot is to think. The lock is held.
func (t *table) due() bool {
	return t.waiting > 0 && t.gone() == nil && t.fault == nil && !t.play.Over() && !t.play.Waiting()
}

// wake has the bots act, unless they are at it. The lock is held.
func (t *table) wake() {
	if t.stop == nil && t.due() {
		t.stop = func() {}
		go t.playOn()
	}
}

// halt ends what a bot thinks. The lock is held.
func (t *table) halt() {
	if t.stop != nil {
		t.stop()
	}
}

// playOn lets bots act until it is a client's turn, the match is over, or nobody waits. Others may use the table meanwhile.
func (t *table) playOn() {
	for {
		ctx, turn := t.turn()
		if turn == nil {
			return
		}
		a := bots.Stopped
		err := t.server.think(ctx, t.client, turn.Bot, "table", func(ctx context.Context) (err error) {
			a, err = bots.Decide(ctx, turn.Bot, turn.Match, &turn.Draw)
			return err
		})
		t.settle(ctx, turn, a, err)
		t.server.tables.finish(t)
	}
}

// turn is that of the bot that is to think, with what ends that; nil if none is to.
func (t *table) turn() (context.Context, *seating.Turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.halt()
	if !t.due() {
		t.stop = nil
		return nil, nil
	}
	var ctx context.Context
	ctx, t.stop = context.WithCancel(context.Background())
	return ctx, t.play.Turn()
}

// settle performs what a bot has decided in its turn.
func (t *table) settle(ctx context.Context, turn *seating.Turn, a engine.Action, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.gone() != nil || err != nil && ctx.Err() != nil {
		return // it is asked again if anybody waits for it
	}
	performed := false
	if err == nil {
		performed, err = t.perform(turn, a)
	}
	if err != nil {
		t.fault = err
		t.server.log.Error("a bot does not go on at its table", "table", short(t.id), "bot", turn.Bot.Name(), "error", err.Error())
	}
	if performed || err != nil {
		t.news()
	}
}

// perform performs a bot's decision, which nobody's request would catch a panic of. The lock is held.
func (t *table) perform(turn *seating.Turn, a engine.Action) (performed bool, err error) {
	defer func() { t.server.recovered(recover(), "table", &err) }()
	return t.play.Perform(turn, a)
}

// changed is called when a client has changed the match. The lock is held.
func (t *table) changed() {
	t.fault = nil
	t.news()
	t.wake()
}

// news wakes those who wait for a decision. The lock is held.
func (t *table) news() {
	close(t.moved)
	t.moved = make(chan struct{})
}

// gone is why nothing can be done at the table any more.
func (t *table) gone() error {
	switch {
	case t.closed:
		return notFound("table_id")
	case t.kept:
		return errDraining()
	}
	return nil
}

// close ends the table for all who sit there.
func (t *table) close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.gone(); err != nil {
		return err
	}
	t.goOn()
	t.closed = true
	t.halt()
	t.news()
	return nil
}

// over reports whether the match is.
func (t *table) over() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.play.Over()
}

// seat is whose key it is, or −1.
func (t *table) seat(key string) int {
	found := -1
	for i, k := range t.keys {
		if k != "" {
			found = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare([]byte(k), []byte(key)), i, found)
		}
	}
	return found
}

// decide performs the action of a request, if it has one that has not been performed.
func (t *table) decide(seat int, req *pb.PlayRequest) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.gone(); err != nil {
		return err
	}
	t.goOn()
	if req.Action == nil {
		return nil
	}
	action, now := engine.Action(*req.Action), uint32(t.play.Next(seat))
	did, stands := t.play.Decided(seat, int(req.Decision))
	switch {
	case req.Decision == 0:
		return badField("decision", "is missing: PlayResponse gives it")
	case stands && did == action:
		return nil // sent again
	case req.Decision != now:
		return wrongTime("decision", "%d: the seat's next one is %d", req.Decision, now)
	}
	if err := t.play.Take(seat, action); err != nil {
		var illegal *engine.IllegalActionError
		switch {
		case errors.Is(err, seating.ErrTurn): // whose turn it is may be secret
			return wrongTime("seat_key", "it is not this seat's turn: call Play without an action, and it waits for it")
		case errors.As(err, &illegal):
			return badField("action", "%v", err)
		}
		return err
	}
	t.changed()
	return nil
}

// view is what a seat sees when it is to act or the match is over; nil while it is to
// wait, until moved is closed.
func (t *table) view(seat int) (view *pb.PlayResponse, moved <-chan struct{}, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.gone(); err != nil {
		return nil, nil, err
	}
	t.goOn()
	match := t.play.Match()
	turn := match.Seat()
	if turn != engine.Over && turn != seat {
		return nil, t.moved, t.fault
	}
	info := match.Info()
	v := &pb.PlayResponse{
		Decision: uint32(t.play.Next(seat)), Seat: uint32(seat), Text: match.Decision(), Over: turn == engine.Over,
		Observation:   tensor(pb.DType_D_TYPE_UINT8, t.enc.Schema().Size),
		EpisodeReturn: tensor(pb.DType_D_TYPE_FLOAT32, info.Seats),
	}
	v.Observation.Data = make([]byte, t.enc.Schema().Size)
	t.enc.Encode(match, seat, v.Observation.Data)
	returns := make([]float32, info.Seats)
	match.Returns(returns)
	v.EpisodeReturn.Data = appendFloats(nil, returns)
	if v.Over {
		seed := t.play.Seed()
		v.Seed = &seed
	} else {
		v.ActionMask = tensor(pb.DType_D_TYPE_UINT8, packedSize(len(info.Actions)))
		for k := range int(v.ActionMask.Shape[0]) {
			v.ActionMask.Data = append(v.ActionMask.Data, byte(match.Legal()[k/8]>>(8*(k%8))))
		}
	}
	return v, nil, nil
}

// tables are all that are open, within the limits. Those whose match is over take no place: they
// stay for a lease, so that everybody can see how it ended.
type tables struct {
	cfg    *Config
	secret []byte // of this process: matchSeed

	mu       sync.Mutex
	open     map[string]*table
	asked    map[hosting]*table // those with a request id
	playing  int                // whose match is not over
	shares   map[string]int     // of each owner that has any
	over     []*table           // the others, the first to end first
	draining bool
}

// hosting is a request that may be sent again.
type hosting struct{ owner, request string }

func newTables(cfg *Config) *tables {
	secret := make([]byte, 32)
	rand.Read(secret) // never fails
	return &tables{cfg: cfg, secret: secret, open: map[string]*table{}, asked: map[hosting]*table{}, shares: map[string]int{}}
}

// matchSeed is the seed of a table's match. Knowing the host's seed, or trying all small ones,
// here at another table or at home, reveals nothing about it.
func (t *tables) matchSeed(id string, seed uint64) uint64 {
	h := hmac.New(sha256.New, t.secret)
	h.Write(binary.LittleEndian.AppendUint64([]byte(id), seed))
	return binary.LittleEndian.Uint64(h.Sum(nil))
}

// underWay is how many matches are.
func (t *tables) underWay() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.playing
}

// drain refuses new tables from now on.
func (t *tables) drain() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.draining = true
}

// room returns the table that a request has opened already, or says why there is none for it
// to open.
func (t *tables) room(owner string, host *pb.HostRequest) (*table, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if there, err := t.opened(owner, host); there != nil || err != nil {
		return there, err
	}
	return nil, t.full(owner)
}

// opened is the table that a request has opened already, or nil. The lock is held.
func (t *tables) opened(owner string, host *pb.HostRequest) (*table, error) {
	there := t.asked[hosting{owner, host.RequestId}]
	if there != nil && !proto.Equal(there.host, host) {
		return nil, badField("request_id", "was another request's: draw a new one for each table")
	}
	return there, nil
}

// full is why no match can begin. The lock is held.
func (t *tables) full(owner string) error {
	switch {
	case t.draining:
		return errDraining()
	case t.playing >= t.cfg.MaxTables:
		return tooMuch("max_tables", "%d matches are under way: close a table, or wait until a match ends", t.playing)
	}
	// Without tokens and certificates clients cannot be distinguished.
	if most := t.cfg.MaxTablesPerClient; owner != "" && most > 0 && t.shares[owner] >= most {
		return tooMuch("max_tables_per_client", "you have %d matches under way: close a table, or wait until a match ends", t.shares[owner])
	}
	return nil
}

// add opens a table, unless its request has opened one already; then it returns that one.
func (t *tables) add(n *table) (*table, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if there, err := t.opened(n.owner, n.host); there != nil || err != nil {
		return there, err
	}
	if n.over() { // when a drained server left it, or at once
		t.enter(n)
		t.keep(n)
		return n, nil
	}
	if err := t.full(n.owner); err != nil {
		return nil, err
	}
	t.enter(n)
	t.take(n.owner, 1)
	return n, nil
}

// enter makes a table one that can be found. The lock is held.
func (t *tables) enter(n *table) {
	t.open[n.id] = n
	if n.host.RequestId != "" {
		t.asked[hosting{n.owner, n.host.RequestId}] = n
	}
}

// take counts a match, or with −1 gives its place back. The lock is held.
func (t *tables) take(owner string, n int) {
	t.playing += n
	if t.shares[owner] += n; t.shares[owner] == 0 {
		delete(t.shares, owner)
	}
}

// finish frees the place of a match that may have ended.
func (t *tables) finish(one *table) {
	if !one.over() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !one.ended && t.open[one.id] == one {
		t.take(one.owner, -1)
		t.keep(one)
	}
}

// keep keeps a table whose match is over for those who have not seen its end. There are no more
// of them than there can be matches: the owner with the most loses one first. The lock is held.
func (t *tables) keep(one *table) {
	one.ended = true
	t.over = append(t.over, one)
	if len(t.over) <= t.cfg.MaxTables {
		return
	}
	has := map[string]int{}
	for _, o := range t.over {
		has[o.owner]++
	}
	most := slices.MaxFunc(t.over, func(a, b *table) int { return has[a.owner] - has[b.owner] })
	// The first of them, which ended first.
	_ = most.close() // one that is written stays written
	t.remove(most)
}

// list is what is open now.
func (t *tables) list() []*table {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Values(t.open))
}

func (t *tables) find(id string) (*table, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if found := t.open[id]; found != nil {
		return found, nil
	}
	return nil, notFound("table_id")
}

// remove forgets a table. The lock is held.
func (t *tables) remove(one *table) {
	if t.open[one.id] != one {
		return
	}
	delete(t.open, one.id)
	if by := (hosting{one.owner, one.host.RequestId}); t.asked[by] == one {
		delete(t.asked, by)
	}
	if one.ended {
		t.over = slices.DeleteFunc(t.over, func(o *table) bool { return o == one })
	} else {
		t.take(one.owner, -1)
	}
}

// expire clears the tables at which nobody has asked for a lease.
func (t *tables) expire(now instant) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, one := range t.open {
		if one.mu.TryLock() {
			if now.since(one.used) > time.Duration(t.cfg.Lease) && one.gone() == nil {
				one.goOn()
				one.closed = true
				one.halt()
				t.remove(one)
			}
			one.mu.Unlock()
		}
	}
}

// seated makes the table that a request asks for.
func (s *Server) seated(owner string, req *pb.HostRequest) (*table, error) {
	game, err := s.roster.readGame("game", req.GetGame())
	if err != nil {
		return nil, err
	}
	seats, err := s.roster.readPlayers("seats", req.Seats, game)
	if err != nil {
		return nil, err
	}
	players := make([]seating.Player, len(seats))
	for i, b := range seats {
		if players[i] = (seating.Player{Name: pins.ReplaceAllString(req.Seats[i], ""), Bot: b}); b == nil {
			players[i].Name = seating.Person
		}
		req.Seats[i] = s.roster.pinned(req.Seats[i]) // what is written has who plays
	}
	enc, err := encode.For(game)
	if err != nil {
		return nil, badField("game", "%v", err)
	}
	play, err := seating.New(game, players)
	if err != nil {
		return nil, badField("seats", "%v", err)
	}
	return s.newTable(play, enc, owner, req), nil
}

func (p *policies) Host(ctx context.Context, req *pb.HostRequest) (*pb.HostResponse, error) {
	// It gives access to the keys of the table: nobody may guess that of another.
	const shortest, longest = 16, 64
	if n := len(req.RequestId); n > 0 && (n < shortest || n > longest) {
		return nil, badField("request_id", "%d bytes: want %d to %d, drawn at random", n, shortest, longest)
	}
	added, err := p.host(ctx, identity(ctx), client(ctx), proto.CloneOf(req), false)
	if err != nil {
		return nil, err
	}
	return added.opened(), nil
}

// host opens the table that a request asks for, or finds the one that it has opened. client is whose time its bots think in.
func (s *Server) host(ctx context.Context, owner, client string, req *pb.HostRequest, friendly bool) (*table, error) {
	t, err := s.seated(owner, req)
	if err != nil {
		return nil, err
	}
	t.client, t.friendly = client, friendly
	if there, err := s.tables.room(t.owner, t.host); there != nil || err != nil {
		return there, err
	}
	seed := req.Seed
	if !s.opt.Local {
		seed = s.tables.matchSeed(t.id, seed)
	}
	t.play.Deal(seed)
	// A client that has gone learns neither the table's name nor a key.
	if err := over(ctx); err != nil {
		return nil, status.FromContextError(err).Err()
	}
	added, err := s.tables.add(t)
	if err != nil {
		return nil, err
	}
	if added == t {
		s.log.Info("table opened", "table", short(t.id), "owner", t.owner, "game", t.host.Game)
	}
	return added, nil
}

// opened is the answer to its host.
func (t *table) opened() *pb.HostResponse {
	return &pb.HostResponse{TableId: t.id, SeatKeys: t.keys, HostKey: t.hostKey}
}

// CloseTable ends a table.
func (p *policies) CloseTable(_ context.Context, req *pb.CloseTableRequest) (*pb.CloseTableResponse, error) {
	t, err := p.tables.find(req.TableId)
	if err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare([]byte(t.hostKey), []byte(req.HostKey)) == 0 {
		return nil, notFound("host_key")
	}
	if err := t.close(); err != nil {
		return nil, err
	}
	p.tables.mu.Lock()
	defer p.tables.mu.Unlock()
	p.tables.remove(t)
	p.log.Info("table closed", "table", short(t.id))
	return &pb.CloseTableResponse{}, nil
}

func (p *policies) Play(ctx context.Context, req *pb.PlayRequest) (*pb.PlayResponse, error) {
	t, err := p.tables.find(req.TableId)
	if err != nil {
		return nil, err
	}
	seat := t.seat(req.SeatKey)
	if seat < 0 {
		return nil, notFound("seat_key")
	}
	defer t.attend()()
	if err := t.decide(seat, req); err != nil {
		return nil, err
	}
	// Asking again keeps the table while its client waits for a slow player.
	renew := time.NewTicker(time.Duration(p.cfg.Lease) / 4)
	defer renew.Stop()
	for {
		view, moved, err := t.view(seat)
		if err != nil {
			return nil, err
		}
		if view != nil {
			if view.Over {
				p.tables.finish(t) // its place is free when the client knows that it is over
			}
			return view, nil
		}
		select {
		case <-moved:
		case <-renew.C:
		case <-ctx.Done():
			return nil, status.FromContextError(ctx.Err()).Err()
		case <-p.draining:
			return nil, errDraining()
		}
	}
}
