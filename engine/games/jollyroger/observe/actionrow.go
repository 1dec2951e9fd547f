package observe

import "github.com/privateer-rl/privateer/engine/games/jollyroger"

const (
	numChoices = 29                                        // sorts of action
	specials   = jollyroger.NumCrew - jollyroger.NumNormal // cards without a skill
)

// actionRow is the effect of one legal action, by the rules and as far as the seat that decides may know. All decisions
// have the same row: what does not belong to an action is zero. Where a destination is not revealed, figures are means over
// the cards left of it, in 16ths.
type actionRow struct {
	kind   [jollyroger.NumAsks]uint8 `name:"action.decision" doc:"one-hot: what is asked, as in decision.kind"`
	choice [numChoices]uint8         `name:"action.choice" doc:"one-hot: the action: play, support, oppose, cutthroat, use, change a need, seat, sail, pass, reveal, succeed, fail, prize, give, exchange, ransom, sell, bury, bury all, discard, punish, spare, suggest, offer a crew card, offer a prize, propose, accept, refuse, say"`

	skill   [jollyroger.NumSkills + 1]uint8 `name:"action.card.skill" doc:"one-hot: skill of the crew card that is played or given up: navigation, guns, melee, any"`
	value   uint8                           `name:"action.card.value" max:"3" doc:"its points of skill"`
	crewmen uint8                           `name:"action.card.crewmen" max:"5" doc:"its crewmen in a mutiny"`
	special [specials + 1]uint8             `name:"action.card.special" doc:"one-hot: the special card, from boatswain to traitor, then the Quartermaster card"`
	copies  uint8                           `name:"action.card.copies" max:"12" scale:"1/2" doc:"copies of it in one's hand"`
	hand    uint8                           `name:"action.hand" max:"66" scale:"1/8" doc:"crew cards in one's hand after it"`
	skills  forceRow                        `name:"action.hand.skills" max:"255" scale:"1/8" doc:"what they would bring to an attack: navigation, guns, melee, cards of any skill"`
	men     uint8                           `name:"action.hand.crewmen" max:"255" scale:"1/8" doc:"and to a mutiny"`
	others  uint8                           `name:"action.others" max:"255" scale:"1/16" doc:"crew cards that all others hold"`

	attack attackRow
	mutiny mutinyRow

	sail     [jollyroger.NumDestinations]uint8 `name:"action.sail" doc:"one-hot: the destination chosen"`
	port     uint8                             `name:"action.sail.crew" max:"255" scale:"1/32" doc:"crew cards that a port brings each player on average, in 16ths"`
	room     uint8                             `name:"action.sail.room" max:"255" scale:"1/32" doc:"of them, those that one's own hand has room for, in 16ths"`
	roomAll  uint8                             `name:"action.sail.room_others" max:"255" scale:"1/64" doc:"and those of all others together, in 4ths"`
	hostages uint8                             `name:"action.sail.hostages" max:"46" scale:"1/4" doc:"hostages of one's own"`
	theirs   uint8                             `name:"action.sail.hostages_others" max:"46" scale:"1/4" doc:"those of others, where one sees them"`
	map_     uint8                             `name:"action.sail.map" doc:"one holds an Old Sailor, or one lies on the table"`

	target targetSeat

	prize  [jollyroger.NumPrizes]uint8 `name:"action.prize" doc:"one-hot: the prize chosen, given, exchanged, sold or buried"`
	worth  uint8                       `name:"action.prize.value" max:"16" scale:"1/4" doc:"its gold by itself"`
	same   uint8                       `name:"action.prize.same" max:"46" scale:"1/4" doc:"prizes of that kind that are there to be chosen from"`
	better uint8                       `name:"action.prize.better" max:"46" scale:"1/4" doc:"prizes there that are worth more"`
	left   uint8                       `name:"action.prize.left" max:"46" scale:"1/4" doc:"prizes that are still to be shared out after it"`

	loose  uint8 `name:"action.gold.loose" max:"255" scale:"1/16" doc:"gold of one's own that is not buried after it"`
	hidden uint8 `name:"action.gold.buried" max:"255" scale:"1/16" doc:"and that is buried after it"`
	gold   uint8 `name:"action.gold.gained" max:"16" scale:"1/4" doc:"gold that one has more after it"`
	lost   uint8 `name:"action.gold.lost" max:"255" scale:"1/4" doc:"gold that one has less after it"`

	offered  uint8 `name:"action.offer.cards" max:"66" scale:"1/4" doc:"crew cards of the offer that one accepts, refuses or continues with"`
	offering uint8 `name:"action.offer.gold" max:"255" scale:"1/8" doc:"gold of its prizes"`
	ends     uint8 `name:"action.says_no_more" doc:"one does nothing, or no more"`
}

