package clauses_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/privateer-rl/privateer/engine/kit/clauses"
)

func TestClausesAreReadFromListsAndTables(t *testing.T) {
	text := `# Rules
Words with **AAA-1** in them are no clause.

## One
- **AAA-1** First
  continues.
- no clause
- **AAA-2** Second.

## Two
| clause | rule | book | final |
| --- | --- | --- | --- |
| **BBB-1** | Row \| with a bar. | p2 | yes |
`
	want := `[{"id":"AAA-1","section":"One","text":"First continues."},{"id":"AAA-2","section":"One","text":"Second."},` +
		`{"id":"BBB-1","section":"Two","text":"Row | with a bar.","columns":{"book":"p2","final":"yes"}}]`
	all := clauses.Parse(text)
	if got, err := json.Marshal(all); err != nil || string(got) != want {
		t.Errorf("clauses %s, error %v; want %s", got, err, want)
	}
	if all[2].Notes != "book: p2; final: yes" {
		t.Errorf("notes %q", all[2].Notes)
	}
}

func TestIDsAreCapitalsAndANumber(t *testing.T) {
	for word, want := range map[string]bool{"MOV-4": true, "A-10": true, "mov-4": false, "MOV4": false, "MOV-": false, "MOV-4a": false, "": false} {
		if clauses.IsID(word) != want {
			t.Errorf("%q: want %v", word, want)
		}
	}
}

func ExampleParse() {
	for _, c := range clauses.Parse("## Movement\n- **MOV-4** A ship moves as far\n  as its sails carry it.\n") {
		fmt.Printf("%s (%s): %s\n", c.ID, c.Section, c.Text)
	}
	// Output: MOV-4 (Movement): A ship moves as far as its sails carry it.
}
