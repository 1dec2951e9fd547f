package doubloons

import (
	"fmt"

	"github.com/privateer-rl/privateer/engine"
)

// Marks of pictures.
func regionMark(region int) string { return fmt.Sprintf("region-%d", region) }
func placeMark(node int) string    { return "place-" + nodeNames[node] }
func seatMark(ship int) string     { return fmt.Sprintf("seat-%d", ship) }
func cardMark(card int) string     { return "card-" + cardNames[card] }

// Point says what the actions of the decision at hand are about: places, ships and cards of the picture.
func (r *Rules) Point(s *State, a engine.Action) (mark, label string) {
	actor := int(s.Frames[s.Depth-1].Seat)
	water := func(region int) string {
		if tile := s.Water[region]; tile != noTile {
			return fmt.Sprintf("region %d, %s", region, r.WaterTitle[tile])
		}
		return fmt.Sprintf("region %d", region)
	}
	switch {
	case a < 0:
		return "", ""
	case a < ToPlace:
		return "", fmt.Sprintf("take %s: %s: %s", r.CaptainTitle[a], r.CaptainAbility[a], r.CaptainText[a])
	case a < ToCard:
		region, way := int(a-ToPlace)/2, "clockwise"
		if (a-ToPlace)%2 == 1 {
			way = "counterclockwise"
		}
		return regionMark(region), fmt.Sprintf("place the ship in %s, facing %s", water(region), way)
	case a < ToSail:
		return cardMark(int(a - ToCard)), r.cardWords(int(a - ToCard))
	case a >= ToDo && a < ToNear:
		return "", iconTitles[a-ToDo]
	case a == ToNear || a == ToFar:
		region, which := r.Ahead(&s.Ships[actor], 1+int8(a-ToNear)), "the region faced"
		if a == ToFar {
			which = "the one beyond"
		}
		return regionMark(int(region)), fmt.Sprintf("%s: %s", which, water(int(region)))
	case a >= ToSeat && a <= ToLegendary:
		ship := r.seatOf(actor, a)
		if ship == Legendary {
			return seatMark(ship), "the legendary ghost ship"
		}
		return seatMark(ship), fmt.Sprintf("%s, %s", r.whose(s, int8(ship)), r.captainWord(&s.Ships[ship]))
	case a >= ToNode && a < ToTile:
		node := int(a - ToNode)
		if tile := s.Tiles[node]; tile != noTile {
			return placeMark(node), fmt.Sprintf("to %s, %s", nodeNames[node], r.LandmarkTitle[tile])
		}
		return placeMark(node), "to " + nodeNames[node]
	case a >= ToTile && a < ToStack:
		return "", fmt.Sprintf("%s: %s", r.LandmarkTitle[a-ToTile], r.LandmarkText[a-ToTile])
	case a >= ToCompass && a < ToRegion:
		k := int(a - ToCompass)
		ship := (actor + k/NumSlots + 1) % r.seats
		return seatMark(ship), fmt.Sprintf("compass: %s, card %d", r.whose(s, int8(ship)), k%NumSlots+1)
	case a >= ToRegion && a < NumActions:
		return regionMark(int(a - ToRegion)), water(int(a - ToRegion))
	}
	return "", ""
}
