package serve

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// answer turns a vector's batch into the message that shows it. Observations and
// masks are not copied: the message is valid until the vector moves. Everything else
// is written into buffers made once.
type answer struct {
	n, seats, sources int // rows, P, score sources
	obs, full         int // D, F
	action            int // bytes that describe an action, R; 0 unless they were asked for
	shuffled          bool

	batch   pb.Batch
	endings pb.Endings
	before  []int32 // [n, P] which player had which seat before the command
}

func tensor(dtype pb.DType, shape ...int) *pb.Tensor {
	t := &pb.Tensor{Dtype: dtype, Shape: make([]uint32, len(shape))}
	for i, n := range shape {
		t.Shape[i] = uint32(n)
	}
	return t
}

// newAnswer makes room for the batches of v.
func newAnswer(v *env.Vec) *answer {
	cfg, info := v.Config(), v.Game().Info()
	n, p := cfg.NumEnvs, info.Seats
	a := &answer{
		n: n, seats: p, sources: len(info.ScoreSources),
		obs: v.Encoder().Schema().Size, full: v.Encoder().FullSchema().Size, shuffled: cfg.ShuffleSeats,
		before: make([]int32, n*p),
	}
	a.batch.Observation = tensor(pb.DType_D_TYPE_UINT8, n, a.obs)
	a.batch.ActionMask = tensor(pb.DType_D_TYPE_UINT8, n, packedSize(len(info.Actions)))
	a.batch.CurrentPlayer = tensor(pb.DType_D_TYPE_INT32, n)
	a.batch.Reward = tensor(pb.DType_D_TYPE_FLOAT32, n, p)
	a.batch.Terminated = tensor(pb.DType_D_TYPE_UINT8, n)
	a.batch.Truncated = tensor(pb.DType_D_TYPE_UINT8, n)
	a.batch.EpisodeStep = tensor(pb.DType_D_TYPE_INT32, n)
	if a.shuffled {
		a.batch.Seating = tensor(pb.DType_D_TYPE_INT32, n, p)
	}
	if cfg.Full {
		a.batch.FullObservation = tensor(pb.DType_D_TYPE_UINT8, n, a.full)
	}
	if cfg.ActionRows {
		a.action = v.Encoder().ActionSize()
		a.batch.ActionRows = tensor(pb.DType_D_TYPE_UINT8, 0, a.action)
		a.batch.ActionOffsets = tensor(pb.DType_D_TYPE_INT32, n+1)
	}
	a.endings = pb.Endings{
		Row:              tensor(pb.DType_D_TYPE_INT32, 0),
		FinalObservation: tensor(pb.DType_D_TYPE_UINT8, 0, p, a.obs),
		FinalPlayer:      tensor(pb.DType_D_TYPE_INT32, 0),
		EpisodeReturn:    tensor(pb.DType_D_TYPE_FLOAT32, 0, p),
		Length:           tensor(pb.DType_D_TYPE_INT32, 0),
		Score:            tensor(pb.DType_D_TYPE_INT32, 0, p, a.sources),
	}
	if cfg.Full {
		a.endings.FinalFullObservation = tensor(pb.DType_D_TYPE_UINT8, 0, p, a.full)
	}
	return a
}

// size is about what a message takes if no episode ends.
func (a *answer) size() int {
	row := a.obs + int(a.batch.ActionMask.Shape[1]) + 8 + 2 + 8*a.seats
	if a.batch.FullObservation != nil {
		row += a.full
	}
	return a.n * row
}

// batchLimit is the most bytes that a message can have: when every row
// ends at once, and every action is legal.
func batchLimit(cfg *env.Config, info *engine.Info, enc *encode.Encoder) int {
	p, obs := info.Seats, enc.Schema().Size
	row := obs + packedSize(len(info.Actions)) + 8 + 2 + 8*p + 4
	end := 12 + p*(obs+4+4*len(info.ScoreSources))
	if cfg.ActionRows {
		row += 4 + len(info.Actions)*enc.ActionSize()
	}
	if cfg.Full {
		full := enc.FullSchema().Size
		row, end = row+full, end+p*full
	}
	const frames = 1024 // tags, lengths and shapes
	return cfg.NumEnvs*(row+end) + frames
}

// remember keeps which player has which seat, as a new episode changes it.
func (a *answer) remember(b *env.Batch) {
	if a.shuffled {
		copy(a.before, b.Players)
	}
}

