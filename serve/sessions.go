package serve

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/serve/metrics"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// sessions are all that are open, within the limits.
type sessions struct {
	cfg    *Config
	roster *roster
	tally  *metrics.Sessions
	unsent *unsent
	limits *limits
	key    []byte // of this process: session.mac
	masks  env.Masks

	mu       sync.Mutex
	open     map[string]*session
	share                     // of all, those being made included
	shares   map[string]share // of each owner that has any
	draining bool
}

// share is how much of a server is in use.
type share struct{ reserved, envs int } // sessions, and environments of them

func newSessions(cfg *Config, roster *roster, tally *metrics.Sessions, unsent *unsent, limits *limits) *sessions {
	key := make([]byte, 32)
	rand.Read(key) // never fails
	return &sessions{cfg: cfg, roster: roster, tally: tally, unsent: unsent, limits: limits, key: key, masks: env.MaskPacked, open: map[string]*session{}, shares: map[string]share{}}
}

// newName draws a name that nobody can guess.
func newName() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

func errDraining() error {
	return again(codes.Unavailable, "DRAINING", "the server is about to end and takes no new work: try again later")
}

// reserve counts a session before it is made, so that the limits hold while it
// is.
func (t *sessions) reserve(owner string, envs int) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.draining:
		return errDraining()
	case t.reserved >= t.cfg.MaxSessions:
		return tooMuch("max_sessions", "%d sessions are open: close one, or wait until a lease ends", t.reserved)
	case envs > t.cfg.MaxEnvs-t.envs:
		return tooMuch("max_envs", "num_envs is %d: %d of the server's %d environments are free", envs, t.cfg.MaxEnvs-t.envs, t.cfg.MaxEnvs)
	}
	// Without tokens and certificates clients cannot be distinguished.
	if own := t.shares[owner]; owner != "" {
		switch most, mostEnvs := t.cfg.MaxSessionsPerClient, t.cfg.MaxEnvsPerClient; {
		case most > 0 && own.reserved >= most:
			return tooMuch("max_sessions_per_client", "you have %d sessions open: close one, or wait until a lease ends", own.reserved)
		case mostEnvs > 0 && envs > mostEnvs-own.envs:
			return tooMuch("max_envs_per_client", "num_envs is %d: %d of your %d environments are free", envs, mostEnvs-own.envs, mostEnvs)
		}
	}
	t.take(owner, 1, envs)
	return nil
}

// take counts sessions and environments, or with negative numbers gives them back.
// The lock is held.
func (t *sessions) take(owner string, sessions, envs int) {
	own := t.shares[owner]
	for _, s := range []*share{&t.share, &own} {
		s.reserved += sessions
		s.envs += envs
	}
	if t.shares[owner] = own; own.reserved == 0 {
		delete(t.shares, owner)
	}
}

func (t *sessions) unreserve(owner string, envs int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.take(owner, -1, -envs)
}

// newSeed draws a seed that nobody can guess.
func newSeed() uint64 {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return binary.LittleEndian.Uint64(b[:])
}

// create opens the session that a request asks for, and gives the request a seed if it
// has none.
func (t *sessions) create(owner string, req *pb.OpenRequest) (*session, error) {
	cfg, lease, err := readOpen(req, t.cfg)
	if err != nil {
		return nil, err
	}
	if req.Seed == nil {
		cfg.Seed = newSeed()
		req.Seed = &cfg.Seed
	}
	return t.make(newName(), owner, req, cfg, lease)
}

