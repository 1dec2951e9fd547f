//go:build !js

package policy

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/engine/kit/yamlfile"
)

// ReadRule reads the weights of a file, [F], 0 for what it does not name.
func ReadRule(file string, rows *encode.Schema) ([]float64, error) {
	data, err := durable.ReadText(file)
	if err != nil {
		return nil, err
	}
	weights, err := parseRule(data, rows)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return weights, nil
}

func parseRule(data []byte, rows *encode.Schema) ([]float64, error) {
	var given map[string]numbers
	if err := yamlfile.Decode(data, &given); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	weights := make([]float64, rows.Size)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		of, err := elements(name, rows)
		if err != nil {
			return nil, err
		}
		w := given[name]
		if len(w) != 1 && len(w) != of.Size {
			return nil, fmt.Errorf("%s: %d weights for %d bytes: want one for all, or one for each", name, len(w), of.Size)
		}
		for i := range of.Size {
			at := &weights[of.Offset+i]
			if *at += w[i%len(w)]; math.IsNaN(*at) || math.IsInf(*at, 0) {
				return nil, fmt.Errorf("%s: %v is no weight", name, *at)
			}
		}
	}
	return weights, nil
}

// WriteRule writes weights, [F], to a file that ReadRule reads.
func WriteRule(file string, rows *encode.Schema, weights []float64) error {
	given := map[string][]float64{}
	for _, g := range rows.Groups {
		given[g.Name] = weights[g.Offset : g.Offset+g.Size]
	}
	data, err := yaml.Marshal(given)
	if err != nil {
		return err
	}
	return durable.WriteFile(file, data)
}

// elements are the bytes that a name names: a group, or with [i] at its end one of a group's.
func elements(name string, rows *encode.Schema) (encode.Group, error) {
	g, err := rows.Group(name)
	if err == nil {
		return g, nil
	}
	if at := strings.LastIndexByte(name, '['); at > 0 && strings.HasSuffix(name, "]") {
		if of, none := rows.Group(name[:at]); none == nil {
			i, wrong := strconv.Atoi(name[at+1 : len(name)-1])
			if wrong != nil || i < 0 || i >= of.Size {
				return g, fmt.Errorf("%s: want an element from 0 to %d", name, of.Size-1)
			}
			of.Offset, of.Size = of.Offset+i, 1
			return of, nil
		}
	}
	var names []string
	for _, of := range rows.Groups {
		names = append(names, of.Name)
	}
	return g, fmt.Errorf("%w%s", err, engine.Suggest(name, names))
}

// numbers is a number or a list of some.
type numbers []float64

// UnmarshalYAML reads either.
func (x *numbers) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode {
		return n.Decode((*[]float64)(x))
	}
	*x = make(numbers, 1)
	return n.Decode(&(*x)[0])
}
