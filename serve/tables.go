package serve

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/prompt"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
	"github.com/privateer-rl/privateer/serve/table"
)

// hosted is a table that is open to clients: what the server knows of it.
type hosted struct {
	*table.Table
	id      string
	owner   string          // identity of the client that opened it
	client  string          // whose time its bots think in: owner, or an address
	host    *pb.HostRequest // what opened it
	hostKey string          // closes it
	keys    []string        // by seat: the holder of a seat's key plays that seat; "" for a bot's
	enc     *encode.Encoder
	ended   bool    // the match is over, and tables knows it; has the lock of tables
	used    instant // has the table's lock, as
	discard func()  // has, which removes the file that the table was restored from; nil if there is none
}

// adopt sets a new table to that of a message: the same decisions are taken again.
func (t *hosted) adopt(st *pb.TableState) error {
	if len(st.SeatKeys) != len(t.keys) || len(st.Action) != len(st.Seat) || len(st.Number) != len(st.Seat) {
		return errDamaged
	}
	for i, key := range st.SeatKeys {
		if (key == "") != (t.keys[i] == "") {
			return errDamaged
		}
	}
	t.id, t.hostKey, t.keys, t.Friendly = st.TableId, st.HostKey, st.SeatKeys, st.Friendly
	s := table.State{Seed: st.MatchSeed, Draws: st.Draws}
	for i, seat := range st.Seat {
		s.Moves = append(s.Moves, table.Move{Seat: int(seat), Action: engine.Action(st.Action[i]), Number: int(st.Number[i])})
	}
	for _, n := range st.Next {
		s.Next = append(s.Next, int(n))
	}
	return t.Restore(s)
}

// seat is the seat of a key, or −1.
func (t *hosted) seat(key string) int {
	found := -1
	for i, k := range t.keys {
		if k != "" {
			found = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare([]byte(k), []byte(key)), i, found)
		}
	}
	return found
}

// decide performs the action of a request, if it has one that has not been performed.
func (t *hosted) decide(seat int, req *pb.PlayRequest) error {
	switch {
	case req.Action == nil && req.Answer == nil:
		return nil
	case req.Action != nil && req.Answer != nil:
		return badField("answer", "is given with action: want one of them")
	case req.Decision == 0:
		return badField("decision", "is missing: PlayResponse gives it")
	}
	a := engine.Action(req.GetAction())
	var err error
	if req.Answer != nil {
		a, err = t.read(seat, int(req.Decision), *req.Answer)
	}
	if err == nil {
		err = t.Choose(seat, int(req.Decision), a)
	}
	var illegal *engine.IllegalActionError
	switch {
	case errors.As(err, &illegal):
		return badField("action", "%v", err)
	case !errors.Is(err, table.ErrTurn) && !errors.Is(err, table.ErrOver):
		return err
	}
	if next := uint32(t.Next(seat)); req.Decision != next {
		return wrongTime("decision", "%d: the seat's next one is %d", req.Decision, next)
	}
	// Whose turn it is may be secret.
	return wrongTime("seat_key", "it is not this seat's turn: call Play without an action, and it waits for it")
}

// read is the action that an answer in free words chooses as a seat's decision of a number.
func (t *hosted) read(seat, decision int, answer string) (engine.Action, error) {
	m, asked, err := t.Question(seat)
	switch {
	case err != nil:
		return -1, err
	case asked != decision:
		return -1, table.ErrTurn
	}
	a, err := prompt.Read(m, answer)
	if err != nil {
		return -1, badField("answer", "%v", err)
	}
	return a, nil
}

