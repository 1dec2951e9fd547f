//go:build unix

package serve

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"
	"unsafe"

	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/env"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// partner is the other side of shared memory: what the Python client does.
type partner struct {
	t       testing.TB
	page    []byte
	mailbox *os.File
	batches *os.File
	ring    *os.File
	answers *os.File
	ended   chan error
	memory  []byte
	arrays  map[string][]byte // of slot 0
	stride  int
	n       int
	room    []byte  // of ring and answers
	inside  *Inside // instead of them, in this process
}

func newPartner(t testing.TB) *partner {
	t.Helper()
	p := &partner{t: t, ended: make(chan error, 1), room: make([]byte, 1)}
	for name, file := range map[string]**os.File{"mailbox": &p.mailbox, "batches": &p.batches} {
		f, err := os.OpenFile(filepath.Join(t.TempDir(), name), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		*file = f
	}
	if err := p.mailbox.Truncate(mailboxPage); err != nil {
		t.Fatal(err)
	}
	p.page = p.mapped(p.mailbox, mailboxPage)
	copy(p.page, mailboxMagic)
	p.word(wordClientProtocol).Store(sharedProtocol)
	p.word(wordInOrder).Store(1)
	return p
}

func sharedConfig() Config {
	cfg := DefaultConfig()
	cfg.MaxSessions = 2
	return cfg
}

func newSharedServer(t testing.TB) *Server {
	t.Helper()
	srv, err := New(sharedConfig(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return srv
}

// begin starts a server and waits until it is there, or has refused.
func beginShared(t testing.TB, prepare func(*partner)) (*partner, error) {
	t.Helper()
	p := newPartner(t)
	if prepare != nil {
		prepare(p)
	}
	srv := newSharedServer(t)
	heard, ring, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, said, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p.ring, p.answers = ring, answers
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		err := srv.Share(ctx, Shared{Mailbox: p.mailbox, Batches: p.batches, Ring: heard, Answer: said})
		said.Close()
		heard.Close()
		p.ended <- err
	}()
	t.Cleanup(func() {
		p.ring.Close()
		p.answers.Close()
		<-p.ended
		cancel()
	})
	if _, err := p.answers.Read(p.room); err != nil {
		err := <-p.ended
		p.ended <- err
		return p, err
	}
	return p, nil
}

func (p *partner) mapped(file *os.File, size int) []byte {
	all, err := mapShared(file, size)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { unmapShared(all) })
	return all
}

func (p *partner) word(k int) *atomic.Uint64 { return (*atomic.Uint64)(unsafe.Pointer(&p.page[8*k])) }

// send sends a command, and returns what the answer has in the mailbox.
func (p *partner) send(kind uint64, mail []byte) ([]byte, error) {
	if _, err := p.mailbox.WriteAt(mail, mailboxPage); err != nil {
		p.t.Fatal(err)
	}
	p.word(wordSize).Store(uint64(len(mail)))
	return p.issue(kind)
}

func (p *partner) issue(kind uint64) ([]byte, error) {
	number := p.word(wordCommand).Load() + 1
	p.word(wordKind).Store(kind)
	p.word(wordCommand).Store(number)
	p.rung(number)
	p.answered(number)
	size := p.word(wordAnswerSize).Load()
	if size == 0 {
		return nil, nil
	}
	answer := make([]byte, size)
	if _, err := p.mailbox.ReadAt(answer, mailboxPage); err != nil {
		p.t.Fatal(err)
	}
	if p.word(wordRefused).Load() == 0 {
		return answer, nil
	}
	var st spb.Status
	if err := proto.Unmarshal(answer, &st); err != nil {
		p.t.Fatal(err)
	}
	return nil, status.ErrorProto(&st)
}

func request(method string, m proto.Message) []byte {
	mail := binary.LittleEndian.AppendUint16(nil, uint16(len(method)))
	mail = append(mail, method...)
	data, err := proto.Marshal(m)
	if err != nil {
		panic(err)
	}
	return append(mail, data...)
}

func (p *partner) rung(number uint64) {
	p.t.Helper()
	if p.inside != nil {
		return
	}
	p.room[0] = byte(number)
	if _, err := p.ring.Write(p.room[:1]); err != nil {
		p.t.Fatal(err)
	}
}

func (p *partner) answered(number uint64) {
	p.t.Helper()
	for p.word(wordAnswer).Load() != number {
		if p.inside != nil {
			p.inside.Perform(10 * time.Millisecond)
			continue
		}
		if _, err := p.answers.Read(p.room); err != nil {
			p.t.Fatal(err)
		}
	}
}

// open opens a session and reads the description of its memory.
func (p *partner) open(req *pb.OpenRequest) *pb.OpenResponse {
	p.t.Helper()
	answer, err := p.send(kindCall, request(pb.EnvironmentService_Open_FullMethodName, req))
	if err != nil {
		p.t.Fatal(err)
	}
	open := new(pb.OpenResponse)
	if err := proto.Unmarshal(answer, open); err != nil {
		p.t.Fatal(err)
	}
	p.n = int(req.NumEnvs)
	p.memory = p.mapped(p.batches, int(p.word(wordMemory).Load()))
	le, m := binary.LittleEndian, p.memory
	p.stride, p.arrays = int(le.Uint64(m[headerStride:])), map[string][]byte{}
	first := int(le.Uint64(m[headerFirst:]))
	for k := range int(le.Uint64(m[headerArrays:])) {
		entry := m[headerList+k*arrayEntry:]
		name, _, _ := bytes.Cut(entry[:arrayDType], []byte{0})
		size := dtypeSize[pb.DType(le.Uint32(entry[arrayDType:]))]
		for axis := range int(le.Uint32(entry[arrayAxes:])) {
			size *= int(le.Uint32(entry[arrayShape+4*axis:]))
		}
		at := first + int(le.Uint64(entry[arrayAt:]))
		p.arrays[string(name)] = m[at:][: size : len(m)-at]
	}
	return open
}

// array is an array of a slot.
func (p *partner) array(slot int, name string) []byte {
	a := p.arrays[name]
	return a[:slot*p.stride+len(a)][slot*p.stride:]
}

func (p *partner) reset(seed uint64) {
	p.t.Helper()
	data, err := proto.Marshal(&pb.StepRequest{Command: &pb.StepRequest_Reset_{Reset_: &pb.ResetCommand{Seed: &seed}}})
	if err == nil {
		_, err = p.send(kindCommand, data)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// step steps with the actions that have been drawn in a slot.
func (p *partner) step(from int) error {
	copy(p.memory[sharedHeader:], p.array(from, "drawn_actions"))
	p.word(wordDType).Store(uint64(pb.DType_D_TYPE_INT32))
	_, err := p.issue(kindActions)
	return err
}

func start(t testing.TB) *partner {
	t.Helper()
	p, err := beginShared(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// startInside is start without another process to be.
func startInside(t testing.TB) *partner {
	t.Helper()
	p := newPartner(t)
	var again [2]*os.File // files of its own: it closes them
	for k, file := range []*os.File{p.mailbox, p.batches} {
		var err error
		if again[k], err = os.OpenFile(file.Name(), os.O_RDWR, 0); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if p.inside, err = NewInside(sharedConfig(), Options{}, again[0], again[1]); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.inside.Close() })
	return p
}

// bothWays runs a test over shared memory with a server as a child has it, and with one inside.
func bothWays(t *testing.T, f func(t *testing.T, start func(testing.TB) *partner)) {
	t.Run("child", func(t *testing.T) { f(t, start) })
	t.Run("inside", func(t *testing.T) { f(t, startInside) })
}

func TestBatchesInSharedMemoryAreThoseOfASession(t *testing.T) { bothWays(t, testBatches) }

func testBatches(t *testing.T, start func(testing.TB) *partner) {
	for _, req := range []*pb.OpenRequest{
		{Game: "leduc", NumEnvs: 300, AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_SAME_STEP},
		{Game: "doubloons(seats=3)", NumEnvs: 5, FullView: true, ShuffleSeats: true, MaxDecisions: 20, AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_NEXT_STEP},
		{Game: "jolly_roger(seats=4)", NumEnvs: 4, Players: []string{"", "random", "heuristic", ""}, MaxDecisions: 9, AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_SAME_STEP},
	} {
		p, cfg := start(t), DefaultConfig()
		srv, err := New(cfg, Options{})
		if err != nil {
			t.Fatal(err)
		}
		seed := uint64(7)
		req.Seed = &seed
		p.open(req)
		s, err := srv.sessions.create("", proto.CloneOf(req))
		if err != nil {
			t.Fatal(err)
		}
		p.word(wordDraw).Store(1)
		p.reset(seed)
		if err := s.reset(1, &pb.ResetCommand{Seed: &seed}, nil); err != nil {
			t.Fatal(err)
		}
		ended := 0
		for k := range 60 {
			slot := k % (sharedSlots - 1)
			want := s.show()
			check := func(name string, tensor *pb.Tensor) {
				if tensor != nil && !bytes.Equal(p.array(slot, name)[:len(tensor.Data)], tensor.Data) {
					t.Fatalf("%s: step %d: %s is another", req.Game, k, name)
				}
			}
			for name, tensor := range map[string]*pb.Tensor{
				"observation": want.Observation, "full_observation": want.FullObservation, "packed_mask": want.ActionMask,
				"current_player": want.CurrentPlayer, "reward": want.Reward, "terminated": want.Terminated, "truncated": want.Truncated,
				"episode_step": want.EpisodeStep, "seating": want.Seating,
			} {
				check(name, tensor)
			}
			if e := want.Endings; e != nil {
				ended++
				for name, tensor := range map[string]*pb.Tensor{
					"row": e.Row, "final_observation": e.FinalObservation, "final_full_observation": e.FinalFullObservation,
					"final_player": e.FinalPlayer, "episode_return": e.EpisodeReturn, "length": e.Length, "score": e.Score,
				} {
					check(name, tensor)
				}
			}
			if got := p.word(wordEnded).Load(); (got != 0) != (want.Endings != nil) || got != 0 && got != uint64(want.Endings.Row.Shape[0]) {
				t.Fatalf("%s: step %d: %d rows have ended", req.Game, k, got)
			}
			actions := tensor(pb.DType_D_TYPE_INT32, p.n)
			actions.Data = bytes.Clone(p.array(slot, "drawn_actions"))
			p.word(wordSlot).Store(uint64((k + 1) % (sharedSlots - 1)))
			p.word(wordDrawSeed).Store(uint64(k))
			if err := p.step(slot); err != nil {
				t.Fatalf("%s: step %d: %v", req.Game, k, err)
			}
			if err := s.step(&pb.StepRequest{Seq: s.seq + 1, Command: &pb.StepRequest_Actions{Actions: actions}}, nil); err != nil {
				t.Fatal(err)
			}
		}
		if ended == 0 {
			t.Errorf("%s: nothing has ended", req.Game)
		}
		s.vec.Close()
	}
}

func TestCommandThatIsRefusedLeavesTheBatchInItsSlot(t *testing.T) {
	p := start(t)
	p.open(&pb.OpenRequest{Game: "leduc", NumEnvs: 3})
	p.word(wordDraw).Store(1)
	p.reset(1)
	before := bytes.Clone(p.array(0, "observation"))
	p.word(wordSlot).Store(1)
	for i := range p.array(0, "drawn_actions") {
		p.array(0, "drawn_actions")[i] = 0x77
	}
	if err := p.step(0); status.Code(err) != codes.InvalidArgument || !strings.Contains(err.Error(), "row 0") {
		t.Fatalf("an illegal action: %v", err)
	}
	if !bytes.Equal(before, p.array(0, "observation")) {
		t.Error("the batch has changed")
	}
	if _, err := p.issue(kindDraw); err != nil {
		t.Fatal(err)
	}
	if err := p.step(0); err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(before, p.array(1, "observation")) {
		t.Error("the next batch is nowhere")
	}
}

// A client that was interrupted rings again, and nothing is performed twice.
func TestRingsThatAreTooManyAreNoCommands(t *testing.T) {
	p := start(t)
	p.open(&pb.OpenRequest{Game: "kuhn", NumEnvs: 2, AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_SAME_STEP})
	p.word(wordDraw).Store(1)
	p.reset(1)
	for k := range 20 {
		for range k % 4 {
			if _, err := p.ring.Write(p.room); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.step(0); err != nil {
			t.Fatal(err)
		}
	}
	answer, err := p.send(kindCall, request(pb.EnvironmentService_Attach_FullMethodName, &pb.AttachRequest{}))
	if status.Code(err) != codes.InvalidArgument {
		t.Errorf("a session without a name: %v, %v", answer, err)
	}
}

// Where stores become visible in another order than they were made in, the number of a command may be seen before its
// actions. Only its own ring tells that they are there, and not one that is left of the command before.
func TestCommandOfAClientWithoutOrderIsTakenWithItsRing(t *testing.T) {
	for _, c := range []struct {
		inOrder bool
		rings   []byte
		command uint64
		left    int
	}{{true, []byte{6, 6, 7}, 7, 3}, {false, []byte{6, 6, 7, 7}, 7, 1}, {false, []byte{7}, 7, 0}, {false, []byte{6}, 0, 0}} {
		rings := bytes.NewReader(c.rings)
		h := &sharer{Shared: Shared{Ring: iotest.OneByteReader(rings)}, page: make([]byte, mailboxPage), rings: make([]byte, mailboxPage), done: 6}
		h.inOrder = c.inOrder
		h.word(wordCommand).Store(7)
		if command, err := h.await(); command != c.command || (err == io.EOF) != (command == 0) || rings.Len() != c.left {
			t.Errorf("%+v: command %d, %d rings left, %v", c, command, rings.Len(), err)
		}
	}
}

func TestServerOfAnotherProtocolSaysSo(t *testing.T) {
	_, err := beginShared(t, func(p *partner) { p.word(wordClientProtocol).Store(sharedProtocol + 1) })
	if err == nil || !strings.Contains(err.Error(), "install the same version of both") {
		t.Errorf("%v", err)
	}
	_, err = beginShared(t, func(p *partner) { p.page[0] = 'p' })
	if err == nil || !strings.Contains(err.Error(), "no mailbox") {
		t.Errorf("%v", err)
	}
}

func TestThereIsOneSessionOverSharedMemory(t *testing.T) {
	p := start(t)
	open := p.open(&pb.OpenRequest{Game: "kuhn", NumEnvs: 2})
	if _, err := p.send(kindCall, request(pb.EnvironmentService_Open_FullMethodName, &pb.OpenRequest{Game: "kuhn", NumEnvs: 2})); status.Code(err) != codes.FailedPrecondition {
		t.Errorf("a second one: %v", err)
	}
	if _, err := p.send(kindCall, request(pb.EnvironmentService_Close_FullMethodName, &pb.CloseRequest{SessionId: open.SessionId})); err != nil {
		t.Fatal(err)
	}
	if _, err := p.issue(kindDraw); status.Code(err) != codes.NotFound {
		t.Errorf("drawing when it is closed: %v", err)
	}
}

func TestServerEndsWithItsProgram(t *testing.T) {
	p := start(t)
	p.open(&pb.OpenRequest{Game: "kuhn", NumEnvs: 2})
	p.ring.Close()
	err := <-p.ended
	p.ended <- err
	if err != nil {
		t.Errorf("%v", err)
	}
}

func TestStepOverSharedMemoryAllocatesNothing(t *testing.T) { bothWays(t, testAllocations) }

func testAllocations(t *testing.T, start func(testing.TB) *partner) {
	p := start(t)
	p.open(&pb.OpenRequest{Game: "doubloons(seats=3)", NumEnvs: 8, AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_SAME_STEP})
	p.word(wordDraw).Store(1)
	p.reset(1)
	k := uint64(0)
	step := func() {
		from := k % 2
		k++
		p.word(wordSlot).Store(k % 2)
		p.word(wordDrawSeed).Store(k)
		if err := p.step(int(from)); err != nil {
			t.Fatal(err)
		}
	}
	for range 300 { // what is made once
		step()
	}
	if got := testing.AllocsPerRun(300, step); got > 0 {
		t.Errorf("%v allocations a step", got)
	}
}

// Whatever lies in the page and behind it: it is performed or refused.
func FuzzShared(f *testing.F) {
	f.Add(uint64(kindCall), uint64(0), uint64(0), uint64(3), false, request(pb.EnvironmentService_Describe_FullMethodName, &pb.DescribeRequest{Game: "kuhn"}))
	f.Add(uint64(kindCall), uint64(40), uint64(1), uint64(3), false, []byte{200, 0, 'x'})
	f.Add(uint64(kindActions), uint64(8), uint64(1), uint64(3), true, []byte{1, 0, 0, 0, 1, 0, 0, 0})
	f.Add(uint64(kindRestore), uint64(8), uint64(9), uint64(5), true, []byte{1})
	f.Add(uint64(kindDraw), uint64(1)<<60, uint64(2), uint64(77), true, []byte{})
	p := start(f)
	p.open(&pb.OpenRequest{Game: "kuhn", NumEnvs: 2, AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_SAME_STEP})
	f.Fuzz(func(t *testing.T, kind, size, slot, dtype uint64, draw bool, mail []byte) {
		p.t = t
		p.word(wordSlot).Store(0)
		p.reset(1)
		if _, err := p.mailbox.WriteAt(mail, mailboxPage); err != nil {
			t.Fatal(err)
		}
		copy(p.memory[sharedHeader:sharedHeader+16], mail)
		p.word(wordSize).Store(size)
		p.word(wordSlot).Store(slot)
		p.word(wordDType).Store(dtype)
		if draw {
			p.word(wordDraw).Store(1)
		}
		_, err := p.issue(kind)
		switch status.Code(err) {
		case codes.Internal, codes.Unknown, codes.Unavailable, codes.DataLoss:
			t.Fatalf("the server failed: %v", err)
		}
		// It continues.
		p.word(wordSlot).Store(0)
		p.word(wordDraw).Store(1)
		p.reset(2)
		if err := p.step(0); err != nil {
			t.Fatal(err)
		}
	})
}

// What is damaged in the header of the mailbox is refused before anything is done.
func FuzzSharedHeader(f *testing.F) {
	f.Add(uint16(0), byte(1))
	f.Add(uint16(8*wordClientProtocol), byte(3))
	f.Fuzz(func(t *testing.T, at uint16, with byte) {
		k := int(at) % 24
		p, err := beginShared(t, func(p *partner) { p.page[k] ^= with })
		spoiled := with != 0 && (k < len(mailboxMagic) || k >= 8*wordClientProtocol)
		if (err != nil) != spoiled {
			t.Fatalf("byte %d, %#x: %v", k, with, err)
		}
		if err == nil {
			p.open(&pb.OpenRequest{Game: "kuhn", NumEnvs: 1})
		}
	})
}

// BenchmarkStepShared measures both sides in one process, actions drawn by the server, and beside it
// the vector alone.
//
//	go test ./serve -run '^$' -bench StepShared -cpu 2
func BenchmarkStepShared(b *testing.B) {
	for _, game := range []string{"leduc", "doubloons(seats=4)"} {
		for _, n := range []int{1, 1024} {
			for way, start := range map[string]func(testing.TB) *partner{"shared": start, "inside": startInside} {
				b.Run(fmt.Sprintf("%s/%d/%s", game, n, way), func(b *testing.B) {
					p := start(b)
					p.open(&pb.OpenRequest{Game: game, NumEnvs: uint32(n), AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_SAME_STEP})
					p.word(wordDraw).Store(1)
					p.reset(1)
					for k := uint64(0); b.Loop(); k++ {
						p.word(wordSlot).Store((k + 1) % 2)
						p.word(wordDrawSeed).Store(k)
						if err := p.step(int(k % 2)); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "envsteps/s")
				})
			}
			b.Run(fmt.Sprintf("%s/%d/vector", game, n), func(b *testing.B) {
				v, err := env.New(env.Config{Game: game, NumEnvs: n, Workers: max(1, min(runtime.GOMAXPROCS(0), n/32)), Seed: 1, Autoreset: env.SameStep})
				if err != nil {
					b.Fatal(err)
				}
				defer v.Close()
				if _, err := v.Reset(); err != nil {
					b.Fatal(err)
				}
				actions, streams := make([]int32, n), make([]engine.Rand, n)
				for b.Loop() {
					if err := v.SampleActions(actions, streams); err != nil {
						b.Fatal(err)
					}
					if _, err := v.Step(actions); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "envsteps/s")
			})
		}
	}
}

// Neither side reads the bytes of what it finds by looking; in the end they are read all the same.
func TestBellsThatNobodyHasReadDoNotFillThePipes(t *testing.T) {
	p := start(t)
	p.open(&pb.OpenRequest{Game: "kuhn", NumEnvs: 1, AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_SAME_STEP})
	p.word(wordDraw).Store(1)
	p.reset(1)
	p.room = make([]byte, mailboxPage)
	for range 20_000 {
		copy(p.memory[sharedHeader:], p.array(0, "drawn_actions"))
		number := p.word(wordCommand).Load() + 1
		p.word(wordDType).Store(uint64(pb.DType_D_TYPE_INT32))
		p.word(wordKind).Store(kindActions)
		p.word(wordCommand).Store(number)
		// As a client that rings too often.
		for range 8 {
			p.rung(number)
		}
		p.answered(number)
	}
}

// A client that was interrupted does not wait for its command. The command continues when it is waited for again.
func TestCommandThatNobodyWaitsForStops(t *testing.T) { bothWays(t, testNobodyWaits) }

func testNobodyWaits(t *testing.T, start func(testing.TB) *partner) {
	open := &pb.OpenRequest{Game: "leduc", NumEnvs: 3000, Players: []string{"", "random"}, AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_SAME_STEP}
	left, waited := start(t), start(t)
	var session string // left's
	for _, p := range []*partner{waited, left} {
		session = p.open(open).SessionId
		p.word(wordDraw).Store(1)
		p.reset(5)
	}
	number := left.word(wordCommand).Load() + 1
	left.word(wordLeft).Store(number)
	go func() {
		time.Sleep(100 * time.Millisecond)
		if left.word(wordAnswer).Load() == number {
			t.Error("a command that nobody waits for is answered")
		}
		left.word(wordLeft).Store(0)
		if left.inside == nil {
			if _, err := left.ring.Write([]byte{byte(number)}); err != nil {
				t.Error(err)
			}
		}
	}()
	for _, p := range []*partner{left, waited} {
		if err := p.step(0); err != nil {
			t.Fatal(err)
		}
	}
	for name, a := range waited.arrays {
		if !bytes.Equal(left.array(0, name), a) {
			t.Errorf("%s is another than where the command was not stopped", name)
		}
	}

	left.word(wordLeft).Store(left.word(wordCommand).Load() + 1)
	ask := &pb.ActRequest{Bot: "search(rollouts=1000)", Decisions: &pb.ActRequest_SessionId{SessionId: session}}
	if _, err := left.send(kindCall, request(pb.PolicyService_Act_FullMethodName, ask)); status.Code(err) != codes.Canceled {
		t.Errorf("a bot was asked to the end for nobody: %v", err)
	}
}

// A program that closes the server while a bot thinks does not wait for it, and nothing is touched that is not there any more.
func TestInsideEndsWhileABotThinks(t *testing.T) {
	p := startInside(t)
	p.open(&pb.OpenRequest{Game: "leduc", NumEnvs: 50, Players: []string{"search(rollouts=100000)", ""}})
	data, err := proto.Marshal(&pb.StepRequest{Command: &pb.StepRequest_Reset_{Reset_: &pb.ResetCommand{}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.mailbox.WriteAt(data, mailboxPage); err != nil {
		t.Fatal(err)
	}
	p.word(wordSize).Store(uint64(len(data)))
	p.word(wordKind).Store(kindCommand)
	number := p.word(wordCommand).Load() + 1
	p.word(wordCommand).Store(number)
	if p.inside.Perform(time.Millisecond) {
		t.Fatal("a bot has thought of 50 matches in a millisecond")
	}
	under := p.inside.under
	p.inside.Close()
	select {
	case <-under:
	case <-time.After(5 * time.Minute):
		t.Fatal("the bot thinks on")
	}
	if p.inside.Perform(0) {
		t.Error("what was closed performs a command")
	}
}

// The memory is unmapped when the program leaves, and a goroutine that still reads it ends the process.
func TestNothingReadsTheMailboxAfterACall(t *testing.T) { bothWays(t, testMailboxAfterCall) }

func testMailboxAfterCall(t *testing.T, start func(testing.TB) *partner) {
	p := start(t)
	stacks := make([]byte, 1<<20)
	for range 100 {
		if _, err := p.send(kindCall, request(pb.PolicyService_ListBots_FullMethodName, &pb.ListBotsRequest{Game: "leduc"})); err != nil {
			t.Fatal(err)
		}
		if all := stacks[:runtime.Stack(stacks, true)]; bytes.Contains(all, []byte("(*sharer).watch(")) {
			t.Fatal("a goroutine still watches the mailbox for a call that is answered")
		}
	}
}
