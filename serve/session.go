package serve

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/serve/metrics"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// session is one vector and what its client has asked of it. It outlives the
// connections over which it is used.
type session struct {
	id     string
	owner  string // identity of the client that opened it
	client string // whose time its bots think in: owner, or an address
	opened *pb.OpenRequest
	lease  time.Duration
	game   *pb.Game
	tally  *metrics.Session
	key    []byte // of the server, for mac
	limits *limits
	thinks bool // bots that may take long play in it
	stands bool // what stands is kept

	// The session's state before the command at hand, nil if there is none. Its taker decides: the command, that it is
	// performed, or the end of the server, that it never was.
	standing atomic.Pointer[pb.SessionState]
	parted   atomic.Bool // the server's end has decided, and written it

	used     atomic.Int64 // when a request last came or a stream last ended: an instant
	attached atomic.Int32 // streams
	named    atomic.Bool  // a request has named it, so that its client knows it

	// The rest belongs to the holder of the lock: a channel, so that waiting for it can
	// end with a context.
	lock    chan struct{}
	vec     *env.Vec
	answer  *answer
	actions []int32 // [n] of the command at hand
	draws   draws
	rows    []bool  // [n]
	begun   bool    // reset at least once
	seq     uint64  // of the last command performed; 0 before the first
	digest  uint64  // of that command
	halted  command // that has stopped, as its client had gone; its number is 0 if there is none
	stream  *attachment
	closed  bool
	kept    bool   // closed, for the next server to continue
	discard func() // removes the file that the session was restored from; nil if there is none

	unsent unsentAnswers // guarded by the lock of Server.unsent
}

// command is a change of a session.
type command struct {
	seq, digest uint64
	resets      bool
	took        time.Duration // so far
}

// draws are legal actions for the rows that a session shows, drawn at random.
type draws struct {
	actions []int32 // [n]; nil before the first
	streams []engine.Rand
	tensor  *pb.Tensor // of actions, for a message
}

// attachment is a stream that steps a session.
type attachment struct {
	// replaced is closed when another stream takes over.
	replaced chan struct{}
}

func newSession(id, owner string, opened *pb.OpenRequest, game *pb.Game, vec *env.Vec, lease time.Duration) *session {
	n := vec.Config().NumEnvs
	s := &session{
		id: id, owner: owner, opened: opened, lease: lease, vec: vec, game: game,
		lock: make(chan struct{}, 1), answer: newAnswer(vec), actions: make([]int32, n), rows: make([]bool, n),
		unsent: unsentAnswers{open: true},
	}
	s.touch()
	return s
}

func (s *session) touch() { s.used.Store(int64(clock())) }

// allowance is how long the session lives while nobody is attached: less than the lease
// if no client seems to know it.
func (s *session) allowance(confirm time.Duration) time.Duration {
	if s.named.Load() {
		return s.lease
	}
	return min(s.lease, confirm)
}

// left is the rest of its allowance.
func (s *session) left(now instant, confirm time.Duration) time.Duration {
	idle := now.since(instant(s.used.Load()))
	if s.attached.Load() > 0 {
		idle = 0
	}
	return s.allowance(confirm) - idle
}

// over reports whether the session's time is up.
func (s *session) over(now instant, confirm time.Duration) bool {
	return s.left(now, confirm) < 0
}

// acquire takes the lock, or returns why not.
func (s *session) acquire(ctx context.Context) error {
	select {
	case s.lock <- struct{}{}:
	case <-ctx.Done():
		return status.FromContextError(ctx.Err()).Err()
	}
	if s.closed {
		defer s.release()
		if s.kept {
			return errDraining()
		}
		return notFound("session_id")
	}
	s.goOn()
	s.named.Store(true)
	s.touch()
	return nil
}

// gone reports whether the client that asks has gone: for env.Vec.Until.
func gone(ctx context.Context) func() bool { return func() bool { return ctx.Err() != nil } }

