package serve

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/env"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
	"github.com/privateer-rl/privateer/serve/version"
)

// A program on the same machine needs no network: it starts a server as its child, for itself
// alone, and both map the same memory. Commands lie in a mailbox, a file whose first page is mapped, one at a
// time. A command is sent when its number is in that page, and answered when the answer's number is;
// everything before can be written again, so that a client may be interrupted anywhere; what it then does not wait for
// stops until it does. Batches lie in another
// file (shared_memory.go), where the engine's workers write observations and masks themselves. Bytes over
// two pipes wake a side that sleeps, and their end tells one side that the other has ended.
//
// It offers the same requests as the services, performed by the same code. Only the actions of steps, which are
// by far the most frequent requests, lie in mapped memory as numbers.

// sharedProtocol is raised whenever the two sides would misunderstand each other. The
// Python client has the same number in privateer/link.py.
const sharedProtocol = 2

// The first page of the mailbox has words of eight bytes. What a command and its answer have besides
// lies behind the page.
const (
	mailboxPage  = 4096
	mailboxMagic = "PRIVATEE"

	wordProtocol       = 1 // of the server
	wordClientProtocol = 2
	wordInOrder        = 3 // the client's: 1: its stores become visible in the order in which it makes them

	wordCommand  = 8  // the client's: number of the last command, from 1
	wordKind     = 9  // what the command is
	wordSize     = 10 // bytes that it has behind the page
	wordSlot     = 11 // where its batch is to be shown
	wordDType    = 12 // pb.DType of its actions
	wordDraw     = 13 // 1: draw actions for its batch too
	wordDrawSeed = 14
	wordLeft     = 15 // number of a command that nobody waits for at present: Ctrl-C

	wordAnswer     = 16 // the server's: number of the last command that is answered
	wordRefused    = 17 // 1: behind the page is a google.rpc.Status
	wordAnswerSize = 18 // bytes that the answer has behind the page
	wordEnded      = 19 // rows whose episode ended
	wordMemory     = 20 // bytes of the file for batches; 0 before a session is open

	versionAt, longestVersion = 256, 128 // of the program, and a 0
)

// Kinds of commands.
const (
	kindCall    = iota + 1 // behind the page: the length of a method's name in two bytes, the name, its request
	kindCommand            // … a StepRequest; its number is not read
	kindRestore            // … a RestoreRequest; its number is not read
	kindActions            // step: the actions are in the memory for them
	kindDraw               // draw actions for the batch that is shown
)

// Shared is what a server and the program that has started it have in common.
type Shared struct {
	Mailbox *os.File  // of one page at least, readable and writable
	Batches *os.File  // empty, readable and writable
	Ring    io.Reader // has a byte for each command, the last of its number, and ends with the program
	Answer  io.Writer // gets a byte for each answer, and one when the server is there
}

// Share serves the program that has started this one, over memory that both have mapped, until the program
// or ctx ends. There is one session, which nobody else uses: limits that keep clients from each other do not hold.
func (s *Server) Share(ctx context.Context, with Shared) error {
	h, err := s.sharer(ctx, with)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() {
		defer h.unmap()
		ended <- h.serve()
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return nil
	}
}

// sharer maps the mailbox and greets the program.
func (s *Server) sharer(ctx context.Context, with Shared) (*sharer, error) {
	page, err := mapShared(with.Mailbox, mailboxPage)
	if err != nil {
		return nil, fmt.Errorf("serve: shared memory: mailbox: %w", err)
	}
	s.alone()
	h := &sharer{Server: s, Shared: with, ctx: context.WithValue(ctx, callerKey{}, caller{}), calls: s.calls(), page: page, rings: make([]byte, mailboxPage)}
	h.left = func() bool { return h.word(wordLeft).Load() == h.at }
	if err := h.greet(); err != nil {
		h.unmap()
		return nil, fmt.Errorf("serve: shared memory: %w", err)
	}
	return h, nil
}

// alone lifts the limits that keep clients from each other: there is one.
func (s *Server) alone() {
	s.roster.files = true
	s.cfg.MaxEnvsPerSession, s.cfg.MaxEnvs = math.MaxInt32, math.MaxInt32
	s.cfg.MaxMessageBytes, s.cfg.MaxRequestBytes = math.MaxInt32, math.MaxInt32
	s.limits.rate, s.limits.restoring, s.limits.thinking = 0, 24*time.Hour, 0
	s.sessions.masks, s.roster.rollouts = env.MaskBoth, 0
}

