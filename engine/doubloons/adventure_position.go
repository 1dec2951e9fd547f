package doubloons

import (
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/position"
)

// Relics in positions. All that were drawn lie face up, so every view shows the same.

const withoutIsland = "relics belong to the alternate island, which is not played: leave it out, or add alternate_island to the game's modules"

// holdsRelic is the kind of the relic that a frame holds until it is placed, and its symbol.
func holdsRelic(f Frame) (kind, sym int, holds bool) {
	switch f.Kind {
	case AskPlaceTotem:
		return Totem, int(f.Arg[0]), true
	case AskPlaceShell:
		return Shell, int(f.Arg[0]), true
	}
	return 0, 0, false
}

// relicPosition adds where the relics are that no ship has.
func (r *Rules) relicPosition(s *State, o *position.Object) {
	o.Add("crater", r.InCrater(s))
	unseen := position.Object{}
	for kind, name := range relicNames {
		unseen.Add(name, position.Tally(s.Relics[kind][:], symbolNames[:], true))
	}
	o.Add("unseen_relics", unseen)
	beaches, regions := position.Object{}, []position.Object{}
	for i := range r.regions {
		if sum(&s.BeachTotems[i]) > 0 {
			beaches.Add(nodeNames[NodeB1+i], position.Tally(s.BeachTotems[i][:], symbolNames[:], false))
		}
		regions = append(regions, position.Tally(s.RegionShells[i][:], symbolNames[:], false))
	}
	o.Add("beach_totems", beaches)
	o.Add("region_shells", regions)
	if r.Edition.CraterOnce {
		o.Add("left_crater", seatList(s.LeftCrater))
	}
	if s.Acquired != 0 {
		o.Add("acquired", seatList(s.Acquired))
	}
}

// relics reads where the relics are. Those of which the file says nothing are where
// nobody has seen them; if more of them must have left the crater they are dealt out.
func (p *reading) relics() {
	r, s, root := p.r, p.s, p.root
	if !r.Modules.Has(AlternateIsland) {
		p.noRelics()
		return
	}
	d := &relicDeal{p, [numRelics]*position.Stock{r.relicStock(s, Totem), r.relicStock(s, Shell)}}
	for i, seat := range r.fleet {
		for kind, name := range relicNames {
			p.Take(d.all[kind], p.ship[seat].Get(name), d.all[kind].Places[i])
		}
	}
	totems, shells := d.all[Totem].Places[len(r.fleet):], d.all[Shell].Places[len(r.fleet):] // on the board
	beaches := root.Get("beach_totems")
	p.IsObject(beaches, nodeNames[NodeB1:NodeB1+r.regions]...)
	for i := range r.regions {
		p.Take(d.all[Totem], beaches.Get(nodeNames[NodeB1+i]), totems[i])
	}
	if regions := root.Get("region_shells"); regions != nil {
		items := p.IsList(regions, r.regions)
		if len(items) != r.regions {
			p.Wrong(regions.Path, "%s: want the shells of regions 0 to %d", regions.What(), r.regions-1)
		}
		for i, v := range items {
			p.Take(d.all[Shell], v, shells[i])
		}
	}
	p.leftCrater()
	p.acquired()
	if len(p.List) > 0 {
		return
	}
	d.unseen()
}

// noRelics notes what the file says of relics in a game without them.
func (p *reading) noRelics() {
	for _, name := range []string{"crater", "unseen_relics", "beach_totems", "region_shells", "left_crater", "acquired"} {
		if v := p.root.Get(name); v != nil {
			p.Wrong(v.Path, withoutIsland)
		}
	}
	for _, seat := range p.r.fleet {
		for _, name := range relicNames {
			if v := p.ship[seat].Get(name); v != nil {
				p.Wrong(v.Path, withoutIsland)
			}
		}
	}
}

func (p *reading) leftCrater() {
	v := p.root.Get("left_crater")
	if v != nil && !p.r.Edition.CraterOnce {
		p.Wrong(v.Path, "captains may return to the crater in edition %s: leave it out", p.r.Edition.Name)
		return
	}
	for _, item := range p.IsList(v, p.r.seats) {
		p.s.LeftCrater |= 1 << p.Number(item, 0, p.r.seats-1, 0)
	}
}

// acquired reads whose trackers the action under way has moved.
func (p *reading) acquired() {
	for _, item := range p.IsList(p.root.Get("acquired"), p.r.seats) {
		p.s.Acquired |= 1 << p.Number(item, 0, p.r.seats-1, 0)
	}
}

// seatList lists the members of a set of seats.
func seatList(set uint8) []int {
	list := []int{}
	for ; set != 0; set &= set - 1 {
		list = append(list, bits.TrailingZeros8(set))
	}
	return list
}