// enter is acquire for commands that see or change the result of the session's last command. If the command has stopped
// because its client had gone, it is finished first: so each is performed once, no matter which client waits for it, and none for nobody.
func (s *session) enter(ctx context.Context, over func() bool) (err error) {
	if err := s.acquire(ctx); err != nil {
		return err
	}
	entered := false
	defer func() {
		if !entered {
			s.release()
		}
	}()
	defer s.abandon()
	err = s.finish(over)
	entered = err == nil
	return err
}

// finish continues the command that has stopped, if there is one. The lock is held.
func (s *session) finish(over func() bool) error {
	c := s.halted
	if c.seq == 0 {
		return nil
	}
	s.halted = command{}
	return s.perform(c, over, s.vec.Finish)
}

// mayThink waits, before a command, until the client has time left for the bots of the session. The lock is not held.
func (s *session) mayThink(ctx context.Context) error {
	if !s.thinks {
		return nil
	}
	return s.limits.mayThink(ctx, s.client)
}

// stand keeps what the session is before a command. The lock is held.
func (s *session) stand() error {
	if !s.stands {
		return nil
	}
	st, err := s.snapshot()
	if err != nil {
		return vecStatus(err)
	}
	s.standing.Store(st)
	return nil
}

// perform has the vector perform a command, or finish it, unless over reports meanwhile that nobody waits for it any more; then it
// is left to be finished. The lock is held.
func (s *session) perform(c command, over func() bool, do func() (*env.Batch, error)) error {
	began := time.Now()
	s.vec.Until(over)
	if s.thinks {
		s.vec.Until(func() bool { return over() || s.limits.tooLong(time.Since(began)) })
	}
	b, err := do()
	took := time.Since(began)
	c.took += took
	if s.thinks {
		s.limits.thought(s.client, took*time.Duration(s.vec.Config().Workers))
	}
	stopped := errors.Is(err, env.ErrStopped)
	if !stopped && s.stands && s.standing.Swap(nil) == nil {
		s.leave()
		return errDraining()
	}
	switch {
	case stopped && s.thinks && s.limits.tooLong(took):
		s.halted = c
		return s.limits.overThought()
	case stopped:
		s.halted = c
		return again(codes.Canceled, "STOPPED", "the client has gone: the command is finished when the session is used again")
	case err != nil:
		err = vecStatus(err)
		if status.Code(err) == codes.InvalidArgument {
			s.tally.Illegal()
		}
		return err
	}
	s.performed(c.seq, c.digest)
	if c.resets {
		s.begun = true
		s.tally.Reset()
		return nil
	}
	terminated, truncated := 0, 0
	for i, ended := range b.Ended {
		switch {
		case ended && b.Terminated[i]:
			terminated++
		case ended:
			truncated++
		}
	}
	s.tally.Step(len(s.actions), terminated, truncated, c.took)
	return nil
}

// goOn is called before the session is used: from then on the file that it was restored
// from is outdated. The lock is held.
func (s *session) goOn() {
	if s.discard != nil {
		s.discard()
		s.discard = nil
	}
}

func (s *session) release() { <-s.lock }

// attach makes a stream the one that may step.
func (s *session) attach() *attachment {
	if s.stream != nil {
		close(s.stream.replaced)
	}
	s.stream = &attachment{make(chan struct{})}
	s.attached.Add(1)
	return s.stream
}

// detach is called once for each attachment, without the lock.
func (s *session) detach() {
	s.touch()
	s.attached.Add(-1)
}

// close ends the session. The lock is held.
func (s *session) close() {
	s.closed = true
	if s.stream != nil {
		close(s.stream.replaced)
		s.stream = nil
	}
	s.vec.Close()
	s.tally.Close()
}

// leave ends, on this server, a session that waits for the next server. Streams learn it after the answer
// that is on its way. The lock is held.
func (s *session) leave() {
	s.closed, s.kept = true, true
	s.vec.Close()
	s.tally.Close()
}

// abandon is deferred around what changes the vector: after a panic its contents
// are unknown, and nobody may continue it.
func (s *session) abandon() {
	if p := recover(); p != nil {
		s.vec.Close()
		panic(p)
	}
}

