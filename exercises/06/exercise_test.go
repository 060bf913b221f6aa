package exercise

import (
	"testing"

	"github.com/torchmem/workbook/solutions/tasks"
)

func TestOutputs(t *testing.T) {
	tasks.Test(t, tasks.Outputs, Outputs)
}

func TestTotal(t *testing.T) {
	tasks.Test(t, tasks.Total, Total)
}

func TestHidden(t *testing.T) {
	tasks.Test(t, tasks.Hidden, Hidden)
}
