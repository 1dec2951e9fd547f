//go:build !unix

package child

import "os/exec"

// apart does nothing where there are no groups of processes.
func apart(*exec.Cmd) {}

// end kills a process; those that it has started are left where there are no groups.
func end(cmd *exec.Cmd) { _ = cmd.Process.Kill() } // it may have ended