// sequence reports whether a command has already been performed, and refuses
// it if its number is neither the last one's nor the next.
func (s *session) sequence(seq, digest uint64) (replay bool, err error) {
	switch {
	case seq == s.seq+1:
		return false, nil
	case seq == 0:
		return false, badField("seq", "is missing: the next command has %d", s.seq+1)
	case seq == s.seq && digest == s.digest:
		s.tally.Replay()
		return true, nil
	case seq == s.seq:
		return false, badField("seq", "%d was another command: the next one has %d", seq, s.seq+1)
	}
	return false, wrongTime("seq", "%d: the last command performed has %d; send it again or send %d", seq, s.seq, s.seq+1)
}

func (s *session) performed(seq, digest uint64) {
	s.seq, s.digest = seq, digest
}

// step performs a command of a stream. The session has been entered. If it returns an
// error nothing has changed, or the command has stopped.
func (s *session) step(req *pb.StepRequest, over func() bool) error {
	if reset, ok := req.Command.(*pb.StepRequest_Reset_); ok {
		return s.reset(req.Seq, reset.Reset_, over)
	}
	if req.Command == nil {
		return badField("command", "is missing: want actions or reset")
	}
	sum := stepDigest(req)
	if replay, err := s.sequence(req.Seq, sum); replay || err != nil {
		return err
	}
	if err := readActions(req.GetActions(), s.actions); err != nil {
		return err
	}
	if err := s.stand(); err != nil {
		return err
	}
	s.answer.remember(s.vec.Batch())
	return s.perform(command{seq: req.Seq, digest: sum}, over, func() (*env.Batch, error) {
		b, err := s.vec.Step(s.actions)
		return b, asGiven(err, req.GetActions())
	})
}

// draw draws a legal action for each row that is shown: those that the bot "random" chooses by the same
// seed. The lock is held, and the result valid until the next draw.
func (s *session) draw(seed uint64) ([]int32, error) {
	d, n := &s.draws, len(s.actions)
	if d.actions == nil {
		d.actions, d.streams, d.tensor = make([]int32, n), make([]engine.Rand, n), tensor(pb.DType_D_TYPE_INT32, n)
	}
	root := engine.NewRand(seed)
	for i := range d.streams {
		d.streams[i] = root.At(uint64(i))
	}
	if err := s.vec.SampleActions(d.actions, d.streams); err != nil {
		return nil, vecStatus(err)
	}
	return d.actions, nil
}

// reset begins episodes. The session has been entered.
func (s *session) reset(seq uint64, cmd *pb.ResetCommand, over func() bool) error {
	if err := checkReset(cmd); err != nil {
		return err
	}
	sum := resetDigest(cmd)
	if replay, err := s.sequence(seq, sum); replay || err != nil {
		return err
	}
	do := s.vec.Reset
	var rows []bool
	if cmd.GetRows() != nil {
		if err := readFlags("reset.rows", cmd.Rows, s.rows); err != nil {
			return err
		}
		rows = s.rows
	}
	switch {
	case len(cmd.GetSeeds()) > 0:
		if len(cmd.Seeds) != len(s.actions) {
			return badField("reset.seeds", "has %d seeds: want %d, one for each row", len(cmd.Seeds), len(s.actions))
		}
		do = func() (*env.Batch, error) { return s.vec.ResetSeeds(cmd.Seeds, rows) }
	case rows != nil:
		do = func() (*env.Batch, error) { return s.vec.ResetRows(rows) }
	case cmd != nil && cmd.Seed != nil:
		do = func() (*env.Batch, error) { return s.vec.ResetSeed(*cmd.Seed) }
	}
	if err := s.stand(); err != nil {
		return err
	}
	s.answer.remember(s.vec.Batch())
	return s.perform(command{seq: seq, digest: sum, resets: true}, over, do)
}

// show is the last batch as a message, which is valid while the lock is held.
func (s *session) show() *pb.Batch { return s.answer.show(s.vec.Batch()) }

// seesAll reports whether nothing of a row is hidden from the client.
func (s *session) seesAll(row int) bool {
	for seat := range s.answer.seats {
		if !s.vec.Sees(row, seat) {
			return false
		}
	}
	return true
}

