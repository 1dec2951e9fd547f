package serve

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// table is one hosted match. Whoever has a seat's key plays that seat.
type table struct {
	id   string
	host *pb.HostRequest // what opened it
	keys []string        // by seat; "" for a bot's
	bots []bots.Bot      // by seat; nil for a client's
	enc  *encode.Encoder

	mu      sync.Mutex
	match   engine.Match
	draw    engine.Rand
	taken   []move        // decisions of clients and bots so far
	moved   chan struct{} // closed and made anew when something is decided
	used    instant
	kept    bool   // written, for the next server to go on with
	discard func() // removes the file that the table was restored from; nil where there is none
}

type move struct {
	seat   int
	action engine.Action
}

// newTable makes a table at which nothing has been decided.
func newTable(game engine.Game, enc *encode.Encoder, seats []bots.Bot, host *pb.HostRequest) *table {
	t := &table{
		id: newName(), host: host, bots: seats, enc: enc, match: game.NewMatch(), draw: engine.NewRand(host.Seed).At(1),
		moved: make(chan struct{}), used: clock(),
	}
	t.keys = make([]string, len(seats))
	for i, b := range seats {
		if b == nil {
			t.keys[i] = newName()
		}
	}
	t.match.Reset(host.Seed)
	return t
}

// save writes the table and ends it here. It reports whether that was still to be done, and
// went well.
func (t *table) save(write func(*pb.TableState) error, lease time.Duration) (bool, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.kept {
		return false, nil
	}
	st := t.state()
	st.Left = int64(lease - clock().since(t.used))
	if err := write(st); err != nil {
		return false, err
	}
	t.kept = true
	return true, nil
}

// goOn is called before anything is made of the table: from then on the file that it was
// restored from tells what is not true any more.
func (t *table) goOn() {
	if t.discard != nil {
		t.discard()
		t.discard = nil
	}
	t.used = clock()
}

// state is the table as a message.
func (t *table) state() *pb.TableState {
	st := &pb.TableState{TableId: t.id, Host: t.host, SeatKeys: t.keys, Draws: t.draw.Counter}
	for _, m := range t.taken {
		st.Seat, st.Action = append(st.Seat, uint32(m.seat)), append(st.Action, int32(m.action))
	}
	return st
}

// adopt makes a new table that of a message: the same decisions are taken again.
func (t *table) adopt(st *pb.TableState) error {
	if len(st.SeatKeys) != len(t.keys) || len(st.Action) != len(st.Seat) {
		return errDamaged
	}
	for i, key := range st.SeatKeys {
		if (key == "") != (t.bots[i] != nil) {
			return errDamaged
		}
	}
	t.id, t.keys, t.draw.Counter = st.TableId, st.SeatKeys, st.Draws
	for i, seat := range st.Seat {
		if t.match.Seat() != int(seat) {
			return fmt.Errorf("decision %d: seat %d decided, and it is the turn of %s: the rules have changed, or the file is damaged", i+1, seat, engine.SeatName(t.match.Seat()))
		}
		m := move{int(seat), engine.Action(st.Action[i])}
		if err := t.match.Apply(m.action); err != nil {
			return fmt.Errorf("decision %d: %w: the rules have changed, or the file is damaged", i+1, err)
		}
		t.taken = append(t.taken, m)
	}
	t.playBots()
	return nil
}

// playBots lets the bots act until it is a client's turn or the match is over.
func (t *table) playBots() {
	for {
		seat := t.match.Seat()
		if seat < 0 || t.bots[seat] == nil {
			return
		}
		a := t.bots[seat].Act(t.match, &t.draw)
		if err := t.match.Apply(a); err != nil {
			panic("serve: a bot at a table acts against the rules: " + err.Error())
		}
		t.taken = append(t.taken, move{seat, a})
	}
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

// next is the number of a seat's decision to come. Decisions are numbered seat by seat, from
// 1: how many the others take in between may show what they hold.
func (t *table) next(seat int) uint32 {
	n := uint32(1)
	for _, m := range t.taken {
		if m.seat == seat {
			n++
		}
	}
	return n
}

// decided is what a seat has decided under a number below its next.
func (t *table) decided(seat int, number uint32) engine.Action {
	for _, m := range t.taken {
		if m.seat != seat {
			continue
		}
		if number--; number == 0 {
			return m.action
		}
	}
	panic("serve: a decision that has not been taken is asked for")
}

// play performs the action of a request, if it has one that has not been performed.
func (t *table) play(seat int, req *pb.PlayRequest) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.kept {
		return errDraining()
	}
	t.goOn()
	if req.Action == nil {
		return nil
	}
	action, now := engine.Action(*req.Action), t.next(seat)
	switch {
	case req.Decision == 0:
		return badField("decision", "is missing: PlayResponse gives it")
	case req.Decision < now && t.decided(seat, req.Decision) == action:
		return nil // sent again
	case req.Decision != now:
		return wrongTime("decision", "%d: the seat's next one is %d", req.Decision, now)
	case t.match.Seat() != seat: // whose turn it is may be secret
		return wrongTime("seat_key", "it is not this seat's turn: call Play without an action, and it waits for it")
	}
	if err := t.match.Apply(action); err != nil {
		var illegal *engine.IllegalActionError
		if errors.As(err, &illegal) {
			return badField("action", "%v", err)
		}
		return err
	}
	t.taken = append(t.taken, move{seat, action})
	t.playBots()
	close(t.moved)
	t.moved = make(chan struct{})
	return nil
}

