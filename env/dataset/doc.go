// Package dataset writes matches down as Parquet, one row a decision, for offline learning and analysis with any tool that reads
// Parquet, and reads them. README.md has the columns.
//
// A data set is a folder of files, each with the same number of consecutive matches. A file depends on the configuration alone, to the byte:
// not on the number of workers, nor on the shard of the work it was written in, nor on which files were there before. What several
// machines have written is one data set once it lies in one folder.
//
// What was played is in each file's metadata: a [Head] as JSON under the key privateer, and the description of the game and its tensors
// ([encode.Spec]) under privateer.spec.
package dataset
