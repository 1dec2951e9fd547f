package learner

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/privateer-rl/privateer/engine/durable"
)

// state is everything that a Learner needs to continue bit for bit.
type state struct {
	steps   uint64   // Adam's, for its bias correction
	rng     []byte   // libtorch's CPU generator
	weights []Tensor // the three lists name the same parameters
	mean    []Tensor // Adam's running mean of the gradient
	square  []Tensor // and of its square
}

// A state file is
//
//	magic "PRVLEARN" · uint32 version · uint64 length · payload · uint32 CRC-32C
//
// in little-endian order, where the checksum covers everything before it and the payload is a safetensors file: tensors named by a prefix
// and the parameter, step count and generator in the metadata.
const (
	stateMagic   = "PRVLEARN"
	stateVersion = 1
	stateHeader  = len(stateMagic) + 4 + 8
	stateMax     = 1 << 34 // bytes; a length beyond this is corruption

	prefixWeights = "weights/"
	prefixMean    = "adam.mean/"
	prefixSquare  = "adam.square/"
)

func (s *state) encode(w io.Writer) error {
	var all []Tensor
	for _, l := range []struct {
		prefix  string
		tensors []Tensor
	}{{prefixWeights, s.weights}, {prefixMean, s.mean}, {prefixSquare, s.square}} {
		for _, t := range l.tensors {
			t.Name = l.prefix + t.Name
			all = append(all, t)
		}
	}
	var payload bytes.Buffer
	err := WriteSafetensors(&payload, all, map[string]string{
		"steps": strconv.FormatUint(s.steps, 10),
		"rng":   base64.StdEncoding.EncodeToString(s.rng),
	})
	if err != nil {
		return err
	}
	out := make([]byte, 0, stateHeader+payload.Len()+4)
	out = append(out, stateMagic...)
	out = binary.LittleEndian.AppendUint32(out, stateVersion)
	out = binary.LittleEndian.AppendUint64(out, uint64(payload.Len()))
	out = append(out, payload.Bytes()...)
	if _, err := w.Write(durable.Seal(out)); err != nil {
		return fmt.Errorf("learner: saving state: %w", err)
	}
	return nil
}

// decodeState reads exactly one state, so that a caller may store more after it.
func decodeState(r io.Reader) (*state, error) {
	head := make([]byte, stateHeader)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, fmt.Errorf("learner: loading state: header: %w", noEOF(err))
	}
	if string(head[:len(stateMagic)]) != stateMagic {
		return nil, errors.New("learner: loading state: this is not a learner's state (wrong magic)")
	}
	if v := binary.LittleEndian.Uint32(head[8:]); v != stateVersion {
		return nil, fmt.Errorf("learner: loading state: format version %d, this program reads version %d", v, stateVersion)
	}
	length := binary.LittleEndian.Uint64(head[12:])
	if length > stateMax {
		return nil, fmt.Errorf("learner: loading state: corrupt: payload of %d bytes", length)
	}
	// The buffer grows with the data read, not with the claimed length.
	sealed := bytes.NewBuffer(head)
	n, err := sealed.ReadFrom(io.LimitReader(r, int64(length)+4))
	if err != nil {
		return nil, fmt.Errorf("learner: loading state: %w", err)
	}
	if uint64(n) != length+4 {
		return nil, fmt.Errorf("learner: loading state: truncated: %d of %d bytes", n, length+4)
	}
	all, ok := durable.Unseal(sealed.Bytes())
	if !ok {
		return nil, errors.New("learner: loading state: corrupt: its checksum does not match")
	}
	s, err := parseState(all[stateHeader:])
	if err != nil {
		return nil, fmt.Errorf("learner: loading state: %w", err)
	}
	return s, nil
}

func parseState(payload []byte) (*state, error) {
	tensors, metadata, err := parseSafetensors(payload)
	if err != nil {
		return nil, err
	}
	s := &state{}
	if s.steps, err = strconv.ParseUint(metadata["steps"], 10, 64); err != nil {
		return nil, fmt.Errorf("step count: %w", err)
	}
	if s.rng, err = base64.StdEncoding.DecodeString(metadata["rng"]); err != nil {
		return nil, fmt.Errorf("generator: %w", err)
	}
	lists := map[string]*[]Tensor{prefixWeights: &s.weights, prefixMean: &s.mean, prefixSquare: &s.square}
	for _, t := range tensors {
		prefix, name, _ := strings.Cut(t.Name, "/")
		list, ok := lists[prefix+"/"]
		if !ok {
			return nil, fmt.Errorf("tensor %q is neither weight nor moment", t.Name)
		}
		t.Name = name
		*list = append(*list, t)
	}
	return s, nil
}

// noEOF keeps a short file from looking like the orderly end of a stream.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// ReadWeights reads the weights, sorted by name, from the output of Learner.Save. It needs no libtorch.
func ReadWeights(r io.Reader) ([]Tensor, error) {
	s, err := decodeState(r)
	if err != nil {
		return nil, err
	}
	return s.weights, nil
}
