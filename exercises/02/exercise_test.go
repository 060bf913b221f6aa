package exercise

import (
	"testing"

	"github.com/torchmem/workbook/solutions/tasks"
)

func TestChain(t *testing.T) {
	tasks.Test(t, tasks.Chain, Chain)
}

func TestRebind(t *testing.T) {
	tasks.Test(t, tasks.Rebind, Rebind)
}

func TestView(t *testing.T) {
	tasks.Test(t, tasks.View, View)
}
