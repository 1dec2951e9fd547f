package serve_test

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/encode/policy/zoo"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// A client has its own match and its own encoder: the same policies decide the same on its tensors, bit for bit, and on its positions.
func TestClientsWithMatchesOfTheirOwnAskPolicies(t *testing.T) {
	const decisions = 1000
	r := begin(t, nil)
	games := map[string]string{"doubloons": "doubloons(seats=4,advice=foresight)", "jolly_roger": "jolly_roger(seats=6,advice=reign)"}
	for _, own := range zoo.Policies {
		g, err := engine.NewGame(games[own.Game])
		if err != nil {
			t.Fatal(err)
		}
		e, err := encode.For(g)
		if err != nil {
			t.Fatal(err)
		}
		b, err := policy.NewBot(policy.Prefix+own.Name, g)
		if err != nil {
			t.Fatal(err)
		}
		info, size := g.Info(), e.Schema().Size
		width := (len(info.Actions) + 7) / 8
		d := &pb.TensorDecisions{
			Game: info.Config, Observation: bytesOf(decisions, size), ActionMask: bytesOf(decisions, width), ActionRows: bytesOf(0, e.ActionSize()),
			ObservationSchema: e.Schema().Hash(), RowSchema: e.ActionSchema().Hash(),
		}
		var chosen []engine.Action
		var weights [][]float64
		m, rand := g.NewMatch(), engine.NewRand(1)
		rows := make([]uint8, len(info.Actions)*e.ActionSize())
		for seed := uint64(1); len(chosen) < decisions; seed++ {
			m.Reset(seed)
			for m.Seat() != engine.Over && len(chosen) < decisions {
				e.Encode(m, m.Seat(), d.Observation.Data[len(chosen)*size:(len(chosen)+1)*size])
				for a := m.Legal().First(); a >= 0; a = m.Legal().Next(a) {
					d.ActionMask.Data[len(chosen)*width+int(a)/8] |= 1 << (a % 8)
				}
				n := e.EncodeActions(m, rows)
				d.ActionRows.Data = append(d.ActionRows.Data, rows[:n*e.ActionSize()]...)
				d.ActionRows.Shape[0] += uint32(n)
				one := make([]float64, n)
				b.(*policy.Bot).Weights(m, one, &rand)
				weights = append(weights, one)
				a := b.Act(m, &rand)
				chosen = append(chosen, a)
				if len(chosen)%100 == 0 {
					r.thinksAs(b, m, a)
				}
				if err := m.Apply(a); err != nil {
					t.Fatal(err)
				}
			}
		}
		ask := func(change func(d *pb.TensorDecisions)) (*pb.ActResponse, error) {
			d := proto.Clone(d).(*pb.TensorDecisions)
			change(d)
			return r.policy.Act(soon(t), &pb.ActRequest{Bot: b.Name(), Probabilities: true, Decisions: &pb.ActRequest_Tensors{Tensors: d}})
		}
		answer, err := ask(func(*pb.TensorDecisions) {})
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range int32s(answer.Actions) {
			if engine.Action(a) != chosen[i] {
				t.Fatalf("%s, decision %d: %d on its tensors, %d in the match", own.Name, i, a, chosen[i])
			}
			k := 0
			for a := range len(info.Actions) {
				p := float32At(answer.Probabilities, i*len(info.Actions)+a)
				legal := d.ActionMask.Data[i*width+a/8]>>(a%8)&1 != 0
				if want := float32(0); legal {
					want = float32(weights[i][k])
					k++
					if p != want {
						t.Fatalf("%s, decision %d, action %d: probability %g on its tensors, %g in the match", own.Name, i, a, p, want)
					}
				} else if p != 0 {
					t.Fatalf("%s, decision %d: the probability of action %d, which is not legal, is %g", own.Name, i, a, p)
				}
			}
		}
		if v := float32At(answer.Values, 0); answer.Values.Shape[0] != decisions || math.IsNaN(float64(v)) {
			t.Errorf("values %v", answer.Values.Shape)
		}
		for field, change := range map[string]func(d *pb.TensorDecisions){
			"tensors.action_rows":        func(d *pb.TensorDecisions) { d.ActionRows = nil },
			"tensors.action_rows.shape":  func(d *pb.TensorDecisions) { d.ActionRows.Shape[0]-- },
			"tensors.action_rows.data":   func(d *pb.TensorDecisions) { d.ActionRows.Data = d.ActionRows.Data[1:] },
			"tensors.action_rows.dtype":  func(d *pb.TensorDecisions) { d.ActionRows.Dtype = pb.DType_D_TYPE_FLOAT32 },
			"tensors.observation.shape":  func(d *pb.TensorDecisions) { d.Observation.Shape[1]++ },
			"tensors.observation_schema": func(d *pb.TensorDecisions) { d.ObservationSchema = "0" },
			"tensors.row_schema":         func(d *pb.TensorDecisions) { d.RowSchema = "0" },
			"tensors.action_mask[3]":     func(d *pb.TensorDecisions) { clear(d.ActionMask.Data[3*width : 4*width]) },
			"bot":                        func(d *pb.TensorDecisions) { d.Game = "leduc" },
		} {
			_, err := ask(change)
			expect(t, err, codes.InvalidArgument, field)
		}
	}
}

