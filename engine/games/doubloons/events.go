package doubloons

import (
	"fmt"
	"math"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/frames"
)

// The events of a match, each kind in one row. The rules note an event where they cause it.

// The kinds of event. Seat is a ship's, unless the row says otherwise.
const (
	HasInitiative engine.EventKind = iota + 1
	HasLaidWater
	HasMovedMists
	HasTakenCaptain
	HasPlaced
	HasBegunRound
	HasSeeded
	HasReshuffled
	HasDrawnCard
	HasProgrammed
	HasBegunSlot
	HasRevealed
	HasBegunTurn
	HasEndedTurn
	HasUsedCompass
	HasSailed
	HasComeAbout
	HasActed
	HasDeclined
	HasAttacked
	HasDamaged
	HasSunk
	HasRolled
	HasBoarded
	HasUsedAbility
	HasComeToNothing
	HasGained
	HasLost
	HasStolen
	HasGot
	HasChangedSeats
	HasFound
	HasDrawnSpecial
	HasNamed
	HasWalked
	HasExploited
	HasDrawnTile
	HasKept
	HasLaidTile
	HasLeftTile
	HasBottomed
	HasResolved
	HasHutted
	HasDuelled
	HasDrawnRelic
	HasPlacedRelic
	HasMovedOn
	HasLastRound
	HasBegunPillage
	HasEndedRound
	HasDugUp
	HasShuffled
	HasClearedIsland
	HasRedeemed
	HasCleanedUp
	HasScored
	HasWon
)

// Goods that ships gain, lose and take from each other: one of these, or the first of a kind of thing and its symbol or jewel.
const (
	GoodHull = iota
	GoodCrew
	GoodReputation
	GoodDoubloons
	GoodTokens
	GoodOrbs
	GoodCompasses
	GoodFragments
	GoodJewels = GoodFragments + NumSymbols
	GoodTotems = GoodJewels + NumJewels
	GoodShells = GoodTotems + NumSymbols
	NumGoods   = GoodShells + NumSymbols
)

var goodRelics = [numRelics]int{GoodTotems, GoodShells}

// goodNames are one and many of each good.
var goodNames = func() (names [NumGoods][2]string) {
	for i, one := range []string{"hull", "crew", "reputation level", "doubloon", "pillage token", "Protection Orb", "compass"} {
		names[i] = [2]string{one, []string{one, one, one + "s", one + "s", one + "s", one + "s", "compasses"}[i]}
	}
	for i, sym := range symbolNames {
		for first, thing := range map[int]string{GoodFragments: "map fragment", GoodTotems: "totem", GoodShells: "shell"} {
			names[first+i] = [2]string{sym + " " + thing, sym + " " + thing + "s"}
		}
	}
	for i, one := range []string{"emerald", "ruby", "diamond", "black jewel"} {
		names[GoodJewels+i] = [2]string{one, one + "s"}
	}
	names[GoodJewels+Ruby][1] = "rubies"
	return names
}()

// good is how many a ship has of something.
func (sh *Ship) good(g int) *uint8 {
	switch {
	case g >= GoodShells:
		return &sh.Shells[g-GoodShells]
	case g >= GoodTotems:
		return &sh.Totems[g-GoodTotems]
	case g >= GoodJewels:
		return &sh.Jewels[g-GoodJewels]
	case g >= GoodFragments:
		return &sh.Fragments[g-GoodFragments]
	}
	return [GoodFragments]*uint8{&sh.Hull, &sh.Crew, &sh.Reputation, &sh.Doubloons, &sh.Pillage, &sh.Orbs, &sh.Compasses}[g]
}

// Where gains come from.
const (
	ofBox = iota // what lies beside the board, or was in no place
	ofIsland
	ofMap
	ofBeach
	ofRegion = ofBeach + MaxRegions
	numOf    = ofRegion + MaxRegions
)

var sourceNames = func() (names [numOf]string) {
	copy(names[:], []string{"box", "island", "map_stack"})
	for i := range MaxRegions {
		names[ofBeach+i], names[ofRegion+i] = "beach_"+nodeNames[NodeB1+i], fmt.Sprint("region_", i)
	}
	return names
}()

// The purposes of die rolls.
const (
	forAttack = iota
	forJewel
	forDuel
)

const noNode = -1

