package portable_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestNoProductIsLeftToTheCompilerToFuse(t *testing.T) {
	packages, exports := listed(t)
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, p := range packages {
		if strings.HasSuffix(p.ImportPath, "/learnertest") { // computes for tests alone
			continue
		}
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		faults, err := unportable(fset, imports, p.ImportPath, files)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range faults {
			t.Error(fault)
		}
	}
	if len(packages) < 20 {
		t.Errorf("only %d packages were looked at", len(packages))
	}
}

func TestProductsThatCouldBeFusedAreFound(t *testing.T) {
	const source = `package p
import "math"
type metres float64
func f() float64 { return 1 }
func g(a, b, c float64, x []float32, i, j int, m metres) (d float64) {
	d = a*b + c           // line 6
	d = float64(a*b) + c
	d = c - f()*b         // line 8
	t := a * b            // line 9
	d = t + c
	d *= b                // line 11
	d = float64(d*b) + (a * b) // line 12
	d = g(a*b, a, a, x, i*j, 0, m) // line 13
	d = a*b*c/2 + float64((a*b)/c)
	if a*b < c { d = 2 * 3.0 }
	x[0] += x[1] * x[2]   // line 16
	x[0] += float32(x[1] * x[2])
	d += float64(x[1] * x[2]) // line 18: a float32 might stay unrounded
	i = int(a * b) + i*j
	m = m*m + m           // line 20
	m = metres(m*m) - m
	d = math.Exp(math.Sqrt(a)) // line 22
	h := math.Pow         // line 23
	d = -(a * b)          // line 24
	d = a / 2 + math.Float64frombits(math.Float64bits(math.Abs(h(a, b))))
	return a * f()        // line 26
}`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	_, exports := listed(t)
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	faults, err := unportable(fset, imports, "p", []*ast.File{f})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, fault := range faults {
		lines = append(lines, strings.Split(fault, ":")[1])
	}
	if got := strings.Join(lines, " "); got != "6 8 9 11 12 13 16 18 20 22 23 24 26" {
		t.Errorf("found in lines %s:\n%s", got, strings.Join(faults, "\n"))
	}
}

// listing is what go list says of a package.
type listing struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	DepOnly                 bool
}

// listed are the packages of the module, and the compiled form of whatever they import.
func listed(t *testing.T) (packages []listing, exports map[string]string) {
	t.Helper()
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,DepOnly", "github.com/privateer-rl/privateer/...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	exports = map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listing
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages, exports
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if !p.DepOnly {
			packages = append(packages, p)
		}
	}
}

// exact are the functions of package math that have one right result, which they give
// on every machine.
var exact = []string{
	"Abs", "Ceil", "Copysign", "Float32bits", "Float32frombits", "Float64bits", "Float64frombits", "Floor", "Frexp", "Inf", "IsInf", "IsNaN", "Ldexp",
	"Max", "Min", "Mod", "Modf", "NaN", "Nextafter", "Nextafter32", "Round", "RoundToEven", "Signbit", "Sqrt", "Trunc",
}

// unportable names the places at which a package computes what other machines may compute
// differently.
func unportable(fset *token.FileSet, imports types.Importer, path string, files []*ast.File) ([]string, error) {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	if _, err := (&types.Config{Importer: imports}).Check(path, fset, files, info); err != nil {
		return nil, err
	}
	var faults []string
	report := func(n ast.Node, format string, args ...any) {
		faults = append(faults, fmt.Sprintf("%s: ", fset.Position(n.Pos()))+fmt.Sprintf(format, args...))
	}
	for _, f := range files {
		var path []ast.Node // from the file down to the node
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil {
				path = path[:len(path)-1]
				return true
			}
			path = append(path, n)
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if t := floating(info, n); n.Op == token.MUL && t != nil && !rounded(info, path, t) {
					report(n, "%s may be fused with an addition: write %s(%[1]s)", types.ExprString(n), t)
				}
			case *ast.AssignStmt:
				if t := floating(info, n.Lhs[0]); n.Tok == token.MUL_ASSIGN && t != nil {
					x := types.ExprString(n.Lhs[0])
					report(n, "%s *= … may be fused with an addition: write %[1]s = %s(%[1]s * …)", x, t)
				}
			case *ast.Ident:
				if use, ok := info.Uses[n].(*types.Func); ok && use.Pkg() != nil && use.Pkg().Path() == "math" && !slices.Contains(exact, use.Name()) {
					report(n, "math.%s is not the same to the last bit on every machine: write it with package portable", use.Name())
				}
			}
			return true
		})
	}
	return faults, nil
}

// floating is the type of a floating-point expression that is not a constant, otherwise nil.
func floating(info *types.Info, e ast.Expr) types.Type {
	tv := info.Types[e]
	if tv.Value != nil || tv.Type == nil {
		return nil
	}
	if b, ok := tv.Type.Underlying().(*types.Basic); !ok || b.Info()&(types.IsFloat|types.IsComplex) == 0 {
		return nil
	}
	return tv.Type
}

// rounded reports whether a product of type t, the last of path, is rounded before it can meet
// an addition: because it is converted, or is an operand of what is never fused. A quotient
// is never fused either, except one by a power of two, which the compiler turns into a product: that
// is exact, so that rounding it or not is the same.
func rounded(info *types.Info, path []ast.Node, t types.Type) bool {
	path = path[:len(path)-1]
	for len(path) > 0 {
		switch n := path[len(path)-1].(type) {
		case *ast.ParenExpr:
			path = path[:len(path)-1]
			continue
		case *ast.CallExpr:
			to := info.Types[n.Fun]
			if !to.IsType() {
				return false
			}
			b, ok := to.Type.Underlying().(*types.Basic)
			return types.Identical(to.Type, t) || ok && b.Info()&types.IsInteger != 0
		case *ast.BinaryExpr:
			switch n.Op {
			case token.MUL, token.QUO, token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
				return true
			}
		}
		return false
	}
	return false
}
