package cli

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"
)

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// A client that has gone, and a signal, end the program; standard output has nothing but messages.
func TestMCPEndsWithItsClientAndWhenItIsTold(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"mcp"}, strings.NewReader(hello), &out, &errs); code != exitOK || errs.Len() > 0 {
		t.Errorf("at the end of its input: exit code %d: %s", code, &errs)
	}
	if lines := strings.Count(out.String(), "\n"); lines > 1 || lines == 1 && !strings.HasPrefix(out.String(), `{"jsonrpc":"2.0","id":1,"result":`) {
		t.Errorf("it says %s", &out)
	}
	in, open := io.Pipe()
	defer open.Close()
	for _, args := range [][]string{{"mcp"}, {"mcp", "--http", "127.0.0.1:0"}} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if code := run(ctx, args, in, &out, &errs); code != exitOK {
			t.Errorf("%v, told to end: exit code %d: %s", args, code, &errs)
		}
	}
}

func TestMCPRefusesSettingsThatMakeNoSense(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--http", "nowhere"}, "host:port"},
		{[]string{"--tokens", "tokens.txt"}, "--http"},
		{[]string{"--max-tables", "0"}, "max_tables"},
		{[]string{"stdio"}, "stdio"},
	} {
		var out, errs bytes.Buffer
		if code := run(t.Context(), append([]string{"mcp"}, c.args...), strings.NewReader(""), &out, &errs); code != exitUsage || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%v: exit code %d: %s", c.args, code, &errs)
		}
	}
}