// sharer serves one program.
type sharer struct {
	*Server
	Shared
	ctx   context.Context
	calls map[string]call
	page  []byte
	at    uint64 // number of the command at hand
	done  uint64 // … of the last one answered
	left  func() bool
	rings []byte
	mail  []byte

	inOrder bool // a command whose number is there is there as a whole; else its ring has to say so

	unread int  // rings of commands that were found without them
	late   bool // the last command took longer than the server looks
	naps   uint // commands that were not looked for

	session *session // nil before one is open
	memory  *sharedMemory
	shown   uint64         // slot of the present batch
	step    pb.StepRequest // over the memory for actions
}

// call is a method of the services, without the network.
type call func(ctx context.Context, decode func(any) error) (any, error)

// calls are all methods, by the names that they have over gRPC.
func (s *Server) calls() map[string]call {
	all := map[string]call{}
	for _, of := range []struct {
		service *grpc.ServiceDesc
		server  any
	}{{&pb.EnvironmentService_ServiceDesc, &environments{Server: s}}, {&pb.PolicyService_ServiceDesc, &policies{Server: s}}} {
		for _, m := range of.service.Methods {
			all["/"+of.service.ServiceName+"/"+m.MethodName] = func(ctx context.Context, decode func(any) error) (any, error) {
				return m.Handler(of.server, ctx, decode, nil)
			}
		}
	}
	return all
}

func (h *sharer) word(k int) *atomic.Uint64 { return (*atomic.Uint64)(unsafe.Pointer(&h.page[8*k])) }

// greet says which version this is, and checks that the client understands it.
func (h *sharer) greet() error {
	if string(h.page[:len(mailboxMagic)]) != mailboxMagic {
		return errors.New("the file is no mailbox: this is for a program that starts a server as its child")
	}
	version, _ := version.Build()
	copy(h.page[versionAt:versionAt+longestVersion-1], version)
	h.word(wordProtocol).Store(sharedProtocol)
	if client := h.word(wordClientProtocol).Load(); client != sharedProtocol {
		return fmt.Errorf("the client has protocol %d, and privateer %s has %d: install the same version of both", client, version, sharedProtocol)
	}
	h.inOrder = h.word(wordInOrder).Load() == 1
	return h.ring()
}

func (h *sharer) ring() error {
	_, err := h.Answer.Write(h.rings[:1])
	return err
}

// serve performs commands until the program ends.
func (h *sharer) serve() error {
	for {
		command, err := h.await()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("serve: shared memory: %w", err)
		}
		h.perform(command)
		if h.ctx.Err() != nil {
			return nil // the command was cut short: its caller sees the end of the pipe
		}
		h.answered(command)
		if h.ring() != nil {
			return nil // the program has ended
		}
	}
}

// How long the server looks for the next command before it sleeps, as env does for its workers: waking takes
// microseconds, which are a small batch's whole step. A client that has taken longer is not looked for the next
// times, except for one in a number of them.
const (
	sharedPatience = 50 * time.Microsecond
	sharedLooks    = 32 // between two looks at the clock
	sharedRetry    = 32
	mostUnread     = 1024 // rings that are left unread
)

// canLook reports whether looking helps: the client needs a core of its own.
var canLook = runtime.GOMAXPROCS(0) > 1

// await returns the number of the next command. The client's language has no stores that wait for those before them. So
// on a machine that does not keep them in order, such as an ARM, the number may be there before the rest
// of the command, and only its ring, which went through the kernel, tells that all is: one that was left over from the command before does not.
func (h *sharer) await() (uint64, error) {
	if command := h.word(wordCommand).Load(); h.inOrder && command != h.done && h.unread < mostUnread {
		h.unread++
		return command, nil
	}
	began := time.Now()
	if h.late {
		h.naps++
	}
	if h.inOrder && canLook && h.unread < mostUnread && (!h.late || h.naps%sharedRetry == 0) {
		for time.Since(began) < sharedPatience {
			for range sharedLooks {
				if command := h.word(wordCommand).Load(); command != h.done {
					h.unread++
					h.late = false
					return command, nil
				}
			}
		}
	}
	for {
		ring, err := h.heard()
		if err != nil {
			return 0, err
		}
		if command := h.word(wordCommand).Load(); command != h.done && ring == byte(command) {
			h.late = time.Since(began) >= sharedPatience
			return command, nil
		}
	}
}

