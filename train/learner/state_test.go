package learner

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"reflect"
	"strings"
	"testing"
)

func someState() *state {
	ws := small.InitialWeights()
	return &state{steps: 12, rng: []byte{1, 2, 3}, weights: ws, mean: ws, square: ws}
}

func encoded(t testing.TB, s *state) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := s.encode(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// reseal gives a spoilt file a correct checksum, of the kind that all files have had so far,
// which must stay readable.
func reseal(data []byte) []byte {
	body := data[:len(data)-4]
	return binary.LittleEndian.AppendUint32(bytes.Clone(body), crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
}

func TestStateRoundTripsAndLeavesTheRestOfTheStream(t *testing.T) {
	r := bytes.NewReader(append(encoded(t, someState()), "and then more"...))
	got, err := decodeState(r)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, someState()) {
		t.Error("the state changed on its way")
	}
	if rest, _ := io.ReadAll(r); string(rest) != "and then more" {
		t.Errorf("left %q behind", rest)
	}
}

func TestEveryTruncationAndEveryFlippedByteIsAnError(t *testing.T) {
	data := encoded(t, &state{rng: []byte{9}, weights: []Tensor{{Name: "a", Shape: []int{1}, Data: []float32{1}}}})
	for n := range data {
		if _, err := decodeState(bytes.NewReader(data[:n])); err == nil {
			t.Errorf("cut to %d of %d bytes: no error", n, len(data))
		}
		spoilt := bytes.Clone(data)
		spoilt[n] ^= 0x10
		if _, err := decodeState(bytes.NewReader(spoilt)); err == nil {
			t.Errorf("byte %d flipped: no error", n)
		}
	}
}

func TestStateErrorsSayWhatIsWrong(t *testing.T) {
	good := encoded(t, someState())
	version := bytes.Clone(good)
	version[8] = 9
	length := bytes.Clone(good)
	length[18] = 0xff
	spoilt := bytes.Clone(good)
	spoilt[len(spoilt)-9] ^= 1
	steps := reseal(bytes.Replace(good, []byte(`"12"`), []byte(`"-1"`), 1))
	tensor := reseal(bytes.Replace(good, []byte(`"weights/policy.bias`), []byte(`"weighty/policy.bias`), 1))
	for want, data := range map[string][]byte{
		"wrong magic":               []byte("some other file, long enough"),
		"format version 9":          version,
		"corrupt: payload":          length,
		"checksum does not match":   spoilt,
		"truncated":                 good[:len(good)-9],
		"step count":                steps,
		"neither weight nor moment": tensor,
	} {
		if _, err := decodeState(bytes.NewReader(data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// Whatever the bytes, decoding must return: a state that encodes to a file it
// decodes from again, or an error.
func FuzzDecodeState(f *testing.F) {
	good := encoded(f, someState())
	f.Add(good[stateHeader : len(good)-4])
	f.Add(encoded(f, &state{})[stateHeader:])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, payload []byte) {
		// Sealed, so that the fuzzer gets past the checksum; then as it is.
		data := binary.LittleEndian.AppendUint32([]byte(stateMagic), stateVersion)
		data = binary.LittleEndian.AppendUint64(data, uint64(len(payload)))
		data = reseal(append(append(data, payload...), 0, 0, 0, 0))
		if s, err := decodeState(bytes.NewReader(data)); err == nil {
			again, err := decodeState(bytes.NewReader(encoded(t, s)))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(encoded(t, again), encoded(t, s)) {
				t.Error("the state changed on its way")
			}
		}
		_, _ = decodeState(bytes.NewReader(payload))
	})
}
