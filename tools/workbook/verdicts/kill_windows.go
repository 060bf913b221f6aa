package verdicts

import (
	"os/exec"
	"strconv"
)

// killTogether ends go test together with the program that it started when the
// context ends.
func killTogether(cmd *exec.Cmd) {
	cmd.Cancel = func() error {
		return exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
	}
}
