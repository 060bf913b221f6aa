package exercise

import (
	"testing"

	"github.com/torchmem/workbook/solutions/tasks"
)

func TestAccumulate(t *testing.T) {
	tasks.Test(t, tasks.Accumulate, Accumulate)
}

func TestHook(t *testing.T) {
	tasks.Test(t, tasks.Hook, Hook)
}

func TestActivations(t *testing.T) {
	tasks.Test(t, tasks.Activations, Activations)
}
