package train

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The known bytes are what TensorFlow's own writer makes of
// Event(wall_time=1.5, step=300, summary={tag: "a/b", simple_value: 0.25}).
func TestTensorboardEventHasTheBytesOfTheFormat(t *testing.T) {
	tb := &tensorboard{}
	tb.scalar(time.Unix(1, 500_000_000), 300, "a/b", 0.25)
	message := "09000000000000f83f" + // field 1, fixed64: 1.5
		"10ac02" + // field 2, varint: 300
		"2a0c" + // field 5: Summary of 12 bytes
		"0a0a" + // field 1: Value of 10 bytes
		"0a03612f62" + // field 1: "a/b"
		"150000803e" // field 2, fixed32: 0.25
	body, _ := hex.DecodeString(message)
	want := binary.LittleEndian.AppendUint64(nil, uint64(len(body)))
	want = binary.LittleEndian.AppendUint32(want, maskedCRC(want))
	want = append(want, body...)
	want = binary.LittleEndian.AppendUint32(want, maskedCRC(body))
	if !bytes.Equal(tb.buf, want) {
		t.Errorf("got  %x\nwant %x", tb.buf, want)
	}
}

// CRC-32C of 32 bytes of zero is 0x8a9136aa (RFC 3720, B.4).
func TestMaskedChecksumOfKnownBytes(t *testing.T) {
	crc := uint32(0x8a9136aa)
	want := (crc>>15 | crc<<17) + 0xa282ead8
	if got := maskedCRC(make([]byte, 32)); got != want {
		t.Errorf("got %08x, want %08x", got, want)
	}
}

func TestTensorboardFileBeginsWithItsVersionAndPurgesAfterResume(t *testing.T) {
	for _, step := range []int64{0, 4096} {
		dir := t.TempDir()
		tb, err := newTensorboard(dir, step)
		if err != nil {
			t.Fatal(err)
		}
		tb.scalar(time.Now(), step+1, "x", 1)
		if err := tb.flush(); err != nil {
			t.Fatal(err)
		}
		tb.close()
		files, _ := filepath.Glob(filepath.Join(dir, "events.out.tfevents.*"))
		if len(files) != 1 {
			t.Fatalf("files %v", files)
		}
		data, _ := os.ReadFile(files[0])
		events := records(t, data)
		if !bytes.Contains(events[0], []byte("brain.Event:2")) {
			t.Errorf("first event %x", events[0])
		}
		session := append([]byte{2 << 3}, binary.AppendUvarint(nil, uint64(step+1))...)
		session = append(session, 7<<3|2, 2, 1<<3, 1)
		if has := bytes.HasSuffix(events[1], session); has != (step > 0) {
			t.Errorf("after step %d, second event %x", step, events[1])
		}
	}
}

// records takes TFRecords apart and checks their framing.
func records(t *testing.T, data []byte) [][]byte {
	t.Helper()
	var all [][]byte
	for len(data) > 0 {
		n := binary.LittleEndian.Uint64(data)
		if binary.LittleEndian.Uint32(data[8:]) != maskedCRC(data[:8]) {
			t.Fatal("wrong checksum of a length")
		}
		body := data[12 : 12+n]
		if binary.LittleEndian.Uint32(data[12+n:]) != maskedCRC(body) {
			t.Fatal("wrong checksum of a record")
		}
		all = append(all, body)
		data = data[16+n:]
	}
	return all
}
