package env

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
)

// readBody reads a snapshot and checks everything that does not depend on what
// is in the body.
func (v *Vec) readBody(r io.Reader) (body []byte, version uint32, err error) {
	head := make([]byte, snapshotHead)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, 0, cut(err)
	}
	if !bytes.HasPrefix(head, []byte(snapshotMagic)) {
		return nil, 0, errors.New("this is not a snapshot of a vector")
	}
	version = binary.LittleEndian.Uint32(head[len(snapshotMagic):])
	if version < snapshotOldest || version > snapshotVersion {
		return nil, 0, fmt.Errorf("a snapshot of version %d: this program reads versions %d to %d", version, snapshotOldest, snapshotVersion)
	}
	size := binary.LittleEndian.Uint64(head[len(snapshotMagic)+4:])
	// A vector of another kind may have a longer body; it is read far enough to tell
	// of which vector it is. The buffer grows with what is there, not with what the length promises.
	const most = 1 << 34
	if size > most {
		return nil, 0, errors.New("the snapshot is damaged: its length cannot be true")
	}
	sealed := bytes.NewBuffer(head)
	if _, err := io.CopyN(sealed, r, int64(size)+4); err != nil {
		return nil, 0, cut(err)
	}
	all, ok := durable.Unseal(sealed.Bytes())
	if !ok {
		return nil, 0, errors.New("the snapshot is damaged: its checksum does not match")
	}
	return all[snapshotHead:], version, nil
}

func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the snapshot is cut short")
	}
	return err
}

// scanner takes a body apart; once the body is used up, it returns zeros.
type scanner struct {
	version uint32
	rest    []byte
	short   bool
}

func (s *scanner) bytes(n int) []byte {
	if n > len(s.rest) {
		s.short = true
		s.rest = nil
		return make([]byte, n)
	}
	b := s.rest[:n]
	s.rest = s.rest[n:]
	return b
}

// count reads the number of things to follow, of at least size bytes each.
func (s *scanner) count(size int) int {
	n := s.u32()
	if int64(n)*int64(size) > int64(len(s.rest)) {
		s.short = true
		s.rest = nil
		return 0
	}
	return int(n)
}

func (s *scanner) u16() uint16  { return binary.LittleEndian.Uint16(s.bytes(2)) }
func (s *scanner) u32() uint32  { return binary.LittleEndian.Uint32(s.bytes(4)) }
func (s *scanner) u64() uint64  { return binary.LittleEndian.Uint64(s.bytes(8)) }
func (s *scanner) i32() int32   { return int32(s.u32()) }
func (s *scanner) f32() float32 { return math.Float32frombits(s.u32()) }
func (s *scanner) f64() float64 { return math.Float64frombits(s.u64()) }
func (s *scanner) bool() bool   { return s.bytes(1)[0] == 1 }

// spare is a restored vector before it replaces the old one.
type spare struct {
	seed       uint64
	matches    []engine.Match
	rows       []row
	done       []bool
	paid       []float32
	draws      []engine.Rand
	recordings []recording
	ready      []int32
	tallies    tallies
	batch      Batch
}

func (v *Vec) parseBody(ctx context.Context, body []byte, version uint32) (*spare, error) {
	if version < 4 && v.veiled != nil {
		return nil, fmt.Errorf("a snapshot of version %d of a vector in which others play has their views: start again, or set Config.Full", version)
	}
	in := scanner{rest: body, version: version}
	for _, k := range v.kind() {
		n := in.u32()
		if in.short || int64(n) > int64(len(in.rest)) {
			return nil, errors.New("the snapshot is damaged: its description is cut short")
		}
		if got := string(in.bytes(int(n))); got != k[1] {
			return nil, fmt.Errorf("the snapshot is of another vector: its %s is %s; this vector's is %s", k[0], got, k[1])
		}
	}
	n := v.n
	if len(in.rest)/n < len(v.matches[0].Bytes()) { // before memory is allocated for all
		return nil, errors.New("the snapshot is damaged: it is too short for its rows")
	}
	s := &spare{
		seed:       in.u64(),
		matches:    v.game.NewMatches(n),
		rows:       make([]row, n),
		done:       make([]bool, n),
		paid:       make([]float32, n*v.wide.seats),
		draws:      make([]engine.Rand, len(v.draws)),
		recordings: make([]recording, len(v.recordings)),
		tallies:    newTallies(n, v.wide.seats),
		batch:      newBatch(n, v.wide, &v.cfg),
	}
	for i := range n {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := v.parseRow(&in, s, i); err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
	}
	if err := v.parseReady(&in, s); err != nil {
		return nil, err
	}
	if in.short || len(in.rest) > 0 {
		return nil, errors.New("the snapshot is damaged: its length does not match its contents")
	}
	return s, nil
}

