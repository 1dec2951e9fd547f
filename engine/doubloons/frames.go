package doubloons

import "github.com/privateer-rl/privateer/engine/position"

// What a position calls the frames of the decision stack and their arguments.

// meaning is what an argument of a frame stands for, and so how it is written.
type meaning uint8

const (
	anAmount  meaning = iota // a number, from least to most
	aSeat                    // a seat
	someSeats                // a set of seats, written as a list
	aSlot                    // a card's slot, written from 1
	aRegion                  // a water region
	aTile                    // a landmark tile
	maybeTile                // a landmark tile, or "none"
	aColour                  // of a landmark stack
	aPlace                   // a location, or "exploit" or "exploit_replacement"
	aSymbol                  // of map fragments
	aFace                    // of the attack die
	aFlag                    // true or false
	aKind                    // the kind of another frame
)

type argument struct {
	name        string
	means       meaning
	least, most int // of an amount
}

// kindForm is how frames of a kind are written.
type kindForm struct {
	name   string
	seated bool // the frame belongs to a seat
	args   []argument
}

// landmarkDraw are the arguments that a draw of a landmark hands on from frame to
// frame: for which place, and whose choice its targets are.
var landmarkDraw = []argument{{"colour", aColour, 0, 0}, {"place", aPlace, 0, 0}, {"active", aSeat, 0, 0}}

// moves are the movement icons that are left.
var moves = []argument{{"sail", anAmount, 0, 2}, {"may_sail", anAmount, 0, 2}, {"turn", anAmount, 0, 2}, {"may_turn", anAmount, 0, 2}}

func with(list []argument, more ...argument) []argument {
	return append(list[:len(list):len(list)], more...)
}

var kindForms = [256]kindForm{
	AskCaptain:       {"ask_captain", true, nil},
	AskPlace:         {"ask_place", true, nil},
	AskSextant:       {"ask_sextant", true, nil},
	AskSextantOwn:    {"ask_sextant_own", true, []argument{{"enemy", aSeat, 0, 0}}},
	AskSextantTheirs: {"ask_sextant_theirs", true, []argument{{"enemy", aSeat, 0, 0}, {"own", aSymbol, 0, 0}}},
	AskProgram:       {"ask_program", true, []argument{{"slot", aSlot, 0, 0}}},
	AskMove:          {"ask_move", true, moves},
	AskAction:        {"ask_action", true, []argument{{"slot", aSlot, 0, 0}}},
	AskHighWater:     {"ask_high_water", true, []argument{{"damage", anAmount, 1, 3}}},
	AskReroll:        {"ask_reroll", true, []argument{{"face", aFace, 0, 0}, {"hit", someSeats, 0, 0}}},
	AskBoard:         {"ask_board", true, []argument{{"slot", aSlot, 0, 0}}},
	AskStealFragment: {"ask_steal_fragment", true, []argument{{"enemy", aSeat, 0, 0}}},
	AskStealJewel:    {"ask_steal_jewel", true, []argument{{"enemy", aSeat, 0, 0}}},
	AskHunt:          {"ask_hunt", true, nil},
	AskPath:          {"ask_path", true, nil},
	AskStack:         {"ask_stack", true, nil},
	AskDrawTwo:       {"ask_draw_two", true, landmarkDraw},
	AskKeep:          {"ask_keep", true, with(landmarkDraw, argument{"first", aTile, 0, 0}, argument{"second", aTile, 0, 0})},
	AskExploit:       {"ask_exploit", true, []argument{{"tile", aTile, 0, 0}}},
	AskPay:           {"ask_pay", true, []argument{{"tile", aTile, 0, 0}}},
	AskHut:           {"ask_hut", true, []argument{{"resolver", aSeat, 0, 0}}},
	AskHutMove:       {"ask_hut_move", true, []argument{{"enemy", aSeat, 0, 0}, {"may_sail", aFlag, 0, 0}, {"may_turn", aFlag, 0, 0}, {"moved", aFlag, 0, 0}}},
	AskGiver:         {"ask_giver", true, []argument{{"tile", aTile, 0, 0}, {"resolver", aSeat, 0, 0}}},
	AskReceiver:      {"ask_receiver", true, []argument{{"tile", aTile, 0, 0}, {"giver", aSeat, 0, 0}, {"resolver", aSeat, 0, 0}}},
	AskGive:          {"ask_give", true, []argument{{"receiver", aSeat, 0, 0}}},
	AskCompass:       {"ask_compass", true, []argument{{"slot", aSlot, 0, 0}}},
	AskMystic:        {"ask_mystic", true, []argument{{"resolver", aSeat, 0, 0}}},
	AskBlackJewel:    {"ask_black_jewel", true, nil},

	AskTotem:       {"ask_totem", true, nil},
	AskDuel:        {"ask_duel", true, nil},
	AskDuelReroll:  {"ask_duel_reroll", true, []argument{{"face", aFace, 0, 0}, {"rival", aSeat, 0, 0}}},
	AskStealTotem:  {"ask_steal_totem", true, []argument{{"rival", aSeat, 0, 0}}},
	AskShell:       {"ask_shell", true, nil},
	AskStealShell:  {"ask_steal_shell", true, []argument{{"victims", someSeats, 0, 0}}},
	AskPlaceTotem:  {"ask_place_totem", true, []argument{{"symbol", aSymbol, 0, 0}}},
	AskPlaceShell:  {"ask_place_shell", true, []argument{{"symbol", aSymbol, 0, 0}}},
	AskBeach:       {"ask_beach", true, nil},
	AskRelicSwap:   {"ask_relic_swap", true, []argument{{"tile", aTile, 0, 0}}},
	AskRelicOwn:    {"ask_relic_own", true, []argument{{"tile", aTile, 0, 0}, {"enemy", aSeat, 0, 0}}},
	AskRelicTheirs: {"ask_relic_theirs", true, []argument{{"tile", aTile, 0, 0}, {"enemy", aSeat, 0, 0}, {"own", aSymbol, 0, 0}}},

	AskPlaceLegendary: {"ask_place_legendary", true, nil},
	AskGiveLegendary:  {"ask_give_legendary", true, []argument{{"receiver", aSeat, 0, 0}}},

	RollInitiative: {"roll_initiative", false, nil},
	DrawWater:      {"draw_water", false, []argument{{"region", aRegion, 0, 0}}},
	DealFragment:   {"deal_fragment", true, nil},
	DrawCard:       {"draw_card", true, nil},
	RollDie:        {"roll_die", true, []argument{{"hit", someSeats, 0, 0}, {"again", aFlag, 0, 0}}},
	DrawMap:        {"draw_map", true, nil},
	DrawLandmark:   {"draw_landmark", true, with(landmarkDraw, argument{"first", maybeTile, 0, 0}, argument{"two", aFlag, 0, 0})},
	DrawJewel:      {"draw_jewel", true, nil},
	RollJewel:      {"roll_jewel", true, nil},

	DrawRelic: {"draw_relic", true, []argument{{"placed", aFlag, 0, 0}}},
	RollDuel:  {"roll_duel", true, []argument{{"rival", aSeat, 0, 0}, {"again", aFlag, 0, 0}}},
	LoseShell: {"lose_shell", true, []argument{{"victims", someSeats, 0, 0}}},

	DoRound:      {"do_round", false, nil},
	DoInOrder:    {"do_in_order", false, []argument{{"step", aKind, 0, 0}, {"done", anAmount, 0, MaxSeats}, {"slot", aSlot, 0, 0}}},
	DoRoundTile:  {"do_round_tile", true, nil},
	DoDrawUp:     {"do_draw_up", true, nil},
	DoProgram:    {"do_program", true, nil},
	DoReveal:     {"do_reveal", false, []argument{{"slot", aSlot, 0, 0}}},
	DoTurn:       {"do_turn", true, []argument{{"slot", aSlot, 0, 0}}},
	DoMove:       {"do_move", true, moves},
	DoTurnEnd:    {"do_turn_end", true, nil},
	DoAdvance:    {"do_advance", true, nil},
	DoResolve:    {"do_resolve", true, []argument{{"tile", aTile, 0, 0}, {"place", aPlace, 0, 0}, {"active", aSeat, 0, 0}}},
	DoBottom:     {"do_bottom", true, []argument{{"tile", aTile, 0, 0}}},
	DoHull:       {"do_hull", true, []argument{{"amount", anAmount, 1, 2}}},
	DoHutDamage:  {"do_hut_damage", true, nil},
	DoReaction:   {"do_reaction", true, []argument{{"boarded", aSeat, 0, 0}}},
	DoJewels:     {"do_jewels", true, []argument{{"number", anAmount, 0, 3}}},
	DoPillage:    {"do_pillage", false, nil},
	DoRoundEnd:   {"do_round_end", false, nil},
	DoAward:      {"do_award", true, nil},
	DoDigEnd:     {"do_dig_end", false, nil},
	DoRedemption: {"do_redemption", false, nil},
	DoCleanup:    {"do_cleanup", false, nil},

	DoLegendarySetup: {"do_legendary_setup", false, nil},
	DoLegendaryTurn:  {"do_legendary_turn", false, []argument{{"part", anAmount, 0, 2}}},

	DoRelic:    {"do_relic", true, []argument{{"placed", aFlag, 0, 0}}},
	DoDuel:     {"do_duel", true, nil},
	DoLandmark: {"do_landmark", true, nil},
	DoMists:    {"do_mists", false, nil},
}

