package site_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/site"
)

func TestCalls(t *testing.T) {
	pcs := make([]uintptr, 64)
	pcs = func() []uintptr { return pcs[:runtime.Callers(1, pcs)] }()
	learners := site.Learners(pcs)
	require.Equal(t, []site.Call{
		{Function: "runtime/site_test.TestCalls.func1", File: "runtime/site/calls_test.go", Line: 14},
		{Function: "runtime/site_test.TestCalls", File: "runtime/site/calls_test.go", Line: 14},
	}, learners)
	require.Equal(t, learners, site.All(pcs), "what calls a test is Go's own")
	require.Empty(t, site.All(nil))
	require.Equal(t, "/elsewhere/main.go", site.InWorkbook("/elsewhere/main.go"))
}
