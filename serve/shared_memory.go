package serve

import (
	"encoding/binary"
	"os"

	"github.com/privateer-rl/privateer/env"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// The file for batches describes itself. It begins with a header: the words below, then a list of arrays, each with
// its name, its type, its axes and where it is in a slot. Behind the header are the actions of
// the command to come, with eight bytes for each row, then the slots. A slot has room for a batch; which
// one is used next is the client's to say, who knows what it still reads.

const (
	sharedSlots  = 4
	sharedHeader = 4096
	sharedAlign  = 64

	headerSlots   = 0  // number of slots
	headerStride  = 8  // bytes of a slot
	headerFirst   = 16 // where the first is
	headerActions = 24 // where the actions are
	headerArrays  = 32 // number of arrays
	headerList    = 64 // where the list is

	arrayEntry = 64 // bytes of an entry
	arrayDType = 32 // behind the name, which ends with a 0
	arrayAxes  = 36
	arrayShape = 40
	arrayAt    = 56
)

// sharedMemory is the file for batches, mapped.
type sharedMemory struct {
	bytes   []byte
	actions []byte
	slots   [sharedSlots]sharedSlot
}

// sharedSlot is where a batch can be shown.
type sharedSlot struct {
	buffers env.Buffers   // that the engine's workers fill
	room    []tensorsRoom // that answer.show fills
	drawn   []byte        // [n] int32
}

type tensorsRoom struct {
	tensor *pb.Tensor
	bytes  []byte
}

// sharedArray is an array of every slot.
type sharedArray struct {
	name   string
	dtype  pb.DType
	shape  []uint32
	tensor *pb.Tensor // of the answer; nil if the engine or draw fills it
	offset int
}

// sharedArrays are the arrays of a session's batches. Their names are those that they have in Python.
func sharedArrays(s *session) (arrays []sharedArray, stride int) {
	b, e, n := &s.answer.batch, &s.answer.endings, uint32(s.answer.n)
	add := func(name string, dtype pb.DType, t *pb.Tensor, shape ...uint32) {
		arrays = append(arrays, sharedArray{name, dtype, shape, t, stride})
		size := dtypeSize[dtype]
		for _, k := range shape {
			size *= int(k)
		}
		stride += (size + sharedAlign - 1) / sharedAlign * sharedAlign
	}
	add("observation", pb.DType_D_TYPE_UINT8, nil, b.Observation.Shape...)
	add("action_mask", pb.DType_D_TYPE_UINT8, nil, n, uint32(len(s.game.Actions)))
	add("packed_mask", pb.DType_D_TYPE_UINT8, nil, b.ActionMask.Shape...)
	if b.FullObservation != nil {
		add("full_observation", pb.DType_D_TYPE_UINT8, nil, b.FullObservation.Shape...)
	}
	add("drawn_actions", pb.DType_D_TYPE_INT32, nil, n)
	for _, of := range []struct {
		name   string
		tensor *pb.Tensor
	}{
		{"current_player", b.CurrentPlayer}, {"reward", b.Reward}, {"terminated", b.Terminated}, {"truncated", b.Truncated},
		{"episode_step", b.EpisodeStep}, {"seating", b.Seating},
		{"row", e.Row}, {"final_player", e.FinalPlayer}, {"episode_return", e.EpisodeReturn}, {"length", e.Length}, {"score", e.Score},
		{"final_observation", e.FinalObservation}, {"final_full_observation", e.FinalFullObservation},
	} {
		if of.tensor != nil {
			// Every row may end at once.
			add(of.name, of.tensor.Dtype, of.tensor, append([]uint32{n}, of.tensor.Shape[1:]...)...)
		}
	}
	if b.ActionRows != nil {
		// Every action may be legal. What is not written takes no memory.
		add("action_rows", b.ActionRows.Dtype, b.ActionRows, n*uint32(len(s.game.Actions)), b.ActionRows.Shape[1])
		add("action_offsets", b.ActionOffsets.Dtype, b.ActionOffsets, n+1)
	}
	// Slots begin at pages, so that those that nobody uses take no memory.
	return arrays, (stride + sharedHeader - 1) / sharedHeader * sharedHeader
}

// newSharedMemory gives a file the size that the session's batches need, and describes them in it.
func newSharedMemory(file *os.File, s *session) (*sharedMemory, error) {
	arrays, stride := sharedArrays(s)
	const widest = 8
	first := (sharedHeader + widest*s.answer.n + sharedHeader - 1) / sharedHeader * sharedHeader
	size := first + sharedSlots*stride
	all, err := mapShared(file, size)
	if err != nil {
		return nil, err
	}
	m := &sharedMemory{bytes: all, actions: all[sharedHeader : sharedHeader+widest*s.answer.n]}
	le := binary.LittleEndian
	for at, value := range map[int]int{
		headerSlots: sharedSlots, headerStride: stride, headerFirst: first, headerActions: sharedHeader, headerArrays: len(arrays),
	} {
		le.PutUint64(all[at:], uint64(value))
	}
	for k, a := range arrays {
		entry := all[headerList+k*arrayEntry:]
		copy(entry[:arrayDType-1], a.name)
		le.PutUint32(entry[arrayDType:], uint32(a.dtype))
		le.PutUint32(entry[arrayAxes:], uint32(len(a.shape)))
		for axis, n := range a.shape {
			le.PutUint32(entry[arrayShape+4*axis:], n)
		}
		le.PutUint64(entry[arrayAt:], uint64(a.offset))
	}
	for k := range m.slots {
		m.slots[k] = newSharedSlot(all[first+k*stride:first+(k+1)*stride], arrays)
	}
	return m, nil
}

func newSharedSlot(all []byte, arrays []sharedArray) sharedSlot {
	var slot sharedSlot
	for _, a := range arrays {
		size := dtypeSize[a.dtype]
		for _, n := range a.shape {
			size *= int(n)
		}
		room := all[a.offset : a.offset+size : a.offset+size]
		switch a.name {
		case "observation":
			slot.buffers.Obs = room
		case "full_observation":
			slot.buffers.Full = room
		case "action_mask":
			slot.buffers.Mask = room
		case "packed_mask":
			slot.buffers.Packed = room
		case "drawn_actions":
			slot.drawn = room
		default:
			slot.room = append(slot.room, tensorsRoom{a.tensor, room})
		}
	}
	return slot
}

// show has the session show its next batch in a slot.
func (m *sharedMemory) show(s *session, slot uint64) error {
	to := &m.slots[slot]
	if err := s.vec.Into(to.buffers); err != nil {
		return err
	}
	for _, r := range to.room {
		r.tensor.Data = r.bytes[:0]
	}
	return nil
}
