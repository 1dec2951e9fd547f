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

func actionNames() (actions, outcomes []string) {
	a := make([]string, NumActions)
	o := make([]string, NumOutcomes)
	list := func(base engine.Action, prefix string, names []string) {
		for i, n := range names {
			if at := int(base) + i; at < len(a) {
				a[at] = prefix + n
			} else {
				o[at-len(a)] = prefix + n
			}
		}
	}
	list(ToCaptain, "captain=", captainNames[:])
	for r := range MaxRegions {
		a[ToPlace+engine.Action(2*r)] = fmt.Sprintf("place=%d,clockwise", r)
		a[ToPlace+engine.Action(2*r+1)] = fmt.Sprintf("place=%d,counterclockwise", r)
		a[ToRegion+engine.Action(r)] = fmt.Sprintf("region=%d", r)
	}
	list(ToCard, "card=", cardNames[:])
	list(ToSail, "", []string{"sail", "come_about", "stay"})
	list(ToDo, "do=", iconNames[:])
	list(ToNear, "target=", []string{"near", "far"})
	list(ToSeat, "seat=", []string{"self", "+1", "+2", "+3", "+4", "+5", "legendary"})
	list(ToSymbol, "symbol=", symbolNames[:])
	list(ToJewel, "take=", jewelNames[:])
	list(ToNode, "to=", nodeNames[:])
	list(ToTile, "keep=", landmarkNames[:])
	list(ToStack, "stack=", colourNames[:NumColours])
	list(ToAccept, "", []string{"accept", "decline"})
	for k := range MaxSeats - 1 {
		for slot := range NumSlots {
			a[ToCompass+engine.Action(3*k+slot)] = fmt.Sprintf("compass=+%d,%d", k+1, slot+1)
		}
	}
	list(OnInitiative, "initiative=", []string{"0", "1", "2", "3", "4", "5"})
	list(OnWater, "water=", waterNames[:numBoxWater])
	list(OnWhirlpool, "water=", waterNames[Whirlpool:])
	list(OnFragment, "map=", symbolNames[:])
	list(OnSpecial, "map=", specialNames[:])
	list(OnCard, "draw=", cardNames[:])
	list(OnDie, "die=", faceNames[:])
	list(OnLandmark, "landmark=", landmarkNames[:])
	list(OnJewel, "jewel=", jewelNames[:])
	list(OnTotem, "relic=totem_", symbolNames[:])
	list(OnShell, "relic=shell_", symbolNames[:])
	return a, o
}
