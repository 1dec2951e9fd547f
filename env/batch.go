package env

// Batch is what Reset and Step return: the same buffers each time, overwritten
// by the next call. With n rows, P seats, A actions, D bytes of the seat view and F of
// the full view, all arrays are row-major.
type Batch struct {
	Obs  []uint8 // [n, D] the observation of the row's Seat
	Full []uint8 // [n, F] its full view; nil unless Config.Full
	Mask []uint8 // [n, A] 1 where the action is legal; all ones at a finished row
	Seat []int32 // [n] who is to act; at a finished row the seat that acted last, or was next when it was truncated

	Reward       []float32 // [n, P] what each seat earned in this step
	PlayerReward []float32 // [n, P] the same by player; the very slice Reward unless Config.ShuffleSeats
	Players      []int32   // [n, P] which player has each seat in the episode that Obs shows
	Terminated   []bool    // [n] the row's match ended in this step, by the rules
	Truncated    []bool    // [n] … by Config.MaxDecisions
	EpisodeStep  []int32   // [n] decisions taken in the episode that Obs shows
	Episode      []int64   // [n] number of the episode that Obs shows, from 0

	// Of rows that ended in this step (Terminated or Truncated). What they hold in other rows
	// is left over from earlier and has no meaning.
	FinalObs     []uint8   // [n, P, D] each seat's view of the end
	FinalFull    []uint8   // [n, P, F] nil unless Config.Full
	FinalSeat    []int32   // [n] as Seat at a finished row
	Return       []float32 // [n, P] the episode's return by seat
	PlayerReturn []float32 // [n, P] the same by player; the very slice Return unless Config.ShuffleSeats
	Length       []int32   // [n] decisions of the episode
	Score        []int32   // [n, P, sources] each seat's raw score by source (engine.Info.ScoreSources)
}

func newBatch(n, p, actions, sources, obs, full int, cfg *Config) Batch {
	b := Batch{
		Obs:  make([]uint8, n*obs),
		Mask: make([]uint8, n*actions),
		Seat: make([]int32, n),

		Reward:      make([]float32, n*p),
		Players:     make([]int32, n*p),
		Terminated:  make([]bool, n),
		Truncated:   make([]bool, n),
		EpisodeStep: make([]int32, n),
		Episode:     make([]int64, n),

		FinalObs:  make([]uint8, n*p*obs),
		FinalSeat: make([]int32, n),
		Return:    make([]float32, n*p),
		Length:    make([]int32, n),
		Score:     make([]int32, n*p*sources),
	}
	b.PlayerReward, b.PlayerReturn = b.Reward, b.Return
	if cfg.ShuffleSeats {
		b.PlayerReward, b.PlayerReturn = make([]float32, n*p), make([]float32, n*p)
	}
	if cfg.Full {
		b.Full, b.FinalFull = make([]uint8, n*full), make([]uint8, n*p*full)
	}
	return b
}
