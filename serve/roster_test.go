package serve_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/infer"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/encode/policy/zoo"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/serve"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// export writes a policy of random weights to a file.
func export(t testing.TB, path, game string, seed uint64) {
	t.Helper()
	b, err := bundle.Random(game, infer.Network{Name: infer.MLP, Hidden: []int{8}, Activation: "relu", Norm: infer.LayerNorm, NormEps: 1e-5}, false, seed)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Save(path); err != nil {
		t.Fatal(err)
	}
}

func TestExportedPoliciesAreBotsOfTheServer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lr[1]") // no pattern
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	export(t, filepath.Join(dir, "pirate.bundle"), "doubloons(seats=4)", 1)
	export(t, filepath.Join(dir, "shark.bundle"), "leduc", 2)
	r := begin(t, func(c *serve.Config) { c.Policies = []string{dir} })

	list, err := r.policy.ListBots(soon(t), &pb.ListBotsRequest{Game: "doubloons(seats=2)"})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, b := range list.Bots {
		names = append(names, b.Name)
		if b.Name == "policy:pirate" && !b.ActsOnTensors || b.Name == "heuristic" && b.ActsOnTensors {
			t.Errorf("%v", b)
		}
	}
	if !slices.Contains(names, "policy:pirate") || slices.Contains(names, "policy:shark") {
		t.Fatalf("the bots of doubloons are %v", names)
	}

	// As opponents of a vector, at the rows of a session, and on tensors. The row's
	// own seed draws, so that the last two agree.
	p := r.session(&pb.OpenRequest{Game: "doubloons(seats=2)", NumEnvs: 5, Seed: proto.Uint64(3), Players: []string{"", "policy:pirate"}}).attach()
	p.must(resetAll())
	chosen := 0
	for range 30 {
		bySession, err := r.policy.Act(soon(t), &pb.ActRequest{Bot: "policy:pirate", Seed: 6, Decisions: &pb.ActRequest_SessionId{SessionId: p.open.SessionId}})
		if err != nil {
			t.Fatal(err)
		}
		byTensors, err := r.policy.Act(soon(t), &pb.ActRequest{Bot: "policy:pirate", Seed: 6, Decisions: &pb.ActRequest_Tensors{Tensors: &pb.TensorDecisions{
			Game: "doubloons(seats=2)", Observation: p.batch.Observation, ActionMask: p.batch.ActionMask,
		}}})
		if err != nil {
			t.Fatal(err)
		}
		actions := int32s(bySession.Actions)
		for i, a := range int32s(byTensors.Actions) {
			if p.batch.Terminated.Data[i] == 0 && a != actions[i] {
				t.Fatalf("row %d: %d on the session, %d on its tensors", i, actions[i], a)
			}
			chosen++
		}
		p.must(act(actions))
	}
	if chosen != 150 {
		t.Fatalf("%d choices compared", chosen)
	}
	_, err = r.policy.Act(soon(t), &pb.ActRequest{Bot: "policy:pirate", Decisions: &pb.ActRequest_Tensors{Tensors: &pb.TensorDecisions{Game: "doubloons(seats=2)", ActionMask: p.batch.ActionMask}}})
	expect(t, err, codes.InvalidArgument, "tensors.observation")
	for _, c := range []struct{ game, bot string }{{"kuhn", "policy:pirate"}, {"doubloons", "policy:" + dir + "/pirate.bundle"}, {"doubloons", "policy:"}, {"doubloons", "policy:../pirate"}} {
		players := make([]string, 2)
		players[1] = c.bot
		_, err = r.env.Open(soon(t), &pb.OpenRequest{Game: strings.TrimSuffix(c.game, ")") + "(seats=2)", NumEnvs: 1, Players: players})
		expect(t, err, codes.InvalidArgument, "players")
	}
}

func TestThePoliciesThatComeWithTheProgramPlayTheirGame(t *testing.T) {
	dir := t.TempDir()
	r := begin(t, nil)
	for _, own := range zoo.Policies {
		name, bot := own.Name, policy.Prefix+own.Name
		for _, d := range engine.Definitions() {
			list, err := r.policy.ListBots(soon(t), &pb.ListBotsRequest{Game: d.Name})
			if err != nil {
				t.Fatal(err)
			}
			if has := slices.ContainsFunc(list.Bots, func(b *pb.Bot) bool { return b.Name == bot }); has != (own.Game == d.Name) {
				t.Errorf("%s plays %s; that the bots of %s have it: %v", bot, own.Game, d.Name, has)
			}
		}
		players := []string{"", bot, fmt.Sprintf("%s@%d", bot, own.Version)}
		p := r.session(&pb.OpenRequest{Game: own.Game + "(seats=3)", NumEnvs: 2, Players: players}).attach()
		p.must(resetAll())
		for range 5 {
			p.must(act(legal(p.batch, 0)))
		}
		export(t, filepath.Join(dir, name+bundle.Ext), "leduc", 2)
	}
	// Files of the same names take their place.
	given := begin(t, func(c *serve.Config) { c.Policies = []string{dir} })
	list, err := given.policy.ListBots(soon(t), &pb.ListBotsRequest{Game: "leduc"})
	if err != nil || len(list.Bots) < len(zoo.Names()) || list.Bots[len(list.Bots)-1].Name != policy.Prefix+slices.Max(zoo.Names()) {
		t.Errorf("with files of the names of %v the bots of leduc are %v: %v", zoo.Names(), list.GetBots(), err)
	}
}

