//go:build unix

package child

import (
	"os/exec"
	"syscall"
)

// apart has a process lead a group of its own, which signals to this one do not reach.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// end kills the group of a process.
func end(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // ESRCH: nobody is left
