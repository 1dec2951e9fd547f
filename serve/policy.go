package serve

import (
	"context"
	"fmt"

	"google.golang.org/grpc/status"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
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
		_, ok, err := p.roster.onTensors(name, game)
		if err != nil {
			return nil, badField("game", "%v", err)
		}
		out.Bots = append(out.Bots, &pb.Bot{Name: name, ActsOnTensors: ok})
	}
	return out, nil
}

func (p *policies) Act(ctx context.Context, req *pb.ActRequest) (*pb.ActResponse, error) {
	switch d := req.Decisions.(type) {
	case *pb.ActRequest_Tensors:
		return p.actOnTensors(ctx, req, d.Tensors)
	case *pb.ActRequest_SessionId:
		if req.Probabilities {
			return nil, badField("probabilities", "are of tensors only: a session's batch has observations, masks and rows to send")
		}
		actions, err := p.actOnSession(ctx, req, d.SessionId)
		if err != nil {
			return nil, err
		}
		t := tensor(pb.DType_D_TYPE_INT32, len(actions))
		t.Data = appendInts(make([]byte, 0, 4*len(actions)), actions)
		return &pb.ActResponse{Actions: t}, nil
	}
	return nil, badField("decisions", "are missing: want tensors or session_id")
}

func (p *policies) actOnTensors(ctx context.Context, req *pb.ActRequest, d *pb.TensorDecisions) (*pb.ActResponse, error) {
	game, err := p.roster.readGame("tensors.game", d.GetGame())
	if err != nil {
		return nil, err
	}
	bot, ok, err := p.roster.onTensors(req.Bot, game)
	switch {
	case err != nil:
		return nil, badField("bot", "%v", err)
	case !ok:
		return nil, badField("bot", "%s looks at the match itself: send a position to Think, let it act on a session, or give it a seat in Open or Host", req.Bot)
	}
	n, width, err := p.checkDecisions(d, game, bot)
	if err != nil {
		return nil, err
	}
	var probs, values []float32
	each := len(game.Info().Actions)
	if req.Probabilities {
		if most := p.cfg.MaxMessageBytes / 8; n*each > most {
			return nil, tooMuch("max_message_bytes", "%d decisions of %d actions: this server sends %d probabilities in one answer: ask for fewer decisions at a time", n, each, most)
		}
		probs = make([]float32, n*each)
	}
	actions, root, at := make([]int32, n), engine.NewRand(req.Seed), 0
	for i := range actions {
		if err := ctx.Err(); err != nil {
			return nil, status.FromContextError(err).Err()
		}
		legal, err := readMask(d, i, width, each)
		if err != nil {
			return nil, err
		}
		var own []float32
		if probs != nil {
			own = probs[i*each : (i+1)*each]
		}
		draw := root.At(uint64(i))
		if bot == nil {
			actions[i] = int32(legal.Sample(&draw))
			for a := legal.First(); a >= 0 && own != nil; a = legal.Next(a) {
				own[a] = 1 / float32(legal.Count())
			}
			continue
		}
		size, row := bot.Sizes()
		obs, end := d.Observation.Data[i*size:(i+1)*size], at+row*legal.Count()
		actions[i] = int32(bot.Choose(obs, d.ActionRows.GetData()[at:end], &legal, &draw, own))
		at = end
		if value, ok := bot.ValueOf(obs); ok && own != nil {
			values = append(values, value)
		}
	}
	out := &pb.ActResponse{Actions: tensor(pb.DType_D_TYPE_INT32, n)}
	out.Actions.Data = appendInts(make([]byte, 0, 4*n), actions)
	if probs != nil {
		out.Probabilities = tensor(pb.DType_D_TYPE_FLOAT32, n, each)
		out.Probabilities.Data = appendFloats(nil, probs)
	}
	if values != nil {
		out.Values = tensor(pb.DType_D_TYPE_FLOAT32, n)
		out.Values.Data = appendFloats(nil, values)
	}
	return out, nil
}

// checkDecisions checks tensors, and returns how many decisions they are and the bytes of a mask. A bot is nil that reads masks only.
func (p *policies) checkDecisions(d *pb.TensorDecisions, game engine.Game, bot *policy.Bot) (n, width int, err error) {
	uint8s := []pb.DType{pb.DType_D_TYPE_UINT8}
	each := len(game.Info().Actions)
	width = packedSize(each)
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
	if bot == nil {
		return n, width, nil
	}
	size, row := bot.Sizes()
	if err := checkTensor("tensors.observation", d.Observation, uint8s, n, size); err != nil {
		return 0, 0, err
	}
	observation, rows := bot.Reads()
	if has := d.ObservationSchema; has != "" && has != observation {
		return 0, 0, badField("tensors.observation_schema", "%s: %s reads observations of the schema %s", has, bot.Name(), observation)
	}
	if row == 0 {
		return n, width, nil
	}
	if has := d.RowSchema; has != "" && has != rows {
		return 0, 0, badField("tensors.row_schema", "%s: %s reads rows of the schema %s", has, bot.Name(), rows)
	}
	legal := 0
	for i := range n {
		m, err := readMask(d, i, width, each)
		if err != nil {
			return 0, 0, err
		}
		legal += m.Count()
	}
	return n, width, checkTensor("tensors.action_rows", d.ActionRows, uint8s, legal, row)
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

// Think says what a bot would do at a position.
func (p *policies) Think(ctx context.Context, req *pb.ThinkRequest) (*pb.ThinkResponse, error) {
	name := req.Game
	_, named, err := position.ParseFile([]byte(req.Position))
	switch {
	case err != nil:
		return nil, badField("position", "%v", err)
	case name == "" && named == "":
		return nil, badField("game", "is missing, and the position does not name one")
	case name == "":
		name = named
	}
	game, err := p.roster.readGame("game", name)
	if err != nil {
		return nil, err
	}
	bot, err := p.roster.tableBot(req.Bot, game)
	if err != nil {
		return nil, badField("bot", "%v", err)
	}
	defer bots.Close(bot)
	m, out := game.NewMatch(), new(pb.ThinkResponse)
	err = p.think(ctx, client(ctx), bot, pb.PolicyService_Think_FullMethodName, func(ctx context.Context) error {
		if err := m.SetPosition([]byte(req.Position)); err != nil {
			return badField("position", "%v", err)
		}
		if m.Seat() < 0 {
			return badField("position", "no seat is to act: %s", m.Decision())
		}
		r := engine.NewRand(req.Seed).At(1)
		account, err := bots.Consider(ctx, bot, m, &r)
		if err == nil {
			out = thought(m, account)
		}
		return err
	})
	if err != nil && ctx.Err() != nil {
		err = status.FromContextError(ctx.Err()).Err()
	}
	return out, err
}

// thought is a bot's account of the decision of a match.
func thought(m engine.Match, account bots.Account) *pb.ThinkResponse {
	out := &pb.ThinkResponse{
		Seat: uint32(m.Seat()), Question: m.Decision(), Action: int32(account.Choice), Values: account.Value, Unit: account.Unit, Notes: account.Notes,
	}
	tried := account.Tried()
	for _, c := range account.Ranked() {
		one := &pb.Considered{Action: int32(c.Action), Name: m.Info().ActionName(c.Action), Probability: c.Weight, Visits: uint32(c.Visits)}
		if tried {
			one.Probability = c.Prob
		}
		if c.Visits > 0 {
			one.Mean, one.StandardError = &c.Mean, &c.Error
		}
		out.Actions = append(out.Actions, one)
	}
	return out
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
