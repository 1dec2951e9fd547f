// Package export writes policies in the formats of other programs: ONNX for runtimes in any language, npz for
// NumPy, and what goes with each file: a manifest that says what its numbers mean, and golden decisions by which
// whoever loads it can tell that he computes what privateer computes.
package export
