package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/privateer-rl/privateer/engine/durable"
)

// ErrDamaged is the error for a file that was cut short or altered, or that is no bundle.
var ErrDamaged = errors.New("the bundle is damaged")

// A file is
//
//	magic "PRIVBNDL" · version uint32 · length uint64 · deflated msgpack of Bundle · CRC-32C of everything before, uint32
//
// little-endian, the msgpack deflated. FORMAT.md describes it for those who read it in other languages.
const (
	magic   = "PRIVBNDL"
	version = 1
	head    = len(magic) + 4 + 8
	most    = 1 << 30 // bytes
)

// Ext is the extension of bundle files.
const Ext = ".bundle"

// Encode returns the content of the bundle's file.
func (b *Bundle) Encode() ([]byte, error) {
	if err := b.Check(); err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	content := b
	if b.levels > 0 {
		var err error
		if content, err = b.pack(); err != nil {
			return nil, fmt.Errorf("bundle: %w", err)
		}
	}
	file, err := content.file()
	if err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	return file, nil
}

// file is the bundle as it is, unchecked.
func (b *Bundle) file() ([]byte, error) {
	var payload bytes.Buffer
	if err := msgpack.NewEncoder(&payload).Encode(b); err != nil {
		return nil, err
	}
	content, err := deflated(payload.Bytes())
	return frame(content, version), err
}

func frame(content []byte, version uint32) []byte {
	out := append(make([]byte, 0, head+len(content)+4), magic...)
	out = binary.LittleEndian.AppendUint32(out, version)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(content)))
	out = append(out, content...)
	return durable.Seal(out)
}

// Save writes the bundle to a file, which is whole or not there.
func (b *Bundle) Save(path string) error {
	data, err := b.Encode()
	if err != nil {
		return err
	}
	return durable.WriteFile(path, data)
}

// Load reads a bundle and checks it.
func Load(path string) (*Bundle, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("load policy %s: it is a folder: make a bundle of a run with privateer export", path)
	}
	f, err := durable.Open(path)
	if err != nil {
		return nil, fmt.Errorf("load policy: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return nil, fmt.Errorf("load policy: %w", err)
	}
	b, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("load policy %s: %w", path, err)
	}
	return b, nil
}

// Begins reports whether a file begins as bundles do.
func Begins(path string) bool {
	f, err := durable.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var b [len(magic)]byte
	_, err = io.ReadFull(f, b[:])
	return err == nil && string(b[:]) == magic
}

// Decode reads a file's content.
func Decode(data []byte) (*Bundle, error) {
	damaged := func(format string, args ...any) (*Bundle, error) {
		return nil, fmt.Errorf("%w: "+format, append([]any{ErrDamaged}, args...)...)
	}
	if len(data) < len(magic) || string(data[:len(magic)]) != magic {
		return damaged("it does not begin as bundles do: privateer export makes one of a run or a checkpoint")
	}
	if len(data) < head+4 {
		return damaged("it has only %d bytes", len(data))
	}
	v := binary.LittleEndian.Uint32(data[len(magic):])
	if v != version {
		return nil, fmt.Errorf("bundle format %d: this program reads format %d: export the run again, or use the privateer that exported it", v, version)
	}
	length := binary.LittleEndian.Uint64(data[len(magic)+4:])
	if have := uint64(len(data) - head - 4); length != have {
		return damaged("it has %d bytes of content but declares %d: it was cut short or added to", have, length)
	}
	body, ok := durable.Unseal(data)
	if !ok {
		return damaged("its checksum is wrong: it was altered")
	}
	payload, err := inflated(body[head:])
	if err != nil {
		return damaged("%v", err)
	}
	b, err := decodePayload(payload)
	if err != nil {
		return damaged("%v", err)
	}
	b.digest = DigestOf(data)
	return b, nil
}

// DigestOf is the digest of content: of a bundle that of its file.
func DigestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:6])
}

func decodePayload(payload []byte) (*Bundle, error) {
	if err := measure(payload); err != nil {
		return nil, err
	}
	dec := msgpack.NewDecoder(bytes.NewReader(payload))
	dec.DisallowUnknownFields(true)
	b := new(Bundle)
	if err := dec.Decode(b); err != nil {
		return nil, err
	}
	if err := b.unpack(); err != nil {
		return nil, err
	}
	return b, b.Check()
}
