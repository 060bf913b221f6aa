package python_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/python"
)

// The spellings are what Python's repr prints.
func TestFloat(t *testing.T) {
	for want, x := range map[string]float64{
		"2.0": 2, "-0.5": -0.5, "1.5": 1.5, "0.0": 0, "0.0001": 1e-4, "1e-05": 1e-5, "1.5e-07": 1.5e-7,
		"1000000000000000.0": 1e15, "1e+16": 1e16, "inf": math.Inf(1), "-inf": math.Inf(-1), "nan": math.NaN(),
	} {
		require.Equal(t, want, python.Float(x))
	}
}
