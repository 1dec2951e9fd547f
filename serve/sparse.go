package serve

import (
	"encoding/binary"
	"math/bits"

	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// sparse is a session's answer with less to send: most bytes of observations and action rows are zeros.
// Its buffers are used again.
type sparse struct {
	batch   pb.Batch
	endings pb.Endings
	wide    [5]pb.Tensor
	bytes   [5][]byte
}

// show is the message m with its wide tensors packed. It is valid until the vector moves, as m is.
func (s *sparse) show(m *pb.Batch) *pb.Batch {
	b := &s.batch
	b.ActionMask, b.CurrentPlayer, b.Reward, b.Terminated, b.Truncated = m.ActionMask, m.CurrentPlayer, m.Reward, m.Terminated, m.Truncated
	b.EpisodeStep, b.Seating, b.ActionOffsets = m.EpisodeStep, m.Seating, m.ActionOffsets
	b.Observation = s.pack(0, m.Observation)
	b.FullObservation = s.pack(1, m.FullObservation)
	b.ActionRows = s.pack(2, m.ActionRows)
	b.Endings = nil
	if ends := m.Endings; ends != nil {
		e := &s.endings
		e.Row, e.FinalPlayer, e.EpisodeReturn, e.Length, e.Score = ends.Row, ends.FinalPlayer, ends.EpisodeReturn, ends.Length, ends.Score
		e.FinalObservation = s.pack(3, ends.FinalObservation)
		e.FinalFullObservation = s.pack(4, ends.FinalFullObservation)
		b.Endings = e
	}
	return b
}

// pack is the tensor t in buffer k: sparse, if that is less.
func (s *sparse) pack(k int, t *pb.Tensor) *pb.Tensor {
	if t == nil {
		return nil
	}
	s.bytes[k] = appendSparse(s.bytes[k][:0], t.Data)
	w := &s.wide[k]
	w.Dtype, w.Shape, w.Data = t.Dtype, t.Shape, t.Data
	if w.Sparse = len(s.bytes[k]) < len(t.Data); w.Sparse {
		w.Data = s.bytes[k]
	}
	return w
}

// appendSparse appends bytes without their zeros, as Tensor.sparse describes it.
func appendSparse(dst, data []byte) []byte {
	words, from := (len(data)+7)/8, len(dst)
	for range (words + 7) / 8 {
		dst = append(dst, 0)
	}
	which := len(dst)
	for i := range words {
		if b := filled(wordAt(data, i)); b != 0 {
			dst[from+i/8] |= 1 << (i % 8)
			dst = append(dst, b)
		}
	}
	for k := range (words + 7) / 8 {
		for group := dst[from+k]; group != 0; group &= group - 1 {
			word := data[8*(8*k+bits.TrailingZeros8(group)):]
			for b := dst[which]; b != 0; b &= b - 1 {
				dst = append(dst, word[bits.TrailingZeros8(b)])
			}
			which++
		}
	}
	return dst
}

// wordAt is word i of data, the last one filled up with zeros.
func wordAt(data []byte, i int) uint64 {
	if rest := data[8*i:]; len(rest) >= 8 {
		return binary.LittleEndian.Uint64(rest)
	}
	var last [8]byte
	copy(last[:], data[8*i:])
	return binary.LittleEndian.Uint64(last[:])
}

// filled has a bit for each byte of a word that is not zero.
func filled(word uint64) byte {
	if word == 0 {
		return 0
	}
	const low = 0x7f7f7f7f7f7f7f7f
	word = ((word&low + low) | word) &^ low >> 7
	return byte(word * 0x0102040810204080 >> 56)
}
