package learner

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestSafetensorsRoundTrip(t *testing.T) {
	tensors := []Tensor{
		{Name: "b", Shape: []int{2, 2}, Data: []float32{1, -2, float32(math.Inf(1)), 4}},
		{Name: "a", Shape: []int{3}, Data: []float32{5, 6, 7}},
		{Name: "empty", Shape: []int{0, 4}, Data: []float32{}},
		{Name: "scalar", Shape: []int{}, Data: []float32{8}},
	}
	metadata := map[string]string{"game": "kuhn"}
	var buf bytes.Buffer
	if err := WriteSafetensors(&buf, tensors, metadata); err != nil {
		t.Fatal(err)
	}
	if n := binary.LittleEndian.Uint64(buf.Bytes()); n%8 != 0 {
		t.Errorf("a header of %d bytes leaves the numbers unaligned", n)
	}
	got, gotMetadata, err := ReadSafetensors(&buf)
	if err != nil {
		t.Fatal(err)
	}
	want := []Tensor{tensors[1], tensors[0], tensors[2], tensors[3]}
	if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(gotMetadata, metadata) {
		t.Errorf("read %v and %v", got, gotMetadata)
	}
}

// The bytes as the format's document describes them, built by hand.
func TestSafetensorsGoldenFile(t *testing.T) {
	header := `{"w":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}`
	want := "\x38\x00\x00\x00\x00\x00\x00\x00" + header + "\x00\x00\x80\x3f\x00\x00\x00\xc0"
	var buf bytes.Buffer
	if err := WriteSafetensors(&buf, []Tensor{{"w", []int{1, 2}, []float32{1, -2}}}, nil); err != nil {
		t.Fatal(err)
	}
	if buf.String() != want {
		t.Errorf("wrote %q, want %q", buf.String(), want)
	}
}

func TestSafetensorsRefusesBrokenFiles(t *testing.T) {
	file := func(header, data string) []byte {
		return append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header+data...)
	}
	for want, data := range map[string][]byte{
		"shorter":      {1, 2, 3},
		"header of 99": append([]byte{99, 0, 0, 0, 0, 0, 0, 0}, "{}"...),
		"header: ":     file(`{"a"`, ""),
		"only F32":     file(`{"a":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}}`, "xx"),
		"want 8 bytes": file(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, "xxxx"),
		"negative":     file(`{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,0]}}`, ""),
		"too large":    file(`{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}`, ""),
		"4 in all":     file(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, "xxxx"),
		"from 4":       file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, "xxxx"),
		"belong to no": file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, "xxxxyyyy"),
		"metadata: ":   file(`{"__metadata__":{"a":1}}`, ""),
	} {
		if _, _, err := ReadSafetensors(bytes.NewReader(data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestSafetensorsRefusesWhatItCannotWrite(t *testing.T) {
	one := Tensor{Name: "a", Shape: []int{1}, Data: []float32{1}}
	for want, tensors := range map[string][]Tensor{
		"is taken":      {one, one},
		"has 2 numbers": {{Name: "a", Shape: []int{1}, Data: []float32{1, 2}}},
	} {
		if err := WriteSafetensors(&bytes.Buffer{}, tensors, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if err := WriteSafetensors(brokenWriter{}, []Tensor{one}, nil); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("error %v", err)
	}
}