func (k Kind) String() string { return kindForms[k].name }

// kindNames are the names of all kinds by number, "" where there is none.
var kindNames = func() []string {
	names := make([]string, len(kindForms))
	for k, f := range kindForms {
		names[k] = f.name
	}
	return names
}()

// placeNames are the locations and, after them, what stands in their place in an
// Exploit.
var placeNames = append(nodeNames[:NumNodes:NumNodes], "exploit", "exploit_replacement")

const (
	placeExploited = NumNodes + iota // in placeNames, for exploited and substitute
	placeSubstitute
)

// uses reports whether a is written for f: only turns are done in order for a
// slot.
func uses(f Frame, a argument) bool {
	return f.Kind != DoInOrder || a.means != aSlot || Kind(uint8(f.Arg[0])) == DoTurn
}

// written is the frame as it stands in a position.
func written(f Frame, seats int) position.Object {
	form := &kindForms[f.Kind]
	o := position.Object{{Name: "kind", Value: form.name}}
	if form.seated {
		o.Add("seat", seatName(f.Seat))
	}
	for i, a := range form.args {
		if uses(f, a) {
			o.Add(a.name, a.written(f.Arg[i], seats))
		}
	}
	return o
}

func (a argument) written(x int8, seats int) any {
	switch a.means {
	case aSeat:
		return seatName(x)
	case someSeats:
		list := []int{}
		for i := range seats {
			if x>>i&1 != 0 {
				list = append(list, i)
			}
		}
		return list
	case aSlot:
		return x + 1
	case aTile, maybeTile:
		return position.NameOf(landmarkNames[:], x)
	case aColour:
		return colourNames[x]
	case aPlace:
		if x < 0 {
			return placeNames[NumNodes-1-int(x)]
		}
		return nodeNames[x]
	case aSymbol:
		return symbolNames[x]
	case aFace:
		return faceNames[x]
	case aFlag:
		return x != 0
	case aKind:
		return kindNames[uint8(x)]
	}
	return x
}
