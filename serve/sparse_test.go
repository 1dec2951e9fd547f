package serve

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// unpacked is what a sparse tensor of n bytes has, read as tensor.proto says it.
func unpacked(t *testing.T, data []byte, n int) []byte {
	t.Helper()
	words := (n + 7) / 8
	some, rest := data[:(words+7)/8], data[(words+7)/8:]
	var which []int
	for w := range 8 * len(some) {
		if some[w/8]>>(w%8)&1 != 0 {
			which = append(which, w)
		}
	}
	filled, values := rest[:len(which)], rest[len(which):]
	all := make([]byte, 8*words)
	for i, w := range which {
		for k := range 8 {
			if filled[i]>>k&1 != 0 {
				all[8*w+k], values = values[0], values[1:]
			}
		}
	}
	if len(values) > 0 || bytes.ContainsRune(all[n:], 1) {
		t.Errorf("of %d bytes %d are left over", n, len(values))
	}
	return all[:n]
}

func TestASparseTensorHasTheBytesOfATensor(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		data := make([]byte, n)
		for i := range data {
			if r.IntN(3) == 0 {
				data[i] = byte(r.IntN(256))
			}
		}
		for _, before := range [][]byte{nil, []byte("before")} {
			packed := appendSparse(bytes.Clone(before), data)
			if !bytes.HasPrefix(packed, before) || !bytes.Equal(unpacked(t, packed[len(before):], n), data) {
				t.Fatalf("%x is packed as %x", data, packed)
			}
		}
	}
}

func TestATensorIsSparseOnlyIfThatIsLess(t *testing.T) {
	var s sparse
	thin, full := tensor(pb.DType_D_TYPE_UINT8, 4, 64), tensor(pb.DType_D_TYPE_UINT8, 4, 64)
	thin.Data, full.Data = make([]byte, 256), bytes.Repeat([]byte{7}, 256)
	b := &pb.Batch{Observation: thin, FullObservation: full}
	sent := s.show(b)
	if !sent.Observation.Sparse || len(sent.Observation.Data) != 4 || sent.FullObservation.Sparse || !bytes.Equal(sent.FullObservation.Data, full.Data) {
		t.Errorf("%v", sent)
	}
	if thin.Sparse || sent.ActionRows != nil || sent.Endings != nil {
		t.Errorf("%v became %v", b, sent)
	}
	if n := testing.AllocsPerRun(100, func() { s.show(b) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestRequestsHaveAllBytes(t *testing.T) {
	actions := tensor(pb.DType_D_TYPE_UINT8, 8)
	actions.Data, actions.Sparse = []byte{0}, true
	if err := readActions(actions, make([]int32, 8)); err == nil || !strings.Contains(err.Error(), "actions.sparse") {
		t.Errorf("a sparse tensor of actions: %v", err)
	}
}
