package train

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/privateer-rl/privateer/engine/durable"
)

// tensorboard writes one TensorBoard event file: records in TFRecord framing, each a hand-encoded protocol buffer of type Event
// (tensorflow/core/util/event.proto, tensorflow/core/framework/summary.proto). Only scalars are written.
type tensorboard struct {
	file *os.File
	buf  []byte // the records not yet written
	msg  []byte // scratch for one event
	sub  []byte // scratch for what is inside it
}

// newTensorboard starts a file in dir. After a resume at step > 0 it tells readers to forget the data of earlier files beyond step, since
// those steps are done again.
func newTensorboard(dir string, step int64) (*tensorboard, error) {
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	// TensorBoard reads the files of a folder in the order of their names.
	stamp := time.Now()
	path := filepath.Join(dir, fmt.Sprintf(eventsPrefix+"%010d.%s.%d.%09d", stamp.Unix(), filepath.Base(host), os.Getpid(), stamp.Nanosecond()))
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("create TensorBoard events: %w", err)
	}
	tb := &tensorboard{file: file}
	tb.event(stamp, 0, 3, []byte("brain.Event:2"))
	if step > 0 {
		const sessionStart = 1
		tb.event(stamp, step+1, 7, []byte{1 << 3, sessionStart})
	}
	if err := tb.flush(); err != nil {
		file.Close()
		return nil, err
	}
	return tb, nil
}

// scalar adds one number. Nothing reaches the file before flush.
func (tb *tensorboard) scalar(at time.Time, step int64, tag string, v float64) {
	value := protoBytes(nil, 1, []byte(tag))
	value = append(value, 2<<3|5)
	value = binary.LittleEndian.AppendUint32(value, math.Float32bits(float32(v)))
	tb.sub = protoBytes(tb.sub[:0], 1, value)
	tb.event(at, step, 5, tb.sub)
}

// event frames an Event with one field of bytes besides time and step.
func (tb *tensorboard) event(at time.Time, step int64, field int, body []byte) {
	m := append(tb.msg[:0], 1<<3|1)
	m = binary.LittleEndian.AppendUint64(m, math.Float64bits(float64(at.UnixNano())/1e9))
	m = append(m, 2<<3)
	m = binary.AppendUvarint(m, uint64(step))
	m = protoBytes(m, field, body)
	tb.msg = m
	tb.buf = appendRecord(tb.buf, m)
}

// flush writes the added events, in one call.
func (tb *tensorboard) flush() error {
	_, err := tb.file.Write(tb.buf)
	tb.buf = tb.buf[:0]
	if err != nil {
		return fmt.Errorf("write TensorBoard events: %w", err)
	}
	return nil
}

func (tb *tensorboard) close() error { return tb.file.Close() }

// protoBytes appends a length-delimited field.
func protoBytes(dst []byte, field int, body []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(field)<<3|2)
	dst = binary.AppendUvarint(dst, uint64(len(body)))
	return append(dst, body...)
}

// appendRecord frames data as a TFRecord: length, its masked checksum, data, its masked checksum, all little-endian.
func appendRecord(dst, data []byte) []byte {
	at := len(dst)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(data)))
	dst = binary.LittleEndian.AppendUint32(dst, maskedCRC(dst[at:]))
	dst = append(dst, data...)
	return binary.LittleEndian.AppendUint32(dst, maskedCRC(data))
}

// maskedCRC is CRC-32C, rotated and shifted as TFRecord wants it, so that the checksum of data that holds checksums stays useful.
func maskedCRC(data []byte) uint32 {
	c := durable.Checksum(0, data)
	return (c>>15 | c<<17) + 0xa282ead8
}
