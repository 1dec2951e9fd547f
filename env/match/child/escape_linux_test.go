package child

import (
	"os/exec"
	"syscall"
)

func init() {
	escape = func(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
}
