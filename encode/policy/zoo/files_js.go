package zoo

import "embed"

var (
	files embed.FS
	sums  string
)
