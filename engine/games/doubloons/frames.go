package doubloons

import (
	"fmt"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/frames"
	"github.com/privateer-rl/privateer/engine/kit/position"
)

// The frames of the decision stack, each kind in one row. What a kind does stands in the switches
// of the rules.

// Frame is one entry of the decision stack.
type Frame = engine.Frame[Kind]

func frame(k Kind, seat int, args ...int) Frame { return engine.NewFrame(k, seat, args...) }

// Kind distinguishes frames. Kinds up to lastDecision wait for a seat, those up to
// lastChance for chance; the rest act by themselves. The numbers of decisions are part of
// observations: a new one goes to the end of its group, where there is room.
type Kind uint8

func (k Kind) String() string { return widest.Name(k) }

func (k Kind) asks() bool    { return k != AskNothing && k <= lastDecision }
func (k Kind) chances() bool { return k >= RollInitiative && k <= lastChance }

// Decisions of a seat.
const (
	AskNothing Kind = iota

	AskCaptain       // choose a captain
	AskPlace         // place the ship
	AskSextant       // Stone Sextant: choose an enemy to swap with, or decline
	AskSextantOwn    // choose the fragment to give
	AskSextantTheirs // choose the fragment to take
	AskProgram       // choose the card for a slot
	AskMove          // Sail, Come About, or leave optional movement
	AskAction        // choose one of the card's two actions
	AskHighWater     // Attack Forward at the faced region or the one beyond
	AskReroll        // keep the die or roll again
	AskBoard         // choose the ship to board
	AskStealFragment
	AskStealJewel
	AskHunt     // choose the fragment type to Advance with
	AskPath     // choose the next location
	AskStack    // Exploit: choose the stack to draw from
	AskDrawTwo  // Pollyanna draws one tile or two
	AskKeep     // choose one of two tiles
	AskExploit  // choose who resolves a tile
	AskPay      // pay a tile's cost for its effect
	AskHut      // Voodoo Hut: choose an enemy ship of the resolver's, or decline
	AskHutMove  // move that ship, once at least
	AskGiver    // choose who gives, among the enemies with most
	AskReceiver // choose who receives, among those with least
	AskGive     // choose the fragment to give

	// Of the modules.
	AskCompass        // take another card for the one in a slot, or decline
	AskMystic         // choose the ship that loses a compass
	AskBlackJewel     // choose the ship that gets a black jewel
	AskPlaceLegendary // place the legendary ghost ship
	AskGiveLegendary  // choose the fragment that it gives
	_

	// Of the alternate island.
	AskTotem      // take a totem of the captain's beach, or decline
	AskDuel       // choose the captain to duel with
	AskDuelReroll // keep the die or roll again
	AskStealTotem
	AskShell       // take a shell of the ship's region, or decline
	AskStealShell  // choose the shell to steal from the first of some ships
	AskPlaceTotem  // choose a beach for a totem
	AskPlaceShell  // choose a region for a shell
	AskBeach       // Advance to any beach, or decline
	AskRelicSwap   // choose an enemy to swap relics with, or decline
	AskRelicOwn    // choose the relic to give
	AskRelicTheirs // choose the relic to take

	FirstIslandKind = AskTotem
	lastDecision    = 47
)

// Events of chance.
const (
	RollInitiative Kind = iota + lastDecision + 1 // who begins
	DrawWater
	DealFragment
	DrawCard
	RollDie
	DrawMap
	DrawLandmark
	DrawJewel
	RollJewel // the die of a black jewel, in a region that its ship has entered
	DrawRelic // of the crater
	RollDuel
	LoseShell // the legendary ghost ship steals from the first of some ships

	lastChance = iota + lastDecision
)

