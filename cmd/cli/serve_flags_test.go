package cli

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/serve"
)

// Every setting has a flag and a name in YAML, and both are the same.
func TestEverySettingOfTheServerHasAFlag(t *testing.T) {
	flags := newServe().Flags()
	settings := reflect.TypeOf(serve.Config{})
	for i := range settings.NumField() {
		name := settings.Field(i).Tag.Get("yaml")
		if name == "" || flags.Lookup(strings.ReplaceAll(name, "_", "-")) == nil {
			t.Errorf("the setting %s has no flag", settings.Field(i).Name)
		}
	}
	if n := settings.NumField() + 3; len(strings.Split(flags.FlagUsages(), "\n"))-1 != n {
		t.Errorf("the flags are not the %d settings, --config, --attended and --shared-memory", settings.NumField())
	}
}

func TestServeRefusesUnknownNamesInItsFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "serve.yaml")
	for text, want := range map[string]string{"adr: 127.0.0.1:1\n": "adr", "lease: soon\n": "30s", "addr: x:1\nworkers: ten\n": `line 2: workers: want a whole number, not "ten"`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := serve.LoadConfig(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
