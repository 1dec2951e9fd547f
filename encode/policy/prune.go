package policy

import (
	"slices"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// Compact makes a bundle small enough to be part of a page or a program: with few levels, and without inputs that never occurred in the
// games of its training.
func Compact(b *bundle.Bundle, games []string) error {
	if _, _, err := Prune(b, games, 200); err != nil {
		return err
	}
	return b.Quantise(31)
}

// Prune sets to zero the weights of inputs that were zero at every decision of a number of matches of each game. games should be all
// that it was trained on: it has not learnt to read other inputs. The bots of a game and the policy itself play. It returns how many bytes
// of observations and rows are left, and of how many.
func Prune(b *bundle.Bundle, games []string, matches int) (left, of int, err error) {
	if err := b.Check(); err != nil {
		return 0, 0, err
	}
	met := &meeting{obs: make([]bool, b.ObservationSize()), rows: make([]bool, b.RowSize())}
	for _, game := range games {
		if err := met.play(b, game, matches); err != nil {
			return 0, 0, err
		}
	}
	for _, is := range slices.Concat(met.obs, met.rows) {
		if of++; is {
			left++
		}
	}
	return left, of, b.Keep(met.obs, met.rows)
}

// meeting notes which inputs of a policy are ever other than zero.
type meeting struct{ obs, rows []bool }

// play plays matches of a game with a policy and the game's bots.
func (p *meeting) play(b *bundle.Bundle, game string, matches int) error {
	g, err := engine.NewGame(game)
	if err != nil {
		return err
	}
	own, err := Of("policy", b, g)
	if err != nil {
		return err
	}
	players := []bots.Bot{own}
	for _, name := range bots.Names(g) {
		other, err := bots.New(name, g)
		if err != nil {
			return err
		}
		players = append(players, other)
	}
	m, r := g.NewMatch(), engine.NewRand(1)
	for i := range matches {
		m.Reset(uint64(i))
		for k := i; m.Seat() >= 0; k++ {
			p.see(own, m)
			if err := m.Apply(players[(k+m.Seat())%len(players)].Act(m, &r)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *meeting) see(bot *Bot, m engine.Match) {
	bot.score(m, m.Legal())
	for i, x := range bot.obs {
		p.obs[i] = p.obs[i] || x != 0
	}
	if len(p.rows) == 0 {
		return
	}
	for i, x := range bot.rows[:m.Legal().Count()*len(p.rows)] {
		k := i % len(p.rows)
		p.rows[k] = p.rows[k] || x != 0
	}
}
