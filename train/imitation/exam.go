package imitation

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/train/learner"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// Exam is a network's grade on the held-out decisions of its teacher.
type Exam struct {
	All   Grade            `json:"all"`
	Kinds map[string]Grade `json:"kinds"` // by kind of decision
}

// Grade sums up decisions.
type Grade struct {
	Decisions int     `json:"decisions"`
	Top1      float64 `json:"top1"`    // share in which the network's likeliest action is the teacher's choice
	Valued    int     `json:"valued"`  // decisions with the teacher's values
	AsGood    float64 `json:"as_good"` // of those, the share in which the network's action is worth as much as the best
	Regret    float64 `json:"regret"`  // and how much less it is worth on average, in the teacher's unit
}

func (g *Grade) add(hit, valued bool, regret float64) {
	mean := func(m *float64, x float64, n int) { *m += (x - *m) / float64(n) }
	g.Decisions++
	mean(&g.Top1, float64(engine.Bit(hit)), g.Decisions)
	if valued {
		g.Valued++
		mean(&g.AsGood, float64(engine.Bit(regret < asGood)), g.Valued)
		mean(&g.Regret, regret, g.Valued)
	}
}

// asGood is the least difference that counts.
const asGood = 1e-4

// exam is decisions of held-out matches, with the teacher's answers.
type exam struct {
	encoder *encode.Encoder // of the decisions' game: all games have one layout, and their rules describe the actions
	reads   bool            // rows of actions
	most    int             // decisions
	nameOf  func(obs []uint8) string

	d      learner.Decisions
	kinds  []string
	choice []int32 // number of the action among the legal ones
	values [][]float32
}

func newExam(p *selfplay.Play, most int) *exam {
	return &exam{
		encoder: p.Encoder, reads: p.Config.ReadsActions(), most: most, nameOf: kindNames(p.Encoder.Schema()),
		d: learner.Decisions{Offsets: []int32{0}},
	}
}

