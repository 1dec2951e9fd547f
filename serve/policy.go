package serve

import (
	"context"
	"fmt"

	"google.golang.org/grpc/status"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
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
	n, width, err := p.checkDecisions(d, game)
	if err != nil {
		return nil, err
	}
	actions, root := make([]int32, n), engine.NewRand(req.Seed)
	for i := range actions {
		if err := ctx.Err(); err != nil {
			return nil, status.FromContextError(err).Err()
		}
		legal, err := readMask(d, i, width, len(game.Info().Actions))
		if err != nil {
			return nil, err
		}
		draw := root.At(uint64(i))
		var obs []uint8
		if needsObs {
			size := len(d.Observation.Data) / n
			obs = d.Observation.Data[i*size : (i+1)*size]
		}
		actions[i] = int32(choose(obs, &legal, &draw))
	}
	return actions, nil
}

// checkDecisions checks the shapes of tensors, and returns their rows and the bytes of a mask.
func (p *policies) checkDecisions(d *pb.TensorDecisions, game engine.Game) (n, width int, err error) {
	uint8s := []pb.DType{pb.DType_D_TYPE_UINT8}
	width = packedSize(len(game.Info().Actions))
	if d.ActionMask == nil || len(d.ActionMask.Shape) != 2 {
		return 0, 0, badField("tensors.action_mask", "want a tensor of shape [N, %d]", width)
	}
	n = len(d.ActionMask.Data) / width
	if n > p.cfg.MaxEnvsPerSession {
		return 0, 0, tooMuch("max_envs_per_session", "tensors.action_mask has %d rows: this server allows %d in one request", n, p.cfg.MaxEnvsPerSession)
	}
	if err := checkTensor("tensors.action_mask", d.ActionMask, uint8s, n, width); err != nil {
		return 0, 0, err
	}
	if d.Observation == nil {
		return n, width, nil
	}
	enc, err := encode.For(game)
	if err != nil {
		return 0, 0, badField("tensors.game", "%v", err)
	}
	return n, width, checkTensor("tensors.observation", d.Observation, uint8s, n, enc.Schema().Size)
}

// readMask returns the mask of row i. A mask in memory can be many times as large as in the request, so they are
// taken one by one.
func readMask(d *pb.TensorDecisions, i, width, actions int) (engine.Mask, error) {
	var m engine.Mask
	for k, b := range d.ActionMask.Data[i*width : (i+1)*width] {
		m[k/8] |= uint64(b) << (8 * (k % 8))
	}
	for a := m.Next(engine.Action(actions - 1)); a >= 0; a = m.Next(a) {
		return m, badField(fmt.Sprintf("tensors.action_mask[%d]", i), "action %d: the game has actions 0 to %d", a, actions-1)
	}
	if m.First() < 0 {
		return m, badField(fmt.Sprintf("tensors.action_mask[%d]", i), "nothing is legal: leave finished rows out")
	}
	return m, nil
}

// actOnSession lets a bot choose for the rows of a session, which stays as it is.
func (p *policies) actOnSession(ctx context.Context, req *pb.ActRequest, id string) ([]int32, error) {
	s, err := p.sessions.use(ctx, id, identity(ctx))
	if err != nil {
		return nil, err
	}
	game, begun, seq, n := s.vec.Game(), s.begun, s.seq, s.answer.n
	s.release()
	bot, err := p.roster.bot(req.Bot, game)
	if err != nil {
		return nil, badField("bot", "%v", err)
	}
	if !begun {
		return nil, wrongTime("session_id", "the session has not been reset: send a reset command first")
	}
	actions, root, match := make([]int32, n), engine.NewRand(req.Seed), game.NewMatch()
	err = p.think(ctx, client(ctx), bot, pb.PolicyService_Act_FullMethodName, func(ctx context.Context) error {
		for i := range actions {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			finished, err := p.copyMatch(ctx, s, seq, i, match)
			if err != nil {
				return err
			}
			if finished {
				continue
			}
			draw := root.At(uint64(i))
			a, err := bots.Decide(ctx, bot, match, &draw)
			if err != nil {
				return err
			}
			actions[i] = int32(a)
		}
		return nil
	})
	if err != nil && ctx.Err() != nil {
		err = status.FromContextError(ctx.Err()).Err()
	}
	return actions, err
}

// copyMatch copies the match of a row as it is after a command, so that nothing waits for a bot that thinks about it. It
// reports whether the row is finished.
func (p *policies) copyMatch(ctx context.Context, s *session, seq uint64, row int, to engine.Match) (finished bool, err error) {
	if err := s.acquire(ctx); err != nil {
		return false, err
	}
	defer s.release()
	if s.seq != seq || s.halted.seq != 0 {
		return false, wrongTime("session_id", "another command was performed while the bot thought: ask again")
	}
	if s.vec.Finished(row) {
		return true, nil
	}
	to.CopyFrom(s.vec.Match(row))
	return false, nil
}
