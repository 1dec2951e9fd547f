package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/privateer-rl/privateer/engine"
)

// standing is the result of a match for one seat.
type standing struct {
	Seat    int              `json:"seat"`
	Return  float32          `json:"return"`
	Score   *int32           `json:"score,omitempty"` // nil if the game has no scores
	Sources map[string]int32 `json:"score_by_source,omitempty"`
}

// standingsOf are the standings of a match that is over, by seat.
func standingsOf(m engine.Match) []standing {
	info := m.Info()
	returns, scores := make([]float32, info.Seats), make([]int32, len(info.ScoreSources))
	m.Returns(returns)
	list := make([]standing, info.Seats)
	for seat := range list {
		s := standing{Seat: seat, Return: returns[seat]}
		if len(scores) > 0 {
			m.Scores(engine.Full, seat, scores)
			s.Score, s.Sources = new(int32), map[string]int32{}
			for i, points := range scores {
				*s.Score += points
				s.Sources[info.ScoreSources[i]] = points
			}
		}
		list[seat] = s
	}
	return list
}

// writeStandings prints standings as a table; you is the reader's seat, or −1.
func writeStandings(out io.Writer, info *engine.Info, list []standing, you int) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\treturn\t")
	for _, source := range info.ScoreSources {
		fmt.Fprintf(w, "%s\t", strings.ReplaceAll(source, "_", " "))
	}
	if len(info.ScoreSources) > 0 {
		fmt.Fprint(w, "total\t")
	}
	fmt.Fprintln(w)
	for _, s := range list {
		who := engine.SeatName(s.Seat)
		if s.Seat == you {
			who = "you"
		}
		fmt.Fprintf(w, "%s\t%+.3f\t", who, s.Return)
		for _, source := range info.ScoreSources {
			fmt.Fprintf(w, "%d\t", s.Sources[source])
		}
		if s.Score != nil {
			fmt.Fprintf(w, "%d\t", *s.Score)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}
