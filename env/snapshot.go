package env

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"runtime"

	"github.com/privateer-rl/privateer/engine"
)

// A snapshot is
//
//	magic [8] · version u32 · length of the body u64 · body · CRC-32C of all before u32
//
// little-endian. The body begins with what the vector must be like to take it; the states of
// the matches are the memory of the machine, so that a snapshot is for machines
// of one architecture. What a row shows of the present is not stored but made again.
const (
	snapshotMagic   = "PRIVVEC\n"
	snapshotVersion = 1
	snapshotHead    = len(snapshotMagic) + 4 + 8
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Snapshot writes the whole vector: matches, counters, statistics and the last
// batch. A vector that is restored from it goes on as this one would.
func (v *Vec) Snapshot(w io.Writer) error {
	switch {
	case v.closed:
		return ErrClosed
	case !v.begun:
		return fmt.Errorf("env: snapshot: %w", ErrNotReset)
	}
	out := make([]byte, snapshotHead, snapshotHead+v.bodyLimit())
	out = v.appendBody(out)
	copy(out, snapshotMagic)
	binary.LittleEndian.PutUint32(out[len(snapshotMagic):], snapshotVersion)
	binary.LittleEndian.PutUint64(out[len(snapshotMagic)+4:], uint64(len(out)-snapshotHead))
	out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(out, castagnoli))
	if _, err := w.Write(out); err != nil {
		return fmt.Errorf("env: write snapshot: %w", err)
	}
	return nil
}

// Restore reads what Snapshot wrote, into a vector of the same configuration;
// seed and workers may be others, and the seed becomes the snapshot's. On an
// error the vector is as it was. It reads to the end of the snapshot and not beyond.
func (v *Vec) Restore(r io.Reader) error {
	if v.closed {
		return ErrClosed
	}
	body, err := v.readBody(r)
	if err != nil {
		return fmt.Errorf("env: restore: %w", err)
	}
	spare, err := v.parseBody(body)
	if err != nil {
		return fmt.Errorf("env: restore: %w", err)
	}
	v.adopt(spare)
	return nil
}

// kind is what a vector must agree with a snapshot about, in words.
func (v *Vec) kind() [][2]string {
	return [][2]string{
		{"game", v.info.Config},
		{"schema hash", v.enc.FullSchema().Hash()},
		{"rows", fmt.Sprint(v.n)},
		{"autoreset mode", v.cfg.Autoreset.String()},
		{"cap on decisions", fmt.Sprint(v.cfg.MaxDecisions)},
		{"full view", fmt.Sprint(v.cfg.Full)},
		{"shuffled seats", fmt.Sprint(v.cfg.ShuffleSeats)},
		{"architecture", runtime.GOARCH},
		{"bytes of a state", fmt.Sprint(len(v.matches[0].Bytes()))},
	}
}

// bodyLimit is the most bytes that a body can have.
func (v *Vec) bodyLimit() int {
	head := 64
	for _, k := range v.kind() {
		head += len(k[1]) + 4
	}
	final := v.obs
	if v.cfg.Full {
		final += v.full
	}
	seat := 3*8*2 + 8*4 + final + 4*v.sources
	return head + v.n*(128+len(v.matches[0].Bytes())+v.seats*seat)
}