// parseReady reads the rows that were not received.
func (v *Vec) parseReady(in *scanner, s *spare) error {
	met := make([]bool, v.n)
	for range in.count(4) {
		i := in.i32()
		if i < 0 || int(i) >= v.n || met[i] {
			return fmt.Errorf("the snapshot is damaged: row %d is to be received: want rows 0 to %d, each once", i, v.n-1)
		}
		met[i] = true
		s.ready = append(s.ready, i)
	}
	return nil
}

func (v *Vec) parseRow(in *scanner, s *spare, i int) error {
	r, c, b, w, p := &s.rows[i], &s.tallies.counts[i], &s.batch, &v.wide, v.wide.seats
	r.seed, r.episode = in.u64(), int64(in.u64())
	if r.steps = in.i32(); in.version == 3 {
		r.steps = in.i32() // of those just read, the caller's
	}
	r.final = in.i32()
	s.done[i], b.Terminated[i], b.Truncated[i] = in.bool(), in.bool(), in.bool()
	if b.Ended[i] = b.Terminated[i] || b.Truncated[i]; in.version > 5 {
		b.Ended[i] = in.bool()
	}
	*c = tally{episodes: int64(in.u64()), truncated: int64(in.u64()), decisions: int64(in.u64())}
	if in.version > 4 {
		c.limited = int64(in.u64())
	}
	for k := 2 * i * p; k < 2*(i+1)*p; k++ {
		s.tallies.returns[k], s.tallies.wins[k] = in.f64(), in.f64()
	}
	for k := i * p; k < (i+1)*p; k++ {
		s.paid[k], b.Reward[k], b.PlayerReward[k] = in.f32(), in.f32(), in.f32()
		b.Players[k] = in.i32()
	}
	if err := checkSeating(b.Players[i*p : (i+1)*p]); err != nil {
		return err
	}
	if r.final < 0 || int(r.final) >= p {
		return fmt.Errorf("seat %d ended it: want 0 to %d", r.final, p-1)
	}
	if len(s.draws) > 0 {
		s.draws[i] = engine.Rand{Key: in.u64(), Counter: in.u64()}
	}
	if len(s.recordings) > 0 {
		if err := v.parseRecording(in, &s.recordings[i]); err != nil {
			return err
		}
	}
	if err := v.setState(s.matches[i], in.bytes(len(v.matches[i].Bytes())), b.FinalObs[i*p*w.obs:]); err != nil {
		return err
	}
	shown := r.final
	if !s.done[i] {
		shown = int32(s.matches[i].Seat())
	}
	switch {
	case shown < 0:
		return errors.New("its match is over, but the row is not")
	case v.veiled != nil && v.veiled[b.Players[i*p+int(shown)]]:
		return fmt.Errorf("it shows the match to seat %d, which is not the caller's", shown)
	}
	if !b.Ended[i] {
		return nil
	}
	b.FinalSeat[i], b.Length[i] = in.i32(), in.i32()
	if b.FinalSeat[i] < 0 || int(b.FinalSeat[i]) >= p {
		return fmt.Errorf("seat %d ended it: want 0 to %d", b.FinalSeat[i], p-1)
	}
	copy(b.FinalObs[i*p*w.obs:], in.bytes(p*w.obs))
	if v.cfg.Full {
		copy(b.FinalFull[i*p*w.full:], in.bytes(p*w.full))
	}
	for k := i * p; k < (i+1)*p; k++ {
		b.Return[k], b.PlayerReturn[k] = in.f32(), in.f32()
	}
	for k := i * p * w.sources; k < (i+1)*p*w.sources; k++ {
		b.Score[k] = in.i32()
	}
	return nil
}

