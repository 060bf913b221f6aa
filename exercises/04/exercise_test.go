package exercise

import (
	"testing"

	"github.com/torchmem/workbook/solutions/tasks"
)

func TestInference(t *testing.T) {
	tasks.Test(t, tasks.Inference, Inference)
}

func TestHoldOut(t *testing.T) {
	tasks.Test(t, tasks.HoldOut, HoldOut)
}

func TestBackbone(t *testing.T) {
	tasks.Test(t, tasks.Backbone, Backbone)
}
