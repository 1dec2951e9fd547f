//go:build !js

package zoo

import "embed"

//go:embed *.bundle *.md older/*.bundle
var files embed.FS

//go:embed zoo.json
var list []byte
