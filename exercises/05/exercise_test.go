package exercise

import (
	"testing"

	"github.com/torchmem/workbook/solutions/tasks"
)

func TestSegments(t *testing.T) {
	tasks.Test(t, tasks.Segments, Segments)
}

func TestDropout(t *testing.T) {
	tasks.Test(t, tasks.Dropout, Dropout)
}

func TestFrozen(t *testing.T) {
	tasks.Test(t, tasks.Frozen, Frozen)
}
