package jollyroger
import ("testing";"fmt";"sort";"github.com/privateer-rl/privateer/engine")
func TestSmoke(t *testing.T){
 for _, v := range []string{"","bribes=gifts","bribes=talk","variants=hidden_prizes+captains_gold"} {
 for seats:=3;seats<=10;seats++{
  cfg:=fmt.Sprintf("jollyroger(seats=%d)",seats); if v!="" {cfg=fmt.Sprintf("jollyroger(seats=%d,%s)",seats,v)}
  g,err:=engine.NewGame(cfg); if err!=nil{t.Fatal(err)}
  m:=g.NewMatch()
  var ns []int
  kinds:=map[string]int{}; rounds:=0
  for seed:=uint64(0);seed<300;seed++{
   m.Reset(seed); r:=engine.NewRand(seed).At(1); n:=0
   for m.Seat()!=engine.Over { s:=engine.State[State](m); kinds[s.Top().Kind.String()]++
     total:=int(s.DeckSize)
     for i:=range s.Hands{ if sum(s.Hands[i][:])!=int(s.Size[i]){t.Fatal("size")}; total+=int(s.Size[i])}
     total+=sum(s.Discard[:])+sum(s.Played[:])+sum(s.Sides[0][:])+sum(s.Sides[1][:])
     for _,f:=range s.Frames[:s.Depth]{ if f.Kind==DoEffect||f.Kind==DoJoin||f.Kind==DoCommit{total++}}
     if s.Map {total++}
     if total!=66 {t.Fatalf("%d cards at %s seed %d", total,m.Decision(),seed)}
     if err:=m.Apply(m.Legal().Sample(&r));err!=nil{t.Fatal(err)}; n++; if n>20000 {t.Fatal("long",cfg,seed)} }
   ns=append(ns,n); rounds+=int(engine.State[State](m).Round)
  }
  sort.Ints(ns)
  t.Log(cfg, "median",ns[150],"p90",ns[270],"max",ns[299],"rounds",float64(rounds)/300)
  if seats==6 {t.Log(kinds)}
 }}
}