// Steps that need nobody.
const (
	DoRound     Kind = iota + lastChance + 1 // begin a round
	DoInOrder                                // push a step for each seat in initiative order
	DoRoundTile                              // Round Start effect of the tile at Seat's ship
	DoDrawUp                                 // Seat draws up to its hand size
	DoProgram                                // Seat programs its cards
	DoReveal
	DoTurn       // Seat executes its card
	DoMove       // ask for what movement is left
	DoTurnEnd    // the turn is over
	DoAdvance    // Seat's captain moves one space on
	DoResolve    // Seat resolves the landmark
	DoBottom     // a tile goes to the bottom of its stack
	DoHull       // Seat's ship gains hull
	DoHutDamage  // damage to Seat's ship
	DoReaction   // Valparisa's crew strike at Seat's, who boarded them
	DoJewels     // Seat draws jewels
	DoPillage    // pillage phase
	DoRoundEnd   // round end
	DoAward      // Seat draws the jewels that the dig grants it
	DoDigEnd     // after the jewels: clear the island, shuffle in the captain cards
	DoRedemption // ghost ships check for redemption
	DoCleanup    // cleanup

	DoLegendarySetup // place and equip the legendary ghost ship
	DoLegendaryTurn  // its turn, from a part on

	DoRelic    // draw a relic, if the crater has one
	DoDuel     // the captain of Seat meets the others at its location
	DoLandmark // then comes the location's landmark
	DoMists    // Mists of Morgana leaves a region where it is useless
)

// limits are what the ranges of arguments, and what is asked at all, depend on.
type limits struct {
	seats, regions, stacks int
	modules                Modules
	tiles, titles          []string // of the landmarks by number; "" for a tile that is not in the game
}

func (r *Rules) limits() limits {
	return limits{r.seats, r.regions, r.stacks, r.Modules, r.tileNames(), r.LandmarkTitle[:]}
}

// widest has what any configuration has.
var widest = forms(limits{MaxSeats, MaxRegions, NumColours, allModules, landmarkNames[:], landmarkNames[:]})

// ship is a seat, or the legendary ghost ship if it plays.
func (l limits) ship() frames.Meaning {
	ship := frames.Number(0, l.seats-1)
	if l.modules.Has(LegendaryShip) {
		ship = frames.Or(ship, Legendary, legendaryName)
	}
	return frames.Worded(ship, shipTitle)
}

