package page_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

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
