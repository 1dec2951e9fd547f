package dataset

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The commands of the Makefile write the data that REFERENCE.md describes: rules, players and observations are those of its digests, of the first three matches each.
func TestTheReferenceDataSetIsTheOneOfItsCard(t *testing.T) {
	card, err := os.ReadFile("REFERENCE.md")
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile(`dataset "([^"]+)" --players (\S+) --matches \d+ --seed 2026`).FindAllStringSubmatch(string(makefile), -1)
	if len(commands) != 2 {
		t.Fatalf("the Makefile has %d commands that write it", len(commands))
	}
	for _, c := range commands {
		folder := t.TempDir()
		set := config(c[1], 3, 3, strings.Split(c[2], ",")...)
		set.Seed = 2026
		write(t, folder, set)
		var observations, actions, returns bytes.Buffer
		for _, d := range read(t, folder) {
			observations.Write(d.Observation)
			_ = binary.Write(&actions, binary.LittleEndian, d.Action)
			_ = binary.Write(&returns, binary.LittleEndian, d.Return)
		}
		sum := sha256.Sum256(append(append(observations.Bytes(), actions.Bytes()...), returns.Bytes()...))
		if digest := hex.EncodeToString(sum[:]); !bytes.Contains(card, []byte("`"+digest+"`")) {
			t.Errorf("%s: the digest is %s, which REFERENCE.md does not have: where rules, players or observations have changed, the data set is another one: write the digest there, and measure it again", c[1], digest)
		}
	}
}
