package env

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
)

// A snapshot is
//
//	magic [8] · version u32 · length of the body u64 · body · CRC-32C of everything before u32
//
// little-endian. The body begins with what the vector must be like to take it; the states of
// the matches are copies of memory, so that a snapshot is for machines of one
// architecture. What a row shows of the present is not stored but computed again.
//
// Version 5 does not tell rows that ended in the last step from those that had ended before. Version 4 also lacks the number of episodes that a limit of the game has ended. Of ends it has
// only what the caller may see, and it counts only the caller's decisions. Versions 2 and 3
// had what bots saw and counted their decisions: they are read only for vectors in which all
// players are the caller's.
const (
	snapshotMagic   = "PRIVVEC\n"
	snapshotVersion = 6
	snapshotOldest  = 2
	snapshotHead    = len(snapshotMagic) + 4 + 8
)

// Snapshot writes the whole vector: matches, counters, statistics, the last batch,
// what is being recorded, and the rows that have been sent and not received, which it waits for. A
// vector that is restored from it continues as this one would. No part may be under way.
func (v *Vec) Snapshot(w io.Writer) error {
	switch err := v.sendable(); {
	case err != nil:
		return fmt.Errorf("env: snapshot: %w", err)
	case !v.begun:
		return fmt.Errorf("env: snapshot: %w", ErrNotReset)
	}
	v.rest()
	if v.async != nil && v.async.failed.Load() {
		return fmt.Errorf("env: snapshot: %w", v.fail(v.async))
	}
	out := make([]byte, snapshotHead, snapshotHead+v.n*v.rowBytes())
	out = v.appendBody(out)
	copy(out, snapshotMagic)
	binary.LittleEndian.PutUint32(out[len(snapshotMagic):], snapshotVersion)
	binary.LittleEndian.PutUint64(out[len(snapshotMagic)+4:], uint64(len(out)-snapshotHead))
	if _, err := w.Write(durable.Seal(out)); err != nil {
		return fmt.Errorf("env: write snapshot: %w", err)
	}
	return nil
}

// Restore reads what Snapshot wrote, into a vector of the same configuration;
// seed, workers and size of the batches may be others, and the seed becomes the snapshot's. On an
// error the vector is as it was. It reads to the end of the snapshot and not beyond.
// Rows that were sent and not received are as in the snapshot. No part may be
// under way.
func (v *Vec) Restore(r io.Reader) error { return v.restore(context.Background(), r, false) }

// RestoreChecked is Restore for a snapshot from an untrusted source, checksum and all:
// each match must also be a position that its game accepts (engine.Match.SetPosition), so that
// no rule meets an impossible state. That takes up to a millisecond a match; when ctx ends, the
// vector is as it was, and the error is the cause (context.Cause).
func (v *Vec) RestoreChecked(ctx context.Context, r io.Reader) error { return v.restore(ctx, r, true) }

func (v *Vec) restore(ctx context.Context, r io.Reader, checked bool) error {
	switch {
	case v.closed:
		return ErrClosed
	case v.halted:
		return ErrUnderWay
	}
	for _, p := range v.parts {
		if p.underWay {
			return ErrUnderWay
		}
	}
	v.rest()
	body, version, err := v.readBody(r)
	if err != nil {
		return fmt.Errorf("env: restore: %w", err)
	}
	spare, err := v.parseBody(ctx, body, version)
	if err == nil && checked {
		err = v.checkStates(ctx, spare.matches)
	}
	if err != nil {
		return fmt.Errorf("env: restore: %w", err)
	}
	v.adopt(spare)
	return nil
}

// kind is what vector and snapshot must have in common, in words.
func (v *Vec) kind() [][2]string {
	return [][2]string{
		{"game", v.info.Config},
		{"schema hash", v.enc.FullSchema().Hash()},
		{"rows", fmt.Sprint(v.n)},
		{"autoreset mode", v.cfg.Autoreset.String()},
		{"cap on decisions", fmt.Sprint(v.cfg.MaxDecisions)},
		{"full view", fmt.Sprint(v.cfg.Full)},
		{"shuffled seats", fmt.Sprint(v.cfg.ShuffleSeats)},
		{"players", v.playerNames()},
		{"share of matches recorded", fmt.Sprint(v.cfg.Record.Share)},
		{"architecture", runtime.GOARCH},
		{"bytes of a state", fmt.Sprint(len(v.matches[0].Bytes()))},
	}
}

