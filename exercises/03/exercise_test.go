package exercise

import (
	"testing"

	"github.com/torchmem/workbook/solutions/tasks"
)

func TestHandOver(t *testing.T) {
	tasks.Test(t, tasks.HandOver, HandOver)
}

func TestSteady(t *testing.T) {
	tasks.Test(t, tasks.Steady, Steady)
}

func TestRecover(t *testing.T) {
	tasks.Test(t, tasks.Recover, Recover)
}
