package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/privateer-rl/privateer/serve"
	"github.com/privateer-rl/privateer/serve/table"
	"github.com/privateer-rl/privateer/serve/version"
)

// Bounds of what a client sends.
const (
	mostBytes = 1 << 20 // of a request over HTTP
	mostWhy   = 4 << 10 // of an error, which may quote what was sent
)

// Handler answers clients over HTTP. Each request stands alone: who holds a seat's key may continue from anywhere.
func Handler(s *serve.Server) http.Handler {
	tools := newTools(s)
	streamable := sdk.NewStreamableHTTPHandler(func(r *http.Request) *sdk.Server {
		server, _ := r.Context().Value(serverKey{}).(*sdk.Server)
		return server
	}, &sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true, MaxRequestBodyBytes: mostBytes})
	return http.NewCrossOriginProtection().Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		server := tools.server(s.GuestOf(r))
		streamable.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), serverKey{}, server)))
	}))
}

// serverKey is that of the *sdk.Server which answers a request.
type serverKey struct{}

// Stdio answers one client until its input ends.
func Stdio(ctx context.Context, s *serve.Server, in io.Reader, out io.Writer) error {
	err := New(s, serve.Guest{Owner: "stdio", Client: "stdio"}).Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(in), Writer: unclosed{out}})
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// unclosed is a writer that others continue to use.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// New makes the MCP server for one guest, over any transport.
func New(s *serve.Server, g serve.Guest) *sdk.Server { return newTools(s).server(g) }

// tools are those of a server, for any guest.
type tools struct {
	*serve.Server
	act   *jsonschema.Schema // of what act takes
	cache *sdk.SchemaCache   // of the others
}

func newTools(s *serve.Server) *tools {
	act, err := jsonschema.For[actIn](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[words](): {Types: []string{"integer", "string"}},
	}})
	if err != nil {
		panic("mcp: the schema of act: " + err.Error()) // it does not depend on anything
	}
	return &tools{s, act, sdk.NewSchemaCache()}
}

// words are an answer in free words, which may be a bare number.
type words string

// UnmarshalJSON reads a string or a number.
func (w *words) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, (*string)(w))
	}
	*w = words(data)
	return nil
}

const instructions = `Play board games with hidden information. open deals a match and gives a key for each of your seats; with a key that somebody gave
you, begin with observe. Then repeat: read what observe or act says, and act, until turn is "over". When turn is "wait", others decide: observe waits for them. Read the rules in brief with
rules before the first decision; it looks up clauses too. A key shows what its seat may know and nothing else: keep it to yourself.`

// server makes what answers a guest.
func (t *tools) server(g serve.Guest) *sdk.Server {
	version, _ := version.Build()
	s := sdk.NewServer(&sdk.Implementation{Name: "privateer", Title: "Privateer", Version: version}, &sdk.ServerOptions{
		Instructions: instructions, SchemaCache: t.cache, Capabilities: &sdk.ServerCapabilities{},
	})
	guest := &guest{t.Server, g, t.House(g)}
	look := &sdk.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(bool)}
	change := &sdk.ToolAnnotations{DestructiveHint: new(bool), OpenWorldHint: new(bool)}
	add(s, guest, sdk.Tool{Name: "games", Annotations: look, Description: "List the games that can be played and their settings; with a game, its seats and who can play as a bot."}, inTime(guest, guest.games))
	add(s, guest, sdk.Tool{Name: "rules", Annotations: look, Description: "Rules of a game: in brief, with all sections; or the clauses that are named."}, inTime(guest, guest.rules))
	add(s, guest, sdk.Tool{Name: "open", Annotations: change, Description: "Deal a new match. Each seat is a bot's, by name, or gets a key: yours, or one to give to another player."}, guest.open)
	add(s, guest, sdk.Tool{Name: "observe", Annotations: look, Description: "What the seat of a key sees: its decision and choices if it is asked, what has happened, the position. Waits for the other players until the seat is asked."}, guest.observe)
	add(s, guest, sdk.Tool{Name: "act", Annotations: change, InputSchema: t.act, Description: "Decide for the seat of a key. Answers with what happens until the seat is asked again or the match is over, as observe does."}, guest.act)
	add(s, guest, sdk.Tool{Name: "ask", Annotations: look, Description: "Ask a bot what it would do in your place. It knows what your seat may know. Nothing is decided by it."}, guest.ask)
	return s
}

// guest is the client that is answered.
type guest struct {
	server *serve.Server
	who    serve.Guest
	house  table.House
}

// add gives a server a tool, which f carries out: it answers with words, or if there are none with JSON alone, and with the same as JSON. Its errors are
// the tool's, not the protocol's.
func add[In, Out any](s *sdk.Server, g *guest, tool sdk.Tool, f func(ctx context.Context, in In) (string, Out, error)) {
	sdk.AddTool(s, &tool, func(ctx context.Context, _ *sdk.CallToolRequest, in In) (*sdk.CallToolResult, Out, error) {
		said, out, err := func() (said string, out Out, err error) {
			defer func() { g.house.Recovered(recover(), "mcp: "+tool.Name, &err) }()
			return f(ctx, in)
		}()
		if err != nil {
			why := g.house.Plain(err).Error()
			if len(why) > mostWhy {
				why = strings.ToValidUTF8(why[:mostWhy], "") + " …"
			}
			return nil, out, errors.New(why)
		}
		if said == "" {
			return nil, out, nil
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: said}}}, out, nil
	})
}

// inTime has a tool take of the guest's time for bots that think: anybody may call it, and no table bounds how often.
func inTime[In, Out any](g *guest, f func(context.Context, In) (string, Out, error)) func(context.Context, In) (string, Out, error) {
	return func(ctx context.Context, in In) (said string, out Out, err error) {
		err = g.house.Ask(ctx, nil, func(ctx context.Context) (err error) {
			said, out, err = f(ctx, in)
			return err
		})
		return said, out, err
	}
}
