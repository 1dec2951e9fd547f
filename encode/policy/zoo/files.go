//go:build !js

package zoo

import "embed"

//go:embed *.bundle *.md
var files embed.FS

//go:embed zoo.json
var list []byte
