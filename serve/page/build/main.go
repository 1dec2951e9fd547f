// Command build writes the page that needs no server into a folder, from which any host of static files can send it:
//
//	go run ./serve/page/build --out .build/static --policies captain.bundle,pirate.bundle
//
// It is run in the root of the repository, and needs xz besides Go.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/serve/page"
)

// csp is the page's policy of contents for a page that has it in itself, and runs WebAssembly. A page of a server has it in
// a header, where alone frame-ancestors can stand.
var csp = strings.NewReplacer("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'", "; frame-ancestors 'none'", "").Replace(page.Policy)

func main() {
	out := flag.String("out", ".build/static", "folder to write; what it had is removed")
	policies := flag.String("policies", "", "bundles of policies to play against, joined by commas")
	wasm := flag.String("wasm", "", "the program, if it is compiled already")
	flag.Parse()
	b := &folder{out: *out, sizes: map[string]int{}}
	if err := b.write(*wasm, strings.FieldsFunc(*policies, func(r rune) bool { return r == ',' || r == ' ' })); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
	b.report()
}

// folder is what is written.
type folder struct {
	out   string
	sizes map[string]int
}

func (b *folder) write(wasm string, policies []string) error {
	if err := os.RemoveAll(b.out); err != nil {
		return err
	}
	return errors.Join(b.page(), b.module(), b.program(wasm), b.policies(policies))
}

// page writes the page itself: that of a server, with the policy of contents and with another backend.
func (b *folder) page() error {
	err := fs.WalkDir(page.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(page.Files(), name)
		if err != nil {
			return err
		}
		if name == "index.html" {
			if data, err = withPolicy(data); err != nil {
				return err
			}
		}
		return b.put(name, data)
	})
	for _, name := range []string{"backend.js", "worker.js", "unpack.js"} {
		err = errors.Join(err, b.copy(filepath.Join("serve", "page", "static", name), name))
	}
	return err
}

// withPolicy is the page with its policy of contents in it.
func withPolicy(index []byte) ([]byte, error) {
	const head = "<head>\n<meta charset=\"utf-8\">\n"
	if !bytes.Contains(index, []byte(head)) {
		return nil, errors.New("index.html does not begin as it did: where does the policy of contents go?")
	}
	return bytes.Replace(index, []byte(head), []byte(head+"<meta http-equiv=\"Content-Security-Policy\" content=\""+csp+"\">\n"), 1), nil
}

// module writes the JavaScript that reads bundles, for frontends of others.
func (b *folder) module() error {
	names, err := filepath.Glob("serve/page/js/*")
	for _, name := range names {
		err = errors.Join(err, b.copy(name, "js/"+filepath.Base(name)))
	}
	return err
}

// quick are the packages whose functions are compiled into those that call them, as is usual: those in which bots think.
var quick = []string{"encode", "encode/infer", "engine", "engine/portable", "engine/players/search", "engine/games/doubloons/observe", "engine/games/jollyroger/observe"}

// inlining are the flags that leave it out in all other packages: packed, the program is a seventh smaller.
func inlining() []string {
	flags := []string{"-gcflags=all=-l"}
	for _, name := range quick {
		flags = append(flags, "-gcflags=github.com/privateer-rl/privateer/"+name+"=")
	}
	return flags
}

// program compiles the program, unless that is done, and packs it.
func (b *folder) program(wasm string) error {
	if wasm == "" {
		wasm = filepath.Join(b.out, "privateer.wasm")
		defer os.Remove(wasm)
		compile := exec.Command("go", slices.Concat([]string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w"}, inlining(), []string{"-o", wasm, "./serve/page/wasm"})...)
		compile.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
		if said, err := compile.CombinedOutput(); err != nil {
			return fmt.Errorf("go build: %w: %s", err, said)
		}
	}
	pack := exec.Command("xz", "--format=lzma", "-9e", "--keep", "--stdout", wasm)
	pack.Stderr = os.Stderr
	packed, err := pack.Output()
	if err != nil {
		return fmt.Errorf("pack the program: %w: it takes xz: apt-get install xz-utils", err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	return errors.Join(b.put("privateer.wasm.lzma", packed), b.copy(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"), "wasm_exec.js"))
}

// listed is a policy in policies.json.
type listed struct {
	Name string `json:"name"`
	Game string `json:"game"`
	File string `json:"file"`
}

func (b *folder) policies(paths []string) error {
	list := []listed{}
	for _, path := range paths {
		policy, err := bundle.Load(path)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.Base(path), bundle.Ext)
		// The digest is in the name, so that no cache keeps an old one.
		to := fmt.Sprintf("policies/%s.%s%s", name, policy.Digest(), bundle.Ext)
		if slices.ContainsFunc(list, func(p listed) bool { return p.Name == name }) {
			return fmt.Errorf("two policies are called %s: rename one file", name)
		}
		list = append(list, listed{name, policy.Name, to})
		if err := b.copy(path, to); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	return b.put("policies.json", append(text, '\n'))
}

func (b *folder) copy(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return b.put(to, data)
}

func (b *folder) put(name string, data []byte) error {
	path := filepath.Join(b.out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	b.sizes[name] = len(data)
	return os.WriteFile(path, data, fs.FileMode(0o644))
}

// report says what a visitor loads.
func (b *folder) report() {
	names, sum := []string{}, 0
	for name, size := range b.sizes {
		names, sum = append(names, name), sum+size
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Printf("%9d  %s\n", b.sizes[name], name)
	}
	fmt.Printf("%9d  bytes in %s, as a host sends them that compresses nothing\n", sum, b.out)
}
