//go:build unix

package verdicts

import (
	"os/exec"
	"syscall"
)

// killTogether makes go test and the program that it starts one group, which
// ends as a whole when the context does.
func killTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