// forms are the kinds of frame of a configuration.
func forms(l limits) *frames.Table[Kind] {
	type kinds []frames.Form[Kind]
	args, means, left, flag := frames.Args, frames.Described, frames.Optional, frames.Flag()
	seat, ship := frames.Worded(frames.Number(0, l.seats-1), shipTitle), l.ship()
	itself := func(seat int8) int8 { return seat }
	none := func(int8) int8 { return 0 }
	noTileYet := func(int8) int8 { return noTile }

	slot := means(frames.Shifted(1, 1, NumSlots), "A card's place in the row.")
	tile := frames.Worded(frames.Name(l.tiles...), func(x int8) string { return l.titles[x] })
	symbol, face := frames.Name(symbolNames[:]...), frames.Name(faceNames[:]...)
	enemy, receiver := means(ship, "The other ship."), means(ship, "Who receives.")
	rival := means(seat, "The seat whose captain is the other one of a duel.")
	resolver := means(seat, "Who resolves the landmark.")
	hit := means(frames.Seats(l.seats), "Seats whose ships the attack damaged.")
	victims := means(frames.Seats(l.seats), "Seats from which a shell is stolen, from the first of them now.")
	again := left(means(flag, "The die is rolled for the second time."), none)
	placed := means(flag, "The relic is placed on the board, not gained.")
	icons := func(doc string) frames.Meaning { return means(frames.Number(0, 2), doc) }
	moves := args("sail", icons("Sail icons that are required."), "may_sail", icons("Optional Sail icons."),
		"turn", icons("Come About icons that are required."), "may_turn", icons("Optional Come About icons."))
	// A draw of a landmark hands on from frame to frame for which place it is, and whose choice the targets are.
	place := means(frames.NameFrom(substitute, append([]string{"exploit_replacement", "exploit"}, nodeNames[:]...)...), "Where the landmark is met.")
	active := left(means(seat, "Whose choice the landmark's targets are."), itself)
	drawFor := []any{"colour", frames.Name(colourNames[:l.stacks]...), "place", place, "active", active}
	draw := func(more ...any) []frames.Arg { return args(append(drawFor[:len(drawFor):len(drawFor)], more...)...) }

	// The kinds below a kind if a module plays, and on the standard island only.
	with := func(m Module, on string) string {
		if l.modules.Has(m) {
			return on
		}
		return ""
	}
	island := func(on string) string { return with(AlternateIsland, on) }
	standard := func(on string) string {
		if l.modules.Has(AlternateIsland) {
			return ""
		}
		return on
	}
	const (
		effect  = "do_turn_end do_advance do_bottom" // of a landmark
		meeting = "do_turn_end do_landmark"          // of captains
		sailing = "do_move do_hut_damage ask_hut_move do_legendary_turn roll_jewel"
	)
	begins := "the first map fragment of {seat}"
	if l.modules.Has(AlternateIsland) {
		begins = "a map fragment that {seat} begins with"
	}

	all := kinds{
		{Kind: AskCaptain, Name: "ask_captain", Seat: seat, On: "do_in_order:ask_captain", Says: "{seat}: choose a captain"},
		{Kind: AskPlace, Name: "ask_place", Seat: seat, On: "do_in_order:ask_captain do_in_order:ask_place",
			Says: "{seat}: place your ship in a region, facing clockwise or counterclockwise"},
		{Kind: AskSextant, Name: "ask_sextant", Seat: seat, On: "do_in_order:do_round_tile",
			Says: "{seat}: Stone Sextant: swap a map fragment with an enemy, or decline"},
		{Kind: AskSextantOwn, Name: "ask_sextant_own", Seat: seat, Args: args("enemy", enemy), On: "do_in_order:do_round_tile",
			Says: "{seat}: Stone Sextant: which fragment do you give {enemy}?"},
		{Kind: AskSextantTheirs, Name: "ask_sextant_theirs", Seat: seat, Args: args("enemy", enemy, "own", symbol), On: "do_in_order:do_round_tile",
			Says: "{seat}: Stone Sextant: which fragment do you take from {enemy}?"},
		{Kind: AskProgram, Name: "ask_program", Seat: seat, Args: args("slot", slot), On: "do_in_order:do_program ask_program",
			Says: "{seat}: choose the card for slot {slot}, face down"},
		{Kind: AskMove, Name: "ask_move", Seat: seat, Args: moves, On: "ask_action do_hull", Says: "{seat}: movement: {moves}"},
		{Kind: AskAction, Name: "ask_action", Seat: seat, Args: args("slot", slot), On: "do_turn_end", Says: "{seat}: choose an action of card {card}"},
		{Kind: AskHighWater, Name: "ask_high_water", Seat: seat, Args: args("damage", means(frames.Number(1, 3), "Damage of the attack.")), On: "do_turn_end",
			Says: "{seat}: Attack: Forward with {damage} damage, at the region faced (near) or the one beyond (far)"},
		{Kind: AskReroll, Name: "ask_reroll", Seat: seat, Args: args("face", face, "hit", hit), On: "do_turn_end",
			Says: "{seat}: the die shows {face}: roll again (accept) or keep it (decline)?"},
		{Kind: AskBoard, Name: "ask_board", Seat: seat, Args: args("slot", slot), On: "do_turn_end", Says: "{seat}: which ship do you Board to steal {loot}?"},
		{Kind: AskStealFragment, Name: "ask_steal_fragment", Seat: seat, Args: args("enemy", enemy), On: "do_turn_end do_reaction roll_die",
			Says: "{seat}: which map fragment of {enemy} do you steal?"},
		{Kind: AskStealJewel, Name: "ask_steal_jewel", Seat: seat, Args: args("enemy", enemy), On: "do_turn_end do_reaction roll_die",
			Says: "{seat}: which jewel of {enemy} do you steal?"},
		{Kind: AskHunt, Name: "ask_hunt", Seat: seat, On: standard("do_turn_end"), Says: "{seat}: Advance: which type of map fragment do you name?"},
		{Kind: AskPath, Name: "ask_path", Seat: seat, On: "do_turn_end do_advance", Says: "{seat}: which way from {node}?"},
		{Kind: AskStack, Name: "ask_stack", Seat: seat, On: standard("do_turn_end do_bottom"), Says: "{seat}: Exploit: draw from which stack of landmarks?"},
		{Kind: AskDrawTwo, Name: "ask_draw_two", Seat: seat, Args: draw(), On: effect,
			Says: "{seat}: draw two {colour} landmarks and choose one (accept), or draw one (decline)?"},
		{Kind: AskKeep, Name: "ask_keep", Seat: seat, Args: draw("first", tile, "second", tile), On: effect, Says: "{seat}: keep {first} or {second}?"},
		{Kind: AskExploit, Name: "ask_exploit", Seat: seat, Args: args("tile", tile), On: standard("do_turn_end do_bottom"), Says: "{seat}: who resolves {tile}?"},
		{Kind: AskPay, Name: "ask_pay", Seat: seat, Args: args("tile", tile), On: effect, Says: "{seat}: {tile}: pay {cost} for its effect?"},
		{Kind: AskHut, Name: "ask_hut", Seat: seat, Args: args("resolver", left(resolver, itself)), On: effect,
			Says: "{seat}: Voodoo Hut: turn it on which enemy of {resolver}, or decline?"},
		{Kind: AskHutMove, Name: "ask_hut_move", Seat: seat, Args: args("enemy", enemy, "may_sail", means(flag, "The ship may still Sail."),
			"may_turn", means(flag, "The ship may still Come About."), "moved", left(means(flag, "Voodoo Hut: the ship has made one of its moves."), none)),
			On: "do_hut_damage", Says: "{seat}: Voodoo Hut: {hut}"},
		{Kind: AskGiver, Name: "ask_giver", Seat: seat, Args: args("tile", tile, "resolver", left(resolver, itself)), On: effect,
			Says: "{seat}: {tile}: which enemy of {resolver} gives?"},
		{Kind: AskReceiver, Name: "ask_receiver", Seat: seat, Args: args("tile", tile, "giver", means(ship, "Who gives."), "resolver", resolver), On: effect,
			Says: "{seat}: {tile}: who receives from {giver}?"},
		{Kind: AskGive, Name: "ask_give", Seat: seat, Args: args("receiver", receiver), On: effect, Says: "{seat}: which map fragment do you give {receiver}?"},

		{Kind: AskCompass, Name: "ask_compass", Seat: seat, Args: args("slot", slot), On: with(Compass, "do_turn_end"),
			Says: "{seat}: use a compass to exchange card {card} for one that lies face up, or decline"},
		{Kind: AskMystic, Name: "ask_mystic", Seat: seat, Args: args("resolver", left(resolver, itself)), On: with(Compass, effect),
			Says: "{seat}: Old Mystic: from whom does {resolver} steal a compass?"},
		{Kind: AskBlackJewel, Name: "ask_black_jewel", Seat: seat, On: with(BlackJewels, sailing), Says: "{seat}: which ship gets your black jewel?"},
		{Kind: AskPlaceLegendary, Name: "ask_place_legendary", Seat: seat, On: with(LegendaryShip, "do_jewels deal_fragment draw_relic"),
			Says: "{seat}: place the legendary ghost ship in a region, facing clockwise or counterclockwise"},
		{Kind: AskGiveLegendary, Name: "ask_give_legendary", Seat: seat, Args: args("receiver", receiver), On: with(LegendaryShip, effect),
			Says: "{seat}: which map fragment does the legendary ghost ship give {receiver}?"},

		{Kind: AskTotem, Name: "ask_totem", Seat: seat, On: island("do_duel"), Says: "{seat}: take a totem of {node}, or decline"},
		{Kind: AskDuel, Name: "ask_duel", Seat: seat, On: island(meeting), Says: "{seat}: whose captain do you duel with?"},
		{Kind: AskDuelReroll, Name: "ask_duel_reroll", Seat: seat, Args: args("face", face, "rival", rival), On: island(meeting + " roll_duel"),
			Says: "{seat}: duel with {rival}: the die shows {face}: roll again (accept) or keep it (decline)?"},
		{Kind: AskStealTotem, Name: "ask_steal_totem", Seat: seat, Args: args("rival", rival), On: island(meeting + " roll_duel"),
			Says: "{seat}: duel: which totem of {rival} do you steal?"},
		{Kind: AskShell, Name: "ask_shell", Seat: seat, On: island("do_turn_end"), Says: "{seat}: take a shell of region {region}, or decline"},
		{Kind: AskStealShell, Name: "ask_steal_shell", Seat: seat, Args: args("victims", victims), On: island("do_turn_end"),
			Says: "{seat}: which shell of {victim} do you steal?"},
		{Kind: AskPlaceTotem, Name: "ask_place_totem", Seat: seat, Args: args("symbol", means(symbol, "Of the relic to place.")), On: island("do_turn_end do_relic"),
			Says: "{seat}: on which beach do you place the totem {symbol}?"},
		{Kind: AskPlaceShell, Name: "ask_place_shell", Seat: seat, Args: args("symbol", means(symbol, "Of the relic to place.")), On: island("do_turn_end do_relic"),
			Says: "{seat}: in which region do you place the shell {symbol}?"},
		{Kind: AskBeach, Name: "ask_beach", Seat: seat, On: island("do_turn_end"), Says: "{seat}: {ruin}: Advance to any beach, or decline"},
		{Kind: AskRelicSwap, Name: "ask_relic_swap", Seat: seat, Args: args("tile", tile), On: island("do_turn_end"),
			Says: "{seat}: {tile}: swap a {relic} with an enemy, or decline"},
		{Kind: AskRelicOwn, Name: "ask_relic_own", Seat: seat, Args: args("tile", tile, "enemy", enemy), On: island("do_turn_end"),
			Says: "{seat}: {tile}: which {relic} do you give {enemy}?"},
		{Kind: AskRelicTheirs, Name: "ask_relic_theirs", Seat: seat, Args: args("tile", tile, "enemy", enemy, "own", symbol), On: island("do_turn_end"),
			Says: "{seat}: {tile}: which {relic} do you take from {enemy}?"},

		{Kind: RollInitiative, Name: "roll_initiative", On: "draw_water", Says: "chance: who takes the initiative token"},
		{Kind: DrawWater, Name: "draw_water", Args: args("region", means(frames.Number(0, l.regions-1), "A water region.")),
			On: "draw_water do_mists do_in_order:ask_captain do_in_order:deal_fragment", Says: "chance: the water tile of region {region}"},
		{Kind: DealFragment, Name: "deal_fragment", Seat: ship, On: "do_in_order:deal_fragment do_jewels draw_relic", Says: "chance: " + begins},
		{Kind: DrawCard, Name: "draw_card", Seat: seat, On: "do_draw_up", Says: "chance: {seat} draws a card"},
		{Kind: RollDie, Name: "roll_die", Seat: ship, Args: args("hit", hit, "again", again), On: "do_turn_end do_legendary_turn do_pillage",
			Says: "chance: {seat} rolls the attack die"},
		{Kind: DrawMap, Name: "draw_map", Seat: seat, On: "do_turn_end", Says: "chance: {seat} draws a map tile"},
		{Kind: DrawLandmark, Name: "draw_landmark", Seat: seat, Args: draw("first", left(frames.Or(tile, noTile, position.None), noTileYet),
			"two", left(means(flag, "Pollyanna draws two tiles."), none)), On: effect, Says: "chance: {seat} draws a {colour} landmark"},
		{Kind: DrawJewel, Name: "draw_jewel", Seat: ship, On: "do_jewels", Says: "chance: {seat} draws a jewel"},
		{Kind: RollJewel, Name: "roll_jewel", Seat: ship, On: with(BlackJewels, sailing), Says: "chance: {seat} rolls the attack die for a black jewel"},
		{Kind: DrawRelic, Name: "draw_relic", Seat: ship, Args: args("placed", placed), On: island("do_turn_end do_relic do_jewels draw_relic"),
			Says: "chance: {seat} draws a relic of the crater{to place}"},
		{Kind: RollDuel, Name: "roll_duel", Seat: seat, Args: args("rival", rival, "again", again), On: island(meeting + " roll_duel"),
			Says: "chance: {seat} rolls the attack die in a duel with {rival}"},
		{Kind: LoseShell, Name: "lose_shell", Seat: ship, Args: args("victims", victims), On: island("do_legendary_turn do_pillage"),
			Says: "chance: which shell of {victim} {seat} steals"},

		{Kind: DoRound, Name: "do_round", On: frames.Bottom},
		{Kind: DoRoundTile, Name: "do_round_tile", Seat: seat},
		{Kind: DoDrawUp, Name: "do_draw_up", Seat: seat, On: "do_in_order:do_draw_up"},
		{Kind: DoProgram, Name: "do_program", Seat: seat},
		{Kind: DoReveal, Name: "do_reveal", Args: args("slot", slot), On: "do_pillage do_legendary_turn do_reveal"},
		{Kind: DoTurn, Name: "do_turn", Seat: seat, Args: args("slot", slot)},
		{Kind: DoMove, Name: "do_move", Seat: seat, Args: moves, On: "ask_action do_hull"},
		{Kind: DoTurnEnd, Name: "do_turn_end", Seat: seat, On: "do_in_order:do_turn"},
		{Kind: DoAdvance, Name: "do_advance", Seat: seat, On: standard("do_turn_end do_advance")},
		{Kind: DoResolve, Name: "do_resolve", Seat: seat, Args: args("tile", tile, "place", place, "active", active)},
		{Kind: DoBottom, Name: "do_bottom", Seat: seat, Args: args("tile", tile), On: standard("do_turn_end do_bottom")},
		{Kind: DoHull, Name: "do_hull", Seat: seat, Args: args("amount", means(frames.Number(1, 2), "Hull.")), On: effect},
		{Kind: DoHutDamage, Name: "do_hut_damage", Seat: ship, On: effect},
		{Kind: DoReaction, Name: "do_reaction", Seat: seat, Args: args("boarded", means(seat, "Who was boarded.")), On: "do_turn_end roll_die"},
		{Kind: DoJewels, Name: "do_jewels", Seat: ship, Args: args("number", means(frames.Number(0, 3), "Jewels.")),
			On: effect + " do_in_order:do_award do_dig_end do_jewels do_round"},
		{Kind: DoPillage, Name: "do_pillage", On: "do_round_end"},
		{Kind: DoRoundEnd, Name: "do_round_end", On: frames.Bottom},
		{Kind: DoAward, Name: "do_award", Seat: seat},
		{Kind: DoDigEnd, Name: "do_dig_end", On: "do_redemption"},
		{Kind: DoRedemption, Name: "do_redemption", On: "do_cleanup"},
		{Kind: DoCleanup, Name: "do_cleanup", On: frames.Bottom},

		{Kind: DoLegendarySetup, Name: "do_legendary_setup", On: with(LegendaryShip, "do_round")},
		{Kind: DoLegendaryTurn, Name: "do_legendary_turn", On: with(LegendaryShip, "do_pillage"), Args: args("part", means(frames.Number(0, legendaryForward),
			"Of the legendary ghost ship's turn, what comes next: 0 it sails, 1 it attacks its own region, 2 the region ahead."))},

		{Kind: DoRelic, Name: "do_relic", Seat: seat, Args: args("placed", placed), On: island("do_turn_end do_relic")},
		{Kind: DoDuel, Name: "do_duel", Seat: seat, On: island(meeting)},
		{Kind: DoLandmark, Name: "do_landmark", Seat: seat, On: island("do_turn_end")},
		{Kind: DoMists, Name: "do_mists", On: island("do_in_order:ask_captain do_in_order:deal_fragment")},
	}
	inOrder := frames.Form[Kind]{Kind: DoInOrder, Name: "do_in_order", Sorts: map[string]string{
		"ask_captain":   "do_round do_legendary_setup do_in_order:ask_place do_in_order:deal_fragment",
		"ask_place":     "do_round do_legendary_setup do_in_order:deal_fragment",
		"deal_fragment": "do_round do_legendary_setup do_in_order:deal_fragment do_in_order:ask_captain",
		"do_round_tile": "do_in_order:do_draw_up",
		"do_draw_up":    "do_in_order:do_program",
		"do_program":    "do_reveal",
		"do_turn":       "do_pillage do_legendary_turn do_reveal",
		"do_award":      "do_dig_end",
	}}
	steps := make([]string, DoMists+1) // that are done in order
	for _, form := range all {
		if _, ordered := inOrder.Sorts[form.Name]; ordered {
			steps[form.Kind] = form.Name
		}
	}
	inOrder.Args = args("step", frames.Name(steps...), "done", means(frames.Number(0, l.seats), "Seats that have done the step."), "slot", slot)
	inOrder.Args[2].Used = func(args [6]int8) bool { return Kind(args[0]) == DoTurn }
	return frames.New(append(all, inOrder)...)
}

