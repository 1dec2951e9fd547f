package serve_test

import (
	"slices"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/serve"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

func TestSearchesPlayAtTablesAndInSessionsWithinTheServersLimit(t *testing.T) {
	r := begin(t, func(c *serve.Config) { c.MaxRollouts = 1500 })
	list, err := r.policy.ListBots(soon(t), &pb.ListBotsRequest{Game: "doubloons(seats=4)"})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, b := range list.Bots {
		names = append(names, b.Name)
	}
	if !slices.Contains(names, "search-10ms") || slices.Contains(names, "search-100ms") {
		t.Errorf("with 1500 rollouts at most, %v can play", names)
	}
	host := func(bot string) error {
		_, err := r.policy.Host(soon(t), &pb.HostRequest{Game: "leduc", Seats: []string{"", bot}})
		return err
	}
	if err := host("search(rollouts=50,horizon=end)"); err != nil {
		t.Errorf("a search at a table: %v", err)
	}
	for _, bot := range []string{"search(rollouts=1501)", "search(ms=5)", "search(prior=policy:/etc/passwd)", "search(rollout=search)"} {
		expect(t, host(bot), codes.InvalidArgument, "seats")
	}
	s := r.session(&pb.OpenRequest{Game: "leduc", NumEnvs: 2, Seed: proto.Uint64(2), Players: []string{"", "search(rollouts=20)"}}).attach()
	s.must(resetAll())
	if resp, err := r.policy.Act(soon(t), &pb.ActRequest{Bot: "search(rollouts=20)", Decisions: &pb.ActRequest_SessionId{SessionId: s.open.SessionId}}); err != nil || len(resp.Actions.GetData()) == 0 {
		t.Errorf("a search asked about a session's rows: %v, %v", resp, err)
	}
}
