package encode

import (
	"unsafe"

	"github.com/privateer-rl/privateer/engine/jollyroger"
)

// pirateRow is an observation of Jolly Roger as a seat has it: a byte or bytes for each
// group, in the order in which declareJollyRoger declares them; see doubloonsRow.
type pirateRow struct {
	players      [jollyroger.MaxSeats - jollyroger.MinSeats + 1]uint8
	hiddenPrizes uint8
	captainsGold uint8
	bribes       [pirateBribes]uint8
	limit        uint8
	phase        [jollyroger.NumPhases]uint8
	round        uint8

	destination [jollyroger.NumDestinations]uint8
	target      [jollyroger.NumCards]uint8
	needs       [jollyroger.NumSkills]uint8
	wins        uint8
	barred      uint8
	chart       uint8
	left        [jollyroger.NumCards]uint8
	stackCards  [jollyroger.NumDestinations]uint8
	targets     [pirateTargets]targetRow
	ports       [2]uint8

	played   [jollyroger.NumCrew]uint8
	strength forceRow

	tried       uint8
	interrupted uint8
	role        [pirateSides]uint8
	crewmen     [pirateSides]uint8
	sides       [pirateSides][jollyroger.NumCrew]uint8
	passes      uint8

	deck    uint8
	discard [jollyroger.NumCrew]uint8
	unseen  [jollyroger.NumCrew]uint8
	old     [jollyroger.NumCrew]uint8

	prizesLeft   uint8
	prizesOut    [jollyroger.NumPrizes]uint8
	prizesUnseen [jollyroger.NumPrizes]uint8
	spoils       [jollyroger.NumPrizes]uint8
	spoilsLeft   uint8
	offer        [jollyroger.NumCrew]uint8
	offerPrizes  [jollyroger.NumPrizes]uint8

	hand   [jollyroger.NumCrew]uint8
	skills forceRow
	men    uint8

	seats [jollyroger.MaxSeats]pirateSeatRow

	known       [jollyroger.NumCrew][pirateOthers]uint8
	knownPrizes [jollyroger.NumPrizes][pirateOthers]uint8
	knownSpoils [jollyroger.NumPrizes]uint8

	kind     [jollyroger.NumAsks]uint8
	window   [jollyroger.NumWindows]uint8
	moment   [jollyroger.NumMoments]uint8
	side     [pirateSides]uint8
	settings [pirateSettings]uint8
	trade    [2]uint8
	flight   [pirateFlights]uint8
	card     [jollyroger.NumCrew]uint8
	by       [2]uint8
	killed   [pirateSides]uint8
}

// targetRow is what the cards that are left of a prize target have between them.
type targetRow struct {
	prizes [2]uint8 // fewest and most
	needs  [jollyroger.NumSkills][2]uint8
}

// forceRow is what crew cards bring to an attack: navigation, guns, melee, and cards of
// any skill.
type forceRow [jollyroger.NumSkills + 1]uint8

// pirateSeatRow is a player.
type pirateSeatRow struct {
	present       uint8
	captain       uint8
	quartermaster uint8
	mutineer      uint8
	guard         uint8
	side          [pirateSides]uint8
	hand          uint8
	fresh         uint8
	prizes        [jollyroger.NumPrizes]uint8
	prizeCards    uint8
	buried        [jollyroger.NumPrizes]uint8
	buriedCards   uint8
	split         uint8
	says          [jollyroger.NumPhrases]uint8
	saysTo        [jollyroger.MaxSeats]uint8
	decides       uint8
	concerned     uint8
	asked         uint8
	aimed         uint8
}

// pirateFull is an observation of the full view.
type pirateFull struct {
	seat      pirateRow
	others    [pirateOthers]pirateHidden
	deck      [jollyroger.NumCrew]uint8
	pool      [jollyroger.NumCrew]uint8
	prizeDeck [jollyroger.NumPrizes]uint8
	spoils    [jollyroger.NumPrizes]uint8
	kind      [jollyroger.NumAsks]uint8
}

// pirateHidden is what a player hides from another.
type pirateHidden struct {
	hand    [jollyroger.NumCrew]uint8
	prizes  [jollyroger.NumPrizes]uint8
	buried  [jollyroger.NumPrizes]uint8
	decides uint8
}

// pirateRowOf reads an observation as its groups; dst is [Schema().Size].
func pirateRowOf(dst []uint8) *pirateRow {
	return (*pirateRow)(unsafe.Pointer((*[unsafe.Sizeof(pirateRow{})]uint8)(dst)))
}

// pirateFullOf reads an observation of the full view; dst is [FullSchema().Size].
func pirateFullOf(dst []uint8) *pirateFull {
	return (*pirateFull)(unsafe.Pointer((*[unsafe.Sizeof(pirateFull{})]uint8)(dst)))
}
