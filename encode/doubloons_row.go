package encode

import (
	"unsafe"

	"github.com/privateer-rl/privateer/engine/doubloons"
)

// doubloonsRow is an observation of the seat view: a byte or bytes for each group,
// in the order in which declareDoubloons declares them. A row of a batch is
// written through a pointer to it, at offsets that the compiler knows. Groups
// and fields are held against each other whenever an encoder is made: see builder.fits.
type doubloonsRow struct {
	players      [doubloons.MaxSeats - doubloons.MinSeats + 1]uint8
	edition      [maxEditions]uint8
	modules      [maxModules]uint8
	alternate    uint8
	phase        [doubloons.NumPhases]uint8
	slot         [doubloons.NumSlots]uint8
	round        uint8
	dug          uint8
	ending       uint8
	supply       uint8
	island       uint8
	pillage      uint8
	jewels       [doubloons.NumJewels]uint8
	mapFragments uint8
	mapUnseen    [doubloons.NumSymbols]uint8
	mapSpecials  [doubloons.NumSpecials]uint8
	crater       [2][doubloons.NumSymbols]uint8

	region       [doubloons.MaxRegions]uint8
	clockwise    uint8
	water        [doubloons.MaxRegions][boxWater]uint8
	beachTotems  [doubloons.MaxRegions][doubloons.NumSymbols]uint8
	regionShells [doubloons.MaxRegions][doubloons.NumSymbols]uint8

	tilesLaid [doubloons.NumLandmarks]uint8
	tilesNext [doubloons.NumLandmarks]uint8
	stacks    [doubloons.NumColours]uint8

	hand   [doubloons.NumCards]uint8
	hidden [doubloons.NumCards]uint8
	table  [doubloons.NumSlots]slotRow

	seats     [doubloons.MaxSeats]seatRow
	legendary shipRow

	kind         [maxKinds]uint8
	enemy        [relativeShips]uint8
	resolver     [relativeShips]uint8
	giver        [relativeShips]uint8
	tile         [doubloons.NumLandmarks]uint8
	colour       [doubloons.NumColours]uint8
	decisionSlot [doubloons.NumSlots]uint8
	symbol       [doubloons.NumSymbols]uint8
	face         [doubloons.NumFaces]uint8
	movesLeft    [cardMoves]uint8
	damage       uint8
	exploit      uint8

	module moduleRow
}

// slotRow is one of one's own programmed cards.
type slotRow struct {
	known uint8
	card  cardRow
	ready uint8
}

// cardRow is what an action card shows.
type cardRow struct {
	actions [doubloons.NumIcons]uint8
	moves   [cardMoves]uint8
	loot    [doubloons.NumLoot - 1]uint8
	captain uint8
}

// shipRow is what the legendary ghost ship has in common with the ships of seats.
type shipRow struct {
	present    uint8
	region     [doubloons.MaxRegions]uint8
	facing     uint8
	crew       [doubloons.MaxCrew]uint8
	reputation [doubloons.MaxLevel]uint8
	doubloons  uint8
	pillage    uint8
	fragments  [doubloons.NumSymbols]uint8
	jewels     [doubloons.NumJewels]uint8
	totems     [doubloons.NumSymbols]uint8
	shells     [doubloons.NumSymbols]uint8
}

// seatRow is a seat and its ship.
type seatRow struct {
	ship       shipRow
	captain    [doubloons.NumCaptains]uint8
	ghost      uint8
	hull       uint8
	orbs       uint8
	compasses  uint8
	place      placeRow
	track      uint8
	hand       uint8
	faceDown   uint8
	ability    uint8
	initiative uint8
	turn       uint8
	waiting    uint8
	acts       uint8
	decides    uint8
	advances   uint8
	struck     uint8
	boardable  uint8
	icons      [doubloons.NumIcons]uint8
	card       cardRow
}

// placeRow is where a captain is.
type placeRow struct {
	path     [pathColours]uint8
	step     uint8
	distance uint8
}

// doubloonsFull is an observation of the full view.
type doubloonsFull struct {
	seat   doubloonsRow
	others [doubloons.MaxSeats - 1]struct{ hand, programmed [doubloons.NumCards]uint8 }
	deck   [doubloons.NumCards]uint8
}

// row reads an observation as its groups; dst is [Schema().Size].
func row(dst []uint8) *doubloonsRow {
	return (*doubloonsRow)(unsafe.Pointer((*[unsafe.Sizeof(doubloonsRow{})]uint8)(dst)))
}

// fullRow reads an observation of the full view; dst is [FullSchema().Size].
func fullRow(dst []uint8) *doubloonsFull {
	return (*doubloonsFull)(unsafe.Pointer((*[unsafe.Sizeof(doubloonsFull{})]uint8)(dst)))
}
