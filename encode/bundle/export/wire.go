package export

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/privateer-rl/privateer/encode/bundle"
)

// ONNX files are protocol buffers. What is needed of them is little enough to be written down here: a message is a
// list of fields with their numbers, from onnx.proto (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto).

// Element types of tensors.
const (
	elemFloat = 1
	elemUint8 = 2
	elemInt64 = 7
	elemBool  = 9
)

// message is a message that is being written.
type message []byte

func (m *message) int(field protowire.Number, v int64) {
	*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), uint64(v))
}

func (m *message) float(field protowire.Number, v float32) {
	*m = protowire.AppendFixed32(protowire.AppendTag(*m, field, protowire.Fixed32Type), math.Float32bits(v))
}

func (m *message) bytes(field protowire.Number, v []byte) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), v)
}

func (m *message) text(field protowire.Number, v string) { m.bytes(field, []byte(v)) }

// graph is a GraphProto that is being written.
type graph struct {
	bundle *bundle.Bundle

	nodes, initializers, inputs, outputs []message
}

// node adds an operator with one output, which names it.
func (g *graph) node(op string, in []string, out string, attributes ...message) {
	var m message
	for _, name := range in {
		m.text(1, name)
	}
	m.text(2, out)
	m.text(3, out)
	m.text(4, op)
	for _, a := range attributes {
		m.bytes(5, a)
	}
	g.nodes = append(g.nodes, m)
}

// attribute begins an AttributeProto; kind is its AttributeType.
func attribute(name string, kind int64) message {
	var m message
	m.text(1, name)
	m.int(20, kind)
	return m
}

func intOf(name string, v int64) message {
	m := attribute(name, 2)
	m.int(3, v)
	return m
}

func intsOf(name string, values ...int64) message {
	m := attribute(name, 7)
	for _, v := range values {
		m.int(8, v)
	}
	return m
}

func floatOf(name string, v float32) message {
	m := attribute(name, 1)
	m.float(2, v)
	return m
}

// valueOf is a tensor of one float.
func valueOf(name string, v float32) message {
	m := attribute(name, 4)
	m.bytes(5, tensor("", elemFloat, binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)), 1))
	return m
}

// tensor is a TensorProto.
func tensor(name string, kind int64, data []byte, shape ...int) message {
	var m message
	for _, n := range shape {
		m.int(1, int64(n))
	}
	m.int(2, kind)
	if name != "" {
		m.text(8, name)
	}
	m.bytes(9, data)
	return m
}

func (g *graph) floats(name string, data []byte, shape ...int) {
	g.initializers = append(g.initializers, tensor(name, elemFloat, data, shape...))
}

// initial is a number of the graph.
func (g *graph) initial(name string, v float32) {
	g.floats(name, binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)))
}

func (g *graph) ints(name string, shape []int, values ...int64) {
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint64(data, uint64(v))
	}
	g.initializers = append(g.initializers, tensor(name, elemInt64, data, shape...))
}

// dimension is the length of an axis: a number, or a name for any.
type dimension struct {
	value int
	param string
}

// info is a ValueInfoProto.
func info(name string, kind int64, shape ...dimension) message {
	var axes message
	for _, d := range shape {
		var axis message
		if d.param != "" {
			axis.text(2, d.param)
		} else {
			axis.int(1, int64(d.value))
		}
		axes.bytes(1, axis)
	}
	var of, kinds, m message
	of.int(1, kind)
	of.bytes(2, axes)
	kinds.bytes(1, of)
	m.text(1, name)
	m.bytes(2, kinds)
	return m
}

func (g *graph) input(name string, width int) {
	g.inputs = append(g.inputs, info(name, elemUint8, dimension{param: "N"}, dimension{value: width}))
}

func (g *graph) output(name string, width int) {
	g.outputs = append(g.outputs, info(name, elemFloat, dimension{param: "N"}, dimension{value: width}))
}

// model is the whole file, a ModelProto.
func (g *graph) model(metadata map[string]string) []byte {
	var all message
	for _, list := range []struct {
		field    protowire.Number
		messages []message
	}{{1, g.nodes}, {5, g.initializers}, {11, g.inputs}, {12, g.outputs}} {
		for _, m := range list.messages {
			all.bytes(list.field, m)
		}
	}
	all.text(2, g.bundle.Name)

	var opset, m message
	opset.int(2, Opset)
	m.int(1, irVersion)
	m.text(2, "privateer")
	m.text(3, g.bundle.Provenance.Program)
	m.bytes(7, all)
	m.bytes(8, opset)
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		var entry message
		entry.text(1, key)
		entry.text(2, metadata[key])
		m.bytes(14, entry)
	}
	return m
}