// playerNames are the players in words: "caller, random".
func (v *Vec) playerNames() string {
	names := make([]string, len(v.cfg.Players))
	for i, p := range v.cfg.Players {
		if names[i] = p.Name; p.Bot == nil && p.Policy == nil {
			names[i] = "caller"
		}
	}
	return strings.Join(names, ", ")
}

// rowBytes is about what a row takes in a body.
func (v *Vec) rowBytes() int {
	w := &v.wide
	seat := 3*8*2 + 8*4 + w.obs + 4*w.sources
	if v.cfg.Full {
		seat += w.full
	}
	return 160 + len(v.matches[0].Bytes()) + w.seats*seat
}

func (v *Vec) appendBody(out []byte) []byte {
	le := binary.LittleEndian
	for _, k := range v.kind() {
		out = le.AppendUint32(out, uint32(len(k[1])))
		out = append(out, k[1]...)
	}
	out = le.AppendUint64(out, v.cfg.Seed)
	for i := range v.rows {
		out = v.appendRow(out, i)
	}
	ready := v.unreceived()
	out = le.AppendUint32(out, uint32(len(ready)))
	for _, i := range ready {
		out = le.AppendUint32(out, uint32(i))
	}
	return out
}

// unreceived are the rows that have been sent and stepped, in the order in which
// Recv would give them.
func (v *Vec) unreceived() (rows []int32) {
	a := v.async
	if a == nil {
		return nil
	}
	for place := a.received * a.size; place < a.next.Load(); place++ {
		b := &a.blocks[place/a.size%uint64(len(a.blocks))]
		rows = append(rows, b.batch.EnvID[place%a.size])
	}
	return rows
}

func (v *Vec) appendRow(out []byte, i int) []byte {
	le := binary.LittleEndian
	b, w, p := &v.batch, &v.wide, v.wide.seats
	r, c := &v.rows[i], &v.tallies.counts[i]
	out = le.AppendUint64(out, r.seed)
	out = le.AppendUint64(out, uint64(r.episode))
	out = le.AppendUint32(out, uint32(r.steps))
	out = le.AppendUint32(out, uint32(r.final))
	out = append(out, engine.Bit(v.done[i]), engine.Bit(b.Terminated[i]), engine.Bit(b.Truncated[i]), engine.Bit(b.Ended[i]))
	out = le.AppendUint64(out, uint64(c.episodes))
	out = le.AppendUint64(out, uint64(c.truncated))
	out = le.AppendUint64(out, uint64(c.decisions))
	out = le.AppendUint64(out, uint64(c.limited))
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
	if v.draws != nil {
		out = le.AppendUint64(out, v.draws[i].Key)
		out = le.AppendUint64(out, v.draws[i].Counter)
	}
	if v.recordings != nil {
		out = v.appendRecording(out, &v.recordings[i])
	}
	out = append(out, v.matches[i].Bytes()...)
	if !b.Ended[i] {
		return out
	}
	out = le.AppendUint32(out, uint32(b.FinalSeat[i]))
	out = le.AppendUint32(out, uint32(b.Length[i]))
	out = append(out, b.FinalObs[i*p*w.obs:(i+1)*p*w.obs]...)
	if v.cfg.Full {
		out = append(out, b.FinalFull[i*p*w.full:(i+1)*p*w.full]...)
	}
	for k := i * p; k < (i+1)*p; k++ {
		out = le.AppendUint32(out, math.Float32bits(b.Return[k]))
		out = le.AppendUint32(out, math.Float32bits(b.PlayerReturn[k]))
	}
	for _, score := range b.Score[i*p*w.sources : (i+1)*p*w.sources] {
		out = le.AppendUint32(out, uint32(score))
	}
	return out
}

// appendRecording appends the match that is being recorded, and those that have ended but were
// not delivered.
func (v *Vec) appendRecording(out []byte, t *recording) []byte {
	le := binary.LittleEndian
	out = append(out, engine.Bit(t.on))
	out = le.AppendUint32(out, uint32(len(t.ended)))
	for _, r := range append([]recordedMatch{t.recordedMatch}, t.ended...) {
		out = le.AppendUint64(out, r.seed)
		out = le.AppendUint32(out, uint32(len(r.steps)))
		for _, s := range r.steps {
			out = le.AppendUint16(out, uint16(s.seat))
			out = le.AppendUint16(out, uint16(s.action))
		}
		out = le.AppendUint64(out, uint64(r.end))
		if r.end == 0 {
			continue
		}
		out = le.AppendUint64(out, uint64(r.episode))
		for k := range v.wide.seats {
			out = le.AppendUint32(out, uint32(r.players[k]))
			out = le.AppendUint32(out, math.Float32bits(r.returns[k]))
		}
	}
	return out
}