// eventForms are the rows. In words {ship x} is what a ship is called, by an argument x, and the like.
var eventForms = func() *frames.Events {
	args, number := frames.Args, frames.Number
	seat := frames.Described(number(0, MaxSeats-1), "A seat's ship, by its place among those of a position.")
	ship := frames.Or(seat, Legendary, legendaryName)
	player := frames.Described(number(0, MaxSeats-1), "The player who has that ship.")
	region, slot := number(0, MaxRegions-1), frames.Shifted(1, 1, NumSlots)
	facing := frames.NameFrom(CounterClockwise, "counterclockwise", "", "clockwise")
	node := frames.NameFrom(noNode, append([]string{"nowhere"}, nodeNames[:]...)...)
	tile, card := frames.Name(landmarkNames[:]...), frames.Name(cardNames[:]...)
	names := make([]string, NumGoods)
	for i := range names {
		names[i] = strings.ToLower(strings.ReplaceAll(goodNames[i][0], " ", "_"))
	}
	good, n := frames.Name(names...), number(0, 127)
	asked := frames.Name(widest.Names()[:lastDecision+1]...)
	goods := args("good", good, "number", n)
	return frames.New([]frames.Form[engine.EventKind]{
		{Kind: HasInitiative, Name: "initiative", Seat: seat, Says: "{ship seat} has the initiative token"},
		{Kind: HasLaidWater, Name: "water", Args: args("region", region, "tile", frames.Name(waterNames[:]...)), Says: "{water tile} is region {region}"},
		{Kind: HasMovedMists, Name: "mists_moved", Args: args("from", region, "to", region), Says: "{region to} changes places with {region from}"},
		{Kind: HasTakenCaptain, Name: "captain", Seat: seat, Args: args("captain", frames.Name(captainNames[:]...)), Says: "seat {seat} takes {ship seat}"},
		{Kind: HasPlaced, Name: "placed", Seat: ship, Args: args("region", region, "facing", facing, "captain_at", node), Says: "{ship seat} begins at {region region} and faces {facing}"},
		{Kind: HasBegunRound, Name: "round", Args: args("round", frames.Octet(255)), Says: "round {round} begins"},
		{Kind: HasSeeded, Name: "seeded", Args: args("number", n), Says: "{count number doubloon} {go number} to the island"},
		{Kind: HasReshuffled, Name: "reshuffled", Says: "the discarded action cards become the deck"},
		{Kind: HasDrawnCard, Name: "drew_card", Seat: seat, Args: args("card", card), Hides: "card", Joins: "card",
			Says: "{ship seat} draws {cards}", Else: "{ship seat} draws {joined card}"},
		{Kind: HasProgrammed, Name: "programmed", Seat: seat, Args: args("slot", slot, "card", card), Hides: "card",
			Says: "{ship seat} lays {card} face down as card {slot}", Else: "{ship seat} lays card {slot} face down"},
		{Kind: HasBegunSlot, Name: "cards_revealed", Args: args("slot", slot)},
		{Kind: HasRevealed, Name: "revealed", Seat: seat, Args: args("card", card), Says: "{ship seat} reveals {card in full}"},
		{Kind: HasBegunTurn, Name: "turn", Seat: ship},
		{Kind: HasEndedTurn, Name: "turn_over", Seat: seat},
		{Kind: HasUsedCompass, Name: "used_compass", Seat: seat, Args: args("slot", slot, "with", seat, "their_slot", slot, "card", card, "theirs", card),
			Says: "{ship seat} discards a compass and exchanges {card} for {their card in full} of {ship with}"},
		{Kind: HasSailed, Name: "sailed", Seat: ship, Args: args("from", region, "to", region, "facing", facing, "entered", region),
			Says: "{ship seat} sails from {region from} to {region entered}{current}"},
		{Kind: HasComeAbout, Name: "came_about", Seat: ship, Says: "{ship seat} comes about"},
		{Kind: HasActed, Name: "acted", Seat: seat, Args: args("action", frames.Name(iconNames[:]...), "card", card), Says: "{ship seat} chooses {action in words}"},
		{Kind: HasDeclined, Name: "declined", Seat: seat, Args: args("asked", asked), Says: "{ship seat} {declines}"},
		{Kind: HasAttacked, Name: "attacked", Seat: ship, Args: args("region", region, "damage", n), Says: "{ship seat} attacks {region region} with {damage} damage{at most}"},
		{Kind: HasDamaged, Name: "damaged", Seat: seat, Args: args("number", n, "by", frames.Or(ship, nobody, "nobody")), Says: "{ship seat} takes {number} damage{by whom}"},
		{Kind: HasSunk, Name: "sunk", Seat: seat, Says: "{ship seat} becomes a ghost ship"},
		{Kind: HasRolled, Name: "rolled", Seat: ship, Args: args("face", frames.Name(faceNames[:]...), "for", frames.Name("attack", "black_jewel", "duel")),
			Says: "{ship seat} rolls the attack die{for what}: {die}"},
		{Kind: HasBoarded, Name: "boarded", Seat: seat, Args: args("enemy", ship, "card", card), Says: "{ship seat} boards {ship enemy} for {loot}"},
		{Kind: HasUsedAbility, Name: "used_ability", Seat: seat, Args: args("against", ship), Says: "{ability}, the ability of {ship seat}, {works against} {ship against}"},
		{Kind: HasComeToNothing, Name: "no_effect", Seat: ship, Says: "nothing happens"},
		{Kind: HasGained, Name: "gained", Seat: ship, Args: args("good", good, "number", n, "of", frames.Name(sourceNames[:]...)), Says: "{ship seat} gains {goods}{from where}"},
		{Kind: HasLost, Name: "lost", Seat: ship, Args: goods, Says: "{ship seat} {loses} {goods}{to where}"},
		{Kind: HasStolen, Name: "stole", Seat: ship, Args: args("good", good, "number", n, "from", ship), Says: "{ship seat} steals {goods} from {ship from}"},
		{Kind: HasGot, Name: "got", Seat: ship, Args: args("good", good, "number", n, "from", ship), Says: "{ship seat} gets {goods} from {ship from}"},
		{Kind: HasChangedSeats, Name: "changed_seats", Seat: seat, Args: args("with", seat, "player", player, "other", player),
			Says: "{ship seat} and {ship with} change players: seat {player} plays {ship seat} now, seat {other} plays {ship with}"},
		{Kind: HasFound, Name: "found", Seat: seat, Args: args("card", card, "slot", frames.Described(number(0, NumSlots), "Where it lies face down; 0: in hand.")), Secret: true, Joins: "card",
			Says: "{ship seat} has {cards} {where}"},
		{Kind: HasDrawnSpecial, Name: "drew_special", Seat: seat, Args: args("tile", frames.Name(specialNames[:]...)), Says: "{ship seat} draws the map tile {special}"},
		{Kind: HasNamed, Name: "named", Seat: seat, Args: args("symbol", frames.Name(symbolNames[:]...)), Says: "{ship seat} advances and names the map fragment {symbol}"},
		{Kind: HasWalked, Name: "walked", Seat: seat, Args: args("from", node, "to", node), Says: "the captain of {ship seat} walks from {node from} to {node to}"},
		{Kind: HasExploited, Name: "exploited", Seat: seat, Args: args("colour", frames.Name(colourNames[:NumColours]...)), Says: "{ship seat} exploits the {colour} landmarks"},
		{Kind: HasDrawnTile, Name: "drew_landmark", Seat: seat, Args: args("tile", tile), Says: "{ship seat} draws {tile title}"},
		{Kind: HasKept, Name: "kept", Seat: seat, Args: args("tile", tile), Says: "{ship seat} keeps {tile title}"},
		{Kind: HasLaidTile, Name: "laid_landmark", Seat: seat, Args: args("at", node, "tile", tile)},
		{Kind: HasLeftTile, Name: "landmark_left", Args: args("at", node, "tile", tile), Says: "{tile title} leaves the game"},
		{Kind: HasBottomed, Name: "landmark_returned", Args: args("tile", tile), Says: "{tile title} goes to the bottom of its stack"},
		{Kind: HasResolved, Name: "resolved", Seat: seat, Args: args("tile", tile), Says: "{ship seat} resolves {tile in full}"},
		{Kind: HasHutted, Name: "turned_hut_on", Seat: seat, Args: args("enemy", ship), Says: "{ship seat} turns the Voodoo Hut on {ship enemy}"},
		{Kind: HasDuelled, Name: "duelled", Seat: seat, Args: args("rival", seat), Says: "the captains of {ship seat} and {ship rival} duel"},
		{Kind: HasDrawnRelic, Name: "drew_relic", Seat: seat, Args: args("relic", good), Says: "{ship seat} draws the {relic title} to place it"},
		{Kind: HasPlacedRelic, Name: "placed_relic", Seat: seat, Args: args("relic", good, "at", region), Says: "{ship seat} places the {relic title} {relic place}"},
		{Kind: HasMovedOn, Name: "moved_on", Seat: seat, Args: args("space", n), Says: "the {who moves} of {ship seat} moves to space {space} of the end-game track"},
		{Kind: HasLastRound, Name: "last_round", Says: "FIN is reached: this round is the last"},
		{Kind: HasBegunPillage, Name: "pillage_phase", Says: "the island is pillaged"},
		{Kind: HasEndedRound, Name: "round_end"},
		{Kind: HasDugUp, Name: "dug_up", Says: "the buried treasure is dug up"},
		{Kind: HasShuffled, Name: "captain_cards", Says: "all action cards are shuffled together with the captain cards"},
		{Kind: HasClearedIsland, Name: "island_cleared", Says: "the landmarks return to their stacks, and the captains to their ships"},
		{Kind: HasRedeemed, Name: "redeemed", Seat: seat, Args: args("hull", n), Says: "{ship seat} is redeemed: it has {hull} hull again"},
		{Kind: HasCleanedUp, Name: "cleaned_up", Says: "the cards and pillage tokens of the round are put away"},
		{Kind: HasScored, Name: "scored", Seat: seat, Args: args("hundreds", number(-9, 9), "points", number(-99, 99)), Says: "{ship seat} has {score}"},
		{Kind: HasWon, Name: "won", Seat: seat, Args: args("player", player, "shared", frames.Flag()), Says: "seat {player} wins with {ship seat}{shared with}"},
	}...)
}()

