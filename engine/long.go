package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// Long is a number from 0 to 2^64−1 in JSON. Many readers, such as JavaScript's and jq 1.6, have only doubles, and would change it
// silently: from 2^53 on it is written as text. Smaller numbers are read too; larger ones are refused, since such a reader may have
// changed them.
type Long uint64

// ErrLong is the error of text that is no Long.
var ErrLong = errors.New("want a whole number from 0 to 2^64−1")

// MarshalJSON writes the digits, in quotes where they need them.
func (n Long) MarshalJSON() ([]byte, error) {
	digits := strconv.FormatUint(uint64(n), 10)
	if n >= 1<<53 {
		digits = `"` + digits + `"`
	}
	return []byte(digits), nil
}

// UnmarshalJSON reads the digits, in quotes or not.
func (n *Long) UnmarshalJSON(data []byte) error {
	text := string(data)
	if text == "null" {
		return nil
	}
	inQuotes := len(data) > 0 && data[0] == '"'
	if inQuotes {
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
	}
	v, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return fmt.Errorf("%s: %w", data, ErrLong)
	}
	if !inQuotes && v >= 1<<53 && isDouble(v, text) {
		return fmt.Errorf("%s: %w, and a program with doubles only may have changed this one: if it is right, write it in quotes", data, ErrLong)
	}
	*n = Long(v)
	return nil
}

// isDouble reports whether a double's value, or its shortest digits, are these.
func isDouble(v uint64, digits string) bool {
	x := float64(v)
	return strconv.FormatFloat(x, 'f', -1, 64) == digits || x < 1<<64 && uint64(x) == v
}

// randJSON is a Rand as JSON has it.
type randJSON struct {
	Key     Long `json:"key"`
	Counter Long `json:"counter"`
}

// MarshalJSON writes the key as text.
func (r Rand) MarshalJSON() ([]byte, error) {
	return json.Marshal(randJSON{Long(r.Key), Long(r.Counter)})
}

// UnmarshalJSON reads what MarshalJSON wrote, and numbers.
func (r *Rand) UnmarshalJSON(data []byte) error {
	var v randJSON
	err := json.Unmarshal(data, &v)
	*r = Rand{uint64(v.Key), uint64(v.Counter)}
	return err
}
