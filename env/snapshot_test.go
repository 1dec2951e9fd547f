package env_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/env/match"
)

func snapshot(t testing.TB, v *env.Vec) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := v.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRestoredVectorGoesOnAsTheOldOne(t *testing.T) {
	for _, cfg := range []env.Config{
		{Game: "leduc", NumEnvs: 5, Seed: 3, Autoreset: env.SameStep, ShuffleSeats: true},
		{Game: "kuhn(seats=3)", NumEnvs: 4, Seed: 3, Autoreset: env.NextStep, Full: true},
		{Game: "kuhn", NumEnvs: 4, Seed: 3, Autoreset: env.Disabled, MaxDecisions: 2},
		{Game: "doubloons(seats=4)", NumEnvs: 3, Seed: 3, Autoreset: env.SameStep, Full: true, ShuffleSeats: true, MaxDecisions: 60},
	} {
		old := newVec(t, cfg)
		p := newPlayer(cfg.NumEnvs)
		reset(t, old)
		for range 50 {
			p.step(t, old)
		}
		for range 30 { // so that some batches have ends in them
			saved := snapshot(t, old)
			other := cfg
			other.Workers, other.Seed = 3, 99
			v := newVec(t, other)
			if err := v.Restore(bytes.NewReader(saved)); err != nil {
				t.Fatalf("%s: %v", cfg.Game, err)
			}
			if !bytes.Equal(snapshot(t, v), saved) {
				t.Fatalf("%s: a restored vector has another snapshot", cfg.Game)
			}
			if v.Config().Seed != 3 {
				t.Fatalf("%s: the seed is %d", cfg.Game, v.Config().Seed)
			}
			draws := slices.Clone(p.draws)
			for step := range 12 {
				if a, b := rows(old, old.Batch()), rows(v, v.Batch()); !slices.Equal(a, b) {
					t.Fatalf("%s, step %d: the old vector has\n%s\nthe restored one\n%s", cfg.Game, step, strings.Join(a, "\n"), strings.Join(b, "\n"))
				}
				q := &player{slices.Clone(p.draws), make([]int32, cfg.NumEnvs)}
				p.step(t, old)
				q.step(t, v)
			}
			if slices.Equal(draws, p.draws) && cfg.Autoreset != env.Disabled {
				t.Fatalf("%s: nothing was played", cfg.Game)
			}
			v.Close()
		}
	}
}

