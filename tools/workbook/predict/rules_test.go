package predict

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/lessons/lesson"
)

const mib = 1 << 20

// taking makes a row whose statement took blocks.
func taking(blocks int64, r lesson.Row) lesson.Row {
	r.AllocsTotal = blocks
	return r
}

// TestEveryRuleExplainsSomething has a miss for each rule. The order of the
// rules decides where several fit.
func TestEveryRuleExplainsSomething(t *testing.T) {
	start := row("start", 8*mib, 20*mib, 9*mib)
	unsplit := taking(1, row("x = empty()", 10*mib, 20*mib, 10*mib))
	unsplit.RequestedBytes, unsplit.Allocation = 9*mib, 2
	seen := map[string]bool{}
	for _, c := range []struct {
		counter   string
		predicted int64
		after     lesson.Row
		rule      string
	}{
		{allocated, 4 * mib, row("del x", 8*mib, 20*mib, 9*mib), "Memory is freed when the last thing"},
		{allocated, 8 * mib, row("del x", 4*mib, 20*mib, 9*mib), "What nothing holds any more"},
		{allocated, 12 * mib, row("y = x", 8*mib, 20*mib, 9*mib), "A second name"},
		{allocated, 12 * mib, taking(1, row("x = ones()", 8*mib, 20*mib, 12*mib)), "When a name is set again"},
		{allocated, 12 * mib, taking(2, row("y = sum(x + 1)", 8*mib, 20*mib, 12*mib)), "What a statement makes and drops"},
		{allocated, 9 * mib, unsplit, "A block is not split"},
		{allocated, 9 * mib, taking(3, row("y = model(x)", 12*mib, 20*mib, 12*mib)), "A statement may make several"},
		{reserved, 0, row("empty_cache()", 8*mib, 20*mib, 9*mib), "A segment goes back as a whole"},
		{reserved, 20 * mib, row("empty_cache()", 0, 0, 9*mib), "empty_cache gives back every segment"},
		{reserved, 16 * mib, row("del x", 4*mib, 20*mib, 9*mib), "Reserved does not fall"},
		{reserved, 40 * mib, taking(1, row("y = empty()", 12*mib, 20*mib, 12*mib)), "Reserved grows only if"},
		{reserved, 24 * mib, taking(1, row("y = empty()", 12*mib, 40*mib, 12*mib)), "Reserved grows by whole segments"},
		{peak, 4 * mib, row("del x", 4*mib, 20*mib, 9*mib), "The peak never falls by itself"},
		{peak, 10 * mib, row("x += 1", 8*mib, 20*mib, 9*mib), "The peak grows only if"},
		{peak, 9 * mib, row("reset_peak_memory_stats()", 8*mib, 20*mib, 8*mib), "Where the peak is reset"},
		{peak, 12 * mib, taking(2, row("y = sum(x + 1)", 12*mib, 20*mib, 16*mib)), "The peak counts the worst moment"},
		{peak, 9 * mib, taking(1, row("y = empty()", 12*mib, 20*mib, 12*mib)), "The peak is never below"},
	} {
		rule := ruleOf(missOf(c.counter, c.predicted, start, c.after))
		require.NotNil(t, rule, c.rule)
		require.Contains(t, rule.text, c.rule)
		seen[rule.text] = true
	}
	require.Len(t, seen, len(allocatedRules)+len(reservedRules)+len(peakRules))
}

func missOf(name string, predicted int64, before, after lesson.Row) miss {
	for _, c := range counters {
		if c.name == name {
			return miss{counter: name, predicted: predicted, actual: c.of(after), before: before, after: after}
		}
	}
	panic("no counter " + name)
}

// TestNearMisses leave out the rounding, of one size or of several.
func TestNearMisses(t *testing.T) {
	after := row("a, b, c = empty(), empty(), empty()", 12000768, 20971520, 12000768)
	after.RequestedBytes, after.Allocation = 12000000, 3
	for predicted, near := range map[int64]bool{
		12000768 - 511: true, 12000768 + 511: true, 12000000: true,
		12000768 - 512: false, 12000001: false, 0: false,
	} {
		for _, c := range []string{allocated, peak} {
			require.Equal(t, near, missOf(c, predicted, lesson.Row{}, after).near(), "%s %d", c, predicted)
		}
	}
	require.False(t, missOf(reserved, 20971519, lesson.Row{}, after).near(), "segments are not rounded to 512 bytes")
	require.Same(t, &rounding, ruleOf(missOf(peak, 12000000, lesson.Row{}, after)))
}

func TestAMissWithoutARule(t *testing.T) {
	require.Nil(t, ruleOf(missOf(allocated, 90*mib, lesson.Row{}, taking(1, row("x = empty()", mib, 2*mib, mib)))))
}

func TestTheRuleThatWasMissedMost(t *testing.T) {
	start, del := row("start", 8*mib, 20*mib, 9*mib), row("del x", 4*mib, 20*mib, 9*mib)
	var r Report
	rule, times := r.mostMissed()
	require.Nil(t, rule)
	require.Zero(t, times)

	r.misses = []miss{missOf(peak, 4*mib, start, del), missOf(reserved, 16*mib, start, del), missOf(reserved, 12*mib, start, del)}
	rule, times = r.mostMissed()
	require.Contains(t, rule.text, "Reserved does not fall")
	require.Equal(t, 2, times)

	rule, _ = (&Report{misses: r.misses[:2]}).mostMissed()
	require.Contains(t, rule.text, "The peak never falls", "of equals the first")
}