// attackRow is how an attack stands once the action is taken, or how one on the destination chosen would stand. Cards of any skill
// go where they are missed.
type attackRow struct {
	needs   [jollyroger.NumSkills]uint8 `name:"action.attack.needs" max:"255" scale:"1/64" doc:"navigation, guns, melee that the target needs, in 16ths"`
	lacks   [jollyroger.NumSkills]uint8 `name:"action.attack.lacks" max:"255" scale:"1/64" doc:"of them, what the cards that are played lack, in 16ths"`
	missing uint8                       `name:"action.attack.missing" max:"255" scale:"1/64" doc:"what they lack in all, cards of any skill put to use, in 16ths"`
	helps   uint8                       `name:"action.attack.helps" max:"255" scale:"1/32" doc:"by how much less that is than before the action, in 16ths"`
	wins    uint8                       `name:"action.attack.wins" max:"255" scale:"1/255" doc:"share of the targets that they suffice for"`
	hand    uint8                       `name:"action.attack.missing_hand" max:"255" scale:"1/64" doc:"what lacks if one plays all of one's hand, in 16ths"`
	could   uint8                       `name:"action.attack.wins_hand" max:"255" scale:"1/255" doc:"share of the targets that suffices for"`
	short   uint8                       `name:"action.attack.per_card" max:"255" scale:"1/64" doc:"of what lacks then, what each card of the others would have to bring, in 64ths; 255 if they hold none"`
	prizes  uint8                       `name:"action.attack.prizes" max:"255" scale:"1/64" doc:"prizes that it wins, in 16ths"`
	each    uint8                       `name:"action.attack.share" max:"255" scale:"1/32" doc:"prizes that one's own seat gets if they go round once from the officers, in 16ths"`
	cut     [2]uint8                    `name:"action.attack.officer" doc:"one is Captain; Quartermaster"`
	last    uint8                       `name:"action.attack.last" doc:"one's card is the last that suffices: before it the cards did not, for any target that they do for now"`
}

// mutinyRow is how the two sides stand once the action is taken.
type mutinyRow struct {
	side    [sides]uint8 `name:"action.mutiny.side" doc:"one-hot: the side that one is on then: Captain, First Mutineer"`
	joins   uint8        `name:"action.mutiny.joins" doc:"one was on no side before"`
	crewmen [sides]uint8 `name:"action.mutiny.crewmen" max:"255" scale:"1/8" doc:"crewmen for the Captain, for the First Mutineer"`
	adds    uint8        `name:"action.mutiny.adds" max:"8" scale:"1/4" doc:"crewmen that the action adds"`
	leads   uint8        `name:"action.mutiny.leads" max:"255" scale:"1/8" doc:"by how many the side of the Captain wins then"`
	trails  uint8        `name:"action.mutiny.trails" max:"255" scale:"1/8" doc:"by how many more than as many the side of the First Mutineer wins then"`
	turns   uint8        `name:"action.mutiny.turns" doc:"the action turns who wins"`
	reserve uint8        `name:"action.mutiny.reserve" max:"255" scale:"1/8" doc:"crewmen that one could still add"`
	hands   [3]uint8     `name:"action.mutiny.hands" max:"255" scale:"1/16" doc:"crew cards that others hold who are on the Captain's side, the First Mutineer's, and neither's"`
	answers uint8        `name:"action.mutiny.answers" max:"10" doc:"seats that are asked once more before it ends if nobody plays"`
	gold    [sides]uint8 `name:"action.mutiny.gold" max:"255" scale:"1/16" doc:"gold that is not buried of those on the Captain's side, the First Mutineer's, as far as one sees it"`
	prizes  [sides]uint8 `name:"action.mutiny.prizes" max:"255" scale:"1/8" doc:"how many prizes that is"`
	own     uint8        `name:"action.mutiny.own" max:"255" scale:"1/16" doc:"gold of one's own that is lost if one's side loses"`
	boss    [2]uint8     `name:"action.mutiny.leader" doc:"one is Captain; First Mutineer, or will be by this"`
	kills   [sides]uint8 `name:"action.mutiny.kills" doc:"one-hot: the Cutthroat decides against: Captain, First Mutineer"`
}

// targetSeat is the player that an action names.
type targetSeat struct {
	seat     [jollyroger.MaxSeats]uint8   `name:"action.target" doc:"one-hot: the seat named: oneself, the seat k places on"`
	hand     uint8                        `name:"action.target.hand" max:"66" scale:"1/8" doc:"crew cards that it holds"`
	prizes   uint8                        `name:"action.target.prizes" max:"46" scale:"1/8" doc:"prizes that it has not buried"`
	buried   uint8                        `name:"action.target.buried" max:"46" scale:"1/8" doc:"and has buried"`
	gold     uint8                        `name:"action.target.gold" max:"255" scale:"1/16" doc:"gold of those not buried, where one sees it; else one a prize"`
	hoard    uint8                        `name:"action.target.hoard" max:"255" scale:"1/16" doc:"gold of the buried ones, likewise"`
	mean     uint8                        `name:"action.target.hoard_mean" max:"255" scale:"1/64" doc:"gold of a buried one on average, in 16ths"`
	best     uint8                        `name:"action.target.best" max:"16" scale:"1/4" doc:"gold of the best of its prizes that are not buried, where one sees it"`
	ahead    uint8                        `name:"action.target.ahead" max:"255" scale:"1/8" doc:"gold in all that it has more than oneself"`
	behind   uint8                        `name:"action.target.behind" max:"255" scale:"1/8" doc:"or less"`
	leads    uint8                        `name:"action.target.leads" doc:"no other player has more"`
	rank     uint8                        `name:"action.target.rank" max:"9" doc:"players, oneself apart, who have more"`
	officer  [3]uint8                     `name:"action.target.officer" doc:"it is Captain; Quartermaster; First Mutineer"`
	side     [sides]uint8                 `name:"action.target.side" doc:"one-hot: it has taken sides with: Captain, First Mutineer"`
	split    uint8                        `name:"action.target.split" max:"46" scale:"1/2" doc:"prizes that it has got in this sharing-out"`
	fewest   uint8                        `name:"action.target.fewest" doc:"nobody has got fewer"`
	says     [jollyroger.NumPhrases]uint8 `name:"action.says" doc:"one-hot: the phrase said to it: side with me, I side with you, give me, I give you, I will mutiny, I will not"`
	suggests uint8                        `name:"action.target.suggested" doc:"the Captain has suggested it"`
}
