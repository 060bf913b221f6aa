package drivertest

import (
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/host"
)

// seedVariable is the environment variable that repeats a run of Kernels: it
// holds the seed that the run has logged.
const seedVariable = "DRIVERTEST_SEED"

// trials is how many random launches of each kernel are compared.
const trials = 30

// Kernels runs every kernel on random operands and compares what it leaves in
// memory with two other computations: the same kernel on the CPU, and the same
// kernel on the CPU with all fractions in float64, which takes the place of the
// true result.
//
// Shapes have up to six dimensions, and windows are what tensors can be:
// transposed, with gaps, from an offset on, stretched, empty, in place, and
// numbers of host memory. What lies in the gaps must stay as it was. The rules
// for how much results may differ are in kernels_tolerance.go.
//
// One device runs all of them. The seed is logged; DRIVERTEST_SEED repeats it.
func Kernels(t *testing.T, open Opener) {
	seed := kernelSeed(t)
	t.Logf("%s=%d", seedVariable, seed)
	d := open(t)
	t.Run("Unknown", func(t *testing.T) {
		require.ErrorContains(t, d.Launch(gpu.Kernel{Name: "bogus"}, 0), `no kernel "bogus"`)
	})
	for _, name := range host.Names() {
		t.Run(name, func(t *testing.T) {
			random := kernelRandom(seed, name)
			for range trials {
				require.NoError(t, tryRandom(d, name, random))
			}
			for range trials {
				require.NoError(t, tryEdges(d, name, random))
			}
		})
	}
}

// kernelSeed returns a new seed, or the one that is asked for.
func kernelSeed(t *testing.T) uint64 {
	t.Helper()
	text := os.Getenv(seedVariable)
	if text == "" {
		return rand.Uint64()
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	require.NoError(t, err, seedVariable)
	return seed
}

// kernelRandom returns the random numbers for a kernel.
func kernelRandom(seed uint64, name string) *rand.Rand {
	h := fnv.New64()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// tryRandom compares one launch on random operands.
func tryRandom(d gpu.Driver, name string, random *rand.Rand) error {
	form, m := kernelForms[name], &maker{Rand: random}
	m.kernel = form.build(m)
	m.kernel.Name = name
	return compare(d, m.trial, form.noise)
}

// tryEdges compares one launch on operands among which are numbers such as
// infinity.
func tryEdges(d gpu.Driver, name string, random *rand.Rand) error {
	form, m := kernelForms[name], &maker{Rand: random}
	m.kernel = form.build(m)
	m.kernel.Name = name
	if len(form.edges) == 0 {
		return nil
	}
	m.sprinkle(form.edges)
	return compare(d, m.trial, form.noise)
}
