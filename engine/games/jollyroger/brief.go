package jollyroger

import "github.com/privateer-rl/privateer/engine"

// brief are the clauses that tell a stranger how a configuration is played, what matters most first.
func brief(c engine.Config) []string {
	ids := []string{
		"END-4", "END-1", "ROUND-1", "ROUND-2", "ROUND-4", "ROUND-5", "ROUND-6", // a round, and what for
		"ATT-7", "ATT-1", "ATT-2", "ATT-4", "ATT-12", "PRZ-1", "PRZ-2", "PRZ-3", // attacks and their prizes
		"MUT-1", "MUT-4", "MUT-6", "MUT-10", "MUT-11", "MUT-13", "MUT-14", "MUT-15", // mutinies
		"PUN-1", "PUN-3", "PUN-4", "PORT-1", "PORT-3", "PORT-4", "PORT-5", "ISL-1", "ISL-4", "ISL-5", // the rest of a voyage
	}
	if c.Get("seats") == "3" {
		ids = append(ids, "VAR-6", "VAR-8")
	}
	if c.Has("variants", "hidden_prizes") {
		ids = append(ids, "VAR-1", "VAR-3")
	}
	if c.Has("variants", "captains_gold") {
		ids = append(ids, "VAR-5")
	}
	switch c.Get("bribes") {
	case bribeNames[gifts]:
		ids = append(ids, "BRB-2", "BRB-3", "BRB-7")
	case bribeNames[talk]:
		ids = append(ids, "BRB-2", "BRB-3", "BRB-5", "BRB-7")
	}
	return append(ids, "SPC-15", "SPC-17", "SPC-18", "SPC-8", "SPC-13", "SPC-21", "SPC-4", "SPC-6", "SPC-10", "SPC-16", "HAND-1", "END-2", "END-5")
}
