package child

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Bounds of what a process may say.
const (
	longest  = 64 << 10 // bytes of a line
	ahead    = 64       // lines that wait to be read; a process that has said more waits
	lastSaid = 1 << 10  // bytes of standard error that are kept, its last
)

// How long a process has to end that is told to, or that has closed its standard output, and its lines to arrive when it has ended.
const (
	farewell = 2 * time.Second
	leftover = 100 * time.Millisecond
)

var errLong = fmt.Errorf("a line of more than %d KiB", longest>>10)

// markName is a variable whose value tells the processes of one program from all others.
const markName = "PRIVATEER_PLAYER="

// process is a program that runs, in a group of its own, which ends with it.
type process struct {
	cmd   *exec.Cmd
	mark  string        // in its environment, and in that of all that it starts
	lines chan []byte   // to the process; nil: nothing more comes
	said  chan spoken   // from the process
	dead  chan struct{} // closed when it has been killed or has ended, and so has its group
	gone  chan struct{} // closed when it has been waited for as well, and all its pipes are shut
	once  sync.Once

	mu     sync.Mutex
	errors []byte // the end of standard error
}

// spoken is a line, or why none will follow.
type spoken struct {
	line []byte
	err  error
}

// start starts a program.
func start(args []string) (p *process, err error) {
	var pipes [6]*os.File // what is read and written of standard input, output and error
	defer func() {
		if err != nil {
			for _, f := range pipes {
				if f != nil {
					f.Close()
				}
			}
		}
	}()
	for i := 0; i < len(pipes); i += 2 {
		if pipes[i], pipes[i+1], err = os.Pipe(); err != nil {
			return nil, err
		}
	}
	in, out, errs := pipes[1], pipes[2], pipes[4]
	p = &process{
		cmd: exec.Command(args[0], args[1:]...), lines: make(chan []byte, ahead), said: make(chan spoken, ahead),
		dead: make(chan struct{}), gone: make(chan struct{}),
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = pipes[0], pipes[3], pipes[5]
	p.mark = markName + rand.Text()
	p.cmd.Env = append(os.Environ(), p.mark)
	apart(p.cmd)
	if err := living.begin(p); err != nil {
		return nil, err
	}
	for _, f := range []*os.File{pipes[0], pipes[3], pipes[5]} {
		f.Close()
	}
	var pumps sync.WaitGroup
	pumps.Go(func() { p.write(in) })
	pumps.Go(func() { p.read(out) })
	pumps.Go(func() { p.listen(errs) })
	go func() {
		_ = p.cmd.Wait() // how it has ended is in its state
		p.kill()         // those that it leaves behind
		late := time.AfterFunc(leftover, func() { out.Close(); errs.Close() })
		in.Close()
		pumps.Wait()
		late.Stop()
		out.Close()
		errs.Close()
		living.end(p)
		close(p.gone)
	}()
	return p, nil
}

// write passes lines on until none follows or the process is dead.
func (p *process) write(in *os.File) {
	defer in.Close()
	for {
		select {
		case <-p.dead:
			return
		case line := <-p.lines:
			if line == nil {
				return
			}
			if _, err := in.Write(line); err != nil {
				return
			}
		}
	}
}

// read takes lines in until there are no more, one is too long, or the process is dead and nobody waits for what is left.
func (p *process) read(out *os.File) {
	r := bufio.NewReaderSize(out, longest)
	for {
		line, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			line, err = nil, errLong
		}
		if len(line) > 0 && !p.tell(spoken{line: bytes.Clone(line)}) {
			return
		}
		if err != nil {
			p.tell(spoken{err: err})
			return
		}
	}
}

// tell passes on what was read, and reports whether anybody may want more.
func (p *process) tell(what spoken) bool {
	select {
	case p.said <- what:
		return true
	case <-p.dead:
	}
	select {
	case p.said <- what:
		return true
	default:
		return false
	}
}

// listen keeps the end of what the process says on standard error.
func (p *process) listen(errs *os.File) {
	var room [4096]byte
	for {
		n, err := errs.Read(room[:])
		p.mu.Lock()
		p.errors = append(p.errors, room[:n]...)
		p.errors = p.errors[max(0, len(p.errors)-lastSaid):]
		p.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// kill ends the process and its group at once.
func (p *process) kill() {
	p.once.Do(func() {
		end(p.cmd)
		endMarked(p.mark)
		close(p.dead)
	})
}

// dismiss tells the process to end, and ends it if it has not soon. It reports whether it has ended by itself.
func (p *process) dismiss() bool {
	for _, line := range [][]byte{[]byte(`{"type":"quit"}` + "\n"), nil} {
		select {
		case p.lines <- line:
		default: // it does not read
		}
	}
	select {
	case <-p.gone:
		return true
	case <-time.After(farewell):
		p.kill()
		<-p.gone
		return false
	}
}

// last returns the end of a process and its last words on standard error.
func (p *process) last() string {
	text := "it has closed its standard output"
	select {
	case <-p.gone:
		text = "it has ended: " + p.cmd.ProcessState.String()
	case <-time.After(farewell):
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(p.errors)), "\n")
	if words := lines[len(lines)-1]; words != "" {
		text += ", with " + quoted(words)
	}
	return text
}

// quoted is the output of a process, shortened and without anything that could affect a terminal, a page or a line of a log.
func quoted(text string) string {
	const most = 120
	if len(text) > most {
		text = text[:most] + "…"
	}
	return fmt.Sprintf("%q", text)
}

// living are the processes that run. It is one for the program, as signals are: their handler calls EndAll.
var living alive

type alive struct {
	mu   sync.Mutex
	all  map[*process]bool
	over bool
}

var errOver = errors.New("this program is ending")

// begin starts a process, unless all are to end.
func (l *alive) begin(p *process) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return errOver
	}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	if l.all == nil {
		l.all = map[*process]bool{}
	}
	l.all[p] = true
	return nil
}

func (l *alive) end(p *process) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.all, p)
}

// EndAll kills all processes of all bots, for a program that is about to end. No other is started afterwards.
func EndAll() {
	living.mu.Lock()
	living.over = true
	var all []*process
	for p := range living.all {
		all = append(all, p)
	}
	living.mu.Unlock()
	for _, p := range all {
		p.kill()
	}
	for _, p := range all {
		select {
		case <-p.gone:
		case <-time.After(farewell):
		}
	}
}
