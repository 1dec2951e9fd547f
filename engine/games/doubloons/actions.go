package doubloons

import (
	"fmt"

	"github.com/privateer-rl/privateer/engine"
)

// The action space: one flat list for every edition, module and number of
// seats. Seats are relative to the seat that decides: ToSeat+k is the seat k places clockwise.
const (
	ToCaptain   engine.Action = 0                          // captain=…
	ToPlace                   = ToCaptain + NumCaptains    // place=region,facing: 2 × region + (1 if counter-clockwise)
	ToCard                    = ToPlace + 2*MaxRegions     // card=…
	ToSail                    = ToCard + NumCards          // sail
	ToComeAbout               = ToSail + 1                 // come_about
	ToStay                    = ToSail + 2                 // stay: no more optional movement
	ToDo                      = ToSail + 3                 // do=…, by icon
	ToNear                    = ToDo + NumIcons            // target=near: the region faced
	ToFar                     = ToNear + 1                 // target=far: the region beyond it
	ToSeat                    = ToNear + 2                 // seat=self, seat=+1 … seat=+5
	ToLegendary               = ToSeat + MaxSeats          // seat=legendary
	ToSymbol                  = ToLegendary + 1            // symbol=…
	ToJewel                   = ToSymbol + NumSymbols      // take=…
	ToNode                    = ToJewel + NumJewels        // to=…
	ToTile                    = ToNode + NumNodes          // keep=…
	ToStack                   = ToTile + NumLandmarks      // stack=…
	ToAccept                  = ToStack + NumColours       // accept
	ToDecline                 = ToAccept + 1               // decline
	ToCompass                 = ToAccept + 2               // compass=+k,slot: 3 × (k−1) + slot
	ToRegion                  = ToCompass + (MaxSeats-1)*3 // region=…, for shells
	NumActions                = ToRegion + MaxRegions
)

// The outcomes of chance, after the actions.
const (
	OnInitiative = NumActions                // initiative=…
	OnWater      = OnInitiative + MaxSeats   // water=…
	OnFragment   = OnWater + numBoxWater     // map=… with a symbol
	OnSpecial    = OnFragment + NumSymbols   // map=… with a special tile
	OnCard       = OnSpecial + NumSpecials   // draw=…
	OnDie        = OnCard + NumCards         // die=…
	OnLandmark   = OnDie + NumFaces          // landmark=…
	OnJewel      = OnLandmark + NumLandmarks // jewel=…
	OnTotem      = OnJewel + NumJewels       // relic=totem_…
	OnShell      = OnTotem + NumSymbols      // relic=shell_…
	OnWhirlpool  = OnShell + NumSymbols      // water=whirlpool
	endOutcomes  = OnWhirlpool + 1
	NumOutcomes  = int(endOutcomes - NumActions)
)

// nameActions names all actions and outcomes.
func nameActions(in *engine.Info) {
	in.Actions, in.Outcomes = make([]string, NumActions), make([]string, NumOutcomes)
	name := in.NameActions
	name(ToCaptain, "captain=", captainNames[:]...)
	for r := range MaxRegions {
		name(ToPlace+engine.Action(2*r), fmt.Sprintf("place=%d,", r), "clockwise", "counterclockwise")
		name(ToRegion+engine.Action(r), "region=", fmt.Sprint(r))
	}
	name(ToCard, "card=", cardNames[:]...)
	name(ToSail, "", "sail", "come_about", "stay")
	name(ToDo, "do=", iconNames[:]...)
	name(ToNear, "target=", "near", "far")
	name(ToSeat, "seat=", "self", "+1", "+2", "+3", "+4", "+5", "legendary")
	name(ToSymbol, "symbol=", symbolNames[:]...)
	name(ToJewel, "take=", jewelNames[:]...)
	name(ToNode, "to=", nodeNames[:]...)
	name(ToTile, "keep=", landmarkNames[:]...)
	name(ToStack, "stack=", colourNames[:NumColours]...)
	name(ToAccept, "", "accept", "decline")
	for k := range MaxSeats - 1 {
		name(ToCompass+engine.Action(NumSlots*k), fmt.Sprintf("compass=+%d,", k+1), "1", "2", "3")
	}
	name(OnInitiative, "initiative=", "0", "1", "2", "3", "4", "5")
	name(OnWater, "water=", waterNames[:numBoxWater]...)
	name(OnWhirlpool, "water=", waterNames[Whirlpool:]...)
	name(OnFragment, "map=", symbolNames[:]...)
	name(OnSpecial, "map=", specialNames[:]...)
	name(OnCard, "draw=", cardNames[:]...)
	name(OnDie, "die=", faceNames[:]...)
	name(OnLandmark, "landmark=", landmarkNames[:]...)
	name(OnJewel, "jewel=", jewelNames[:]...)
	name(OnTotem, "relic=totem_", symbolNames[:]...)
	name(OnShell, "relic=shell_", symbolNames[:]...)
}