// view is what a seat sees when it is to act or the match is over; nil while it is to
// wait, until moved is closed.
func (t *table) view(seat int) (view *pb.PlayResponse, moved <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.kept {
		t.goOn()
	}
	turn := t.match.Seat()
	if turn != engine.Over && turn != seat {
		return nil, t.moved
	}
	info := t.match.Info()
	v := &pb.PlayResponse{
		Decision: t.next(seat), Seat: uint32(seat), Text: t.match.Decision(), Over: turn == engine.Over,
		Observation:   tensor(pb.DType_D_TYPE_UINT8, t.enc.Schema().Size),
		EpisodeReturn: tensor(pb.DType_D_TYPE_FLOAT32, info.Seats),
	}
	v.Observation.Data = make([]byte, t.enc.Schema().Size)
	t.enc.Encode(t.match, seat, v.Observation.Data)
	returns := make([]float32, info.Seats)
	t.match.Returns(returns)
	v.EpisodeReturn.Data = appendFloats(nil, returns)
	if !v.Over {
		v.ActionMask = tensor(pb.DType_D_TYPE_UINT8, packedSize(len(info.Actions)))
		for k := range int(v.ActionMask.Shape[0]) {
			v.ActionMask.Data = append(v.ActionMask.Data, byte(t.match.Legal()[k/8]>>(8*(k%8))))
		}
	}
	return v, nil
}

// tables are all that are open.
type tables struct {
	cfg      *Config
	mu       sync.Mutex
	open     map[string]*table
	draining bool
}

func (t *tables) len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.open)
}

// drain refuses new tables from now on.
func (t *tables) drain() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.draining = true
}

func (t *tables) add(n *table) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.draining {
		return errDraining()
	}
	if len(t.open) >= t.cfg.MaxTables {
		return tooMuch("max_tables", "%d tables are open: wait until a match ends", len(t.open))
	}
	t.open[n.id] = n
	return nil
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

// expire clears the tables at which nobody has asked for a lease.
func (t *tables) expire(now instant) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, one := range t.open {
		if one.mu.TryLock() {
			if now.since(one.used) > time.Duration(t.cfg.Lease) && !one.kept {
				one.goOn()
				delete(t.open, id)
			}
			one.mu.Unlock()
		}
	}
}

// seated makes the table that a request asks for.
func (s *Server) seated(req *pb.HostRequest) (*table, error) {
	game, err := s.roster.readGame("game", req.GetGame())
	if err != nil {
		return nil, err
	}
	seats, err := s.roster.readPlayers("seats", req.Seats, game)
	if err != nil {
		return nil, err
	}
	enc, err := encode.For(game)
	if err != nil {
		return nil, badField("game", "%v", err)
	}
	return newTable(game, enc, seats, req), nil
}

func (p *policies) Host(ctx context.Context, req *pb.HostRequest) (*pb.HostResponse, error) {
	t, err := p.seated(proto.Clone(req).(*pb.HostRequest))
	if err != nil {
		return nil, err
	}
	t.playBots()
	// A client that has gone learns neither the table's name nor a key.
	if err := over(ctx); err != nil {
		return nil, status.FromContextError(err).Err()
	}
	if err := p.tables.add(t); err != nil {
		return nil, err
	}
	p.log.Info("table opened", "table", short(t.id), "game", t.match.Info().Config)
	return &pb.HostResponse{TableId: t.id, SeatKeys: t.keys}, nil
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
	if err := t.play(seat, req); err != nil {
		return nil, err
	}
	// Asking again keeps the table while its client waits for a slow companion.
	renew := time.NewTicker(time.Duration(p.cfg.Lease) / 4)
	defer renew.Stop()
	for {
		view, moved := t.view(seat)
		if view != nil {
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
