// Package export writes policies in the formats of other programs: ONNX for runtimes in any language and npz for NumPy, each with a
// manifest that explains its numbers, and with golden decisions by which a reader can check its results.
package export
