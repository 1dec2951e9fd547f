package captain

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"sync"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
	"github.com/privateer-rl/privateer/engine/players/search"
)

// network tells seats' chances from what is seen of each (inputs.go): every seat is scored by the same weights, from its own
// inputs and the mean of its rivals', in two hidden layers, and the softmax of the scores is the chances. So it does not matter
// in which order the seats are. Its weights are fitted by network_test.go from results of matches.
type network struct {
	own, rivals   [places][wide]float32 // of the first hidden layer: weights of a seat's inputs, and of the mean of its rivals'
	bias          [wide]float32
	own2, rivals2 [wide][narrow]float32 // of the second: of a seat's first layer, and of the mean of its rivals'
	bias2         [narrow]float32
	out           [narrow]float32
}

const (
	wide   = 64
	narrow = 32
)

// pass is one pass through the network, and room for it.
type pass struct {
	seats   []inputs
	first   [doubloons.MaxSeats][wide]float32
	second  [doubloons.MaxSeats][narrow]float32
	chances []float64

	theirs  [doubloons.MaxSeats][wide]float32 // what each seat adds to its rivals' first layer, …
	theirs2 [doubloons.MaxSeats][narrow]float32
}

func newPass(seats int) *pass {
	return &pass{seats: make([]inputs, seats), chances: make([]float64, seats)}
}

// run computes the chances of the seats from their inputs.
func (n *network) run(p *pass) {
	rivals := float32(len(p.seats) - 1)
	var all [wide]float32
	for i := range p.seats {
		first, theirs := &p.first[i], &p.theirs[i]
		*first, *theirs = n.bias, [wide]float32{}
		x := &p.seats[i]
		for k, at := range x.at {
			add(first[:], n.own[at][:], x.value[k])
			add(theirs[:], n.rivals[at][:], x.value[k])
		}
		add(all[:], theirs[:], 1)
	}
	var all2 [narrow]float32
	for i := range p.seats {
		second, theirs := &p.second[i], &p.theirs2[i]
		*second, *theirs = n.bias2, [narrow]float32{}
		for k, x := range p.first[i] {
			x = max(0, x+(all[k]-p.theirs[i][k])/rivals)
			p.first[i][k] = x
			if x != 0 {
				add(second[:], n.own2[k][:], x)
				add(theirs[:], n.rivals2[k][:], x)
			}
		}
		add(all2[:], theirs[:], 1)
	}
	for i := range p.seats {
		score := float32(0)
		for k, x := range p.second[i] {
			x = max(0, x+(all2[k]-p.theirs2[i][k])/rivals)
			p.second[i][k] = x
			score += float32(x * n.out[k])
		}
		p.chances[i] = float64(score)
	}
	search.Softmax(p.chances, 1, p.chances)
}

// add adds a multiple of x to y.
func add(y, x []float32, times float32) {
	x = x[:len(y)]
	for k := range y {
		y[k] += float32(times * x[k])
	}
}

// rows are all weights, in the order of the file.
func (n *network) rows() [][]float32 {
	var rows [][]float32
	for _, layer := range []*[places][wide]float32{&n.own, &n.rivals} {
		for i := range layer {
			rows = append(rows, layer[i][:])
		}
	}
	rows = append(rows, n.bias[:])
	for _, layer := range []*[wide][narrow]float32{&n.own2, &n.rivals2} {
		for i := range layer {
			rows = append(rows, layer[i][:])
		}
	}
	return append(rows, n.bias2[:], n.out[:])
}

// The file has the upper halves of the weights (bfloat16), little-endian.
//
//go:embed network.bin
var networkFile []byte

var fittedNetwork = sync.OnceValues(func() (*network, error) { return readNetwork(networkFile) })

func readNetwork(data []byte) (*network, error) {
	n := &network{}
	rows := n.rows()
	size := 0
	for _, row := range rows {
		size += 2 * len(row)
	}
	if len(data) != size {
		return nil, fmt.Errorf("network.bin: %d bytes: want %d", len(data), size)
	}
	for _, row := range rows {
		for i := range row {
			row[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(data)) << 16)
			data = data[2:]
		}
	}
	return n, nil
}

// networkEvaluator is the evaluator of standings by the network.
type networkEvaluator struct {
	c     *captain
	net   *network
	pass  *pass
	final *search.Final
}

// newNetworkEvaluator makes the evaluator of a game, nil for one that the network has not been fitted on: it knows tables of four without modules, by the rules
// of the last edition, played for the win.
func newNetworkEvaluator(g engine.Game) (search.Value, error) {
	c, err := captainForWins(g)
	if c == nil || err != nil || c.seats != 4 || c.rules.Modules != 0 || c.rules.Edition.Number != 0 {
		return nil, err
	}
	net, err := fittedNetwork()
	if err != nil {
		return nil, err
	}
	return &networkEvaluator{c, net, newPass(c.seats), search.NewFinal(g, finalWon, finalSpread)}, nil
}

// Value implements search.Value.
func (j *networkEvaluator) Value(m engine.Match, dst []float64) {
	if m.Seat() == engine.Over {
		j.final.Value(m, dst)
		return
	}
	j.c.see(engine.State[doubloons.State](m), j.pass.seats)
	j.net.run(j.pass)
	copy(dst, j.pass.chances)
}
