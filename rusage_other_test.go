//go:build !unix

package workbook_test

import "os/exec"

// maxResident is not known here.
func maxResident(*exec.Cmd) int64 { return 0 }