// make makes a session and puts it into the table.
func (t *sessions) make(id, owner string, req *pb.OpenRequest, cfg env.Config, lease time.Duration) (*session, error) {
	game, err := t.roster.readGame("game", cfg.Game)
	if err != nil {
		return nil, err
	}
	enc, err := encode.For(game)
	if err != nil {
		return nil, badField("game", "%v", err)
	}
	if most := batchLimit(&cfg, game.Info(), enc); most > t.cfg.MaxMessageBytes {
		return nil, tooMuch("max_message_bytes", "num_envs is %d: a batch could take %d bytes of the %d that a message may have", cfg.NumEnvs, most, t.cfg.MaxMessageBytes)
	}
	if cfg.ActionRows && enc.ActionSize() == 0 {
		return nil, badField("action_rows", "%s does not describe its actions", game.Info().Game)
	}
	thinks := false
	if len(req.Players) > 0 {
		all, err := readPlayers("players", req.Players, game, t.roster.bot)
		if err != nil {
			return nil, err
		}
		thinks = slices.ContainsFunc(all, func(b bots.Bot) bool { _, long := b.(bots.Interruptible); return long })
		cfg.Players = make([]match.Player, len(req.Players))
		for i, name := range req.Players {
			if name != "" {
				cfg.Players[i] = t.roster.player(name)
			}
		}
	}
	if err := t.reserve(owner, cfg.NumEnvs); err != nil {
		return nil, err
	}
	cfg.Masks = t.masks
	vec, err := env.New(cfg)
	if err != nil {
		t.unreserve(owner, cfg.NumEnvs)
		return nil, badField("game", "%v", err)
	}
	s := newSession(id, owner, req, t.roster.describe(game, enc), vec, lease)
	s.key, s.client, s.limits, s.thinks = t.key, owner, t.limits, thinks
	s.stands = t.cfg.Snapshots != "" && len(req.Players) > 0
	s.tally = t.tally.Open(s.game.Name, int(s.game.Seats), cfg.NumEnvs)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open[id] = s
	return s, nil
}

// find returns the session of that name if it is owner's.
func (t *sessions) find(id, owner string) (*session, error) {
	if id == "" {
		return nil, badField("session_id", "is empty: Open gives one")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.open[id]
	if s == nil || s.owner != owner {
		return nil, notFound("session_id")
	}
	return s, nil
}

// smallAnswer is about what the answers without a session's batch take.
const smallAnswer = 4 << 10

// sized is the session that a request is about, nil if there is none, and roughly the size of its
// answer.
func (t *sessions) sized(req any, owner string) (*session, int) {
	about, ok := req.(interface{ GetSessionId() string })
	if !ok {
		return nil, smallAnswer
	}
	s, err := t.find(about.GetSessionId(), owner)
	if err != nil {
		return nil, smallAnswer
	}
	switch req.(type) {
	case *pb.AttachRequest, *pb.ResetRequest, *pb.RestoreRequest, *pb.SnapshotRequest:
		return s, s.answer.size()
	}
	return s, smallAnswer
}

// mayThink waits, before a command, until the client has time left for the bots of the session.
func (t *sessions) mayThink(ctx context.Context, id, owner string) error {
	s, err := t.find(id, owner)
	if err != nil {
		return err
	}
	return s.mayThink(ctx)
}

// use finds a session and enters it.
func (t *sessions) use(ctx context.Context, id, owner string) (*session, error) {
	s, err := t.find(id, owner)
	if err != nil {
		return nil, err
	}
	return s, s.enter(ctx, gone(ctx))
}

// hold finds a session and takes its lock, for what does not depend on its last command.
func (t *sessions) hold(ctx context.Context, id, owner string) (*session, error) {
	s, err := t.find(id, owner)
	if err != nil {
		return nil, err
	}
	return s, s.acquire(ctx)
}

// remove ends a session whose lock is held, and releases the lock.
func (t *sessions) remove(s *session) {
	s.close()
	t.unsent.close(s)
	s.release()
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.open, s.id)
	t.take(s.owner, -1, -s.answer.n)
}

// list returns the open sessions.
func (t *sessions) list() []*session {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := make([]*session, 0, len(t.open))
	for _, s := range t.open {
		all = append(all, s)
	}
	return all
}

// drain refuses new sessions from now on.
func (t *sessions) drain() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.draining = true
}

// expire ends the sessions to which nobody has been attached for their lease, or
// which no client seems to know, and returns them.
func (t *sessions) expire(now instant) (gone []*session) {
	confirm := time.Duration(t.cfg.Confirm)
	for _, s := range t.list() {
		if !s.over(now, confirm) {
			continue
		}
		select {
		case s.lock <- struct{}{}:
		default:
			continue // at work
		}
		if s.closed || !s.over(now, confirm) {
			s.release()
			continue
		}
		s.goOn()
		t.remove(s)
		t.tally.Expired()
		gone = append(gone, s)
	}
	return gone
}