func (v *Vec) appendBody(out []byte) []byte {
	le := binary.LittleEndian
	for _, k := range v.kind() {
		out = le.AppendUint32(out, uint32(len(k[1])))
		out = append(out, k[1]...)
	}
	out = le.AppendUint64(out, v.cfg.Seed)
	b, p := &v.batch, v.seats
	for i := range v.rows {
		r, c := &v.rows[i], &v.tallies.counts[i]
		out = le.AppendUint64(out, r.seed)
		out = le.AppendUint64(out, uint64(r.episode))
		out = le.AppendUint32(out, uint32(r.steps))
		out = le.AppendUint32(out, uint32(r.final))
		out = append(out, bit(r.done), bit(b.Terminated[i]), bit(b.Truncated[i]))
		out = le.AppendUint64(out, uint64(c.episodes))
		out = le.AppendUint64(out, uint64(c.truncated))
		out = le.AppendUint64(out, uint64(c.decisions))
		for k := 2 * i * p; k < 2*(i+1)*p; k++ {
			out = le.AppendUint64(out, math.Float64bits(v.tallies.returns[k]))
			out = le.AppendUint64(out, math.Float64bits(v.tallies.wins[k]))
		}
		for k := i * p; k < (i+1)*p; k++ {
			out = le.AppendUint32(out, math.Float32bits(v.paid[k]))
			out = le.AppendUint32(out, math.Float32bits(b.Reward[k]))
			out = le.AppendUint32(out, math.Float32bits(b.PlayerReward[k]))
			out = le.AppendUint32(out, uint32(b.Players[k]))
		}
		out = append(out, v.matches[i].Bytes()...)
		if !b.Terminated[i] && !b.Truncated[i] {
			continue
		}
		out = le.AppendUint32(out, uint32(b.FinalSeat[i]))
		out = le.AppendUint32(out, uint32(b.Length[i]))
		out = append(out, b.FinalObs[i*p*v.obs:(i+1)*p*v.obs]...)
		if v.cfg.Full {
			out = append(out, b.FinalFull[i*p*v.full:(i+1)*p*v.full]...)
		}
		for k := i * p; k < (i+1)*p; k++ {
			out = le.AppendUint32(out, math.Float32bits(b.Return[k]))
			out = le.AppendUint32(out, math.Float32bits(b.PlayerReturn[k]))
		}
		for _, score := range b.Score[i*p*v.sources : (i+1)*p*v.sources] {
			out = le.AppendUint32(out, uint32(score))
		}
	}
	return out
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// readBody reads a snapshot and checks everything that does not depend on what
// the body says.
func (v *Vec) readBody(r io.Reader) ([]byte, error) {
	head := make([]byte, snapshotHead)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, cut(err)
	}
	if !bytes.HasPrefix(head, []byte(snapshotMagic)) {
		return nil, errors.New("this is no snapshot of a vector")
	}
	if got := binary.LittleEndian.Uint32(head[len(snapshotMagic):]); got != snapshotVersion {
		return nil, fmt.Errorf("a snapshot of version %d: this program reads version %d", got, snapshotVersion)
	}
	size := binary.LittleEndian.Uint64(head[len(snapshotMagic)+4:])
	// A vector of another kind may have a longer body; it is read as far as it says
	// whose it is. Reading grows with what is there, not with what the length promises.
	const most = 1 << 34
	if size > most {
		return nil, errors.New("the snapshot is damaged: its length cannot be true")
	}
	var rest bytes.Buffer
	if _, err := io.CopyN(&rest, r, int64(size)+4); err != nil {
		return nil, cut(err)
	}
	all := rest.Bytes()
	body, tail := all[:size], all[size:]
	sum := crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, body)
	if sum != binary.LittleEndian.Uint32(tail) {
		return nil, errors.New("the snapshot is damaged: its checksum does not agree")
	}
	return body, nil
}

func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the snapshot is cut short")
	}
	return err
}

