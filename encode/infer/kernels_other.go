//go:build !amd64

package infer

// Other machines have no fast versions.

func addColumnsFast(out, weight, x []float32, used []int32) int { return 0 }

func dotFast(w, x []float32, s *[lanes]float32) int { return 0 }

func reluFast(x []float32) int { return 0 }

func addPairsFast(sums []int32, weight []int16, in *listing) bool { return false }

func broughtFast(out []float32, sums []int32, units []float32, unit float32) int { return 0 }

func normFast(x, gain, shift []float32, eps float64, floor bool) bool { return false }

func changesFast(from, before []uint8, to *listing) (done, found int) { return 0, 0 }

func topFast(x []float32) (top uint32, done int) { return 0, 0 }

func roundFast(x []float32, up float32, to *listing) (done, found int) { return 0, 0 }

func listFast(x []float32, to *listing) (found int, most float32, ok bool) { return 0, 0, false }

func ontoFast(w *wholeLayer, in *listing, unit float32, base, out []float32, floor bool) bool {
	return false
}

func poolFast(vectors, mean, most []float32) bool { return false }
