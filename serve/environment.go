package serve

import (
	"context"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
	"github.com/privateer-rl/privateer/serve/version"
)

// environments is the environment service.
type environments struct {
	pb.UnimplementedEnvironmentServiceServer
	*Server
}

// describe is the static description of a game.
func (r *roster) describe(game engine.Game, enc *encode.Encoder) *pb.Game {
	info := game.Info()
	g := &pb.Game{
		Name: info.Game, Config: info.Config, Seats: uint32(info.Seats), Actions: info.Actions,
		Observation: schema(enc.Schema()), FullObservation: schema(enc.FullSchema()),
		ScoreSources: info.ScoreSources, ReturnScale: info.ReturnScale, MaxDecisions: uint32(info.MaxDecisions),
		Bots: r.names(game),
	}
	if s := enc.ActionSchema(); s != nil {
		g.ActionRow = schema(s)
	}
	if d, err := engine.Lookup(info.Game); err == nil {
		g.Title = d.Title
		for _, p := range d.Parameters() {
			g.Parameters = append(g.Parameters, &pb.Parameter{Name: p.Name, DefaultValue: p.Default, Help: p.Help})
		}
	}
	return g
}

func schema(s *encode.Schema) *pb.Schema {
	out := &pb.Schema{Hash: s.Hash(), Size: uint32(s.Size)}
	for _, g := range s.Groups {
		shape := make([]uint32, len(g.Shape))
		for i, n := range g.Shape {
			shape[i] = uint32(n)
		}
		out.Groups = append(out.Groups, &pb.Group{
			Name: g.Name, Offset: uint32(g.Offset), Shape: shape, Max: uint32(g.Max), Scale: g.Scale, Doc: g.Doc, Words: g.Words,
		})
	}
	return out
}

func (e *environments) Describe(_ context.Context, req *pb.DescribeRequest) (*pb.DescribeResponse, error) {
	version, _ := version.Build()
	out := &pb.DescribeResponse{Version: version}
	games := []string{req.Game}
	if req.Game == "" {
		games = nil
		for _, d := range engine.Definitions() {
			games = append(games, d.Name)
		}
	}
	for _, name := range games {
		game, err := e.roster.readGame("game", name)
		if err != nil {
			return nil, err
		}
		enc, err := encode.For(game)
		if err != nil {
			if req.Game == "" {
				continue // a game without an encoder
			}
			return nil, badField("game", "%v", err)
		}
		out.Games = append(out.Games, e.roster.describe(game, enc))
	}
	return out, nil
}

func (e *environments) Open(ctx context.Context, req *pb.OpenRequest) (*pb.OpenResponse, error) {
	if err := ctx.Err(); err != nil {
		return nil, status.FromContextError(err).Err()
	}
	s, err := e.sessions.create(identity(ctx), proto.Clone(req).(*pb.OpenRequest))
	if err != nil {
		return nil, err
	}
	s.client = client(ctx)
	// A client that has gone does not learn the name, so nobody would close the session.
	// If it goes while the answer is on its way, the server does not notice: see Config.Confirm.
	if err := over(ctx); err != nil {
		s.lock <- struct{}{}
		e.sessions.remove(s)
		return nil, status.FromContextError(err).Err()
	}
	e.log.Info("session opened", "session", short(s.id), "owner", s.owner, "game", s.game.Config, "envs", s.answer.n)
	return s.openResponse(), nil
}

// over is ctx.Err for a machine whose cores are all busy, on which the timer of a
// deadline may fire late.
func over(ctx context.Context) error {
	if end, ok := ctx.Deadline(); ok && !time.Now().Before(end) {
		return context.DeadlineExceeded
	}
	return ctx.Err()
}

func (s *session) openResponse() *pb.OpenResponse {
	version, _ := version.Build()
	return &pb.OpenResponse{
		SessionId: s.id, Game: s.game, Lease: durationpb.New(s.lease),
		MaxDecisions: uint32(s.vec.Config().MaxDecisions), Seed: s.opened.GetSeed(), Version: version,
	}
}

// short is enough of a session's name to distinguish it in a log, and too
// little to use it.
func short(id string) string { return id[:min(len(id), 8)] }

func (e *environments) Renew(ctx context.Context, req *pb.RenewRequest) (*pb.RenewResponse, error) {
	s, err := e.sessions.hold(ctx, req.SessionId, identity(ctx))
	if err != nil {
		return nil, err
	}
	s.release()
	return &pb.RenewResponse{}, nil
}

func (e *environments) Attach(ctx context.Context, req *pb.AttachRequest) (*pb.AttachResponse, error) {
	s, err := e.sessions.use(ctx, req.SessionId, identity(ctx))
	if err != nil {
		return nil, err
	}
	defer s.release()
	out := &pb.AttachResponse{Opened: s.opened, Session: s.openResponse(), Seq: s.seq}
	if s.begun {
		out.Batch = s.copyBatch()
	}
	return out, nil
}

