package captain

import "testing"

// asPrices are the players of the matches that captain 2's prices are fitted on, itself with the prices of the fit before
// included: what is worth much to one at a table may be worth little if all are after it.
var asPrices = []string{"heuristic", "heuristic2"}

// priceTables are the tables that the prices of an island are fitted on.
var priceTables = map[string][]string{
	"standard":  {"doubloons(seats=4)"},
	"alternate": {"doubloons(seats=4,modules=alternate_island)"},
}

func TestPricesKnowMoreThanTheEqualShare(t *testing.T) {
	fitted(t, "prices.json", &pricesFile, tariffs, priceTables, asPrices, 1500)
}
