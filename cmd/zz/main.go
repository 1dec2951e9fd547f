package main

import (
	"fmt"
	"os"
	"regexp"
	"sort"
	"strings"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/train"
)

func main() {
	p, err := train.LoadPolicy(os.Args[1], "cpu", 1, train.Options{})
	if err != nil {
		panic(err)
	}
	g, _ := engine.NewGame("doubloons(seats=4)")
	e, _ := encode.For(g)
	info := g.Info()
	const N = 1000
	ms := g.NewMatches(N)
	r := engine.NewRand(5)
	bot, _ := bots.New("heuristic", g)
	for i := range ms {
		ms[i].Reset(uint64(i))
	}
	D, A := e.Schema().Size, len(info.Actions)
	obs, mask, probs := make([]uint8, N*D), make([]uint8, N*A), make([]float32, N*A)
	type kind struct{ n, agree int; pol, bot map[string]int }
	kinds := map[string]*kind{}
	re := regexp.MustCompile(`\d+`)
	for {
		var rows []int
		for i, m := range ms {
			for m.Seat() >= 0 && m.Seat() != i%4 {
				m.Apply(bot.Act(m, &r))
			}
			if m.Seat() < 0 {
				continue
			}
			k := len(rows)
			rows = append(rows, i)
			e.Encode(m, m.Seat(), obs[k*D:(k+1)*D])
			m.Legal().Expand(mask[k*A : (k+1)*A])
		}
		if len(rows) == 0 {
			break
		}
		n := len(rows)
		p.Probs(n, obs[:n*D], mask[:n*A], probs[:n*A])
		for k, i := range rows {
			best := 0
			for a, x := range probs[k*A : (k+1)*A] {
				if mask[k*A+a] != 0 && x > probs[k*A+best] {
					best = a
				}
			}
			for mask[k*A+best] == 0 { best++ }
			m := ms[i]
			b := bot.Act(m, &r)
			pa, ba := info.ActionName(engine.Action(best)), info.ActionName(b)
			d := re.ReplaceAllString(m.Decision(), "#")
			if i := strings.Index(d, ":"); i > 0 { d = d[i:] }
			if len(d) > 60 { d = d[:60] }
			x := kinds[d]
			if x == nil {
				x = &kind{pol: map[string]int{}, bot: map[string]int{}}
				kinds[d] = x
			}
			x.n++
			if pa == ba {
				x.agree++
			}
			x.pol[pa]++
			x.bot[ba]++
			m.Apply(engine.Action(best))
		}
	}
	S := len(info.ScoreSources)
	ps, bs := make([]float64, S), make([]float64, S)
	dst := make([]int32, S)
	for i, m := range ms {
		for s := 0; s < 4; s++ {
			m.Scores(s, dst)
			for j, v := range dst {
				if s == i%4 {
					ps[j] += float64(v) / N
				} else {
					bs[j] += float64(v) / N / 3
				}
			}
		}
	}
	for j, n := range info.ScoreSources {
		fmt.Printf("%-20s policy %6.2f heuristic %6.2f\n", n, ps[j], bs[j])
	}
	var names []string
	for n := range kinds {
		names = append(names, n)
	}
	sort.Slice(names, func(i, j int) bool { return kinds[names[i]].n > kinds[names[j]].n })
	top := func(m map[string]int) string {
		var ks []string
		for k := range m {
			ks = append(ks, k)
		}
		sort.Slice(ks, func(i, j int) bool { return m[ks[i]] > m[ks[j]] })
		out := ""
		for i, k := range ks {
			if i > 5 {
				break
			}
			out += fmt.Sprintf(" %s:%d", k, m[k])
		}
		return out
	}
	for _, n := range names[:min(40, len(names))] {
		x := kinds[n]
		fmt.Printf("%-60s n=%d agree %.2f\n   pol%s\n   bot%s\n", n, x.n, float64(x.agree)/float64(x.n), top(x.pol), top(x.bot))
	}
}
