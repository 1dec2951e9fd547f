package enginetest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine/kit/clauses"
)

// Clause names the clauses of RULES.md that a test proves: it would fail if
// one of them did not hold. It is called with literal ids, which Clauses finds in the source.
func Clause(t testing.TB, ids ...string) {
	t.Helper()
	if len(ids) == 0 {
		t.Fatal("Clause names no clause")
	}
	for _, id := range ids {
		if !clauses.IsID(id) {
			t.Errorf("clause %q: want an id like MOV-4", id)
		}
	}
}

// Clauses fails for each clause of rules (the text of a RULES.md) that no test
// in the package folder dir names by a call of Clause, for each id named that
// the rules do not have, and for ids used twice.
func Clauses(t testing.TB, rules, dir string) {
	t.Helper()
	faults, err := clauseFaults(rules, dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		t.Error(f)
	}
}

func clauseFaults(rules, dir string) ([]string, error) {
	var faults []string
	written := map[string]bool{}
	for _, c := range clauses.Parse(rules) {
		if written[c.ID] {
			faults = append(faults, fmt.Sprintf("clause %s is written twice", c.ID))
		}
		written[c.ID] = true
	}
	if len(written) == 0 {
		return nil, fmt.Errorf("the rules have no clause: want list items that open like - **MOV-4**")
	}
	named, err := namedClauses(dir)
	if err != nil {
		return nil, err
	}
	for id, where := range named {
		if !written[id] {
			faults = append(faults, fmt.Sprintf("%s names clause %s, which the rules do not have", where, id))
		}
	}
	for id := range written {
		if _, ok := named[id]; !ok {
			faults = append(faults, fmt.Sprintf("no test names clause %s", id))
		}
	}
	sort.Strings(faults)
	return faults, nil
}

// namedClauses maps each id that a test in dir names to where it is named.
func namedClauses(dir string) (map[string]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	named := map[string]string{}
	for _, file := range files {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("look for clauses: %w", err)
		}
		suite := importName(f)
		if suite == "" {
			continue
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil || fn.Recv != nil || !strings.HasPrefix(fn.Name.Name, "Test") {
				continue
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || !isClause(call.Fun, suite) || err != nil {
					return true
				}
				for _, arg := range call.Args[1:] {
					lit, ok := arg.(*ast.BasicLit)
					if !ok || lit.Kind != token.STRING {
						err = fmt.Errorf("%s: Clause takes ids as string literals, so that they can be found", fset.Position(arg.Pos()))
						return true
					}
					id, _ := strconv.Unquote(lit.Value)
					named[id] = fn.Name.Name
				}
				return true
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return named, nil
}

// importName is how a file calls this package, or "" if it does not import it.
func importName(f *ast.File) string {
	for _, imp := range f.Imports {
		path, _ := strconv.Unquote(imp.Path.Value)
		if !strings.HasSuffix(path, "/engine/enginetest") {
			continue
		}
		if imp.Name != nil {
			return imp.Name.Name
		}
		return "enginetest"
	}
	return ""
}

func isClause(fun ast.Expr, suite string) bool {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Clause" {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return ok && pkg.Name == suite
}

// Cited fails for each clause of rules (the text of a RULES.md) that no comment in the game's code in folder dir
// cites, and for each cited there that the rules do not have. The comment of a function that carries out a
// rule says so in its last line:
//
//	// Clauses MOV-5, WAT-11.
func Cited(t testing.TB, rules, dir string) {
	t.Helper()
	faults, err := citationFaults(rules, dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		t.Error(f)
	}
}

func citationFaults(rules, dir string) ([]string, error) {
	cited, err := citedClauses(dir)
	if err != nil {
		return nil, err
	}
	var faults []string
	chapters, written := map[string]bool{}, map[string]bool{}
	for _, c := range clauses.Parse(rules) {
		chapter, _, _ := strings.Cut(c.ID, "-")
		chapters[chapter], written[c.ID] = true, true
		if cited[c.ID] == "" {
			faults = append(faults, fmt.Sprintf("no code cites clause %s: name it in the comment of the function that carries it out", c.ID))
		}
	}
	for id, where := range cited {
		if chapter, _, _ := strings.Cut(id, "-"); chapters[chapter] && !written[id] {
			faults = append(faults, fmt.Sprintf("%s cites clause %s, which the rules do not have", where, id))
		}
	}
	sort.Strings(faults)
	return faults, nil
}

// citedClauses maps each id in a comment of the code in dir, except tests, to where it stands.
func citedClauses(dir string) (map[string]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	cited := map[string]string{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("look for clauses: %w", err)
		}
		for _, group := range f.Comments {
			for _, c := range group.List {
				for _, word := range strings.FieldsFunc(c.Text, func(r rune) bool { return strings.ContainsRune(" \t\n.,:;()/", r) }) {
					if clauses.IsID(word) && cited[word] == "" {
						cited[word] = fset.Position(c.Pos()).String()
					}
				}
			}
		}
	}
	return cited, nil
}
