package env

// This file is what a vector does with the rows that describe actions. Each row of the vector has room of its own,
// which the worker that shows it fills while the match is in the cache; the caller then puts the
// rows of a batch side by side.

// describe fills the room of row i.
func (v *Vec) describe(i int) {
	if v.done[i] {
		v.described[i] = v.described[i][:0]
		return
	}
	n := v.legal[i].Count() * v.wide.action
	if cap(v.described[i]) < n {
		v.described[i] = make([]uint8, 2*n)
	}
	v.described[i] = v.described[i][:n]
	v.enc.EncodeActions(v.matches[i], v.described[i])
}

// gather puts the rows that describe the actions of the batch's rows side by side.
func (v *Vec) gather(b *Batch) {
	if v.described == nil {
		return
	}
	b.ActionRows, b.ActionIDs = b.ActionRows[:0], b.ActionIDs[:0]
	for k, i := range b.EnvID {
		b.ActionOffsets[k] = int32(len(b.ActionIDs))
		b.ActionRows = append(b.ActionRows, v.described[i]...)
		if v.done[i] {
			continue
		}
		legal := &v.legal[i]
		for a := legal.First(); a >= 0; a = legal.Next(a) {
			b.ActionIDs = append(b.ActionIDs, int32(a))
		}
	}
	b.ActionOffsets[len(b.EnvID)] = int32(len(b.ActionIDs))
}

// gatherAll does it for the vector's batch and for those of its parts.
func (v *Vec) gatherAll() {
	v.gather(&v.batch)
	for _, p := range v.parts {
		v.gather(&p.batch)
	}
}
