package policy

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/privateer-rl/privateer/encode/policy/zoo"
	"github.com/privateer-rl/privateer/engine/durable"
)

// ErrDamaged is what reading a file that was cut short or altered, or that is no
// bundle, returns.
var ErrDamaged = errors.New("the bundle is damaged")

// A file is
//
//	magic "PRIVBNDL" · version uint32 · length uint64 · msgpack of Bundle · CRC-32C of everything before, uint32
//
// little-endian. FORMAT.md describes it for those who read it in other languages. From the version packed on, the msgpack is
// deflated, and weights may be int8. The version telling is for bundles with values of several kinds alone.
const (
	magic   = "PRIVBNDL"
	version = 3 // 1 had the network mlp only, and did not name it; 2 had no tanh, a norm in every layer, and no values
	packed  = 4
	telling = 5
	head    = len(magic) + 4 + 8
	most    = 1 << 30 // bytes
)

// Ext is the extension of bundle files.
const Ext = ".bundle"

// Encode is the bundle as a file's content.
func (b *Bundle) Encode() ([]byte, error) {
	if err := b.Check(); err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	form, content := uint32(version), b
	if b.levels > 0 {
		var err error
		if content, err = b.pack(); err != nil {
			return nil, fmt.Errorf("bundle: %w", err)
		}
		form = packed
	}
	if len(b.Tells) > 0 {
		form = telling
	}
	payload, err := content.payload()
	if err == nil && form >= packed {
		payload, err = deflated(payload)
	}
	if err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	return frame(payload, form), nil
}

func (b *Bundle) payload() ([]byte, error) {
	var payload bytes.Buffer
	if err := msgpack.NewEncoder(&payload).Encode(b); err != nil {
		return nil, err
	}
	return payload.Bytes(), nil
}

func frame(payload []byte, version uint32) []byte {
	out := append(make([]byte, 0, head+len(payload)+4), magic...)
	out = binary.LittleEndian.AppendUint32(out, version)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(payload)))
	out = append(out, payload...)
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

// IsBundle reports whether a path names a policy of the zoo, or a file that begins as bundles do.
func IsBundle(path string) bool {
	if slices.Contains(zoo.Names(), path) {
		return true
	}
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
	if v < 1 || v > telling {
		return nil, fmt.Errorf("bundle format %d: this program reads 1 to %d: use the privateer that exported it, or export the run again", v, telling)
	}
	length := binary.LittleEndian.Uint64(data[len(magic)+4:])
	if have := uint64(len(data) - head - 4); length != have {
		return damaged("it has %d bytes of content but declares %d: it was cut short or added to", have, length)
	}
	body, ok := durable.Unseal(data)
	if !ok {
		return damaged("its checksum is wrong: it was altered")
	}
	read := decodePayload
	if v >= packed {
		read = decodePacked
	}
	b, err := read(body[head:])
	if err != nil {
		return damaged("%v", err)
	}
	b.digest = DigestOf(data)
	return b, nil
}

// DigestOf is the digest of the bundle that a file's content is.
func DigestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:6])
}

func decodePacked(content []byte) (*Bundle, error) {
	payload, err := inflated(content)
	if err != nil {
		return nil, err
	}
	return decodePayload(payload)
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