// declines says what a seat does that declines, by what it was asked.
var declines = map[Kind]string{
	AskSextant: "does not use the Stone Sextant", AskReroll: "keeps the die", AskDuelReroll: "keeps the die", AskPath: "stays where its captain is", AskPay: "does not pay",
	AskHut: "does not use the Voodoo Hut", AskHutMove: "leaves that ship there", AskMove: "declines the optional movement", AskCompass: "uses no compass",
	AskTotem: "takes no totem", AskShell: "takes no shell", AskBeach: "does not advance", AskRelicSwap: "swaps no relic",
}

// note reports an event, if anybody listens.
func (r *Rules) note(k engine.EventKind, seat int, args ...int) {
	if r.log != nil {
		r.log.Note(engine.Everybody, k, seat, args...)
	}
}

// noteTo reports an event at a seat of which only its player sees everything.
func (r *Rules) noteTo(s *State, seat int, k engine.EventKind, args ...int) {
	if r.log != nil {
		r.log.Note(1<<r.PlayerAt(s, seat), k, seat, args...)
	}
}

// noteEnd reports the possessions of each ship at the end, and the winner.
func (r *Rules) noteEnd(s *State) {
	if r.log == nil {
		return
	}
	best, winners := int64(math.MinInt64), 0
	for seat := range r.seats {
		points := int(r.score(s, seat))
		r.note(HasScored, seat, points/100, points%100)
		switch has := r.standing(s, seat); {
		case has > best:
			best, winners = has, 1<<seat
		case has == best:
			winners |= 1 << seat
		}
	}
	for seat := range r.seats {
		if winners>>seat&1 != 0 {
			r.note(HasWon, seat, r.PlayerAt(s, seat), int(engine.Bit(winners&(winners-1) != 0)))
		}
	}
}