func TestExportedPolicyHasASeatAtATable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shark.bundle")
	export(t, path, "leduc", 2)
	r := begin(t, func(c *serve.Config) { c.Policies = []string{path} })
	host, err := r.policy.Host(soon(t), &pb.HostRequest{Game: "leduc", Seed: 8, Seats: []string{"policy:shark", ""}})
	if err != nil {
		t.Fatal(err)
	}
	if end := r.playOut(host.TableId, host.SeatKeys[1]); end == nil || !end.Over {
		t.Errorf("the match ended as %v", end)
	}
}

// A vector is not continued against other weights of the same name.
func TestRestoredSessionMeetsTheSamePolicy(t *testing.T) {
	for _, bot := range []string{"policy:shark", "policy:whale+shark"} {
		dir, snapshots := t.TempDir(), t.TempDir()
		path := filepath.Join(dir, "shark.bundle")
		export(t, path, "leduc", 2)
		export(t, filepath.Join(dir, "whale.bundle"), "leduc", 5)
		change := func(c *serve.Config) { c.Policies, c.Snapshots = []string{dir}, snapshots }
		r := begin(t, change)
		p := r.session(&pb.OpenRequest{Game: "leduc", NumEnvs: 3, Players: []string{"", bot}}).attach()
		p.must(resetAll())
		r.stop()

		export(t, path, "leduc", 3)
		r = begin(t, change)
		_, err := r.env.Attach(soon(t), &pb.AttachRequest{SessionId: p.open.SessionId})
		expect(t, err, codes.NotFound, "session_id")
		r.stop()

		export(t, path, "leduc", 2)
		r = begin(t, change)
		if at, err := r.env.Attach(soon(t), &pb.AttachRequest{SessionId: p.open.SessionId}); err != nil || at.Seq != 1 {
			t.Errorf("%s: %v: %v", bot, at, err)
		}
		r.stop()
	}
}

func TestEnsemblesAreOfPoliciesOfTheServer(t *testing.T) {
	r := begin(t, nil)
	open := func(bot string) error {
		_, err := r.env.Open(soon(t), &pb.OpenRequest{Game: "doubloons(seats=2)", NumEnvs: 1, Players: []string{"", bot}})
		return err
	}
	for _, bot := range []string{"policy:captain+captain", "search(rollouts=4,prior=policy:captain+captain)"} {
		if err := open(bot); err != nil {
			t.Errorf("%s: %v", bot, err)
		}
	}
	for _, bot := range []string{"policy:captain+/etc/passwd", "policy:captain+", "policy:captain+pirate", "policy:captain" + strings.Repeat("+captain", 1000)} {
		expect(t, open(bot), codes.InvalidArgument, "players")
	}
}