// Bots, recordings, and rows that were sent and not received are in a snapshot too.
func TestRestoredVectorGoesOnAmongItsPlayersAndUnreceivedRows(t *testing.T) {
	var texts, restored kept
	cfg := env.Config{
		Game: "doubloons(seats=3)", NumEnvs: 6, Workers: 2, BatchSize: 2, Autoreset: env.SameStep, MaxDecisions: 5, ShuffleSeats: true,
		Players: []match.Player{{}, match.Named("random"), match.Batched("leaning", newLeaning())},
		Record:  env.Record{Share: 1, Sink: texts.sink},
	}
	old := newVec(t, cfg)
	c := newChooser(6)
	if err := old.SendReset(nil); err != nil {
		t.Fatal(err)
	}
	for round := range 30 {
		b, err := old.Recv()
		if err != nil {
			t.Fatal(err)
		}
		if err := old.Send(b.EnvID, c.actions(b)); err != nil {
			t.Fatal(err)
		}
		saved := snapshot(t, old)
		other := cfg
		other.Workers, other.BatchSize, other.Record.Sink = 1, 6, restored.sink
		v := newVec(t, other)
		if err := v.Restore(bytes.NewReader(saved)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(snapshot(t, v), saved) {
			t.Fatalf("round %d: a restored vector has another snapshot", round)
		}
		if _, err := v.Step(make([]int32, 6)); !errors.Is(err, env.ErrUnderWay) {
			t.Fatalf("round %d: rows that were under way are not: %v", round, err)
		}
		if b, err = v.Recv(); err != nil {
			t.Fatal(err)
		}
		all := rows(v, b)
		before := len(texts)
		for k := range 3 {
			b, err := old.Recv()
			if err != nil {
				t.Fatal(err)
			}
			if got := rows(old, b); !slices.Equal(got, all[2*k:2*k+2]) {
				t.Fatalf("round %d: received %s; the restored vector has %s", round, got, all[2*k:2*k+2])
			}
		}
		if a, b := texts[before:], restored; len(a) != len(b) {
			t.Fatalf("round %d: recorded %d matches and %d", round, len(a), len(b))
		}
		restored = nil
		if err := old.Restore(bytes.NewReader(saved)); err != nil {
			t.Fatal(err)
		}
		v.Close()
	}
	if len(texts) == 0 {
		t.Error("nothing was recorded")
	}
}

func TestRestoreKeepsTheMatchesAndBuffersThatTheCallerHolds(t *testing.T) {
	v := newVec(t, env.Config{Game: "leduc", NumEnvs: 2, Autoreset: env.SameStep})
	b := reset(t, v)
	m, obs := v.Match(1), &b.Obs[0]
	saved := snapshot(t, v)
	state := bytes.Clone(m.Bytes())
	p := newPlayer(2)
	for range 9 {
		p.step(t, v)
	}
	if err := v.Restore(bytes.NewReader(saved)); err != nil {
		t.Fatal(err)
	}
	if v.Match(1) != m || &v.Batch().Obs[0] != obs || !bytes.Equal(m.Bytes(), state) {
		t.Error("matches or buffers were replaced, or do not have the restored state")
	}
}

func TestSnapshotsCanFollowOneAnotherInAFile(t *testing.T) {
	v := newVec(t, env.Config{Game: "kuhn", NumEnvs: 2})
	reset(t, v)
	var file bytes.Buffer
	for range 2 {
		if err := v.Snapshot(&file); err != nil {
			t.Fatal(err)
		}
	}
	file.WriteString("the end")
	in := iotest.OneByteReader(&file)
	for range 2 {
		if err := v.Restore(in); err != nil {
			t.Fatal(err)
		}
	}
	if rest, _ := io.ReadAll(in); string(rest) != "the end" {
		t.Errorf("left in the file: %q", rest)
	}
}

func TestSnapshotOfAnotherVectorIsRefused(t *testing.T) {
	base := env.Config{Game: "kuhn", NumEnvs: 4}
	v := newVec(t, base)
	before := rows(v, reset(t, v))
	for want, change := range map[string]func(*env.Config){
		"its game is leduc":            func(c *env.Config) { c.Game = "leduc" },
		"its rows is 5":                func(c *env.Config) { c.NumEnvs = 5 },
		"its autoreset mode is SAME":   func(c *env.Config) { c.Autoreset = env.SameStep },
		"its cap on decisions is 7":    func(c *env.Config) { c.MaxDecisions = 7 },
		"its full view is true":        func(c *env.Config) { c.Full = true },
		"its shuffled seats is true;":  func(c *env.Config) { c.ShuffleSeats = true },
		"its players is caller, rand":  func(c *env.Config) { c.Players = []match.Player{{}, match.Named("random")} },
		"its share of matches recorde": func(c *env.Config) { c.Record = env.Record{Share: 1, Sink: (&kept{}).sink} },
	} {
		cfg := base
		change(&cfg)
		other := newVec(t, cfg)
		reset(t, other)
		if err := v.Restore(bytes.NewReader(snapshot(t, other))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want one with %q", err, want)
		}
	}
	if !slices.Equal(before, rows(v, v.Batch())) {
		t.Error("a snapshot that was refused changed the vector")
	}
}

func TestDamagedSnapshotIsRefusedAndChangesNothing(t *testing.T) {
	v := newVec(t, env.Config{Game: "leduc", NumEnvs: 3, Autoreset: env.SameStep})
	reset(t, v)
	p := newPlayer(3)
	saved := snapshot(t, v)
	for range 5 {
		p.step(t, v)
	}
	now := snapshot(t, v)
	for n := range saved {
		if err := v.Restore(bytes.NewReader(saved[:n])); err == nil || !strings.Contains(err.Error(), "cut short") {
			t.Fatalf("cut to %d of %d bytes: %v", n, len(saved), err)
		}
		bad := bytes.Clone(saved)
		bad[n] ^= 0x10
		if err := v.Restore(bytes.NewReader(bad)); err == nil {
			t.Fatalf("byte %d flipped: accepted", n)
		}
	}
	if err := v.Restore(strings.NewReader("PK\x03\x04 something else altogether")); err == nil || !strings.Contains(err.Error(), "not a snapshot") {
		t.Errorf("another file: %v", err)
	}
	if err := v.Restore(iotest.ErrReader(errors.New("disk on fire"))); err == nil || !strings.Contains(err.Error(), "disk on fire") {
		t.Errorf("a reader that fails: %v", err)
	}
	if !bytes.Equal(now, snapshot(t, v)) {
		t.Error("a snapshot that was refused changed the vector")
	}
}

// resealed is a snapshot whose checksum is right, whatever is in it.
func resealed(data []byte) []byte {
	if len(data) < 4 {
		return data
	}
	data = bytes.Clone(data)
	sum := crc32.Checksum(data[:len(data)-4], crc32.MakeTable(crc32.Castagnoli))
	binary.LittleEndian.PutUint32(data[len(data)-4:], sum)
	return data
}

// The close check accepts whatever a vector writes, ends of matches included, and refuses
// what no match can be.
func TestCheckedRestoreTakesWhatAMatchCanBeAndNothingElse(t *testing.T) {
	for _, cfg := range []env.Config{
		{Game: "leduc", NumEnvs: 3, Seed: 3, Autoreset: env.NextStep},
		{Game: "doubloons(seats=3)", NumEnvs: 1, Seed: 3, Autoreset: env.Disabled, MaxDecisions: 130},
		{Game: "jolly_roger(seats=4)", NumEnvs: 1, Seed: 3, Autoreset: env.NextStep},
	} {
		v := newVec(t, cfg)
		p := newPlayer(cfg.NumEnvs)
		reset(t, v)
		ended := false
		for range 400 {
			ended = ended || p.step(t, v).Terminated[0]
			saved := snapshot(t, v)
			if err := v.RestoreChecked(t.Context(), bytes.NewReader(saved)); err != nil || !bytes.Equal(saved, snapshot(t, v)) {
				t.Fatalf("%s: a snapshot of its own: %v", cfg.Game, err)
			}
		}
		if !ended && cfg.MaxDecisions == 0 {
			t.Errorf("%s: no match has ended", cfg.Game)
		}
	}
	v := newVec(t, env.Config{Game: "doubloons(seats=3)", NumEnvs: 1})
	reset(t, v)
	saved := snapshot(t, v)
	forged := bytes.Clone(saved)
	state := v.Match(0).Bytes()
	copy(forged[len(forged)-8-len(state):], bytes.Repeat([]byte{0x7f}, len(state)))
	if err := v.RestoreChecked(t.Context(), bytes.NewReader(resealed(forged))); err == nil {
		t.Error("a match of nonsense is taken")
	}
	if !bytes.Equal(saved, snapshot(t, v)) {
		t.Error("the vector has changed")
	}
}

// The close check takes time, and its caller may give up waiting.
func TestCheckedRestoreEndsWithItsContext(t *testing.T) {
	v := newVec(t, env.Config{Game: "doubloons(seats=3)", NumEnvs: 4})
	reset(t, v)
	before := snapshot(t, v)
	reset(t, v)
	now := snapshot(t, v)
	why := errors.New("out of time")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if err := v.RestoreChecked(ctx, bytes.NewReader(before)); !errors.Is(err, why) {
		t.Errorf("error %v, want %v", err, why)
	}
	if !bytes.Equal(now, snapshot(t, v)) {
		t.Error("the vector has changed")
	}
}

// Version 2 counted differently in rows in which others play. Version 3 had both counts.
// Up to version 4 limits of the game were not counted, and up to version 5 a row was over only in the step in which it ended.
func TestSnapshotsOfOlderVersionsAreReadWhereAllIsTheCallers(t *testing.T) {
	v := newVec(t, env.Config{Game: "leduc", NumEnvs: 1, Seed: 3})
	p := newPlayer(1)
	reset(t, v)
	p.step(t, v)
	p.step(t, v)
	saved := snapshot(t, v)
	want := rows(v, v.Batch())

	const head, kinds, seeds = 20, 11, 3 * 8 // of the vector, of the row and its episode
	at := head
	for range kinds {
		at += 4 + int(binary.LittleEndian.Uint32(saved[at:]))
	}
	at += seeds
	const stepsToEnded, stepsToLimited = 4 + 4 + 3, 4 + 4 + 3 + 3*8 // steps, seat and flags; episodes and their decisions
	fifth := slices.Delete(bytes.Clone(saved), at+stepsToEnded, at+stepsToEnded+1)
	fourth := slices.Delete(bytes.Clone(fifth), at+stepsToLimited, at+stepsToLimited+8)
	third := slices.Insert(bytes.Clone(fourth), at, 9, 0, 0, 0)
	for version, old := range map[byte][]byte{2: bytes.Clone(fourth), 3: third, 4: fourth, 5: fifth} {
		old[8] = version
		binary.LittleEndian.PutUint64(old[12:], uint64(len(old)-head-4))
		p.step(t, v)
		if err := v.Restore(bytes.NewReader(resealed(old))); err != nil {
			t.Fatal(err)
		}
		if got := rows(v, v.Batch()); !slices.Equal(got, want) || !bytes.Equal(snapshot(t, v), saved) {
			t.Fatalf("version %d: restored %s; saved %s", version, got, want)
		}
	}

	cfg := env.Config{Game: "leduc", NumEnvs: 1, Players: []match.Player{{}, match.Named("random")}}
	v = newVec(t, cfg)
	reset(t, v)
	old := snapshot(t, v)
	old[8] = 3
	if err := v.Restore(bytes.NewReader(resealed(old))); err == nil || !strings.Contains(err.Error(), "has their views") {
		t.Errorf("what bots saw is read from a snapshot of version 3: %v", err)
	}
}

// A caller may write a snapshot by hand; what it makes a row show must still be a view of the caller's.
func TestSnapshotThatShowsARowToAnotherSeatIsRefused(t *testing.T) {
	v := newVec(t, env.Config{Game: "kuhn", NumEnvs: 1, Autoreset: env.Disabled, Players: []match.Player{{}, match.Named("random")}})
	turn := func(wants string) {
		t.Helper()
		if err := v.Restore(bytes.NewReader(snapshot(t, v))); err == nil || !strings.Contains(err.Error(), wants) {
			t.Errorf("%v; want an error with %q", err, wants)
		}
	}
	reset(t, v)
	if err := v.Match(0).Apply(0); err != nil {
		t.Fatal(err)
	}
	turn("shows the match to seat 1")

	reset(t, v)
	p := newPlayer(1)
	until(t, v, p, 0)
	saved := snapshot(t, v)
	const head, kinds, seedsAndSteps = 20, 11, 3*8 + 4
	at := head
	for range kinds {
		at += 4 + int(binary.LittleEndian.Uint32(saved[at:]))
	}
	saved[at+seedsAndSteps] = 1 // the seat that the finished row shows
	if err := v.Restore(bytes.NewReader(resealed(saved))); err == nil || !strings.Contains(err.Error(), "shows the match to seat 1") {
		t.Errorf("a finished row is shown to a bot's seat: %v", err)
	}
}

func TestSnapshotThatContradictsItselfIsRefused(t *testing.T) {
	v := newVec(t, env.Config{Game: "kuhn", NumEnvs: 1})
	reset(t, v)
	saved := snapshot(t, v)
	for _, change := range []func(b []byte) []byte{
		func(b []byte) []byte { // one byte more than there is to say
			b = append(b[:len(b)-4], 0, 0, 0, 0, 0)
			b[12]++
			return b
		},
		func(b []byte) []byte { // one byte less
			b = b[:len(b)-1]
			b[12]--
			return b
		},
		func(b []byte) []byte { b[8] = 9; return b },                  // of a version to come
		func(b []byte) []byte { b[19] = 0xff; return b },              // of endless length
		func(b []byte) []byte { b[20], b[23] = 0xff, 0xff; return b }, // a name longer than the file
	} {
		bad := resealed(change(bytes.Clone(saved)))
		if err := v.Restore(bytes.NewReader(bad)); err == nil {
			t.Errorf("accepted: % x …", bad[:32])
		}
	}
	if !bytes.Equal(saved, snapshot(t, v)) {
		t.Error("the vector has changed")
	}
}

func TestSnapshotThatCannotBeWrittenIsAnError(t *testing.T) {
	v := newVec(t, env.Config{Game: "kuhn", NumEnvs: 1})
	reset(t, v)
	if err := v.Snapshot(full{}); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("error %v", err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// Whatever the bytes, and even with a checksum that is right: no panic, and if
// there is an error the vector is unchanged.
func FuzzRestore(f *testing.F) {
	cfg := env.Config{Game: "leduc", NumEnvs: 2, Autoreset: env.NextStep}
	v := newVec(f, cfg)
	reset(f, v)
	p := newPlayer(2)
	for range 6 {
		p.step(f, v)
		f.Add(snapshot(f, v), false)
		f.Add(snapshot(f, v), true)
	}
	f.Add([]byte("PRIVVEC\n"), true)
	f.Fuzz(func(t *testing.T, data []byte, seal bool) {
		v := newVec(t, cfg)
		defer v.Close()
		reset(t, v)
		before := snapshot(t, v)
		if seal {
			data = resealed(data)
		}
		if err := v.Restore(bytes.NewReader(data)); err != nil {
			if !bytes.Equal(before, snapshot(t, v)) {
				t.Fatalf("refused (%v), but the vector has changed", err)
			}
		}
	})
}
