package doubloons

import "github.com/privateer-rl/privateer/engine"

// brief are the clauses that tell a stranger how a configuration is played, what matters most first.
func brief(c engine.Config) []string {
	ids := []string{
		"END-7", "END-1", "END-2", "END-3", "END-4", "END-5", "END-6", // what counts
		"RND-1", "RND-8", "ACT-1", "ACT-2", "MOV-1", "MOV-2", "MOV-5", "MOV-8", // a round
		"PIL-1", "PHASE-1", "FWD-1", "BRD-1", "DIE-1", "REP-1", "REP-2", "BOA-1", "ORB-1", "HUNT-1", "HUNT-7", // actions
	}
	if c.Has("modules", moduleNames[AlternateIsland]) {
		ids = append(ids, "ISL-9", "ISL-12", "CRATER-1", "CRATER-3", "CRATER-9", "CRATER-11", "SCORE-20", "SCORE-21", "RUIN-1", "RUIN-8", "RUIN-9", "DUEL-1")
	} else {
		ids = append(ids, "ADV-1", "ADV-4", "EXP-1", "DIG-1", "DIG-2", "CAP-1")
	}
	ids = append(ids, "CAP-2", "CAP-3", "GHOST-1", "GHOST-2", "GHOST-8", "GHOST-12", "CREW-2", "CREW-3", "CREW-5")
	for _, of := range []struct {
		module Module
		ids    []string
	}{
		{AdvancedScoring, []string{"PRIZE-1", "PRIZE-2", "PRIZE-3", "PRIZE-4", "PRIZE-6"}},
		{BlackJewel, []string{"BLACK-11", "BLACK-3", "BLACK-4", "BLACK-5"}},
		{Compass, []string{"COMP-2", "COMP-3", "COMP-4"}},
		{LegendaryShip, []string{"LEG-6", "LEG-10", "LEG-12"}},
		{StealShip, []string{"STEAL-1", "STEAL-3", "STEAL-10"}},
	} {
		if c.Has("modules", moduleNames[of.module]) {
			ids = append(ids, of.ids...)
		}
	}
	return append(ids, "RND-5", "GOLD-1", "GOLD-4", "DRAFT-3", "CLEAN-4")
}
