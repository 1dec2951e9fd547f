package durable

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"unicode/utf16"
	"unicode/utf8"
)

// Text is what a file that people edit says, as UTF-8. Some editors put a byte order mark before it, which is left out, or write UTF-16,
// which is read by its mark; what is no text is an error that says how to mend it.
func Text(data []byte) ([]byte, error) {
	mark := func(bytesOf string) bool { return bytes.HasPrefix(data, []byte(bytesOf)) }
	var order binary.ByteOrder
	switch {
	case mark("\xef\xbb\xbf"):
		data = data[3:]
	case mark("\xff\xfe"):
		order = binary.LittleEndian
	case mark("\xfe\xff"):
		order = binary.BigEndian
	}
	if order != nil {
		if len(data)%2 != 0 {
			return nil, fmt.Errorf("its mark says that it is UTF-16, and it ends in the middle of a character: save it as UTF-8")
		}
		units := make([]uint16, 0, len(data)/2)
		for i := 2; i < len(data); i += 2 {
			units = append(units, order.Uint16(data[i:]))
		}
		data = []byte(string(utf16.Decode(units)))
	}
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return nil, fmt.Errorf("line %d: a byte of 0: this is UTF-16 or UTF-32 without a mark, or no text: save it as UTF-8", lineAt(data, i))
	}
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return nil, fmt.Errorf("line %d: the byte 0x%02x is not UTF-8: save the file as UTF-8", lineAt(data, i), data[i])
		}
		i += n
	}
	return data, nil
}

func lineAt(data []byte, i int) int { return 1 + bytes.Count(data[:i], []byte("\n")) }

// ReadText reads a file that people edit: see Text. The error names the file.
func ReadText(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if data, err = Text(data); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}
