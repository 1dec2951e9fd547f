package page_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/privateer-rl/privateer/engine/kit/svg"
	"github.com/privateer-rl/privateer/serve/page"
)

// The style of pictures has its home in package svg; a page that forbids styles in pictures links it.
func TestThePageHasTheStyleOfPictures(t *testing.T) {
	got, err := os.ReadFile(filepath.Join("files", "pictures.css"))
	if err != nil || string(got) != svg.Style+"\n" {
		t.Errorf("files/pictures.css is not svg.Style (%v): write it again", err)
	}
}

func TestThePageLoadsNothingFromElsewhere(t *testing.T) {
	address := regexp.MustCompile(`(https?:)?//[a-z0-9-]+\.[a-z]`)
	inline := regexp.MustCompile(`(?i)<style|<script>|\sstyle=|\son[a-z]+=|javascript:`)
	seen := 0
	err := fs.WalkDir(page.Files(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		seen++
		data, err := fs.ReadFile(page.Files(), path)
		if err != nil {
			return err
		}
		text := strings.ReplaceAll(string(data), "http://www.w3.org/2000/svg", "")
		if found := address.FindString(text); found != "" {
			t.Errorf("%s names %s", path, found)
		}
		if found := inline.FindString(text); strings.HasSuffix(path, ".html") && found != "" {
			t.Errorf("%s has %q, which its policy forbids", path, found)
		}
		return nil
	})
	if err != nil || seen < 4 {
		t.Errorf("%d files: %v", seen, err)
	}
}

// The card of the folder that make space writes begins with what its host reads.
func TestTheCardOfTheSpaceNamesThePage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("static", "space.md"))
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.SplitN(string(text), "---\n", 3)
	var card struct {
		Title, SDK, License string
		AppFile             string `yaml:"app_file"`
		Short               string `yaml:"short_description"`
	}
	if len(parts) < 3 || parts[0] != "" || yaml.Unmarshal([]byte(parts[1]), &card) != nil {
		t.Fatal("the card does not begin with YAML between two lines of ---")
	}
	if _, err := fs.Stat(page.Files(), card.AppFile); err != nil || card.Title == "" || card.SDK != "static" || card.License != "apache-2.0" || card.Short == "" || len(card.Short) > 60 {
		t.Errorf("the card says %+v: %v", card, err)
	}
}