// vainly says that nothing happens, if since nothing else was said, nor is anything laid on a stack of depth frames.
func (r *Rules) vainly(s *State, seat, depth, said int) {
	if r.log != nil && int(s.Depth) == depth && r.log.Count() == said {
		r.note(HasComeToNothing, seat)
	}
}

// hand moves one thing from one ship to another.
func (r *Rules) hand(s *State, how engine.EventKind, from, to, good int) {
	*s.Ships[from].good(good)--
	*s.Ships[to].good(good)++
	r.note(how, to, good, 1, from)
}

// Noting are the rules that note in log what happens.
func (r *Rules) Noting(log *engine.Log) engine.Rules[State] {
	noting := *r
	noting.log = log
	return &noting
}

// Tell says what happened.
func (r *Rules) Tell(s *State, list []engine.Event, view int) []string {
	return frames.Tell(eventForms, list, view, func(t *frames.Telling, word string) string { return r.told(s, t, word) })
}

// EventForms describe the kinds of event.
func (r *Rules) EventForms() []engine.EventForm { return frames.EventForms(eventForms) }

// Event returns an event in its form for JSON.
func (r *Rules) Event(e engine.Event, view int) any { return frames.WriteEvent(eventForms, e, view) }

// shipName is the name of a ship in words: by its captain, who stays with it under any player.
func (r *Rules) shipName(s *State, seat int8) string {
	if seat != Legendary && s.Ships[seat].Captain != noCaptain {
		return r.CaptainTitle[s.Ships[seat].Captain]
	}
	return shipTitle(seat)
}

// cardInFull is a card by its number, with what it does.
func (r *Rules) cardInFull(card int) string {
	id, does, _ := strings.Cut(r.cardWords(card), "  ")
	return id + " (" + does + ")"
}

