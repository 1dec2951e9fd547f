package position_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
)

// coins are ten coins of gold and four of silver, in a bank, two purses and a box from which they may be missing.
type coins struct{ bank, first, second [3]uint8 }

func (c *coins) stock() *position.Stock {
	return &position.Stock{
		Things: "coins", Kinds: []string{"gold", "silver", "copper"}, Known: 2, Box: []int{10, 4, 0}, Absent: "there is no copper",
		Rest:   position.Counts("bank", c.bank[:]),
		Places: []position.Place{position.Counts("purses[0].coins", c.first[:]), position.Counts("purses[1].coins", c.second[:])},
	}
}

func TestStocksNameWhatIsLostOrMade(t *testing.T) {
	c := coins{bank: [3]uint8{7, 4, 0}, first: [3]uint8{2, 0, 0}, second: [3]uint8{1, 0, 0}}
	var f position.Faults
	if f.Conserved(c.stock()); len(f.List) > 0 {
		t.Fatalf("all coins are there, but %v", f.List)
	}
	c.bank[0]--
	c.second[1]++
	f.Conserved(c.stock())
	want := "bank.gold: 9 coins in bank, purses[].coins: there are 10; bank.silver: 5 coins in bank, purses[].coins: there are 4"
	if got := strings.Join(f.List, "; "); got != want {
		t.Errorf("faults %q, want %q", got, want)
	}
	f, c.bank[1], c.second[1] = position.Faults{}, 4, 0
	st := c.stock()
	st.Leave = true
	if f.Conserved(st); len(f.List) > 0 {
		t.Errorf("coins may leave the game, but %v", f.List)
	}
}

func TestShapesOfStocksAreWhatTheBoxHolds(t *testing.T) {
	one := position.Stock{Box: []int{7}}
	for _, c := range []struct {
		st   *position.Stock
		want string
	}{
		{&one, `{"type":"integer","minimum":0,"maximum":7}`},
		{(&coins{}).stock(), `{"type":"object","additionalProperties":false,"properties":{"gold":{"type":"integer","minimum":0,"maximum":10},` +
			`"silver":{"type":"integer","minimum":0,"maximum":4},"copper":{"type":"integer","minimum":0,"maximum":0}}}`},
	} {
		if got, err := json.Marshal(c.st.Shape()); err != nil || string(got) != c.want {
			t.Errorf("%s, %v; want %s", got, err, c.want)
		}
	}
}

func TestAFileLeavesTheRestOfAStock(t *testing.T) {
	read := func(text string) (coins, []string) {
		root, err := position.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var c coins
		var f position.Faults
		st := c.stock()
		f.Take(st, root.Get("first"), st.Places[0])
		f.Take(st, root.Get("second"), st.Places[1])
		f.Fill(st, root.Get("bank"))
		return c, f.List
	}
	if c, faults := read(`{"first": {"gold": 3}, "second": {"silver": 1}}`); faults != nil || c.bank != [3]uint8{7, 3, 0} {
		t.Errorf("%v in the bank, faults %v", c.bank, faults)
	}
	if c, faults := read(`{"first": {"gold": 3}, "bank": {"gold": 2}}`); faults != nil || c.bank != [3]uint8{2, 4, 0} {
		t.Errorf("%v in the bank, faults %v: what a file says counts", c.bank, faults)
	}
	for text, want := range map[string]string{
		`{"first": {"gold": 6}, "second": {"gold": 5}}`: "second.gold: 5: with the others that makes 11 of the 10 coins",
		`{"first": {"copper": 0}}`:                      "first.copper: there is no copper",
		`{"bank": {"copper": 1}}`:                       "bank.copper: there is no copper",
		`{"second": {"tin": 1}}`:                        "second.tin: unknown field",
		`{"first": {"silver": 5}}`:                      "first.silver: 5: want a whole number from 0 to 4",
	} {
		if _, faults := read(text); len(faults) != 1 || !strings.HasPrefix(faults[0], want) {
			t.Errorf("%s: faults %q, want %s", text, faults, want)
		}
	}
}

func TestDrawTakesWhatIsLeft(t *testing.T) {
	r := engine.NewRand(1)
	left, drawn := []int{2, -1, 1}, [3]int{}
	for range 3 {
		drawn[position.Draw(left, &r)]++
	}
	if drawn != [3]int{2, 0, 1} || position.Draw(left, &r) != -1 {
		t.Errorf("drawn %v, left %v", drawn, left)
	}
}

func TestAPieceIsInOnePlace(t *testing.T) {
	root, err := position.Parse([]byte(`{"hand": "ace", "deck": "ace", "row": "king", "odd": "knave"}`))
	if err != nil {
		t.Fatal(err)
	}
	var f position.Faults
	all := &position.Pieces{Names: []string{"ace", "", "king"}, Each: "card", Places: map[int]string{}}
	if a, k := f.Claim(all, root.Get("hand")), f.Claim(all, root.Get("row")); a != 0 || k != 2 || f.List != nil {
		t.Errorf("cards %d and %d, faults %v", a, k, f.List)
	}
	f.Claim(all, root.Get("deck"))
	if n := f.Claim(all, root.Get("odd")); n != -1 || len(f.List) != 2 || f.List[0] != "deck: ace is at hand already: there is one of each card" {
		t.Errorf("card %d, faults %q", n, f.List)
	}
}
