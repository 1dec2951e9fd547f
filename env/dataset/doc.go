// Package dataset writes matches down as Parquet, one row a decision, for offline learning and analysis with any tool that reads
// Parquet, and reads them. README.md has the columns.
//
// A data set is a folder of files, each with the same number of consecutive matches. The bytes of a file depend only on the configuration:
// not on the number of workers, the shard or the files that were there before. Files of several machines, copied into one folder, are one
// data set.
//
// Each file has two keys of metadata: a [Head] as JSON under the key privateer, and the description of the game and its tensors
// ([encode.Spec]) under privateer.spec.
package dataset
