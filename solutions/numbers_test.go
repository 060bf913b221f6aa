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
