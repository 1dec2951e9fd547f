package serve

import (
	"strings"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
	protobuf "google.golang.org/protobuf/proto"
)

// frameCodec is the ordinary codec, except that it takes frames as they are, and
// turns bytes that are not a message into one that readable refuses: gRPC itself would
// answer with an internal error, as if the server were at fault.
type frameCodec struct{ encoding.CodecV2 }

func newFrameCodec() frameCodec { return frameCodec{encoding.GetCodecV2(proto.Name)} }

func (c frameCodec) Marshal(v any) (mem.BufferSlice, error) {
	if f, ok := v.(*frame); ok {
		return f.data, nil
	}
	return c.CodecV2.Marshal(v)
}

// unreadable is the number of an unknown field that says what was wrong with bytes.
const unreadable = protowire.MaxValidNumber

func (c frameCodec) Unmarshal(data mem.BufferSlice, v any) error {
	err := c.CodecV2.Unmarshal(data, v)
	m, ok := v.(protobuf.Message)
	if err == nil || !ok {
		return err
	}
	protobuf.Reset(m)
	m.ProtoReflect().SetUnknown(protowire.AppendString(protowire.AppendTag(nil, unreadable, protowire.BytesType), err.Error()))
	return nil
}

// readable is the status of a request that was not a message, or nil.
func readable(req any) error {
	m, ok := req.(protobuf.Message)
	if !ok {
		return nil
	}
	number, kind, n := protowire.ConsumeTag(m.ProtoReflect().GetUnknown())
	if n < 0 || number != unreadable || kind != protowire.BytesType {
		return nil
	}
	why, _ := protowire.ConsumeString(m.ProtoReflect().GetUnknown()[n:])
	return badField("request", "is no %s: %s", m.ProtoReflect().Descriptor().FullName(), strings.ToValidUTF8(why, "?"))
}