// told stands for a word in braces of an event's sentence.
func (r *Rules) told(s *State, t *frames.Telling, word string) string {
	water := func(region int8) string {
		if tile := s.Water[region]; tile != noTile {
			return r.WaterTitle[tile]
		}
		return fmt.Sprintf("region %d", region)
	}
	switch word {
	case "card in full":
		return r.cardInFull(int(t.Arg("card")))
	case "their card in full":
		return r.cardInFull(int(t.Arg("theirs")))
	case "cards":
		var names []string
		for _, card := range t.Joined {
			names = append(names, cardNames[card])
		}
		return strings.Join(names, ", ")
	case "where":
		if slot := t.Arg("slot"); slot > 0 {
			return fmt.Sprint("face down as card ", slot)
		}
		return "in hand"
	case "joined card":
		return engine.Count(len(t.Joined), "card", "")
	case "current":
		if t.Arg("entered") != t.Arg("to") {
			return ", which carries it on to " + water(t.Arg("to"))
		}
		return ""
	case "at most":
		if s.DamageIn(int(t.Arg("region")), int(t.Arg("damage"))) < int(t.Arg("damage")) {
			return ", 1 at most in Fog"
		}
		return ""
	case "ability":
		return r.CaptainAbility[s.Ships[t.Seat].Captain]
	case "works against":
		if s.Ships[t.Seat].Captain == Hayreddin {
			return "keeps its doubloons from"
		}
		return "strikes at"
	case "loses":
		if t.Arg("good") == GoodDoubloons {
			return "returns"
		}
		return "loses"
	case "to where":
		if t.Arg("good") == GoodDoubloons {
			return " to the island"
		}
		return ""
	case "who moves":
		if r.stays {
			return "end-game tracker"
		}
		return "captain"
	case "shared with":
		if t.Arg("shared") != 0 {
			return ", with others who have as much"
		}
		return ""
	case "action in words":
		return iconTitles[t.Arg("action")]
	case "declines":
		return declines[Kind(t.Arg("asked"))]
	case "by whom":
		if by := t.Arg("by"); by != nobody {
			return " from " + r.shipName(s, by)
		}
		return ""
	case "die":
		if face := Face(t.Arg("face")); face != FaceVoodoo || !r.Edition.BlankDie {
			return face.String()
		}
		return "blank"
	case "for what":
		return []string{"", " for the black jewel", " in the duel"}[t.Arg("for")]
	case "loot":
		return r.lootWord(&r.Cards[t.Arg("card")])
	case "goods":
		names := goodNames[t.Arg("good")]
		return engine.Count(int(t.Arg("number")), names[0], names[1])
	case "from where":
		switch of := int(t.Arg("of")); {
		case of >= ofRegion:
			return " from " + water(int8(of-ofRegion))
		case of >= ofBeach:
			return " from " + nodeNames[NodeB1+of-ofBeach]
		case of == ofIsland:
			return " from the island"
		}
		return ""
	case "special":
		return [NumSpecials]string{"Island Lore", "Skull Amulet", "Protection Orb"}[t.Arg("tile")]
	case "tile title":
		return r.LandmarkTitle[t.Arg("tile")]
	case "tile in full":
		return r.LandmarkTitle[t.Arg("tile")] + ": " + strings.TrimSuffix(r.LandmarkText[t.Arg("tile")], ".")
	case "relic title":
		return goodNames[t.Arg("relic")][0]
	case "relic place":
		if t.Arg("relic") >= GoodShells {
			return "at " + water(t.Arg("at"))
		}
		return "on " + nodeNames[NodeB1+t.Arg("at")]
	case "score":
		var by [NumScores]int32
		r.scores(s, int(t.Seat), by[:])
		from := ""
		for i, points := range by {
			if points != 0 {
				from += fmt.Sprintf(", %s %d", strings.ReplaceAll(scoreSources[i], "_", " "), points)
			}
		}
		return engine.Count(100*int(t.Arg("hundreds"))+int(t.Arg("points")), "point", "") + strings.Replace(from, ",", ":", 1)
	}
	what, arg, _ := strings.Cut(word, " ")
	arg, more, _ := strings.Cut(arg, " ")
	switch x := t.Arg(arg); what {
	case "ship":
		return r.shipName(s, x)
	case "region":
		return water(x)
	case "water":
		return r.WaterTitle[x]
	case "node":
		switch x {
		case NodeM:
			return "Mount Zotètmon"
		case NodeX:
			return "Mücevher Crater"
		}
		return nodeNames[x]
	case "count":
		return engine.Count(int(x), more, "")
	case "go":
		if x == 1 {
			return "goes"
		}
		return "go"
	}
	panic("doubloons: no word for " + word)
}
