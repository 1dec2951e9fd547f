package env

// Batch is the result of a call: the same buffers each time, overwritten by the next call. With n rows, P seats, A actions, D bytes of
// the seat view and F of
// the full view, all arrays are row-major.
type Batch struct {
	EnvID []int32 // [n] which environment the row shows; row i shows i unless the batch is of Recv or of a part

	Obs    []uint8 // [n, D] the observation of the row's Seat
	Full   []uint8 // [n, F] its full view; nil unless Config.Full
	Mask   []uint8 // [n, A] 1 if the action is legal; all ones at a finished row; nil with MaskPacked
	Packed []uint8 // [n, ⌈A/8⌉] the same in bits: action a is bit a mod 8 of byte a/8; nil with MaskBytes
	Seat   []int32 // [n] who is to act: a seat of the caller's; at a finished row that of them that acted last, or that was to act when it was truncated, if it was one of them

	// With Config.ActionRows, else nil: what the legal actions of all rows do, a row of F bytes for each
	// (encode.Encoder.ActionSize), those of row i from ActionOffsets[i] on, in ascending order of actions. A finished
	// row has none. A part has its own, and the whole batch those of the last call for all rows.
	ActionRows    []uint8 // [total, F]
	ActionIDs     []int32 // [total] the action that each describes
	ActionOffsets []int32 // [n+1] the last is total

	Reward       []float32 // [n, P] what each seat earned in this step
	PlayerReward []float32 // [n, P] the same by player; the very slice Reward unless Config.ShuffleSeats
	Players      []int32   // [n, P] which player has each seat in the episode that Obs shows
	Terminated   []bool    // [n] the row's match is over, by the rules: since this step or, with Disabled, an earlier one
	Truncated    []bool    // [n] … by Config.MaxDecisions or a limit of the game string (engine.Match.Truncated)
	Ended        []bool    // [n] it ended in this step
	EpisodeStep  []int32   // [n] decisions of the caller in the episode that Obs shows; the number of other decisions is hidden
	Episode      []int64   // [n] number of the episode that Obs shows, from 0

	// The rest is of rows that ended in this step (Ended). In other rows it
	// is left over from earlier and has no meaning.
	FinalObs     []uint8   // [n, P, D] each seat's own view of the end; zeros for seats that the caller does not see (Vec.Sees)
	FinalFull    []uint8   // [n, P, F] nil unless Config.Full
	FinalSeat    []int32   // [n] as Seat at a finished row
	Return       []float32 // [n, P] the episode's return by seat
	PlayerReturn []float32 // [n, P] the same by player; the very slice Return unless Config.ShuffleSeats
	Length       []int32   // [n] decisions that the caller took in the episode
	Score        []int32   // [n, P, sources] each seat's raw score by source (engine.Info.ScoreSources), as the seat itself knows it, or FinalSeat if the caller does not see that: what is hidden counts 0
}

// widths are the sizes of a row's parts.
type widths struct {
	seats, actions, packed, sources, obs, full, state int

	action int // bytes that describe an action; 0 unless asked for
}

func newBatch(n int, w widths, cfg *Config) Batch {
	b := Batch{
		EnvID: make([]int32, n),
		Obs:   make([]uint8, n*w.obs),
		Seat:  make([]int32, n),

		Reward:      make([]float32, n*w.seats),
		Players:     make([]int32, n*w.seats),
		Terminated:  make([]bool, n),
		Truncated:   make([]bool, n),
		Ended:       make([]bool, n),
		EpisodeStep: make([]int32, n),
		Episode:     make([]int64, n),

		FinalObs:  make([]uint8, n*w.seats*w.obs),
		FinalSeat: make([]int32, n),
		Return:    make([]float32, n*w.seats),
		Length:    make([]int32, n),
		Score:     make([]int32, n*w.seats*w.sources),
	}
	for i := range b.EnvID {
		b.EnvID[i] = int32(i)
	}
	b.PlayerReward, b.PlayerReturn = b.Reward, b.Return
	if cfg.ShuffleSeats {
		b.PlayerReward, b.PlayerReturn = make([]float32, n*w.seats), make([]float32, n*w.seats)
	}
	if cfg.Full {
		b.Full, b.FinalFull = make([]uint8, n*w.full), make([]uint8, n*w.seats*w.full)
	}
	if cfg.Masks != MaskPacked {
		b.Mask = make([]uint8, n*w.actions)
	}
	if cfg.Masks != MaskBytes {
		b.Packed = make([]uint8, n*w.packed)
	}
	b.roomForActions(w)
	return b
}

