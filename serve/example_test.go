package serve_test

import (
	"context"
	"fmt"
	"log"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/serve"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// A server is started, asked about a game, and stopped.
func ExampleServer_Run() {
	cfg := serve.DefaultConfig()
	cfg.Addr, cfg.MetricsAddr = "127.0.0.1:0", "127.0.0.1:0" // any free ports
	ready := make(chan net.Addr, 1)
	srv, err := serve.New(cfg, serve.Options{Ready: func(addr, _ net.Addr) { ready <- addr }})
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- srv.Run(ctx) }()

	conn, err := grpc.NewClient((<-ready).String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		log.Fatal(err)
	}
	all, err := pb.NewEnvironmentServiceClient(conn).Describe(ctx, &pb.DescribeRequest{Game: "kuhn(seats=3)"})
	if err != nil {
		log.Fatal(err)
	}
	for _, g := range all.GetGames() {
		fmt.Println(g.GetConfig(), "has", g.GetSeats(), "seats and the actions", g.GetActions())
	}
	conn.Close()
	stop() // it drains
	fmt.Println("ended with", <-ended)
	// Output:
	// kuhn(seats=3) has 3 seats and the actions [pass bet]
	// ended with <nil>
}
