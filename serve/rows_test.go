package serve_test

import (
	"encoding/binary"
	"math/bits"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

func TestActionRowsAreSentForEveryLegalActionIfTheyAreAskedFor(t *testing.T) {
	r := begin(t, nil)
	seed := uint64(4)
	p := r.session(&pb.OpenRequest{Game: "leduc", NumEnvs: 5, Seed: &seed, AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_DISABLED, ActionRows: true}).attach()
	size := p.open.Game.ActionRow.GetSize()
	ended := make([]bool, p.n) // and nobody begins a new episode
	for step, b := 0, p.must(resetAll()); step < 12; step++ {
		if b.ActionRows == nil || b.ActionOffsets == nil || b.ActionRows.Shape[1] != size || len(b.ActionRows.Data) != int(b.ActionRows.Shape[0]*size) {
			t.Fatalf("step %d: rows %v at %v", step, b.ActionRows, b.ActionOffsets)
		}
		at := uint32(0)
		for i := range p.n {
			if from := binary.LittleEndian.Uint32(b.ActionOffsets.Data[4*i:]); from != at {
				t.Fatalf("step %d: those of row %d begin at %d; want %d", step, i, from, at)
			}
			if ended[i] = ended[i] || b.Terminated.Data[i] != 0; !ended[i] {
				at += uint32(bits.OnesCount8(b.ActionMask.Data[i]))
			}
		}
		if end := binary.LittleEndian.Uint32(b.ActionOffsets.Data[4*p.n:]); end != at || b.ActionRows.Shape[0] != at {
			t.Fatalf("step %d: %d rows end at %d; want %d", step, b.ActionRows.Shape[0], end, at)
		}
		b = p.must(act(legal(b, step)))
	}
	if b := r.session(&pb.OpenRequest{Game: "leduc", NumEnvs: 1}).attach().must(resetAll()); b.ActionRows != nil || b.ActionOffsets != nil {
		t.Error("rows are sent to somebody who did not ask for them")
	}
	if _, err := r.env.Open(soon(t), &pb.OpenRequest{Game: "doubloons", NumEnvs: 4096, ActionRows: true}); status.Code(err) != codes.ResourceExhausted {
		t.Errorf("a batch could be larger than a message may be: error %v", err)
	}
}
