//go:build !amd64

package policy

// On other machines nothing is done fast: Go does it all.

func addColumnsFast(out, weight, x []float32, used []int32) int { return 0 }

func dotFast(w, x []float32, s *[lanes]float32) int { return 0 }

func reluFast(x []float32) int { return 0 }

func addPairsFast(sums []int32, weight []int16, pairs []pair) bool { return false }

func broughtFast(out []float32, sums []int32, units []float32, unit float32) int { return 0 }

func sumsFast(x []float32, s *[lanes]float64) int { return 0 }

func squaresFast(x []float32, mean float64, s *[lanes]float64) int { return 0 }

func spreadFast(x, gain, shift []float32, middle, scale float32) int { return 0 }

func filledFast(from []uint8, masks []uint64) int { return 0 }

func topFast(x []float32) (top uint32, done int) { return 0, 0 }

func wholesFast(x []float32, up float32, to []int32, masks []uint8) int { return 0 }
