package observe

import (
	"encoding/binary"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/jollyroger"
)

// Numbers of cards by kind, eight kinds to a word: sums over all kinds are a few
// operations, not one for each.

// crewTally are numbers of crew cards by kind, a byte for each.
type crewTally [crewWords]uint64

const crewWords = (jollyroger.NumCrew + 7) / 8

// The last word holds the one kind that is left.
const _ = uint(jollyroger.NumCrew-8*(crewWords-1)-1) + uint(1-(jollyroger.NumCrew-8*(crewWords-1)))

func tallyOf(counts *[jollyroger.NumCrew]uint8) (t crewTally) {
	t[0] = binary.LittleEndian.Uint64(counts[0:8])
	t[1] = binary.LittleEndian.Uint64(counts[8:16])
	t[2] = binary.LittleEndian.Uint64(counts[16:24])
	t[3] = binary.LittleEndian.Uint64(counts[24:32])
	t[4] = binary.LittleEndian.Uint64(counts[32:40])
	t[5] = uint64(counts[40])
	return t
}

// add adds the numbers of another tally; no kind may exceed 255.
func (t *crewTally) add(counts *[jollyroger.NumCrew]uint8) {
	t[0] += binary.LittleEndian.Uint64(counts[0:8])
	t[1] += binary.LittleEndian.Uint64(counts[8:16])
	t[2] += binary.LittleEndian.Uint64(counts[16:24])
	t[3] += binary.LittleEndian.Uint64(counts[24:32])
	t[4] += binary.LittleEndian.Uint64(counts[32:40])
	t[5] += uint64(counts[40])
}

func (t *crewTally) put(dst *[jollyroger.NumCrew]uint8) {
	binary.LittleEndian.PutUint64(dst[0:8], t[0])
	binary.LittleEndian.PutUint64(dst[8:16], t[1])
	binary.LittleEndian.PutUint64(dst[16:24], t[2])
	binary.LittleEndian.PutUint64(dst[24:32], t[3])
	binary.LittleEndian.PutUint64(dst[32:40], t[4])
	dst[40] = uint8(t[5])
}

// total is the sum of eight bytes; it must be below 256.
func total(w uint64) uint64 { return w * 0x0101010101010101 >> 56 }

// worth weighs kinds of cards with a small number each, as the binary digits of it: the sum
// over cards is that over each digit's kinds.
type worth [3]crewTally

func (w *worth) set(card int, value uint8) {
	for digit := range w {
		if value>>digit&1 != 0 {
			w[digit][card/8] |= 0xff << (card % 8 * 8)
		}
	}
}

// of is the worth of all cards of a tally. There are never more than 255 cards.
func (w *worth) of(t *crewTally) (n uint64) {
	for digit := range w {
		m := &w[digit]
		// As there are at most mostCopies of a kind, six words' bytes do not overflow.
		n += total(t[0]&m[0]+t[1]&m[1]+t[2]&m[2]+t[3]&m[3]+t[4]&m[4]+t[5]&m[5]) << digit
	}
	return n
}

// force is the strength of a tally in an attack. The kinds of each skill are eight: a word.
func (j *encoder) force(t *crewTally) forceRow {
	var f forceRow
	for k := range int(jollyroger.NumSkills) {
		w := t[k]
		f[k] = uint8(min(255, total(w&j.values[0][k])+2*total(w&j.values[1][k])))
	}
	f[jollyroger.NumSkills] = uint8(t[jollyroger.AnyCard/8] >> (jollyroger.AnyCard % 8 * 8))
	return f
}

// prizeCount is the number of prizes.
func prizeCount(p *[jollyroger.NumPrizes]uint8) uint8 {
	return p[0] + p[1] + p[2] + p[3] + p[4] + p[5]
}

func addPrizes(to, p *[jollyroger.NumPrizes]uint8) {
	for k := range to {
		to[k] += p[k]
	}
}

// known writes what the observer has seen of cards that others hold: each adds its share
// to every place where it can be.
func (v *view) known(to *row) {
	s := v.s
	for i := range int(s.Sighted[v.seat]) {
		e := s.Sighting(v.seat, i)
		spoils := uint8(e.Among() / jollyroger.OnTable)
		// The set of places from the observer's left.
		among := uint32(e.Among() &^ jollyroger.OnTable)
		among = (among | among<<v.j.seats) >> (v.seat + 1) & v.j.others
		share := shares[among] // by the number of places
		if spoils > 0 {
			share = shares[among<<1|1]
		}
		if e.Kind < jollyroger.FirstPrizeSighted {
			addShares(&to.known[e.Kind], among, share)
			continue
		}
		p := e.Kind - jollyroger.FirstPrizeSighted
		addShares(&to.knownPrizes[p], among, share)
		if spoils > 0 {
			to.knownSpoils[p] = uint8(min(255, int(to.knownSpoils[p])+int(share)))
		}
	}
}

// addShares adds to the bytes of a set of places. What exceeds a byte is cut off.
func addShares(to *[others]uint8, among uint32, share uint8) {
	const low, tops = 8, 0x8080808080808080
	first := to[:low]
	have := binary.LittleEndian.Uint64(first)
	if have&tops == 0 && to[low] < 128 { // a share is less than 128 too
		binary.LittleEndian.PutUint64(first, have+engine.Octet(uint8(among))*uint64(share))
		to[low] += uint8(among>>low) * share
		return
	}
	for k := range to {
		if among>>k&1 != 0 {
			to[k] = uint8(min(255, int(to[k])+int(share)))
		}
	}
}

// shares is the weight of a card at each of a set of places.
var shares = func() (all [1 << (others + 1)]uint8) {
	for set := 1; set < len(all); set++ {
		n := 0
		for rest := set; rest != 0; rest &= rest - 1 {
			n++
		}
		all[set] = uint8((wholeSighting + n/2) / n)
	}
	return all
}()
