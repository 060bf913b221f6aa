package solutions_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/grade"
)

// numbered lists the cases that compare numbers.
func (p proven[F]) numbered() []string {
	var names []string
	for _, c := range p.task.Cases {
		if !c.MemoryOnly {
			names = append(names, c.Name)
		}
	}
	return names
}

// seeds lists those of the cases that draw numbers.
func (p proven[F]) seeds() []uint64 {
	var seeds []uint64
	for _, c := range p.task.Cases {
		if c.Seed != 0 {
			seeds = append(seeds, c.Seed)
		}
	}
	return seeds
}

// TestCasesDrawTheirOwnNumbers makes sure that no case has the numbers of
// another: what a function returns for one is then no answer to the next.
func TestCasesDrawTheirOwnNumbers(t *testing.T) {
	for _, p := range proofs {
		seeds := p.seeds()
		slices.Sort(seeds)
		require.Equal(t, slices.Compact(slices.Clone(seeds)), seeds, p.about().Name)
		if unrecorded[p.about().Name] == "" {
			require.GreaterOrEqual(t, len(seeds), len(p.numbered()), p.about().Name)
		}
	}
}

// requireNumbers makes sure that the cases with numbers are enough to tell that
// an answer is wrong. The other cases can be passed by doing nothing.
func requireNumbers(t *testing.T, p proof, g graded) {
	t.Helper()
	cases := p.numbered()
	require.GreaterOrEqual(t, len(cases), 2)
	withNumbers := func(c grade.Check) bool { return slices.Contains(cases, c.Case) }
	require.Equal(t, len(g.fails) > 0, slices.ContainsFunc(g.verdict.Failed(), withNumbers),
		"%s fails only where no numbers are compared\n%v", g.name, g.verdict)
}
