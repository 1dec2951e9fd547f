// Command build writes a folder: the npm package, or the page that needs no server, whose folder privateer is that package:
//
//	go run ./serve/page/build --npm --out .build/npm --policies captain.bundle,pirate.bundle
//	go run ./serve/page/build --out .build/static --policies captain.bundle,pirate.bundle
//
// Any host of static files can send the page. It is run in the root of the repository, and needs xz besides Go.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
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
	npm := flag.Bool("npm", false, "write the npm package alone")
	policies := flag.String("policies", "", "bundles of policies to play against, joined by commas")
	wasm := flag.String("wasm", "", "the program, if it is compiled already")
	flag.Parse()
	b := &folder{out: *out, module: "privateer", sizes: map[string]int{}}
	if *npm {
		b.module = "."
	}
	if err := b.write(*wasm, strings.FieldsFunc(*policies, func(r rune) bool { return r == ',' || r == ' ' })); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
	b.report()
}

// folder is the folder to write.
type folder struct {
	out    string
	module string // the folder in it that has the JavaScript module, "." for the npm package
	sizes  map[string]int
}

func (b *folder) write(wasm string, policies []string) error {
	if err := os.RemoveAll(b.out); err != nil {
		return err
	}
	version, err := release()
	if err != nil {
		return err
	}
	rest := b.page
	if b.module == "." {
		rest = func() error { return b.npm(version) }
	}
	return errors.Join(rest(), b.scripts(), b.program(wasm, version), b.files(version, policies))
}

// release is the version that the next release has, or the last one had.
func release() (string, error) {
	const home = "serve/python/privateer/version.py"
	text, err := os.ReadFile(home)
	if err != nil {
		return "", err
	}
	found := regexp.MustCompile(`__version__ = "([^"]+)"`).FindSubmatch(text)
	if found == nil {
		return "", fmt.Errorf("%s has no version", home)
	}
	return string(found[1]), nil
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
	for _, name := range []string{"backend.js", "worker.js"} {
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

// source has the JavaScript of the module, and what the npm package has besides.
const source = "serve/page/js"

// scripts writes the JavaScript of the module with its types.
func (b *folder) scripts() error {
	var err error
	for _, name := range []string{"index.js", "index.d.ts", "policy.js", "policy.d.ts", "unpack.js"} {
		err = errors.Join(err, b.copy(path.Join(source, name), path.Join(b.module, name)))
	}
	return err
}

// npm writes the other files of the npm package.
func (b *folder) npm(version string) error {
	text, err := os.ReadFile(path.Join(source, "package.json"))
	if err != nil {
		return err
	}
	const unset = `"version": "0.0.0"`
	if !bytes.Contains(text, []byte(unset)) {
		return fmt.Errorf("package.json has no %s, in whose place the version belongs", unset)
	}
	err = b.put("package.json", bytes.Replace(text, []byte(unset), fmt.Appendf(nil, `"version": %q`, version), 1))
	examples, globErr := filepath.Glob(source + "/examples/*")
	for _, name := range examples {
		err = errors.Join(err, b.copy(name, "examples/"+filepath.Base(name)))
	}
	return errors.Join(err, globErr, b.copy(path.Join(source, "README.md"), "README.md"), b.copy("LICENSE", "LICENSE"), b.licences())
}

// licences writes those of what the program is made of besides this module: Go and its packages.
func (b *folder) licences() error {
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}", "./serve/page/wasm")
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	said, err := list.Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	root, err := goroot()
	if err != nil {
		return err
	}
	modules := append([]string{"go.dev " + root}, strings.Split(strings.TrimSpace(string(said)), "\n")...)
	slices.Sort(modules)
	var all bytes.Buffer
	for _, m := range slices.Compact(modules) {
		name, dir, _ := strings.Cut(m, " ")
		text, err := os.ReadFile(filepath.Join(dir, "LICENSE"))
		if err != nil {
			return fmt.Errorf("the licence of %s: %w", name, err)
		}
		fmt.Fprintf(&all, "%s\n\n%s\n\n", name, bytes.TrimSpace(text))
	}
	return b.put("LICENSES", all.Bytes())
}

func goroot() (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return strings.TrimSpace(string(root)), nil
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

// program compiles the program, unless that is done, and packs it. It writes Go's own JavaScript too, as a module that leaves the page's
// global objects alone.
func (b *folder) program(wasm, version string) error {
	if wasm == "" {
		wasm = filepath.Join(b.out, "privateer.wasm")
		defer os.Remove(wasm)
		link := "-ldflags=-s -w -X github.com/privateer-rl/privateer/serve/version.release=v" + version
		compile := exec.Command("go", slices.Concat([]string{"build", "-trimpath", "-buildvcs=false", link}, inlining(), []string{"-o", wasm, "./serve/page/wasm"})...)
		compile.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
		if said, err := compile.CombinedOutput(); err != nil {
			return fmt.Errorf("go build: %w: %s", err, said)
		}
	}
	compiled, err := os.ReadFile(wasm)
	if err != nil {
		return err
	}
	if compiled, err = joined(compiled); err != nil {
		return fmt.Errorf("%s: %w", wasm, err)
	}
	pack := exec.Command("xz", "--format=lzma", "-9e", "--stdout")
	pack.Stdin, pack.Stderr = bytes.NewReader(compiled), os.Stderr
	packed, err := pack.Output()
	if err != nil {
		return fmt.Errorf("pack the program: %w: it takes xz: apt-get install xz-utils", err)
	}
	root, err := goroot()
	if err != nil {
		return err
	}
	script, err := os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	wrapped := fmt.Sprintf("export default globalThis => {\nconst { crypto } = globalThis;\n%s\nreturn globalThis.Go;\n};\n", script)
	return errors.Join(b.put(path.Join(b.module, "privateer.wasm.lzma"), packed), b.put(path.Join(b.module, "wasm_exec.js"), []byte(wrapped)))
}

// files writes policies, and the script that says what lies beside it: bundlers find files by such lines.
func (b *folder) files(version string, policies []string) error {
	var names []string
	var script strings.Builder
	fmt.Fprintf(&script, "// What lies beside this file.\nexport const version = %q;\n", version)
	fmt.Fprintf(&script, "export const wasm = new URL(%q, import.meta.url);\nexport const policies = [\n", "./privateer.wasm.lzma")
	for _, from := range policies {
		policy, err := bundle.Load(from)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.Base(from), bundle.Ext)
		if slices.Contains(names, name) {
			return fmt.Errorf("two policies are called %s: rename one file", name)
		}
		names = append(names, name)
		// The digest is in the name, so that no cache keeps an old one.
		file := fmt.Sprintf("%s.%s%s", name, policy.Digest(), bundle.Ext)
		fmt.Fprintf(&script, "  {name: %q, game: %q, file: %q, url: new URL(%q, import.meta.url)},\n", name, policy.Name, file, "./policies/"+file)
		if err := b.copy(from, path.Join(b.module, "policies", file)); err != nil {
			return err
		}
	}
	script.WriteString("];\n")
	return b.put(path.Join(b.module, "files.js"), []byte(script.String()))
}

func (b *folder) copy(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return b.put(to, data)
}

func (b *folder) put(name string, data []byte) error {
	to := filepath.Join(b.out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	b.sizes[name] = len(data)
	return os.WriteFile(to, data, fs.FileMode(0o644))
}

// report lists the files that a visitor loads.
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
