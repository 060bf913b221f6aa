package exercise

import (
	"testing"

	"github.com/torchmem/workbook/solutions/tasks"
)

func TestLoop(t *testing.T) {
	tasks.Test(t, tasks.Loop, Loop)
}

func TestLargeModel(t *testing.T) {
	tasks.Test(t, tasks.LargeModel, LargeModel)
}

func TestFits(t *testing.T) {
	tasks.Test(t, tasks.Fits, Fits)
}