// view is what a seat sees when it is to act or the match is over; nil while it is to
// wait, until moved is closed. p writes its prompt; nil: it wants none. shown: it wants what the seat may know of the match.
func (t *hosted) view(seat int, p *prompt.Prompter, shown bool) (v *pb.PlayResponse, moved <-chan struct{}, err error) {
	var fault error
	moved, err = t.Glance(seat, func(now table.Glance) {
		if now.Turn == table.Wait {
			fault = now.Fault
			return
		}
		match := now.Match
		info := match.Info()
		v = &pb.PlayResponse{
			Decision: uint32(now.Decision), Seat: uint32(seat), Text: match.Decision(), Over: now.Turn == table.Done,
			Observation:   tensor(pb.DType_D_TYPE_UINT8, t.enc.Schema().Size),
			EpisodeReturn: tensor(pb.DType_D_TYPE_FLOAT32, info.Seats),
		}
		if p != nil {
			v.Prompt = InWords(p, seat, now)
		}
		if fault = tell(v, now, shown); fault != nil {
			return
		}
		v.Observation.Data = make([]byte, t.enc.Schema().Size)
		t.enc.Encode(match, seat, v.Observation.Data)
		returns := make([]float32, info.Seats)
		match.Returns(returns)
		v.EpisodeReturn.Data = appendFloats(nil, returns)
		if v.Over {
			v.Seed = &now.Seed
			return
		}
		for _, c := range prompt.Choices(match) {
			v.Legal = append(v.Legal, &pb.Choice{Action: int32(c.Action), Name: c.Name, Words: c.Words})
		}
		v.ActionMask = tensor(pb.DType_D_TYPE_UINT8, packedSize(len(info.Actions)))
		for k := range int(v.ActionMask.Shape[0]) {
			v.ActionMask.Data = append(v.ActionMask.Data, byte(match.Legal()[k/8]>>(8*(k%8))))
		}
	})
	return v, moved, errors.Join(err, fault)
}

// tell has an answer say what its seat has seen happen and, if that is to be shown, what it may know of the match.
func tell(v *pb.PlayResponse, now table.Glance, shown bool) (err error) {
	v.Log = table.Lines(now.Since)
	for _, moment := range now.Since {
		for _, event := range moment.Events {
			text, err := json.Marshal(event)
			if err != nil {
				return err
			}
			v.Events = append(v.Events, string(text))
		}
	}
	if !shown {
		return nil
	}
	position, err := now.Match.Position(int(v.Seat))
	if err != nil {
		return err
	}
	v.Position = string(position)
	v.Picture, err = engine.Picture(now.Match, int(v.Seat))
	return err
}

// tables are all that are open, within the limits. Those whose match is over take no place: they
// stay for a lease, so that everybody can see how it ended.
type tables struct {
	cfg    *Config
	secret []byte // of this process: matchSeed

	mu       sync.Mutex
	open     map[string]*hosted
	asked    map[hosting]*hosted // those with a request id
	playing  int                 // whose match is not over
	shares   map[string]int      // of each owner that has any
	over     []*hosted           // the others, the first to end first
	draining bool
}

// hosting is a request that may be sent again.
type hosting struct{ owner, request string }