func TestRulesOfSeedsAreBotsOfTheServerAndNoFileIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "weights")
	if err := os.WriteFile(path, []byte("hunter2: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := begin(t, nil)
	open := func(bot string) error {
		_, err := r.env.Open(soon(t), &pb.OpenRequest{Game: "jolly_roger(seats=3)", NumEnvs: 1, Players: []string{"", bot, "rule(seed=2)"}})
		return err
	}
	if err := open("rule(seed=1)"); err != nil {
		t.Error(err)
	}
	for _, bot := range []string{"rule(weights=" + path + ")", "rule(weights=" + path + "x)", "search(rollouts=4,prior=rule(weights=" + path + "))", "rule(seed=x)"} {
		err := open(bot)
		expect(t, err, codes.InvalidArgument, "players")
		if text := err.Error(); strings.Contains(text, "hunter2") || strings.Contains(text, "no such file") {
			t.Errorf("%s: the client is told %q", bot, text)
		}
	}
}

func TestPoliciesThatCannotPlayKeepTheServerFromStarting(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "shark.bundle")
	export(t, path, "leduc", 2)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut.bundle")
	if err := os.WriteFile(cut, whole[:len(whole)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "shark.bundle")
	export(t, other, "leduc", 3)
	for want, policies := range map[string][]string{
		"cut.bundle":        {cut},
		"rename one":        {path, other},
		"no such file":      {path + "x"},
		"privateer export ": {t.TempDir()},
	} {
		cfg := serve.DefaultConfig()
		cfg.Policies = policies
		if _, err := serve.New(cfg, serve.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v; want %q", policies, err, want)
		}
	}
}

// Who has read a bundle names it by its digest, and nothing else plays: neither what has the same name here nor what lies in the file now.
func TestPolicyIsNamedByWhatItIs(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "shark.bundle"), filepath.Join(dir, "whale.bundle")
	export(t, path, "leduc", 2)
	export(t, other, "leduc", 3)
	digest := func(path string) string {
		b, err := bundle.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		return b.Digest()
	}
	shark, whale := digest(path), digest(other)
	r := begin(t, func(c *serve.Config) { c.Policies = []string{dir, path} })
	export(t, path, "leduc", 4)
	open := func(bots ...string) error {
		_, err := r.env.Open(soon(t), &pb.OpenRequest{Game: "leduc", NumEnvs: 1, Players: append(bots, "")})
		return err
	}
	for _, bot := range []string{"policy:shark#" + shark, "policy:#" + shark, "policy:shark#" + whale, "policy:mine#" + shark + "+whale", "search(rollouts=2,prior=policy:#" + whale + ")"} {
		if err := open(bot); err != nil {
			t.Errorf("%s: %v", bot, err)
		}
	}
	for _, bot := range []string{"policy:shark#" + digest(path), "policy:shark#", "policy:#" + shark[:11], "search(prior=policy:#" + shark[1:] + ")"} {
		expect(t, open(bot), codes.InvalidArgument, "players")
	}
	ask := func(bot string) []int32 {
		p := r.session(&pb.OpenRequest{Game: "leduc", NumEnvs: 200, Seed: proto.Uint64(1)}).attach()
		p.must(resetAll())
		said, err := r.policy.Act(soon(t), &pb.ActRequest{Bot: bot, Seed: 1, Decisions: &pb.ActRequest_SessionId{SessionId: p.open.SessionId}})
		if err != nil {
			t.Fatal(err)
		}
		return int32s(said.Actions)
	}
	if !slices.Equal(ask("policy:shark#"+whale), ask("policy:whale")) || slices.Equal(ask("policy:shark"), ask("policy:whale")) {
		t.Error("the name plays and not the digest")
	}
}

// Nor is a table continued by another policy of the same name.
func TestRestoredTableHasTheSamePolicy(t *testing.T) {
	for _, bot := range []string{"policy:shark", "search(rollouts=2,prior=policy:shark)"} {
		path, snapshots := filepath.Join(t.TempDir(), "shark.bundle"), t.TempDir()
		export(t, path, "leduc", 2)
		with := func(c *serve.Config) { c.Policies, c.Snapshots = []string{path}, snapshots }
		r := begin(t, with)
		host, err := r.policy.Host(soon(t), &pb.HostRequest{Game: "leduc", Seed: 8, Seats: []string{bot, ""}})
		if err != nil {
			t.Fatal(err)
		}
		r.stop()
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		export(t, path, "leduc", 3)
		play := &pb.PlayRequest{TableId: host.TableId, SeatKey: host.SeatKeys[1]}
		r = begin(t, with)
		_, err = r.policy.Play(soon(t), play)
		expect(t, err, codes.NotFound, "table_id")
		r.stop()
		if err := os.WriteFile(path, whole, 0o644); err != nil {
			t.Fatal(err)
		}
		r = begin(t, with)
		if _, err := r.policy.Play(soon(t), play); err != nil {
			t.Errorf("%s: with the policy there again: %v", bot, err)
		}
		r.stop()
	}
}

