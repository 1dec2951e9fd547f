// Package version says which version of privateer a program is. It imports nothing, so that small programs can say it too.
package version

import "runtime/debug"

// release is set by the linker in programs that are published: -X github.com/privateer-rl/privateer/serve/version.release=v1.2.3.
var release string

const module = "github.com/privateer-rl/privateer"

// Build is the version and the revision of privateer that this program was built from, as
// far as it knows them; a program of another module has its version of this one.
func Build() (version, revision string) {
	version, revision = "(devel)", "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == module && m.Replace == nil && m.Version != "" {
				version = m.Version
			}
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && info.Main.Path == module {
				revision = s.Value
			}
		}
	}
	if release != "" {
		version = release
	}
	return version, revision
}