func newTables(cfg *Config) *tables {
	secret := make([]byte, 32)
	rand.Read(secret) // never fails
	return &tables{cfg: cfg, secret: secret, open: map[string]*hosted{}, asked: map[hosting]*hosted{}, shares: map[string]int{}}
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

// opened is the table that a request has opened already, or nil. The lock is held.
func (t *tables) opened(owner string, host *pb.HostRequest) (*hosted, error) {
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
func (t *tables) add(n *hosted) (*hosted, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if there, err := t.opened(n.owner, n.host); there != nil || err != nil {
		return there, err
	}
	over := n.Over() // when a drained server left it, or at once
	if err := t.full(n.owner); err != nil && !over {
		return nil, err
	}
	t.open[n.id] = n
	if n.host.RequestId != "" {
		t.asked[hosting{n.owner, n.host.RequestId}] = n
	}
	if over {
		t.keep(n)
	} else {
		t.take(n.owner, 1)
	}
	return n, nil
}

// take counts a match, or with −1 gives its place back. The lock is held.
func (t *tables) take(owner string, n int) {
	t.playing += n
	if t.shares[owner] += n; t.shares[owner] == 0 {
		delete(t.shares, owner)
	}
}

// finish frees the place of a match that may have ended.
func (t *tables) finish(one *hosted) {
	if !one.Over() {
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
func (t *tables) keep(one *hosted) {
	one.ended = true
	t.over = append(t.over, one)
	if len(t.over) <= t.cfg.MaxTables {
		return
	}
	has := map[string]int{}
	for _, o := range t.over {
		has[o.owner]++
	}
	most := slices.MaxFunc(t.over, func(a, b *hosted) int { return has[a.owner] - has[b.owner] })
	// The first of them, which ended first.
	_ = most.Close(notFound("table_id")) // one that is written stays written
	t.remove(most)
}

// list returns the open tables.
func (t *tables) list() []*hosted {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Values(t.open))
}

func (t *tables) find(id string) (*hosted, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if found := t.open[id]; found != nil {
		return found, nil
	}
	return nil, notFound("table_id")
}

// remove forgets a table. The lock is held.
func (t *tables) remove(one *hosted) {
	if t.open[one.id] != one {
		return
	}
	delete(t.open, one.id)
	if by := (hosting{one.owner, one.host.RequestId}); t.asked[by] == one {
		delete(t.asked, by)
	}
	if one.ended {
		t.over = slices.DeleteFunc(t.over, func(o *hosted) bool { return o == one })
	} else {
		t.take(one.owner, -1)
	}
}

// expire clears the tables at which nobody has asked for a lease.
func (t *tables) expire(now instant) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, one := range t.open {
		if one.Expire(notFound("table_id"), func() bool { return now.since(one.used) > time.Duration(t.cfg.Lease) }) {
			t.remove(one)
		}
	}
}

// seated makes the table that a request asks for, at which nothing has been dealt.
func (s *Server) seated(owner string, req *pb.HostRequest) (*hosted, error) {
	game, err := s.roster.readGame("game", req.GetGame())
	if err != nil {
		return nil, err
	}
	seats, err := readPlayers("seats", req.Seats, game, s.roster.tableBot)
	if err != nil {
		return nil, err
	}
	t := &hosted{id: newName(), owner: owner, client: owner, host: req, hostKey: newName(), keys: make([]string, len(seats)), used: clock()}
	players := make([]table.Occupant, len(seats))
	for i, b := range seats {
		if players[i] = (table.Occupant{Name: pins.ReplaceAllString(req.Seats[i], ""), Bot: b}); b == nil {
			players[i].Name, t.keys[i] = table.Person, newName()
		}
		req.Seats[i] = s.roster.pinned(req.Seats[i]) // what is written has who plays
	}
	if t.enc, err = encode.For(game); err != nil {
		return nil, badField("game", "%v", err)
	}
	if t.Table, err = table.New(game, players); err != nil {
		return nil, badField("seats", "%v", err)
	}
	t.Stop = context.WithCancel
	t.Ask = func(ctx context.Context, b bots.Bot, f func(context.Context) error) error {
		return s.think(ctx, t.client, b, "table", f)
	}
	t.Used = func() {
		if t.discard != nil { // from now on the file is outdated
			t.discard()
			t.discard = nil
		}
		t.used = clock()
	}
	t.Ended = func(b bots.Bot, fault error) {
		if fault != nil {
			s.log.Error("a bot does not continue at its table", "table", short(t.id), "bot", b.Name(), "error", fault.Error())
		}
		s.tables.finish(t)
	}
	return t, nil
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
	return &pb.HostResponse{TableId: added.id, SeatKeys: added.keys, HostKey: added.hostKey}, nil
}

// host opens the table that a request asks for, or finds the one that it has opened. client is whose time its bots think in.
func (s *Server) host(ctx context.Context, owner, client string, req *pb.HostRequest, friendly bool) (*hosted, error) {
	t, err := s.seated(owner, req)
	if err != nil {
		return nil, err
	}
	t.client, t.Friendly = client, friendly
	seed := req.Seed
	if !s.opt.Local {
		seed = s.tables.matchSeed(t.id, seed)
	}
	t.Deal(seed)
	// A client that has gone learns neither the table's name nor a key.
	if err := over(ctx); err != nil {
		return nil, status.FromContextError(err).Err()
	}
	added, err := s.tables.add(t)
	if added == t {
		s.log.Info("table opened", "table", short(t.id), "owner", t.owner, "game", t.host.Game)
	}
	return added, err
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
	if err := t.Close(notFound("table_id")); err != nil {
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
	var words *prompt.Prompter
	if req.PromptRules != nil {
		if words, err = prompt.New(t.Game(), int(*req.PromptRules)); err != nil {
			return nil, badField("prompt_rules", "%v", err)
		}
	}
	defer t.Attend()()
	if err := t.decide(seat, req); err != nil {
		return nil, err
	}
	// Asking again keeps the table while its client waits for a slow player.
	renew := time.NewTicker(time.Duration(p.cfg.Lease) / 4)
	defer renew.Stop()
	for {
		view, moved, err := t.view(seat, words, req.View)
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