// relicDeal shares out relics.
type relicDeal struct {
	*reading
	all [numRelics]*position.Stock
}

// unseen settles what nobody has seen, and so how many relics are in the crater.
func (d *relicDeal) unseen() {
	r, s := d.r, d.s
	crater, unseen := d.root.Get("crater"), d.root.Get("unseen_relics")
	if unseen == nil {
		d.share(crater)
	}
	d.IsObject(unseen, relicNames[:]...)
	for kind, name := range relicNames {
		d.Fill(d.all[kind], unseen.Get(name))
	}
	all := sum(&r.Totems) + sum(&r.Shells)
	if n := r.InCrater(s); d.Number(crater, 0, all, n) != n {
		d.Wrong(crater.Path, "%s: by what nobody has seen there are %d relics in it: leave it out", crater.Text, n)
	}
}

// share deals the legendary ghost ship its relics, and from those that are left then as
// many as are not in the crater: to the seats of which the file does not say what
// relics they have, in turn, or where there is no such seat, on the board.
func (d *relicDeal) share(crater *position.Value) {
	r, s := d.r, d.s
	if s.Phase == PhaseSetup {
		return // they lie in the crater
	}
	if v := d.ship[Legendary]; r.Modules.Has(LegendaryShip) && v.Get("totems") == nil && v.Get("shells") == nil {
		for range legendaryRelics {
			d.give(Legendary, !r.Edition.LegendaryShells)
		}
	}
	out := -r.boxed // how many have left the crater
	for _, n := range d.left() {
		out += n
	}
	most := max(0, out)
	stay := most
	if open := s.Dug || r.atCrater(s); open {
		stay = 0
	}
	out -= d.Number(crater, 0, most, stay)
	var seats []int
	for seat := range r.seats {
		if v := d.ship[seat]; v.Get("totems") == nil && v.Get("shells") == nil {
			seats = append(seats, seat)
		}
	}
	for k := range max(0, out) {
		if len(seats) > 0 {
			d.give(seats[k%len(seats)], true)
		} else if !d.lay() {
			d.Wrong("crater", "%d relics have left it, and %d of them are nowhere: add them to ships, beach_totems or region_shells", out, out-k)
			return
		}
	}
}

// left is how many relics have no place, first the totems by symbol, then the shells.
func (d *relicDeal) left() []int { return append(d.all[Totem].Left(), d.all[Shell].Left()...) }

// draw takes a random relic of those without a place, of the kinds that may be.
func (d *relicDeal) draw(may [numRelics]bool) (kind, sym int, drawn bool) {
	left := d.left()
	for i := range left {
		left[i] *= int(engine.Bit(may[i/NumSymbols]))
	}
	i := position.Draw(left, &d.deal)
	return i / NumSymbols, i % NumSymbols, i >= 0
}

func (d *relicDeal) give(seat int, totems bool) {
	if kind, sym, drawn := d.draw([numRelics]bool{Totem: totems, Shell: true}); drawn {
		d.s.Ships[seat].relicsOf(kind)[sym]++
	}
}

// lay places a relic on the board, where the file does not say what lies there.
func (d *relicDeal) lay() bool {
	kind, sym, drawn := d.draw([numRelics]bool{
		Totem: d.root.Get("beach_totems") == nil, Shell: d.root.Get("region_shells") == nil,
	})
	spots := d.spots(kind)
	if !drawn || len(spots) == 0 {
		return false
	}
	spot := spots[d.deal.Intn(len(spots))]
	if kind == Totem {
		d.s.BeachTotems[spot][sym]++
	} else {
		d.s.RegionShells[spot][sym]++
	}
	return true
}

// spots are the beaches, or the regions, where a relic can lie; if there are any without a
// captain or a ship only those, for what the file does not mention must not get in the way.
func (d *relicDeal) spots(kind int) []int {
	var all, lonely []int
	for i, t := range d.s.Water[:d.r.regions] {
		if kind == Shell && !rests(t) {
			continue
		}
		all = append(all, i)
		busy := false
		for _, seat := range d.r.fleet {
			sh := &d.s.Ships[seat]
			busy = busy || kind == Shell && int(sh.Region) == i || kind == Totem && seat != Legendary && int(sh.Node) == NodeB1+i
		}
		if !busy {
			lonely = append(lonely, i)
		}
	}
	if len(lonely) == 0 {
		return all
	}
	return lonely
}

// atCrater reports whether a captain has reached the crater.
func (r *Rules) atCrater(s *State) bool {
	for seat := range r.seats {
		if s.Ships[seat].Node == NodeX {
			return true
		}
	}
	return false
}