// checkSeating is nil if each player has one seat.
func checkSeating(players []int32) error {
	for s, player := range players {
		if player < 0 || int(player) >= len(players) || slices.Contains(players[:s], player) {
			return fmt.Errorf("players %v have the seats: want each of 0 to %d once", players, len(players)-1)
		}
	}
	return nil
}

func (v *Vec) parseRecording(in *scanner, t *recording) error {
	t.on = in.bool()
	ended := in.count(20)
	for k := range ended + 1 {
		r := recordedMatch{seed: in.u64()}
		for range in.count(4) {
			s := recordedStep{int16(in.u16()), int16(in.u16())}
			if s.seat < 0 || int(s.seat) >= v.wide.seats || s.action < 0 || int(s.action) >= v.wide.actions {
				return fmt.Errorf("action %d of seat %d is recorded: want actions below %d of seats below %d", s.action, s.seat, v.wide.actions, v.wide.seats)
			}
			r.steps = append(r.steps, s)
		}
		if r.end = int64(in.u64()); (r.end == 0) != (k == 0) || r.end < 0 || r.end > recordedCut {
			return fmt.Errorf("recorded match %d has end %d", k, r.end)
		}
		if k == 0 {
			t.recordedMatch = r
			continue
		}
		r.episode = int64(in.u64())
		for range v.wide.seats {
			r.players = append(r.players, in.i32())
			r.returns = append(r.returns, in.f32())
		}
		if err := checkSeating(r.players); err != nil {
			return fmt.Errorf("recorded match %d: %w", k, err)
		}
		t.ended = append(t.ended, r)
	}
	return nil
}

// contain turns a panic into an error. Rules and encoders may rely on the invariants of the
// rules; on a state from outside that breaks them they may panic, which is the file's fault
// and no reason to end the program.
func contain(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("its state breaks the rules of the game: %v", p)
	}
}

// setState gives a match a state from outside and encodes it once, into
// scratch, [D].
func (v *Vec) setState(m engine.Match, state []byte, scratch []uint8) (err error) {
	defer contain(&err)
	if err := m.SetBytes(state); err != nil {
		return err
	}
	for seat := range v.wide.seats {
		v.enc.Encode(m, seat, scratch)
	}
	return nil
}

// checkStates is nil if each match is what its position says, and the position one that
// the game accepts.
func (v *Vec) checkStates(ctx context.Context, matches []engine.Match) error {
	again := v.game.NewMatch()
	for i, m := range matches {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := checkState(m, again); err != nil {
			return fmt.Errorf("row %d: its state is impossible in a match: %w", i, err)
		}
	}
	return nil
}

func checkState(m, again engine.Match) (err error) {
	defer contain(&err)
	position, err := m.Position(engine.Full)
	if err != nil {
		return err
	}
	if err := again.SetPosition(position); err != nil {
		return err
	}
	if !again.Equal(m) {
		return errors.New("it has content that no position has")
	}
	return nil
}

// adopt makes the restored vector this one. Matches and buffers that the caller
// may hold stay the same.
func (v *Vec) adopt(s *spare) {
	v.repair()
	v.cfg.Seed, v.begun, v.blank = s.seed, true, false
	copy(v.rows, s.rows)
	copy(v.done, s.done)
	copy(v.paid, s.paid)
	copy(v.draws, s.draws)
	copy(v.recordings, s.recordings)
	v.tallies = s.tallies
	for i, m := range s.matches {
		v.matches[i].CopyFrom(m)
	}
	b, from := &v.batch, &s.batch
	copy(b.Reward, from.Reward)
	copy(b.PlayerReward, from.PlayerReward)
	copy(b.Players, from.Players)
	copy(b.Terminated, from.Terminated)
	copy(b.Truncated, from.Truncated)
	copy(b.Ended, from.Ended)
	copy(b.FinalObs, from.FinalObs)
	copy(b.FinalFull, from.FinalFull)
	copy(b.FinalSeat, from.FinalSeat)
	copy(b.Return, from.Return)
	copy(b.PlayerReturn, from.PlayerReturn)
	copy(b.Length, from.Length)
	copy(b.Score, from.Score)
	if v.async != nil {
		v.async.failed.Store(false)
		v.async.forget()
	}
	for i := range v.n {
		v.show(i)
	}
	v.gatherAll()
	for _, i := range s.ready {
		a := v.asynchronous()
		a.underWay[i] = true
		a.sent++
		v.post(a, int(i))
	}
}