// show fills the message. The result is the answer's own.
func (a *answer) show(b *env.Batch) *pb.Batch {
	m := &a.batch
	m.Observation.Data = b.Obs
	if m.FullObservation != nil {
		m.FullObservation.Data = b.Full
	}
	m.ActionMask.Data = b.Packed
	m.CurrentPlayer.Data = a.players(m.CurrentPlayer.Data[:0], b.Seat, b.Players)
	m.Reward.Data = appendFloats(m.Reward.Data[:0], b.PlayerReward)
	m.Terminated.Data = appendBools(m.Terminated.Data[:0], b.Terminated)
	m.Truncated.Data = appendBools(m.Truncated.Data[:0], b.Truncated)
	m.EpisodeStep.Data = appendInts(m.EpisodeStep.Data[:0], b.EpisodeStep)
	if a.shuffled {
		m.Seating.Data = appendInts(m.Seating.Data[:0], b.Players)
	}
	if a.action > 0 {
		m.ActionRows.Data = append(m.ActionRows.Data[:0], b.ActionRows...)
		m.ActionRows.Shape[0] = uint32(len(b.ActionIDs))
		m.ActionOffsets.Data = appendInts(m.ActionOffsets.Data[:0], b.ActionOffsets)
	}
	m.Endings = a.showEndings(b)
	return m
}

// players appends the player of seat[i] in each row i.
func (a *answer) players(dst []byte, seat, seating []int32) []byte {
	dst, to := extended(dst, 4*len(seat))
	for i, s := range seat {
		binary.LittleEndian.PutUint32(to[4*i:], uint32(seating[i*a.seats+int(s)]))
	}
	return dst
}

func (a *answer) showEndings(b *env.Batch) *pb.Endings {
	e, le, p := &a.endings, binary.LittleEndian, a.seats
	for _, t := range []*pb.Tensor{e.Row, e.FinalObservation, e.FinalFullObservation, e.FinalPlayer, e.EpisodeReturn, e.Length, e.Score} {
		if t != nil {
			t.Data = t.Data[:0]
		}
	}
	k := 0
	for i := range a.n {
		if !b.Ended[i] {
			continue
		}
		k++
		e.Row.Data = le.AppendUint32(e.Row.Data, uint32(i))
		e.Length.Data = le.AppendUint32(e.Length.Data, uint32(b.Length[i]))
		e.EpisodeReturn.Data = appendFloats(e.EpisodeReturn.Data, b.PlayerReturn[i*p:(i+1)*p])
		final := b.FinalSeat[i]
		if a.shuffled {
			final = a.before[i*p+int(final)]
		}
		e.FinalPlayer.Data = le.AppendUint32(e.FinalPlayer.Data, uint32(final))
		for player := range p {
			at := i*p + a.seatOf(i, player)
			e.FinalObservation.Data = append(e.FinalObservation.Data, b.FinalObs[at*a.obs:(at+1)*a.obs]...)
			if e.FinalFullObservation != nil {
				e.FinalFullObservation.Data = append(e.FinalFullObservation.Data, b.FinalFull[at*a.full:(at+1)*a.full]...)
			}
			e.Score.Data = appendInts(e.Score.Data, b.Score[at*a.sources:(at+1)*a.sources])
		}
	}
	if k == 0 {
		return nil
	}
	for _, t := range []*pb.Tensor{e.Row, e.FinalObservation, e.FinalFullObservation, e.FinalPlayer, e.EpisodeReturn, e.Length, e.Score} {
		if t != nil {
			t.Shape[0] = uint32(k)
		}
	}
	return e
}

// seatOf is the seat that a player had in the episode of row i that ended.
func (a *answer) seatOf(i, player int) int {
	if a.shuffled {
		for s, who := range a.before[i*a.seats : (i+1)*a.seats] {
			if int(who) == player {
				return s
			}
		}
	}
	return player
}

// packedSize is the bytes of a packed mask.
func packedSize(actions int) int { return (actions + 7) / 8 }

func appendInts(dst []byte, values []int32) []byte {
	dst, to := extended(dst, 4*len(values))
	for i, v := range values {
		binary.LittleEndian.PutUint32(to[4*i:4*i+4], uint32(v))
	}
	return dst
}

func appendFloats(dst []byte, values []float32) []byte {
	dst, to := extended(dst, 4*len(values))
	for i, v := range values {
		binary.LittleEndian.PutUint32(to[4*i:4*i+4], math.Float32bits(v))
	}
	return dst
}

func appendBools(dst []byte, values []bool) []byte {
	dst, to := extended(dst, len(values))
	for i, v := range values {
		to[i] = engine.Bit(v)
	}
	return dst
}

// extended makes a slice longer, whatever is there; more is what it has more. To check the room for each value takes
// longer than to write it.
func extended(dst []byte, by int) (all, more []byte) {
	n := len(dst)
	dst = slices.Grow(dst, by)[:n+by]
	return dst, dst[n:]
}
