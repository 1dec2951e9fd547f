// Package export writes policies in the formats of other programs: ONNX for runtimes in any language and npz for NumPy, each with a
// manifest that says what its numbers mean, and with golden decisions by which a reader can check that it computes the same.
package export
