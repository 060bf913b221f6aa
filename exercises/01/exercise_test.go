package exercise

import (
	"testing"

	"github.com/torchmem/workbook/solutions/tasks"
)

func TestRounded(t *testing.T) {
	tasks.Test(t, tasks.Rounded, Rounded)
}

func TestReserved(t *testing.T) {
	tasks.Test(t, tasks.Reserved, Reserved)
}
