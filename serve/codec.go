package serve

import (
	"fmt"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	protobuf "google.golang.org/protobuf/proto"
)

// frame is a message already on the wire's form. A batch is put into it while
// its session is locked and sent when it no longer is, with one copy in all.
type frame struct{ data mem.BufferSlice }

// seal encodes m into a buffer of gRPC's pool, which sending the frame gives
// back.
func seal(m protobuf.Message) (*frame, error) {
	data, err := encoding.GetCodecV2(proto.Name).Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", m.ProtoReflect().Descriptor().FullName(), err)
	}
	return &frame{data}, nil
}

// frameCodec is the ordinary codec, except that it takes frames as they are.
type frameCodec struct{ encoding.CodecV2 }

func newFrameCodec() frameCodec { return frameCodec{encoding.GetCodecV2(proto.Name)} }

func (c frameCodec) Marshal(v any) (mem.BufferSlice, error) {
	if f, ok := v.(*frame); ok {
		return f.data, nil
	}
	return c.CodecV2.Marshal(v)
}