// A game string can name a file. On a server that is the server's file, which clients must
// not read, not even through an error.
func TestClientsNameNoFilesOfTheServer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(path, []byte("hunter2: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := begin(t, nil)
	for _, name := range []string{"doubloons", "jolly_roger"} {
		for _, file := range []string{path, path + "x", "/dev/zero", "../password"} {
			game := name + "(components=" + file + ")"
			_, described := r.env.Describe(soon(t), &pb.DescribeRequest{Game: game})
			_, opened := r.env.Open(soon(t), &pb.OpenRequest{Game: game, NumEnvs: 1})
			_, hosted := r.policy.Host(soon(t), &pb.HostRequest{Game: game, Seats: []string{"", "", "", ""}})
			_, listed := r.policy.ListBots(soon(t), &pb.ListBotsRequest{Game: game})
			_, acted := r.policy.Act(soon(t), &pb.ActRequest{Bot: "random", Decisions: &pb.ActRequest_Tensors{Tensors: &pb.TensorDecisions{Game: game}}})
			for _, err := range []error{described, opened, hosted, listed} {
				expect(t, err, codes.InvalidArgument, "game")
			}
			expect(t, acted, codes.InvalidArgument, "tensors.game")
			for _, err := range []error{described, opened, hosted, listed, acted} {
				if text := err.Error(); strings.Contains(text, "hunter2") || strings.Contains(text, "no such file") {
					t.Fatalf("%s: the client is told %q", game, text)
				}
			}
		}
	}
}

func TestServerAllowsTheComponentsThatItWasGiven(t *testing.T) {
	d, err := engine.Lookup("doubloons")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(path, []byte(d.Components), 0o600); err != nil {
		t.Fatal(err)
	}
	r := begin(t, func(c *serve.Config) { c.Components = []string{path} })
	p := r.session(&pb.OpenRequest{Game: "doubloons(seats=2,components=" + path + ")", NumEnvs: 2}).attach()
	p.must(resetAll())
	_, err = r.env.Describe(soon(t), &pb.DescribeRequest{Game: "doubloons(components=" + path + "x)"})
	expect(t, err, codes.InvalidArgument, "game")
}

// Nothing between the rules and a client assumes fewer seats than a game has.
func TestTenSeatsAreServed(t *testing.T) {
	const game, seats = "jolly_roger(seats=10)", 10
	r := begin(t, nil)
	host := make([]string, seats)
	for i := range seats - 2 {
		host[i+1] = "random"
	}
	table, err := r.policy.Host(soon(t), &pb.HostRequest{Game: game, Seed: 3, Seats: host})
	if err != nil {
		t.Fatal(err)
	}
	ends := make(chan *pb.PlayResponse, 2)
	for _, seat := range []int{0, seats - 1} {
		go func() { ends <- r.playOut(table.TableId, table.SeatKeys[seat]) }()
	}
	for range 2 {
		if end := <-ends; end == nil || !end.Over || end.EpisodeReturn.Shape[0] != seats {
			t.Fatalf("the match ended as %v", end)
		}
	}

	p := r.session(&pb.OpenRequest{Game: game, NumEnvs: 8, Seed: proto.Uint64(3), ShuffleSeats: true, AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_SAME_STEP}).attach()
	p.must(resetAll())
	seen, ended := map[int32]bool{}, 0
	for i := range 1200 {
		b := p.must(act(legal(p.batch, i)))
		for _, player := range int32s(b.CurrentPlayer) {
			seen[player] = true
		}
		if e := b.Endings; e != nil {
			ended += int(e.Row.Shape[0])
			if d := p.open.Game.Observation.Size; len(e.FinalObservation.Data) != len(e.Row.Data)/4*seats*int(d) {
				t.Fatalf("%d bytes of final observations of %d rows", len(e.FinalObservation.Data), len(e.Row.Data)/4)
			}
		}
	}
	if len(seen) != seats || ended == 0 {
		t.Errorf("%d players acted, %d matches ended", len(seen), ended)
	}
	observe, err := r.env.Observe(soon(t), &pb.ObserveRequest{SessionId: p.open.SessionId, Row: 7})
	if err != nil || observe.Observation.Shape[0] != seats {
		t.Errorf("%v: %v", observe.GetObservation().GetShape(), err)
	}
}

// A preset of a bot that searches for longer than the server allows is not offered.
func TestEveryBotThatIsListedCanPlay(t *testing.T) {
	r := begin(t, nil)
	for _, game := range []string{"doubloons", "jolly_roger", "leduc", "kuhn"} {
		list, err := r.policy.ListBots(soon(t), &pb.ListBotsRequest{Game: game})
		if err != nil {
			t.Errorf("%s: %v", game, err)
			continue
		}
		describe, err := r.env.Describe(soon(t), &pb.DescribeRequest{Game: game})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(describe.Games[0].Bots); n != len(list.Bots) || n == 0 {
			t.Errorf("%s: %d bots are described, %d listed", game, n, len(list.Bots))
		}
		for _, bot := range list.Bots {
			players := make([]string, describe.Games[0].Seats)
			players[0] = bot.Name
			open, err := r.env.Open(soon(t), &pb.OpenRequest{Game: game, NumEnvs: 1, Players: players})
			if err != nil {
				t.Errorf("%s: %s: %v", game, bot.Name, err)
				continue
			}
			if _, err := r.env.Close(soon(t), &pb.CloseRequest{SessionId: open.SessionId}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A file that is not there is found when the server starts, not when a client names it.
func TestComponentFilesAreThereWhenTheServerStarts(t *testing.T) {
	dir := t.TempDir()
	for want, file := range map[string]string{"no such file": filepath.Join(dir, "none.yaml"), "it is a folder, not a file": dir} {
		cfg := serve.DefaultConfig()
		cfg.Components = []string{file}
		if _, err := serve.New(cfg, serve.Options{}); err == nil || !strings.HasPrefix(err.Error(), "serve: components: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", file, err, want)
		}
	}
}