// heard waits for rings, and returns the last.
func (h *sharer) heard() (byte, error) {
	n, err := h.Ring.Read(h.rings)
	if err != nil {
		return 0, err
	}
	h.unread = max(0, h.unread-n)
	return h.rings[n-1], nil
}

// answered says that the answer to a command is in the mailbox.
func (h *sharer) answered(command uint64) {
	h.done = command
	h.word(wordAnswer).Store(command)
}

// perform performs the command in the mailbox, and puts its answer there.
func (h *sharer) perform(command uint64) {
	h.at = command
	h.word(wordRefused).Store(0)
	h.word(wordAnswerSize).Store(0)
	h.word(wordEnded).Store(0)
	answer, err := h.command()
	if err == nil {
		err = h.put(answer)
	}
	if err == nil {
		return
	}
	h.word(wordRefused).Store(1)
	text, _ := proto.Marshal(status.Convert(err).Proto()) // its strings are UTF-8: brief
	if err := h.put(text); err != nil {
		h.log.Error("an answer cannot be written", "error", err.Error())
	}
}

// put puts an answer into the mailbox.
func (h *sharer) put(answer []byte) error {
	if len(answer) == 0 {
		return nil
	}
	if _, err := h.Mailbox.WriteAt(answer, mailboxPage); err != nil {
		return status.Errorf(codes.ResourceExhausted, "an answer of %d bytes: %v", len(answer), err)
	}
	h.word(wordAnswerSize).Store(uint64(len(answer)))
	return nil
}

// get reads what the command has in the mailbox.
func (h *sharer) get() ([]byte, error) {
	size := h.word(wordSize).Load()
	if size > math.MaxInt32 {
		return nil, badField("request", "%d bytes: want at most %d", size, math.MaxInt32)
	}
	if uint64(cap(h.mail)) < size {
		h.mail = make([]byte, size)
	}
	h.mail = h.mail[:size]
	if _, err := h.Mailbox.ReadAt(h.mail, mailboxPage); err != nil && size > 0 {
		return nil, badField("request", "%d bytes: %v", size, err)
	}
	return h.mail, nil
}

// command performs the command in the mailbox.
func (h *sharer) command() (answer []byte, err error) {
	defer func() { h.recovered(recover(), "shared memory", &err) }()
	switch kind := h.word(wordKind).Load(); kind {
	case kindCall:
		mail, err := h.get()
		if err != nil {
			return nil, err
		}
		return h.call(mail)
	case kindCommand, kindRestore, kindActions, kindDraw:
		if h.session == nil {
			return nil, badField("session_id", "is empty: Open gives one")
		}
		if err := h.session.acquire(h.ctx); err != nil {
			return nil, err
		}
		defer h.session.release()
		defer h.session.abandon()
		if kind == kindDraw {
			return nil, h.draw()
		}
		return nil, h.advance(kind)
	default:
		return nil, badField("command", "%d: there is none of that kind", kind)
	}
}

// call performs a request of the services.
func (h *sharer) call(mail []byte) ([]byte, error) {
	if len(mail) < 2 || len(mail)-2 < int(binary.LittleEndian.Uint16(mail)) {
		return nil, badField("request", "is cut off")
	}
	end := 2 + int(binary.LittleEndian.Uint16(mail))
	name, request := string(mail[2:end]), mail[end:]
	method := h.calls[name]
	switch {
	case method == nil:
		return nil, badField("method", "%q: there is none of that name", brief(name))
	case name == pb.EnvironmentService_Open_FullMethodName && h.session != nil:
		return nil, wrongTime("session_id", "there is one session over shared memory, and it has been opened: start another server")
	}
	ctx, cancel := context.WithCancel(h.ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		h.watch(ctx, cancel, h.at)
	}()
	defer func() {
		cancel()
		<-watched // it reads the mailbox, which may be unmapped after the command
	}()
	answer, err := method(ctx, func(m any) error {
		if err := proto.Unmarshal(request, m.(proto.Message)); err != nil {
			return badField("request", "is no %s", m.(proto.Message).ProtoReflect().Descriptor().FullName())
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if open, ok := answer.(*pb.OpenResponse); ok {
		if err := h.share(open.SessionId); err != nil {
			return nil, err
		}
	}
	return proto.Marshal(answer.(proto.Message))
}

// watch ends a request that nobody waits for any more.
func (h *sharer) watch(ctx context.Context, cancel func(), number uint64) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if h.word(wordLeft).Load() == number {
				cancel()
			}
		}
	}
}

