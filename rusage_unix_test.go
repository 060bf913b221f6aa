//go:build unix

package workbook_test

import (
	"os/exec"
	"runtime"
	"syscall"
)

// maxResident returns the most bytes that a finished command had in memory.
func maxResident(run *exec.Cmd) int64 {
	usage, ok := run.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}