// askedExam plays matches of the teachers with their own streams, for the same number of decisions of each game.
func askedExam(p *selfplay.Play, t teachers, s *Settings) (*exam, error) {
	if s.HeldOut == 0 {
		return nil, nil
	}
	e := newExam(p, s.HeldOut)
	vecs := p.Vecs()
	for game, v := range vecs {
		e.most = s.HeldOut * (game + 1) / len(vecs)
		c := v.Config()
		c.Seed = engine.NewRand(p.Config.Seed).At(selfplay.StreamHeldOut).Key
		if err := e.fill(t, s, game, c); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// fill plays matches of a game as in training, until the exam is full.
func (e *exam) fill(t teachers, s *Settings, game int, c env.Config) error {
	c.NumEnvs, c.BatchSize, c.Full, c.ActionRows = min(c.NumEnvs, examinedMatches), 0, false, false // few, so that they are played to the end
	v, err := env.New(c)
	if err != nil {
		return err
	}
	defer v.Close()
	if e.encoder, err = encode.For(v.Game()); err != nil {
		return err
	}
	answers, actions := make([]answer, c.NumEnvs), make([]int32, c.NumEnvs)
	at := func(row int) (engine.Match, int) { return v.Match(row), game }
	_, err = v.Reset()
	for round := 0; err == nil && !e.full(); round++ {
		draw := engine.NewRand(c.Seed).At(uint64(round))
		if err := t.consult(s, at, draw, answers); err != nil {
			return err
		}
		for i := range answers {
			actions[i] = int32(answers[i].choice)
			e.consider(v.Match(i), &answers[i], draw.At(uint64(i)).At(2))
		}
		_, err = v.Step(actions)
	}
	return err
}

// examinedMatches is the number of matches that an exam plays side by side.
const examinedMatches = 32

// examineOneIn is the number of decisions played for one of an exam.
const examineOneIn = 5

func (e *exam) full() bool { return e.d.N >= e.most }

// consider adds a decision, if the exam wants it.
func (e *exam) consider(m engine.Match, s *answer, chance engine.Rand) {
	if !e.wants(chance) {
		return
	}
	obs, rows := make([]uint8, e.encoder.Schema().Size), []uint8(nil)
	e.encoder.Encode(m, m.Seat(), obs)
	if e.reads {
		rows = make([]uint8, m.Legal().Count()*e.encoder.ActionSize())
		e.encoder.EncodeActions(m, rows)
	}
	e.add(obs, m.Legal(), rows, s)
}

// wants draws a random one of every few decisions: consecutive ones are too much alike.
func (e *exam) wants(chance engine.Rand) bool { return chance.Intn(examineOneIn) == 0 && !e.full() }

// add adds a decision: its seat's observation, and the rows of its legal actions.
func (e *exam) add(obs []uint8, legal *engine.Mask, rows []uint8, s *answer) {
	d, actions := &e.d, len(e.encoder.Schema().Actions)
	d.N++
	d.Obs = append(d.Obs, obs...)
	d.Mask = append(d.Mask, make([]uint8, actions)...)
	legal.Expand(d.Mask[len(d.Mask)-actions:])
	if e.reads {
		d.Rows = append(d.Rows, rows...)
	}
	d.Offsets = append(d.Offsets, d.Offsets[d.N-1]+int32(legal.Count()))
	at := int32(0)
	for a := legal.First(); a != s.choice; a = legal.Next(a) {
		at++
	}
	e.choice = append(e.choice, at)
	e.values = append(e.values, slices.Clone(s.values))
	e.kinds = append(e.kinds, e.nameOf(obs))
}

// take grades a network.
func (e *exam) take(l learner.Learner) (*Exam, error) {
	const most = 1024
	size, actions, row := e.encoder.Schema().Size, len(e.encoder.Schema().Actions), e.encoder.ActionSize()
	out := &Exam{Kinds: map[string]Grade{}}
	logp := make([]float32, most*actions)
	for from := 0; from < e.d.N; from += most {
		to := min(from+most, e.d.N)
		part := learner.Decisions{N: to - from, Obs: e.d.Obs[from*size : to*size], Mask: e.d.Mask[from*actions : to*actions]}
		if e.reads {
			part.Rows = e.d.Rows[int(e.d.Offsets[from])*row : int(e.d.Offsets[to])*row]
			for _, x := range e.d.Offsets[from : to+1] {
				part.Offsets = append(part.Offsets, x-e.d.Offsets[from])
			}
		}
		if err := l.Forward(part, logp[:part.N*actions], nil); err != nil {
			return nil, err
		}
		for i := from; i < to; i++ {
			_, at := likeliest(logp[(i-from)*actions:], e.d.Mask[i*actions:(i+1)*actions])
			regret, valued := regretOf(e.values[i], at)
			out.All.add(at == e.choice[i], valued, regret)
			g := out.Kinds[e.kinds[i]]
			g.add(at == e.choice[i], valued, regret)
			out.Kinds[e.kinds[i]] = g
		}
	}
	return out, nil
}

// likeliest is the first action with the highest log-probability, and its number among the legal ones.
func likeliest(logp []float32, mask []uint8) (action, number int32) {
	action = -1
	at := int32(0)
	for a, legal := range mask {
		if legal == 0 {
			continue
		}
		if action < 0 || logp[a] > logp[action] {
			action, number = int32(a), at
		}
		at++
	}
	return action, number
}

// regretOf is the difference in value between the best action and a given one; valued is false if that one's value is unknown.
func regretOf(values []float32, at int32) (regret float64, valued bool) {
	if len(values) == 0 || math.IsNaN(float64(values[at])) {
		return 0, false
	}
	return float64(highest(values) - values[at]), true
}

// kindNames names the kinds of decisions, by the words of the observation's group for the question. Decisions of a game without one
// are all of a kind.
func kindNames(s *encode.Schema) func(obs []uint8) string {
	g, err := s.Group("decision.kind")
	if err != nil {
		return func([]uint8) string { return "any" }
	}
	return func(obs []uint8) string {
		k := bytes.IndexByte(obs[g.Offset:g.Offset+g.Size], 1)
		switch {
		case k < 0:
			return "other"
		case k < len(g.Words):
			return g.Words[k]
		}
		return fmt.Sprintf("kind %d", k)
	}
}