// Arguments are the names of the arguments of a kind of frame, in the order of Frame.Arg.
func Arguments(k Kind) []string { return widest.Arguments(k) }

// Decision says in one line what is to be decided, and by whom. It says nothing
// that the other seats may not know.
func (r *Rules) Decision(s *State) string {
	f := s.Top()
	if f.Kind == AskNothing {
		return "the match is over"
	}
	return r.forms.Says(r.byPlayer(s, f), func(word string) string { return r.word(s, f, word) })
}

// word stands for a word in braces of a decision's line.
func (r *Rules) word(s *State, f Frame, word string) string {
	switch word {
	case "card":
		return cardNames[s.Ships[f.Seat].Table[f.Arg[0]]]
	case "loot":
		return r.lootWord(&r.Cards[s.Ships[f.Seat].Table[f.Arg[0]]])
	case "moves":
		return movesLeft(f)
	case "cost":
		return fmt.Sprint(cost(int(f.Arg[0])))
	case "hut":
		if f.Arg[3] != 0 {
			return fmt.Sprintf("move the ship of %s once more, or leave it (stay)", r.whose(s, f.Arg[0]))
		}
		return fmt.Sprintf("which way does the ship of %s move first?", r.whose(s, f.Arg[0]))
	case "node":
		return nodeNames[s.Ships[f.Seat].Node]
	case "region":
		return fmt.Sprint(s.Ships[f.Seat].Region)
	case "ruin":
		return r.LandmarkTitle[s.Tiles[s.Ships[f.Seat].Node]]
	case "victim":
		return r.whose(s, firstVictim(f))
	case "relic":
		if f.Arg[0] == DecayingTemple {
			return "totem"
		}
		return "shell"
	case "to place":
		if f.Arg[0] != 0 {
			return " to place it"
		}
		return ""
	}
	panic("doubloons: no word for " + word)
}

var lootWords = [NumLoot]string{
	"nothing", "a map fragment", "half the doubloons", "1 crew", "2 crew", "a jewel", "a reputation level",
}

// movesLeft lists the movement icons of an AskMove frame in words.
func movesLeft(f Frame) string {
	var words []string
	for i, word := range []string{"Sail", "Sail (optional)", "Come About", "Come About (optional)"} {
		for range f.Arg[i] {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}
