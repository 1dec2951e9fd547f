package cli

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"text/template"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/svg"
	webpage "github.com/privateer-rl/privateer/serve/page"
	"github.com/privateer-rl/privateer/serve/page/replay"
)

//go:embed replay.html
var replayPage string

var replayTemplate = template.Must(template.New("replay").Parse(replayPage))

// writeReplayPage writes a page on which a match can be watched: through the eyes of the view, or all of them
// if it is full. If it names a bot, the page says what the bot thinks about each decision.
func writeReplayPage(ctx context.Context, w io.Writer, t *engine.Transcript, view, bot string) error {
	g, err := engine.NewGame(t.Game)
	if err != nil {
		return err
	}
	eyes, err := parseView(view, g.Info())
	if err != nil {
		return err
	}
	adviser, err := adviserNamed(bot, g)
	if err != nil {
		return err
	}
	views := []int{eyes}
	if eyes == engine.Full {
		views = replay.AllViews(g)
	}
	match, err := replay.Of(ctx, t, views, adviser, func(picture string) string { return picture })
	if err != nil {
		return err
	}
	player, err := webpage.Player()
	if err != nil {
		return err
	}
	data, err := packed(match)
	if err != nil {
		return err
	}
	stated, _, err := engine.Given(t.Game)
	if err != nil {
		return err
	}
	return replayTemplate.Execute(w, struct {
		Title, Data, Style, Player string
	}{html.EscapeString(stated), data, svg.Style, player})
}

// packed is a match as gzipped JSON in base64.
func packed(match *replay.Match) (string, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	enc := json.NewEncoder(z)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(match); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
