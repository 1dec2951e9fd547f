package env

import (
	"fmt"

	"github.com/privateer-rl/privateer/engine"
)

// This file shows rows in other ways than batches do, as long as they are not
// under way. Views are of the caller's seats only, unless Config.Full shows
// everything.

// Sees reports whether the caller may see what seat sees in row i: whether the seat is the
// caller's, or Config.Full shows everything. With Config.ShuffleSeats it may change with the
// episode.
func (v *Vec) Sees(i, seat int) bool {
	return v.veiled == nil || !v.veiled[v.batch.Players[i*v.wide.seats+seat]]
}

// Finished reports whether row i is at an end and waits to be reset.
func (v *Vec) Finished(i int) bool { return v.done[i] }

// Match is the match of row i, which must not be changed. It hides nothing, and neither does
// CopyMatch: they are for the program that has the vector, not for its clients.
func (v *Vec) Match(i int) engine.Match { return v.matches[i] }

// Stream is what the bots and policies of row i draw from in its episode; its key tells the episode from others.
func (v *Vec) Stream(i int) engine.Rand { return v.draws[i] }

// CopyMatch makes m, a match of the vector's game (Game().NewMatch()), equal to the
// match of row i: one copy of memory.
func (v *Vec) CopyMatch(i int, m engine.Match) error {
	switch err := v.present(i); {
	case err != nil:
		return err
	case m.Info().Config != v.info.Config:
		return fmt.Errorf("env: copy row %d: a match of %s is to be made one of %s", i, m.Info().Config, v.info.Config)
	}
	m.CopyFrom(v.matches[i])
	return nil
}

// Redeal is CopyMatch, with all that seat cannot know replaced by a sample from r that agrees
// with what it has seen: a search that must not cheat may play it. The seat is one
// that the caller Sees.
func (v *Vec) Redeal(i, seat int, r *engine.Rand, m engine.Match) error {
	if err := v.viewable(i, seat); err != nil {
		return err
	}
	if err := v.CopyMatch(i, m); err != nil {
		return err
	}
	m.Redeal(seat, r)
	return nil
}

// Observe writes the view of seat, one that the caller Sees, in row i into dst, [D].
func (v *Vec) Observe(i, seat int, dst []uint8) error {
	switch err := v.viewable(i, seat); {
	case err != nil:
		return err
	case len(dst) != v.wide.obs:
		return fmt.Errorf("env: %d bytes for an observation: want %d", len(dst), v.wide.obs)
	}
	v.enc.Encode(v.matches[i], seat, dst)
	return nil
}

// ObserveFull writes the full view of row i, as seat turns it, into dst, [F]. If bots or
// policies play it needs Config.Full.
func (v *Vec) ObserveFull(i, seat int, dst []uint8) error {
	switch err := v.viewable(i, seat); {
	case err != nil:
		return err
	case v.veiled != nil:
		return fmt.Errorf("env: row %d: the full view shows hidden information: set Config.Full to see it", i)
	case len(dst) != v.wide.full:
		return fmt.Errorf("env: %d bytes for a full view: want %d", len(dst), v.wide.full)
	}
	v.enc.EncodeFull(v.matches[i], seat, dst)
	return nil
}

// present is nil if row i exists and has begun an episode.
func (v *Vec) present(i int) error {
	switch {
	case !v.begun:
		return ErrNotReset
	case i < 0 || i >= v.n:
		return fmt.Errorf("env: row %d: want 0 to %d", i, v.n-1)
	}
	return nil
}

// viewable is nil if the caller may see what seat sees in row i.
func (v *Vec) viewable(i, seat int) error {
	switch err := v.present(i); {
	case err != nil:
		return err
	case seat < 0 || seat >= v.wide.seats:
		return fmt.Errorf("env: row %d: seat %d: want 0 to %d", i, seat, v.wide.seats-1)
	case !v.Sees(i, seat):
		player := v.batch.Players[i*v.wide.seats+seat]
		return fmt.Errorf("env: row %d: seat %d is that of player %d (%s): the caller may see what it sees only with Config.Full", i, seat, player, v.cfg.Players[player].Name)
	}
	return nil
}

// ObserveAll writes what seats[i], one that the caller Sees, sees in each row i into
// dst, [n, D]. The workers share the rows.
func (v *Vec) ObserveAll(seats []int32, dst []uint8) error {
	if err := v.ready(); err != nil {
		return err
	}
	if len(seats) != v.n || len(dst) != v.n*v.wide.obs {
		return fmt.Errorf("env: %d seats and %d bytes: want %d and %d, one seat and one observation for each row", len(seats), len(dst), v.n, v.n*v.wide.obs)
	}
	for i, s := range seats {
		if err := v.viewable(i, int(s)); err != nil {
			return err
		}
	}
	return v.workers.run(v.all, &v.observe, arguments{seats: seats, views: dst})
}

func (v *Vec) observeRows(with *arguments, _, from, to int) error {
	d := v.wide.obs
	for i := from; i < to; i++ {
		v.enc.Encode(v.matches[i], int(with.seats[i]), with.views[i*d:(i+1)*d])
	}
	return nil
}

// ExpandMasks writes the masks of all rows into dst, [n, A], as Batch.Mask has them,
// for a vector that is made with MaskPacked.
func (v *Vec) ExpandMasks(dst []uint8) error {
	if err := v.ready(); err != nil {
		return err
	}
	a := v.wide.actions
	if len(dst) != v.n*a {
		return fmt.Errorf("env: %d bytes for masks: want %d, %d for each row", len(dst), v.n*a, a)
	}
	for i := range v.n {
		v.shown(i).Expand(dst[i*a : (i+1)*a])
	}
	return nil
}

// shown is the mask that row i shows.
func (v *Vec) shown(i int) *engine.Mask {
	if v.done[i] {
		return &v.every
	}
	return &v.legal[i]
}