// thinksAs has the server think about a position.
func (r *running) thinksAs(b bots.Bot, m engine.Match, a engine.Action) {
	r.t.Helper()
	text, err := m.Position(engine.Full)
	if err != nil {
		r.t.Fatal(err)
	}
	said, err := r.policy.Think(soon(r.t), &pb.ThinkRequest{Game: m.Info().Config, Position: string(text), Bot: b.Name()})
	if err != nil {
		r.t.Fatal(err)
	}
	total := 0.0
	for _, c := range said.Actions {
		total += c.Probability
		if c.Name != m.Info().ActionName(engine.Action(c.Action)) {
			r.t.Errorf("action %d is called %s", c.Action, c.Name)
		}
	}
	if said.Action != int32(a) || said.Seat != uint32(m.Seat()) || said.Question != m.Decision() || len(said.Actions) != m.Legal().Count() ||
		math.Abs(total-1) > 1e-9 || said.Unit != "return" || math.IsNaN(said.Values[m.Seat()]) {
		r.t.Errorf("%s: it would choose %s, and thinks %v", m.Decision(), m.Info().ActionName(a), said)
	}
}

func TestWhatCannotBeThoughtAboutIsRefused(t *testing.T) {
	r := begin(t, nil)
	g, err := engine.NewGame("leduc")
	if err != nil {
		t.Fatal(err)
	}
	m := g.NewMatch()
	m.Reset(1)
	text, err := m.Position(0)
	if err != nil {
		t.Fatal(err)
	}
	over := m.Legal().First()
	for m.Seat() != engine.Over {
		if err := m.Apply(over); err != nil {
			t.Fatal(err)
		}
		over = m.Legal().First()
	}
	end, err := m.Position(engine.Full)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		req   *pb.ThinkRequest
		field string
	}{
		"no position":     {&pb.ThinkRequest{Game: "leduc", Bot: "random"}, "position"},
		"no JSON":         {&pb.ThinkRequest{Game: "leduc", Bot: "random", Position: "x"}, "position"},
		"an unknown card": {&pb.ThinkRequest{Game: "leduc", Bot: "random", Position: strings.ReplaceAll(string(end), `"K"`, `"A"`)}, "position"},
		"no game":         {&pb.ThinkRequest{Bot: "random", Position: `{}`}, "game"},
		"an unknown game": {&pb.ThinkRequest{Game: "chess", Bot: "random", Position: string(text)}, "game"},
		"another game":    {&pb.ThinkRequest{Game: "doubloons", Bot: "random", Position: string(text)}, "position"},
		"an unknown bot":  {&pb.ThinkRequest{Game: "leduc", Bot: "nobody", Position: string(text)}, "bot"},
		"another's bot":   {&pb.ThinkRequest{Game: "leduc", Bot: "policy:captain", Position: string(text)}, "bot"},
		"the end":         {&pb.ThinkRequest{Game: "leduc", Bot: "random", Position: string(end)}, "position"},
	} {
		if _, err := r.policy.Think(soon(t), c.req); err == nil {
			t.Errorf("%s: it was thought about", name)
		} else {
			expect(t, err, codes.InvalidArgument, c.field)
		}
	}
	// The name that other interfaces of frontends know: the error has the one that is known here.
	_, err = r.policy.Think(soon(t), &pb.ThinkRequest{Game: "doubloons", Bot: "captain", Position: "{}"})
	if err == nil || !strings.Contains(err.Error(), "policies are named policy:captain") {
		t.Errorf("captain: error %v", err)
	}
}

func TestASeatIsToldWhatItMayChooseAndWhatHasHappened(t *testing.T) {
	r := begin(t, nil)
	host, err := r.policy.Host(soon(t), &pb.HostRequest{Game: "doubloons(seats=2)", Seats: []string{"", "heuristic"}})
	if err != nil {
		t.Fatal(err)
	}
	g, err := engine.NewGame("doubloons(seats=2)")
	if err != nil {
		t.Fatal(err)
	}
	req, told := &pb.PlayRequest{TableId: host.TableId, SeatKey: host.SeatKeys[0], View: true}, 0
	lines := 0 // of the log: now and then a decision follows another one and nothing has happened between them
	for range 12 {
		v, err := r.policy.Play(soon(t), req)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range v.Legal {
			if c.Name != g.Info().ActionName(engine.Action(c.Action)) || c.Words == "" || v.ActionMask.Data[c.Action/8]>>(c.Action%8)&1 == 0 {
				t.Errorf("%v", c)
			}
		}
		for _, text := range v.Events {
			var event struct{ Kind string }
			if err := json.Unmarshal([]byte(text), &event); err != nil || !slices.ContainsFunc(engine.EventForms(g), func(f engine.EventForm) bool { return f.Kind == event.Kind }) {
				t.Errorf("event %s: %v", text, err)
			}
			told++
		}
		var position struct{ Ships []any }
		if err := json.Unmarshal([]byte(v.Position), &position); err != nil || len(position.Ships) != 2 {
			t.Fatalf("position %s: %v", v.Position, err)
		}
		if !strings.HasPrefix(v.Picture, "<svg") {
			t.Errorf("decision %d: picture %.20s", v.Decision, v.Picture)
		}
		lines += len(v.Log)
		req.Decision, req.Action = v.Decision, &v.Legal[0].Action
	}
	if told < 20 || lines < 6 {
		t.Errorf("%d events and %d lines in 12 decisions", told, lines)
	}
	req.View = false
	if v, err := r.policy.Play(soon(t), req); err != nil || v.Position != "" || v.Picture != "" {
		t.Errorf("a view that nobody asked for: %v", err)
	}
}

func bytesOf(n, width int) *pb.Tensor {
	return &pb.Tensor{Dtype: pb.DType_D_TYPE_UINT8, Shape: []uint32{uint32(n), uint32(width)}, Data: make([]byte, n*width)}
}

func float32At(t *pb.Tensor, i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(t.Data[4*i:]))
}
