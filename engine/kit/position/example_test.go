package position_test

import (
	"encoding/json"
	"fmt"
	"log"

	"github.com/privateer-rl/privateer/engine/kit/position"
)

// A game reads what it knows of a position and notes what is wrong with it.
func ExampleFaults() {
	root, err := position.Parse([]byte(`{"ship": {"hull": 9, "flag": "jolly rodger"}, "crew": 3}`))
	if err != nil {
		log.Fatal(err)
	}
	var faults position.Faults
	faults.IsObject(root, "ship")
	ship := root.Get("ship")
	faults.IsObject(ship, "hull", "flag")
	hull := faults.Number(ship.Get("hull"), 0, 6, 6)
	flag := faults.Name(ship.Get("flag"), []string{"none", "jolly roger"}, 0)
	fmt.Println(hull, flag)
	fmt.Println(faults.Err())
	// Output:
	// 6 0
	// crew: unknown field: want one of ship; ship.hull: 9: want a whole number from 0 to 6; ship.flag: unknown name "jolly rodger": did you mean jolly roger?
}

// Fields are written in the order in which they were added.
func ExampleObject() {
	var ship position.Object
	ship.Add("hull", 6)
	ship.Add("flag", "jolly roger")
	text, err := json.Marshal(position.Object{{Name: "ship", Value: ship}, {Name: "crew", Value: 3}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
	// Output: {"ship":{"hull":6,"flag":"jolly roger"},"crew":3}
}
