package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/bundle/export"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/train"
	"github.com/privateer-rl/privateer/train/learner"
)

// exportFormat is a format of --format.
type exportFormat struct {
	name, ext string
	write     func(b *bundle.Bundle, m *export.Manifest) ([]byte, error)
}

var exportFormats = []exportFormat{
	{"bundle", bundle.Ext, func(b *bundle.Bundle, _ *export.Manifest) ([]byte, error) { return b.Encode() }},
	{"onnx", ".onnx", func(b *bundle.Bundle, m *export.Manifest) ([]byte, error) {
		text, err := m.JSON()
		if err != nil {
			return nil, err
		}
		return export.ONNX(b, map[string]string{"privateer.manifest": string(text)})
	}},
	{"safetensors", ".safetensors", safetensors},
	{"numpy", ".npz", func(b *bundle.Bundle, _ *export.Manifest) ([]byte, error) { return export.NPZ(export.Tensors(b)) }},
}

func formatNames() []string {
	names := make([]string, len(exportFormats))
	for i, f := range exportFormats {
		names[i] = f.name
	}
	return names
}

// checkFormats refuses names of no format.
func checkFormats(names []string) error {
	if len(names) == 0 {
		return usagef("--format is empty: want some of %s", strings.Join(formatNames(), ", "))
	}
	for i, name := range names {
		if !slices.Contains(formatNames(), name) || slices.Contains(names[:i], name) {
			return usagef("--format %s: want some of %s, each once", strings.Join(names, ","), strings.Join(formatNames(), ", "))
		}
	}
	return nil
}

// outputs are the files of formats, in the order of exportFormats.
func outputs(out string, names []string) []string {
	stem := out
	for _, f := range exportFormats {
		stem = strings.TrimSuffix(stem, f.ext)
	}
	var files []string
	for _, f := range exportFormats {
		switch {
		case !slices.Contains(names, f.name):
		case len(names) == 1 && (f.name == "bundle" || filepath.Ext(out) != bundle.Ext):
			files = append(files, out) // as it was asked for
		default:
			files = append(files, stem+f.ext)
		}
	}
	return files
}

// goldenFile is where the golden decisions go; "" beside a bundle alone, which has them in it.
func goldenFile(out string, names []string) string {
	if len(names) == 1 && names[0] == "bundle" {
		return ""
	}
	first := outputs(out, names)[0]
	return strings.TrimSuffix(first, filepath.Ext(first)) + ".golden.json"
}

func manifestOf(file string) string { return file + ".json" }

// written are all files of an export: outputs, and what goes beside them.
func written(out string, names []string) []string {
	files := outputs(out, names)
	for _, f := range files {
		files = append(files, manifestOf(f))
	}
	if golden := goldenFile(out, names); golden != "" {
		files = append(files, golden)
	}
	return files
}

func safetensors(b *bundle.Bundle, m *export.Manifest) ([]byte, error) {
	text, err := m.JSON()
	if err != nil {
		return nil, err
	}
	var all []learner.Tensor
	for _, t := range export.Tensors(b) {
		data := make([]float32, len(t.Data)/4)
		for i := range data {
			data[i] = math.Float32frombits(binary.LittleEndian.Uint32(t.Data[4*i:]))
		}
		all = append(all, learner.Tensor{Name: t.Name, Shape: t.Shape, Data: data})
	}
	var out bytes.Buffer
	err = learner.WriteSafetensors(&out, all, map[string]string{"privateer.manifest": string(text)})
	return out.Bytes(), err
}

// policyIn is the policy to export, and the file that it was read from.
func policyIn(path string, opt train.ExportOptions) (*bundle.Bundle, string, error) {
	if !policy.IsBundle(path) {
		return train.Export(path, opt)
	}
	b, err := policy.Find(path)
	if err == nil && opt.Choice != "" {
		b.Choose(opt.Choice)
	}
	return b, path, err
}

// exportedFile is a file that was written, with its manifest beside it.
type exportedFile struct {
	Format   string `json:"format"`
	File     string `json:"file"`
	Bytes    int64  `json:"bytes"`
	SHA256   string `json:"sha256"`
	Manifest string `json:"manifest"`
}

// save writes a policy in formats, with what goes beside the files.
func (r *exportResult) save(b *bundle.Bundle, out string, names []string, golden int) error {
	files := outputs(out, names)
	if r.Golden = goldenFile(out, names); r.Golden != "" {
		g, err := export.Play(b, golden)
		if err != nil {
			return err
		}
		text, err := g.JSON()
		if err != nil {
			return err
		}
		if err := durable.WriteFile(r.Golden, text); err != nil {
			return err
		}
	}
	// The bundle comes first, so that the manifests of all name it by its digest.
	for _, f := range exportFormats {
		if !slices.Contains(names, f.name) {
			continue
		}
		done, err := r.file(b, f, files[0])
		if err != nil {
			return err
		}
		files = files[1:]
		r.Files = append(r.Files, done)
		if f.name == "bundle" {
			r.Bundle, r.Bytes = done.File, done.Bytes
			if b, err = bundle.Load(done.File); err != nil {
				return err
			}
		}
	}
	return nil
}

// file writes one file and its manifest.
func (r *exportResult) file(b *bundle.Bundle, f exportFormat, path string) (exportedFile, error) {
	m, err := export.Describe(b, f.name)
	if err != nil {
		return exportedFile{}, err
	}
	m.File = filepath.Base(path)
	if r.Golden != "" {
		m.Golden = filepath.Base(r.Golden)
	}
	data, err := f.write(b, m)
	if err != nil {
		return exportedFile{}, err
	}
	sum := sha256.Sum256(data)
	m.SHA256 = hex.EncodeToString(sum[:])
	if f.name == "bundle" {
		m.Bundle = bundle.DigestOf(data)
	}
	text, err := m.JSON()
	if err != nil {
		return exportedFile{}, err
	}
	if err := durable.WriteFile(path, data); err != nil {
		return exportedFile{}, err
	}
	done := exportedFile{f.name, path, int64(len(data)), m.SHA256, manifestOf(path)}
	return done, durable.WriteFile(done.Manifest, text)
}