// eyes are through which a row is shown: those of the player to act, or all if the match is over and nothing of it hidden.
func (s *session) eyes(row int) int {
	if s.vec.Match(row).Seat() == engine.Over && s.seesAll(row) {
		return engine.Full
	}
	return int(s.vec.Batch().Seat[row])
}

// view is the view of a row that a client asks for by player, or −1 for the whole match, if the client may have it.
func (s *session) view(row int, player int32) (int, error) {
	p := s.answer.seats
	if player == engine.Full {
		if s.opened.FullView || s.eyes(row) == engine.Full {
			return engine.Full, nil
		}
		return 0, badField("view", "-1: the whole match is shown with full_view, or if it is over and all players are yours")
	}
	seat := slices.Index(s.vec.Batch().Players[row*p:(row+1)*p], player)
	switch {
	case seat < 0:
		return 0, badField("view", "%d: want a player from 0 to %d, or -1 for the whole match", player, p-1)
	case !s.vec.Sees(row, seat):
		return 0, badField("view", "%d: a bot plays this player, and what it knows is shown with full_view only", player)
	}
	return seat, nil
}

// copyBatch is show for answers that are sent later.
func (s *session) copyBatch() *pb.Batch { return proto.Clone(s.show()).(*pb.Batch) }

// snapshot is the session as a message. The lock is held.
func (s *session) snapshot() (*pb.SessionState, error) {
	st := &pb.SessionState{Opened: s.opened, Seq: s.seq, Digest: s.digest, Seating: append([]int32{}, s.answer.before...)}
	if !s.begun {
		return st, nil
	}
	var b bytes.Buffer
	if err := s.vec.Snapshot(&b); err != nil {
		return nil, err
	}
	st.Vector = b.Bytes()
	return st, nil
}

// mac is how this server recognises a vector that it wrote itself.
func (s *session) mac(vector []byte) []byte {
	h := hmac.New(sha256.New, s.key)
	h.Write(vector)
	return h.Sum(nil)
}

// adopt sets the vector to that of a snapshot, which is checked closely unless it is
// trusted. The lock is held; on an error nothing has changed. When ctx ends, the error is its cause.
func (s *session) adopt(ctx context.Context, st *pb.SessionState, trusted bool) error {
	if len(st.Seating) != len(s.answer.before) {
		was := st.GetOpened()
		return badField("snapshot", "it is of another session, with %d matches of %.100q: this one has %d of %q", was.GetNumEnvs(), was.GetGame(), s.opened.NumEnvs, s.opened.Game)
	}
	p := int32(s.answer.seats)
	for _, player := range st.Seating {
		if player < 0 || player >= p {
			return badField("snapshot", "player %d has a seat: want 0 to %d", player, p-1)
		}
	}
	var err error
	if vector := bytes.NewReader(st.Vector); trusted {
		err = s.vec.Restore(vector)
	} else {
		err = s.vec.RestoreChecked(ctx, vector)
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return badField("snapshot", "%v", err)
	}
	copy(s.answer.before, st.Seating)
	s.begun = true
	return nil
}

// restore is a command that puts a snapshot in place. The lock is held.
func (s *session) restore(ctx context.Context, req *pb.RestoreRequest, l *limits) error {
	sum := digest('v', req.Snapshot)
	if replay, err := s.sequence(req.Seq, sum); replay || err != nil {
		return err
	}
	var st pb.SessionState
	if err := proto.Unmarshal(req.Snapshot, &st); err != nil {
		return badField("snapshot", "this is not a snapshot of a session")
	}
	if len(st.Vector) == 0 {
		return badField("snapshot", "it is of a session that had not been reset, or not a snapshot at all")
	}
	// It may be another server's, from before a restart, or forged.
	trusted := hmac.Equal(st.Mac, s.mac(st.Vector))
	adopt := func(ctx context.Context) error { return s.adopt(ctx, &st, trusted) }
	var err error
	if trusted {
		err = adopt(ctx)
	} else {
		err = l.spend(ctx, adopt)
	}
	if err != nil {
		return err
	}
	s.tally.Reset()
	s.performed(req.Seq, sum)
	return nil
}