// roomForActions begins an empty list of rows that describe actions.
func (b *Batch) roomForActions(w widths) {
	if w.action > 0 {
		b.ActionRows, b.ActionIDs, b.ActionOffsets = []uint8{}, []int32{}, make([]int32, len(b.EnvID)+1)
	}
}

// slice is the batch of the rows from ≤ i < to; it shares their memory,
// except the rows that describe actions, which it does not have yet.
func (b *Batch) slice(from, to int, w widths) Batch {
	p := w.seats
	rows := Batch{
		EnvID:  part(b.EnvID, from, to, 1),
		Obs:    part(b.Obs, from, to, w.obs),
		Full:   part(b.Full, from, to, w.full),
		Mask:   part(b.Mask, from, to, w.actions),
		Packed: part(b.Packed, from, to, w.packed),
		Seat:   part(b.Seat, from, to, 1),

		Reward:       part(b.Reward, from, to, p),
		PlayerReward: part(b.PlayerReward, from, to, p),
		Players:      part(b.Players, from, to, p),
		Terminated:   part(b.Terminated, from, to, 1),
		Truncated:    part(b.Truncated, from, to, 1),
		Ended:        part(b.Ended, from, to, 1),
		EpisodeStep:  part(b.EpisodeStep, from, to, 1),
		Episode:      part(b.Episode, from, to, 1),

		FinalObs:     part(b.FinalObs, from, to, p*w.obs),
		FinalFull:    part(b.FinalFull, from, to, p*w.full),
		FinalSeat:    part(b.FinalSeat, from, to, 1),
		Return:       part(b.Return, from, to, p),
		PlayerReturn: part(b.PlayerReturn, from, to, p),
		Length:       part(b.Length, from, to, 1),
		Score:        part(b.Score, from, to, p*w.sources),
	}
	rows.roomForActions(w)
	return rows
}

func part[T any](all []T, from, to, width int) []T {
	if all == nil {
		return nil
	}
	return all[from*width : to*width : to*width]
}

// take copies row i of o to row k of b, what belongs to an end only if there is one.
func (b *Batch) take(k int, o *Batch, i int, w widths) {
	p := w.seats
	b.EnvID[k] = o.EnvID[i]
	copyRow(b.Obs, k, o.Obs, i, w.obs)
	copyRow(b.Full, k, o.Full, i, w.full)
	copyRow(b.Mask, k, o.Mask, i, w.actions)
	copyRow(b.Packed, k, o.Packed, i, w.packed)
	b.Seat[k] = o.Seat[i]

	copyRow(b.Reward, k, o.Reward, i, p)
	copyRow(b.PlayerReward, k, o.PlayerReward, i, p)
	copyRow(b.Players, k, o.Players, i, p)
	b.Terminated[k], b.Truncated[k], b.Ended[k] = o.Terminated[i], o.Truncated[i], o.Ended[i]
	b.EpisodeStep[k], b.Episode[k] = o.EpisodeStep[i], o.Episode[i]
	if o.Ended[i] {
		b.takeEnd(k, o, i, w)
	}
}

func (b *Batch) takeEnd(k int, o *Batch, i int, w widths) {
	p := w.seats
	copyRow(b.FinalObs, k, o.FinalObs, i, p*w.obs)
	copyRow(b.FinalFull, k, o.FinalFull, i, p*w.full)
	b.FinalSeat[k], b.Length[k] = o.FinalSeat[i], o.Length[i]
	copyRow(b.Return, k, o.Return, i, p)
	copyRow(b.PlayerReturn, k, o.PlayerReturn, i, p)
	copyRow(b.Score, k, o.Score, i, p*w.sources)
}

func copyRow[T any](dst []T, k int, src []T, i, width int) {
	if src != nil {
		copy(dst[k*width:(k+1)*width], src[i*width:(i+1)*width])
	}
}