// scanner takes a body apart; once it is short all it gives is zero.
type scanner struct {
	rest  []byte
	short bool
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

func (s *scanner) u32() uint32  { return binary.LittleEndian.Uint32(s.bytes(4)) }
func (s *scanner) u64() uint64  { return binary.LittleEndian.Uint64(s.bytes(8)) }
func (s *scanner) i32() int32   { return int32(s.u32()) }
func (s *scanner) f32() float32 { return math.Float32frombits(s.u32()) }
func (s *scanner) f64() float64 { return math.Float64frombits(s.u64()) }
func (s *scanner) bool() bool   { return s.bytes(1)[0] == 1 }

// spare is a restored vector before it takes the place of the old one.
type spare struct {
	seed    uint64
	matches []engine.Match
	rows    []row
	paid    []float32
	tallies tallies
	batch   Batch
}

func (v *Vec) parseBody(body []byte) (*spare, error) {
	in := scanner{rest: body}
	for _, k := range v.kind() {
		n := in.u32()
		if in.short || int64(n) > int64(len(in.rest)) {
			return nil, errors.New("the snapshot is damaged: its description is cut short")
		}
		if got := string(in.bytes(int(n))); got != k[1] {
			return nil, fmt.Errorf("the snapshot is of another vector: its %s is %s; this vector's is %s", k[0], got, k[1])
		}
	}
	n, p := v.n, v.seats
	s := &spare{
		seed:    in.u64(),
		matches: v.game.NewMatches(n),
		rows:    make([]row, n),
		paid:    make([]float32, n*p),
		tallies: newTallies(n, p),
		batch:   newBatch(n, p, v.actions, v.sources, v.obs, v.full, &v.cfg),
	}
	for i := range n {
		if err := v.parseRow(&in, s, i); err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
	}
	if in.short || len(in.rest) > 0 {
		return nil, errors.New("the snapshot is damaged: its length does not agree with its contents")
	}
	return s, nil
}

func (v *Vec) parseRow(in *scanner, s *spare, i int) error {
	r, c, b, p := &s.rows[i], &s.tallies.counts[i], &s.batch, v.seats
	r.seed, r.episode = in.u64(), int64(in.u64())
	r.steps, r.final = in.i32(), in.i32()
	r.done, b.Terminated[i], b.Truncated[i] = in.bool(), in.bool(), in.bool()
	*c = tally{int64(in.u64()), int64(in.u64()), int64(in.u64())}
	for k := 2 * i * p; k < 2*(i+1)*p; k++ {
		s.tallies.returns[k], s.tallies.wins[k] = in.f64(), in.f64()
	}
	for k := i * p; k < (i+1)*p; k++ {
		s.paid[k], b.Reward[k], b.PlayerReward[k] = in.f32(), in.f32(), in.f32()
		b.Players[k] = in.i32()
		if b.Players[k] < 0 || int(b.Players[k]) >= p {
			return fmt.Errorf("player %d has a seat: want 0 to %d", b.Players[k], p-1)
		}
	}
	if r.final < 0 || int(r.final) >= p {
		return fmt.Errorf("seat %d ended it: want 0 to %d", r.final, p-1)
	}
	if err := v.setState(s.matches[i], in.bytes(len(v.matches[i].Bytes())), b.FinalObs[i*p*v.obs:]); err != nil {
		return err
	}
	if s.matches[i].Seat() < 0 && !r.done {
		return errors.New("its match is over and yet it is to go on")
	}
	if !b.Terminated[i] && !b.Truncated[i] {
		return nil
	}
	b.FinalSeat[i], b.Length[i] = in.i32(), in.i32()
	copy(b.FinalObs[i*p*v.obs:], in.bytes(p*v.obs))
	if v.cfg.Full {
		copy(b.FinalFull[i*p*v.full:], in.bytes(p*v.full))
	}
	for k := i * p; k < (i+1)*p; k++ {
		b.Return[k], b.PlayerReturn[k] = in.f32(), in.f32()
	}
	for k := i * p * v.sources; k < (i+1)*p*v.sources; k++ {
		b.Score[k] = in.i32()
	}
	return nil
}

// setState gives a match a state from outside and looks at it once, into
// scratch, [D]. Rules and encoders may rely on what the rules keep to; on a state that
// breaks it they may panic, and that is the file's fault and no reason to end
// the program.
func (v *Vec) setState(m engine.Match, state []byte, scratch []uint8) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("its state breaks the rules of the game: %v", p)
		}
	}()
	if err := m.SetBytes(state); err != nil {
		return err
	}
	for seat := range v.seats {
		v.enc.Encode(m, seat, scratch)
	}
	return nil
}

// adopt makes the restored vector this one. Matches and buffers that the caller
// may hold stay the same.
func (v *Vec) adopt(s *spare) {
	v.cfg.Seed, v.begun = s.seed, true
	copy(v.rows, s.rows)
	copy(v.paid, s.paid)
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
	copy(b.FinalObs, from.FinalObs)
	copy(b.FinalFull, from.FinalFull)
	copy(b.FinalSeat, from.FinalSeat)
	copy(b.Return, from.Return)
	copy(b.PlayerReturn, from.PlayerReturn)
	copy(b.Length, from.Length)
	copy(b.Score, from.Score)
	v.crew.run(v.refill)
}
