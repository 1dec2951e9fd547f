package doubloons

import (
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
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

// islandFields are those of relics, and of what captains have done at the crater and on the tracks.
func islandFields(r *Rules, to *layout, own func(why string, list ...field) fields) {
	leftCrater := r.seatsField("left_crater", "Alternate island of drafts: seats whose captains have left the crater and cannot return. Left out: none.",
		func(s *State) *uint8 { return &s.LeftCrater })
	if !r.Edition.CraterOnce {
		leftCrater = leftCrater.Refused("captains may return to the crater in edition " + r.Edition.Name + ": leave it out")
	}
	to.match = to.match.Before("discard", own(withoutIsland,
		field{Name: "crater", Shape: position.Whole(0, sum(&r.Totems)+sum(&r.Shells)).
			Of("Alternate island: relics in the crater; during set-up with those for the legendary ghost ship. Left out: those that have no other place, and none after the dig or with a captain there; what has left it is then dealt to seats that name no relics."),
			Show: func(v *subject) any { return r.InCrater(v.s) }},
		field{Name: "unseen_relics", Shape: position.ObjectOf(position.Named{Name: relicNames[Totem], Shape: totems}, position.Named{Name: relicNames[Shell], Shape: shells}).
			Of("Alternate island: relics that nobody has seen: in the crater or out of the game. Left out: those that are nowhere else."),
			Show: func(v *subject) any {
				unseen := position.Object{}
				for kind, name := range relicNames {
					unseen.Add(name, position.Tally(v.s.Relics[kind][:], symbolNames[:], true))
				}
				return unseen
			}},
		field{Name: "beach_totems", Shape: r.beachesShape().Of("Alternate island: totems on beaches. Left out: none."),
			Show: func(v *subject) any {
				beaches := position.Object{}
				for i := range r.regions {
					if sum(&v.s.BeachTotems[i]) > 0 {
						beaches.Add(nodeNames[NodeB1+i], position.Tally(v.s.BeachTotems[i][:], symbolNames[:], false))
					}
				}
				return beaches
			}},
		field{Name: "region_shells", Shape: position.ListOf(shells, r.regions).AtLeast(r.regions).Of("Alternate island: shells in regions 0 to 4. Left out: none."),
			Show: func(v *subject) any {
				regions := []position.Object{}
				for i := range r.regions {
					regions = append(regions, position.Tally(v.s.RegionShells[i][:], symbolNames[:], false))
				}
				return regions
			}},
		leftCrater,
		r.seatsField("acquired", "Alternate island: seats whose end-game tracker the action under way has moved already. Left out: none.",
			func(s *State) *uint8 { return &s.Acquired }).If(func(v *subject) bool { return v.s.Acquired != 0 }),
	)...)
	to.ship = to.ship.Before("captain_at", own(withoutIsland,
		relicField(Totem, "Alternate island: totems. With neither totems nor shells: a share of the relics that have left the crater, none while it is full."),
		relicField(Shell, "As totems."))...)
	to.legendary = append(to.legendary, own(withoutIsland,
		relicField(Totem, "Alternate island. With neither totems nor shells: two relics are dealt."),
		relicField(Shell, "As totems."))...)
}

var totems, shells = position.Ref(relicNames[Totem]), position.Ref(relicNames[Shell])

// relicShape is how many there are of each symbol of a kind of relic, in the printed box or in that of a draft.
func (r *Rules) relicShape(kind int) position.Shape {
	most := *r.box(kind)
	for _, e := range editions {
		for sym := range most {
			most[sym] = max(most[sym], e.RelicsOfEach)
		}
	}
	return (&position.Stock{Kinds: symbolNames[:], Box: ints(most[:])}).Shape().Of("How many of each symbol.")
}

func (r *Rules) beachesShape() position.Shape {
	var list []position.Named
	for _, name := range nodeNames[NodeB1:][:r.regions] {
		list = append(list, position.Named{Name: name, Shape: totems})
	}
	return position.ObjectOf(list...)
}

// relicField is a ship's relics of a kind.
func relicField(kind int, doc string) field {
	return field{Name: relicNames[kind], Shape: position.Ref(relicNames[kind]).Of(doc),
		Show: func(v *subject) any { return position.Tally(v.ship.relicsOf(kind)[:], symbolNames[:], false) }}
}

// seatsField is a set of seats.
func (r *Rules) seatsField(name, doc string, at func(*State) *uint8) field {
	return field{Name: name, Shape: seatSet.Of(doc),
		Show: func(v *subject) any { return seatList(*at(v.s)) },
		Read: func(v *subject, f *position.Faults, said *position.Value) {
			for _, item := range f.IsList(said, r.seats) {
				*at(v.s) |= 1 << f.Number(item, 0, r.seats-1, 0)
			}
		}}
}

// relics reads where the relics are. Those that the file does not mention are where
// nobody has seen them; if more of them must have left the crater they are dealt out.
func (p *reading) relics() {
	r, s, root := p.r, p.s, p.root
	if !r.Modules.Has(AlternateIsland) {
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
	if len(p.List) > 0 {
		return
	}
	d.unseen()
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
// many as are not in the crater: to the seats whose share the file does not give
// relics they have, in turn, or if there is no such seat, on the board.
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

// lay places a relic on the board, if the file does not say what is there.
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
