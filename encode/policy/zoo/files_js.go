package zoo

import "embed"

var (
	files embed.FS
	list  = []byte("[]")
)
