package games_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The code of the guide is code that compiles: each block is found, line by line, in the game that it was copied from.
func TestTheGuideShowsTheCodeOfACompleteGame(t *testing.T) {
	guide := text(t, "../ADDING_A_GAME.md")
	game := text(t, "testdata/outside/higher.go") + text(t, "testdata/outside/higher_test.go") + text(t, "testdata/outside/RULES.md") + text(t, "testdata/outside/cmd/higher/main.go")
	blocks := regexp.MustCompile("(?s)```(?:go|markdown)\n(.*?)```").FindAllStringSubmatch(guide, -1)
	if len(blocks) < 10 {
		t.Fatalf("%d blocks of code were found in the guide", len(blocks))
	}
	for _, b := range blocks {
		if !strings.Contains("\n"+game, "\n"+b[1]) {
			t.Errorf("the guide shows what testdata/outside does not have: copy it again\n%s", b[1])
		}
	}
}

// What the guide links to exists.
func TestTheLinksOfTheGuideLeadSomewhere(t *testing.T) {
	words := regexp.MustCompile("(?s)```.*?```").ReplaceAllString(text(t, "../ADDING_A_GAME.md"), "")
	for _, link := range regexp.MustCompile(`\]\(([^)#]+)\)`).FindAllStringSubmatch(words, -1) {
		if _, err := os.Stat("../" + link[1]); err != nil {
			t.Error(err)
		}
	}
}

func text(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
