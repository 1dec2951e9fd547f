package engine

import (
	"fmt"
	"strings"
)

// Suggest is the end of an error about an unknown word that is nearly a known one: "; do you mean rollouts?"
func Suggest(word string, known []string) string {
	nearest, best := "", 1+len(word)/3
	for _, k := range known {
		if d := EditDistance(strings.ToLower(word), strings.ToLower(k)); d <= best {
			nearest, best = k, d-1
		}
	}
	if nearest == "" {
		return ""
	}
	return fmt.Sprintf("; do you mean %s?", nearest)
}

// EditDistance is the number of letters to change, add or drop to turn a into
// b (Levenshtein's distance).
func EditDistance(a, b string) int {
	if len(a) > 64 {
		return len(a) // no name is so long
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// Count says how many there are of something: "1 card", "2 cards". many is the plural; "": one with an s.
func Count(n int, one, many string) string {
	if n == 1 || n == -1 {
		return fmt.Sprintf("%d %s", n, one)
	}
	if many == "" {
		many = one + "s"
	}
	return fmt.Sprintf("%d %s", n, many)
}