func (e *environments) Reset(ctx context.Context, req *pb.ResetRequest) (*pb.ResetResponse, error) {
	if err := e.sessions.mayThink(ctx, req.SessionId, identity(ctx)); err != nil {
		return nil, err
	}
	s, err := e.sessions.use(ctx, req.SessionId, identity(ctx))
	if err != nil {
		return nil, err
	}
	defer s.release()
	defer s.abandon()
	if err := s.reset(req.Seq, req.Reset_, gone(ctx)); err != nil {
		return nil, err
	}
	return &pb.ResetResponse{Seq: s.seq, Batch: s.copyBatch()}, nil
}

// row finds a session and checks that it shows something in that row. The lock is
// then held.
func (e *environments) row(ctx context.Context, id string, row uint32) (*session, error) {
	s, err := e.sessions.use(ctx, id, identity(ctx))
	if err != nil {
		return nil, err
	}
	switch {
	case int64(row) >= int64(s.answer.n):
		err = badField("row", "%d: the session has rows 0 to %d", row, s.answer.n-1)
	case !s.begun:
		err = wrongTime("session_id", "the session has not been reset: send a reset command first")
	default:
		return s, nil
	}
	s.release()
	return nil, err
}

func (e *environments) Render(ctx context.Context, req *pb.RenderRequest) (*pb.RenderResponse, error) {
	s, err := e.row(ctx, req.SessionId, req.Row)
	if err != nil {
		return nil, err
	}
	defer s.release()
	row := int(req.Row)
	return &pb.RenderResponse{Text: s.vec.Match(row).Render(s.eyes(row))}, nil
}

func (e *environments) Draw(ctx context.Context, req *pb.DrawRequest) (*pb.DrawResponse, error) {
	s, err := e.row(ctx, req.SessionId, req.Row)
	if err != nil {
		return nil, err
	}
	defer s.release()
	row := int(req.Row)
	view := s.eyes(row)
	if req.View != nil {
		if view, err = s.view(row, *req.View); err != nil {
			return nil, err
		}
	}
	svg, err := engine.Picture(s.vec.Match(row), view)
	if err != nil {
		return nil, badField("session_id", "%v", err)
	}
	return &pb.DrawResponse{Svg: svg}, nil
}

func (e *environments) Observe(ctx context.Context, req *pb.ObserveRequest) (*pb.ObserveResponse, error) {
	s, err := e.row(ctx, req.SessionId, req.Row)
	if err != nil {
		return nil, err
	}
	defer s.release()
	row, p, d := int(req.Row), s.answer.seats, s.answer.obs
	t := tensor(pb.DType_D_TYPE_UINT8, p, d)
	t.Data = make([]byte, p*d)
	for seat, player := range s.vec.Batch().Players[row*p : (row+1)*p] {
		if !s.vec.Sees(row, seat) {
			continue
		}
		if err := s.vec.Observe(row, seat, t.Data[int(player)*d:int(player+1)*d]); err != nil {
			return nil, vecStatus(err)
		}
	}
	return &pb.ObserveResponse{Observation: t}, nil
}

func (e *environments) Snapshot(ctx context.Context, req *pb.SnapshotRequest) (*pb.SnapshotResponse, error) {
	s, err := e.sessions.use(ctx, req.SessionId, identity(ctx))
	if err != nil {
		return nil, err
	}
	defer s.release()
	if !s.begun {
		return nil, wrongTime("session_id", "the session has not been reset: send a reset command first")
	}
	st, err := s.snapshot()
	if err != nil {
		return nil, vecStatus(err)
	}
	st.Mac = s.mac(st.Vector)
	data, err := proto.Marshal(st)
	if err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	const around = 64 // bytes of the messages that carry it
	if most := min(e.cfg.MaxMessageBytes, e.cfg.MaxRequestBytes) - around; len(data) > most {
		limit := "max_message_bytes"
		if e.cfg.MaxRequestBytes < e.cfg.MaxMessageBytes {
			limit = "max_request_bytes" // otherwise it could not be restored
		}
		return nil, tooMuch(limit, "the snapshot has %d bytes and may have %d: open sessions of fewer environments", len(data), most)
	}
	return &pb.SnapshotResponse{Snapshot: data}, nil
}

func (e *environments) Restore(ctx context.Context, req *pb.RestoreRequest) (*pb.RestoreResponse, error) {
	s, err := e.sessions.use(ctx, req.SessionId, identity(ctx))
	if err != nil {
		return nil, err
	}
	defer s.release()
	defer s.abandon()
	if err := s.restore(ctx, req, e.limits); err != nil {
		return nil, err
	}
	return &pb.RestoreResponse{Seq: s.seq, Batch: s.copyBatch()}, nil
}

func (e *environments) Close(ctx context.Context, req *pb.CloseRequest) (*pb.CloseResponse, error) {
	s, err := e.sessions.hold(ctx, req.SessionId, identity(ctx))
	if err != nil {
		return nil, err
	}
	e.sessions.remove(s)
	e.log.Info("session closed", "session", short(s.id), "owner", s.owner)
	return &pb.CloseResponse{}, nil
}
