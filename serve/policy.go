package serve

import (
	"context"
	"fmt"

	"google.golang.org/grpc/status"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// policies is the policy service.
type policies struct {
	pb.UnimplementedPolicyServiceServer
	*Server
}

func (p *policies) ListBots(_ context.Context, req *pb.ListBotsRequest) (*pb.ListBotsResponse, error) {
	game, err := p.roster.readGame("game", req.Game)
	if err != nil {
		return nil, err
	}
	out := new(pb.ListBotsResponse)
	for _, name := range p.roster.names(game) {
		choose, _, err := p.roster.chooser(name, game)
		if err != nil {
			return nil, badField("game", "%v", err)
		}
		out.Bots = append(out.Bots, &pb.Bot{Name: name, ActsOnTensors: choose != nil})
	}
	return out, nil
}

func (p *policies) Act(ctx context.Context, req *pb.ActRequest) (*pb.ActResponse, error) {
	var (
		actions []int32
		err     error
	)
	switch d := req.Decisions.(type) {
	case *pb.ActRequest_Tensors:
		actions, err = p.actOnTensors(ctx, req, d.Tensors)
	case *pb.ActRequest_SessionId:
		actions, err = p.actOnSession(ctx, req, d.SessionId)
	default:
		err = badField("decisions", "are missing: want tensors or session_id")
	}
	if err != nil {
		return nil, err
	}
	t := tensor(pb.DType_D_TYPE_INT32, len(actions))
	t.Data = appendInts(make([]byte, 0, 4*len(actions)), actions)
	return &pb.ActResponse{Actions: t}, nil
}

func (p *policies) actOnTensors(ctx context.Context, req *pb.ActRequest, d *pb.TensorDecisions) ([]int32, error) {
	game, err := p.roster.readGame("tensors.game", d.GetGame())
	if err != nil {
		return nil, err
	}
	choose, needsObs, err := p.roster.chooser(req.Bot, game)
	switch {
	case err != nil:
		return nil, badField("bot", "%v", err)
	case choose == nil:
		return nil, badField("bot", "%s looks at the match itself: let it act on a session, or give it a seat in Open or Host", req.Bot)
	case needsObs && d.Observation == nil:
		return nil, badField("tensors.observation", "is missing: %s looks at it", req.Bot)
	}
	legal, err := readDecisions(d, game)
	if err != nil {
		return nil, err
	}
	actions, root := make([]int32, len(legal)), engine.NewRand(req.Seed)
	for i := range legal {
		if err := ctx.Err(); err != nil {
			return nil, status.FromContextError(err).Err()
		}
		draw := root.At(uint64(i))
		var obs []uint8
		if needsObs {
			size := len(d.Observation.Data) / len(legal)
			obs = d.Observation.Data[i*size : (i+1)*size]
		}
		actions[i] = int32(choose(obs, &legal[i], &draw))
	}
	return actions, nil
}

// readDecisions checks tensors and returns the masks, [N].
func readDecisions(d *pb.TensorDecisions, game engine.Game) ([]engine.Mask, error) {
	uint8s, actions := []pb.DType{pb.DType_D_TYPE_UINT8}, len(game.Info().Actions)
	width := packedSize(actions)
	if d.ActionMask == nil || len(d.ActionMask.Shape) != 2 {
		return nil, badField("tensors.action_mask", "want a tensor of shape [N, %d]", width)
	}
	// The data bounds what is allocated for the masks.
	n := len(d.ActionMask.Data) / width
	if err := checkTensor("tensors.action_mask", d.ActionMask, uint8s, n, width); err != nil {
		return nil, err
	}
	if d.Observation != nil {
		enc, err := encode.For(game)
		if err != nil {
			return nil, badField("tensors.game", "%v", err)
		}
		if err := checkTensor("tensors.observation", d.Observation, uint8s, n, enc.Schema().Size); err != nil {
			return nil, err
		}
	}
	masks := make([]engine.Mask, n)
	for i := range masks {
		for k, b := range d.ActionMask.Data[i*width : (i+1)*width] {
			masks[i][k/8] |= uint64(b) << (8 * (k % 8))
		}
		for a := masks[i].Next(engine.Action(actions - 1)); a >= 0; a = masks[i].Next(a) {
			return nil, badField(fmt.Sprintf("tensors.action_mask[%d]", i), "action %d: the game has actions 0 to %d", a, actions-1)
		}
		if masks[i].First() < 0 {
			return nil, badField(fmt.Sprintf("tensors.action_mask[%d]", i), "nothing is legal: leave finished rows out")
		}
	}
	return masks, nil
}

// actOnSession lets a bot choose for the rows of a session, which stays as it is.
func (p *policies) actOnSession(ctx context.Context, req *pb.ActRequest, id string) ([]int32, error) {
	s, err := p.sessions.use(ctx, id, identity(ctx))
	if err != nil {
		return nil, err
	}
	defer s.release()
	bot, err := p.roster.bot(req.Bot, s.vec.Game())
	if err != nil {
		return nil, badField("bot", "%v", err)
	}
	if !s.begun {
		return nil, wrongTime("session_id", "the session has not been reset: send a reset command first")
	}
	actions, root := make([]int32, s.answer.n), engine.NewRand(req.Seed)
	for i := range actions {
		if err := ctx.Err(); err != nil {
			return nil, status.FromContextError(err).Err()
		}
		if !s.vec.Finished(i) {
			draw := root.At(uint64(i))
			actions[i] = int32(bot.Act(s.vec.Match(i), &draw))
		}
	}
	return actions, nil
}
