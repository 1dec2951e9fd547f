package serve

import (
	"encoding/binary"
	"math"
	"slices"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// This file parses requests. Nothing in it changes any state, and nothing that
// a client can send gets past it unless it makes sense.

var dtypeSize = map[pb.DType]int{
	pb.DType_D_TYPE_UINT8: 1, pb.DType_D_TYPE_INT16: 2, pb.DType_D_TYPE_INT32: 4, pb.DType_D_TYPE_INT64: 8, pb.DType_D_TYPE_FLOAT32: 4,
}

// checkTensor checks that t has the wanted shape, one of the dtypes, and the data
// that both imply.
func checkTensor(field string, t *pb.Tensor, dtypes []pb.DType, shape ...int) error {
	if t == nil {
		return badField(field, "is missing: want a tensor of shape %v", slices.Clone(shape))
	}
	if !slices.Contains(dtypes, t.Dtype) {
		return badField(field+".dtype", "%s: want one of %v", t.Dtype, dtypes)
	}
	size := dtypeSize[t.Dtype]
	match := len(t.Shape) == len(shape)
	for i := range t.Shape {
		match = match && int64(t.Shape[i]) == int64(shape[i])
	}
	if !match {
		return badField(field+".shape", "%v: want %v", t.Shape, slices.Clone(shape))
	}
	for _, n := range shape {
		size *= n
	}
	if len(t.Data) != size {
		return badField(field+".data", "%d bytes: %s of shape %v has %d", len(t.Data), t.Dtype, slices.Clone(shape), size)
	}
	return nil
}

var integers = []pb.DType{pb.DType_D_TYPE_INT32, pb.DType_D_TYPE_INT64, pb.DType_D_TYPE_INT16, pb.DType_D_TYPE_UINT8}

// readActions reads one action a row into dst, [n].
func readActions(t *pb.Tensor, dst []int32) error {
	if err := checkTensor("actions", t, integers, len(dst)); err != nil {
		return err
	}
	le := binary.LittleEndian
	switch t.Dtype {
	case pb.DType_D_TYPE_UINT8:
		for i, b := range t.Data {
			dst[i] = int32(b)
		}
	case pb.DType_D_TYPE_INT16:
		for i := range dst {
			dst[i] = int32(int16(le.Uint16(t.Data[2*i:])))
		}
	case pb.DType_D_TYPE_INT32:
		for i := range dst {
			dst[i] = int32(le.Uint32(t.Data[4*i:]))
		}
	case pb.DType_D_TYPE_INT64:
		for i := range dst {
			v := int64(le.Uint64(t.Data[8*i:]))
			// A value out of range is illegal, and must not become legal by losing its upper half.
			dst[i] = int32(max(min(v, math.MaxInt32), -1))
		}
	}
	return nil
}

// readFlags reads one byte 0 or 1 a row into dst, [n].
func readFlags(field string, t *pb.Tensor, dst []bool) error {
	if err := checkTensor(field, t, []pb.DType{pb.DType_D_TYPE_UINT8}, len(dst)); err != nil {
		return err
	}
	for i, b := range t.Data {
		if b > 1 {
			return badField(field, "row %d is %d: want 0 or 1", i, b)
		}
		dst[i] = b == 1
	}
	return nil
}

// digest distinguishes a command that is sent again from another command with
// the same number.
func digest(kind byte, parts ...[]byte) uint64 {
	sum := durable.Checksum(0, oneByte(kind))
	size := uint64(kind)
	for _, p := range parts {
		sum = durable.Checksum(sum, p)
		size = size*31 + uint64(len(p))
	}
	return size<<32 | uint64(sum)
}

// everyByte has each byte once, so that none has to be made.
var everyByte = func() (all [256]byte) {
	for i := range all {
		all[i] = byte(i)
	}
	return all
}()

func oneByte(b byte) []byte { return everyByte[b : int(b)+1] }

func stepDigest(req *pb.StepRequest) uint64 {
	if reset, ok := req.Command.(*pb.StepRequest_Reset_); ok {
		return resetDigest(reset.Reset_)
	}
	t := req.GetActions()
	return digest('a', oneByte(byte(t.GetDtype())), t.GetData())
}

func resetDigest(r *pb.ResetCommand) uint64 {
	if len(r.GetSeeds()) > 0 {
		seeds := make([]byte, 0, 8*len(r.Seeds))
		for _, seed := range r.Seeds {
			seeds = binary.LittleEndian.AppendUint64(seeds, seed)
		}
		return digest('l', seeds, r.GetRows().GetData())
	}
	if r.GetRows() != nil {
		return digest('r', r.Rows.Data)
	}
	if r != nil && r.Seed != nil {
		return digest('s', binary.LittleEndian.AppendUint64(nil, *r.Seed))
	}
	return digest('r')
}

// checkReset checks what does not depend on the session.
func checkReset(r *pb.ResetCommand) error {
	if r.GetRows() != nil && r.Seed != nil {
		return badField("reset.rows", "cannot be combined with a seed: a seed resets all rows")
	}
	if len(r.GetSeeds()) > 0 && r.Seed != nil {
		return badField("reset.seeds", "cannot be combined with a seed of all rows")
	}
	return nil
}

// readOpen checks an OpenRequest against the limits, and returns what to make.
func readOpen(req *pb.OpenRequest, cfg *Config) (env.Config, time.Duration, error) {
	var none env.Config
	c := env.Config{
		Game: req.Game, NumEnvs: int(req.NumEnvs), Seed: req.GetSeed(),
		MaxDecisions: int(req.MaxDecisions), Full: req.FullView, ShuffleSeats: req.ShuffleSeats, ActionRows: req.ActionRows,
	}
	// The client would wait for something that is not done here.
	if number, _, n := protowire.ConsumeTag(req.ProtoReflect().GetUnknown()); n > 0 {
		return none, 0, badField("request", "has a field %d, which this server does not know: install the same version of client and server", number)
	}
	switch {
	case req.Game == "":
		return none, 0, badField("game", "is empty: Describe lists the games")
	case req.NumEnvs < 1:
		return none, 0, badField("num_envs", "0: want at least 1")
	case int64(req.NumEnvs) > int64(cfg.MaxEnvsPerSession):
		return none, 0, tooMuch("max_envs_per_session", "num_envs is %d: this server allows %d in one session", req.NumEnvs, cfg.MaxEnvsPerSession)
	case req.MaxDecisions > math.MaxInt32:
		return none, 0, badField("max_decisions", "%d: want at most %d", req.MaxDecisions, math.MaxInt32)
	}
	switch req.AutoresetMode {
	case pb.AutoresetMode_AUTORESET_MODE_UNSPECIFIED, pb.AutoresetMode_AUTORESET_MODE_NEXT_STEP:
		c.Autoreset = env.NextStep
	case pb.AutoresetMode_AUTORESET_MODE_SAME_STEP:
		c.Autoreset = env.SameStep
	case pb.AutoresetMode_AUTORESET_MODE_DISABLED:
		c.Autoreset = env.Disabled
	default:
		return none, 0, badField("autoreset_mode", "%d: unknown mode", req.AutoresetMode)
	}
	if cfg.MaxDecisions > 0 && (c.MaxDecisions == 0 || c.MaxDecisions > cfg.MaxDecisions) {
		c.MaxDecisions = cfg.MaxDecisions
	}
	lease, err := readLease(req.Lease, time.Duration(cfg.Lease))
	if err != nil {
		return none, 0, err
	}
	c.Apart = true
	// A worker is worthwhile only from some number of rows on.
	const rowsPerWorker = 32
	c.Workers = max(1, min(cfg.Workers, c.NumEnvs/rowsPerWorker))
	return c, lease, nil
}

func readLease(d *durationpb.Duration, most time.Duration) (time.Duration, error) {
	if d == nil {
		return most, nil
	}
	if err := d.CheckValid(); err != nil {
		return 0, badField("lease", "%v", err)
	}
	lease := d.AsDuration()
	switch {
	case lease < 0:
		return 0, badField("lease", "%s: want a positive duration, or 0 for the server's default", lease)
	case lease == 0:
		return most, nil
	}
	return min(lease, most), nil
}

// readGame makes the game of a game string, which may name no files but those that
// the server was given for that.
func (r *roster) readGame(field, text string) (engine.Game, error) {
	const longest = 1024
	if len(text) > longest {
		return nil, badField(field, "%d bytes: no game string is so long", len(text))
	}
	files, err := engine.FilesOf(text)
	if err != nil {
		return nil, badField(field, "%v", err)
	}
	for _, file := range files {
		if !r.local && !r.files && !slices.Contains(r.components, file) {
			return nil, badField(field, "%q names the file %s: a server reads only the files that it was started with (components)", text, file)
		}
	}
	game, err := engine.NewGame(text)
	if err != nil {
		return nil, badField(field, "%v", err)
	}
	if game.Info().Explicit {
		return nil, badField(field, "%q: chance=explicit makes chance events decisions, which nobody takes here: leave it out", text)
	}
	return game, nil
}

// readPlayers makes the bots that a list of players names, each by bot; nil stands for a client.
func readPlayers(field string, names []string, game engine.Game, bot func(string, engine.Game) (bots.Bot, error)) ([]bots.Bot, error) {
	info := game.Info()
	if len(names) != info.Seats {
		return nil, badField(field, "%d entries: %s has %d, \"\" for a client or the name of a bot", len(names), info.Config, info.Seats)
	}
	if !slices.Contains(names, "") {
		return nil, badField(field, "only bots: leave at least one to a client with \"\"")
	}
	all := make([]bots.Bot, len(names))
	for i, name := range names {
		if name == "" {
			continue
		}
		b, err := bot(name, game)
		if err != nil {
			return nil, badField(field, "entry %d: %v", i, err)
		}
		all[i] = b
	}
	return all, nil
}
