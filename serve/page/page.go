// Package page is the page to play on, as the files that a browser loads: from a server (package serve), or from any
// folder of static files with the program itself compiled to WebAssembly. What page and program say to each other is in
// package table.
//
// The file backend.js says who answers the page: Files has the one that asks the server that the page came from. A page without
// a server replaces it by one of its own that exports the same connect function.
package page

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed files
var files embed.FS

// Policy is the Content-Security-Policy of the page: everything comes from where the page came from, and nothing else.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Files are the files of the page: index.html and what it loads.
func Files() fs.FS {
	own, err := fs.Sub(files, "files")
	if err != nil {
		panic("page: " + err.Error()) // the folder is embedded
	}
	return own
}

// Player is the part of the page that shows a replay, as a script that is no module, for pages that are one file.
func Player() (string, error) {
	script, err := files.ReadFile("files/replay.js")
	return strings.ReplaceAll(string(script), "export ", ""), err
}