// share makes the memory that a new session's batches are shown in.
func (h *sharer) share(id string) error {
	s, err := h.sessions.use(h.ctx, id, identity(h.ctx))
	if err != nil {
		return err
	}
	memory, err := newSharedMemory(h.Batches, s)
	if err != nil {
		h.sessions.remove(s)
		return status.Errorf(codes.ResourceExhausted, "memory for batches of %d rows: %v", s.answer.n, err)
	}
	defer s.release()
	h.session, h.memory = s, memory
	h.step.Command = &pb.StepRequest_Actions{Actions: tensor(pb.DType_D_TYPE_INT32, s.answer.n)}
	h.word(wordMemory).Store(uint64(len(memory.bytes)))
	return nil
}

// advance performs a command that ends with a batch, and shows the batch. Where it is refused,
// nothing has changed.
func (h *sharer) advance(kind uint64) error {
	slot := h.word(wordSlot).Load()
	if slot >= sharedSlots {
		return badField("slot", "%d: want 0 to %d", slot, sharedSlots-1)
	}
	if err := h.memory.show(h.session, slot); err != nil {
		return vecStatus(err)
	}
	err := h.change(kind)
	for h.session.halted.seq != 0 {
		if err := h.rest(); err != nil {
			return err
		}
		err = h.session.finish(h.left)
	}
	if err != nil {
		if back := h.memory.show(h.session, h.shown); back != nil {
			h.log.Error("the last batch cannot be shown again", "error", back.Error())
		}
		return err
	}
	h.shown = slot
	if ends := h.session.show().Endings; ends != nil {
		h.word(wordEnded).Store(uint64(ends.Row.Shape[0]))
	}
	if h.word(wordDraw).Load() != 0 {
		return h.draw()
	}
	return nil
}

// rest waits until the program waits for its command again.
func (h *sharer) rest() error {
	for h.left() {
		if _, err := h.heard(); err != nil {
			return err
		}
	}
	return nil
}

func (h *sharer) change(kind uint64) error {
	s, req := h.session, &h.step
	switch kind {
	case kindActions:
		t := req.GetActions()
		t.Dtype = pb.DType(h.word(wordDType).Load())
		t.Data = h.memory.actions[:s.answer.n*dtypeSize[t.Dtype]]
	case kindCommand:
		req = new(pb.StepRequest)
		if err := h.decode(req); err != nil {
			return err
		}
	case kindRestore:
		restore := new(pb.RestoreRequest)
		if err := h.decode(restore); err != nil {
			return err
		}
		restore.Seq = s.seq + 1
		return s.restore(h.ctx, restore, h.limits)
	}
	req.Seq = s.seq + 1
	return s.step(req, h.left)
}

func (h *sharer) decode(m proto.Message) error {
	mail, err := h.get()
	if err != nil {
		return err
	}
	if proto.Unmarshal(mail, m) != nil {
		return badField("request", "is no %s", m.ProtoReflect().Descriptor().FullName())
	}
	return nil
}

// draw draws actions for the batch that is shown, and puts them beside it.
func (h *sharer) draw() error {
	actions, err := h.session.draw(h.word(wordDrawSeed).Load())
	if err != nil {
		return err
	}
	appendInts(h.memory.slots[h.shown].drawn[:0], actions)
	return nil
}

func (h *sharer) unmap() {
	if h.memory != nil {
		h.closeSessions()
		unmapShared(h.memory.bytes)
	}
	unmapShared(h.page)
}
