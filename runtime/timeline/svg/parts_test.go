package svg

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/timeline"
)

func panelOf(r *timeline.Recording, g grain) *panel {
	p := newPanel(r, box{x: 60, y: 100, w: 600, h: 200}, 120)
	p.lay(g)
	return p
}

// TestStackIsWhatIsAllocated adds up the stack in each column, whatever was merged.
func TestStackIsWhatIsAllocated(t *testing.T) {
	for seed := range uint64(6) {
		for _, g := range []grain{{0, 0}, {1, 1}, {8, 5}} {
			p := panelOf(random(t, seed, 200+2000*int(seed%2)), g)
			top := make([]int64, len(p.clock.columns))
			for _, l := range p.stack.layers {
				for i := range l.bottom {
					require.Equal(t, top[l.from+i], l.bottom[i])
					top[l.from+i] += l.height[i]
				}
			}
			for i, c := range p.clock.columns {
				require.Equal(t, p.at(c.event).allocated, top[i], "seed %d, event %d", seed, c.event)
			}
		}
	}
}

// TestWhatIsHeldNeverMoves looks at a leak: a staircase on the floor.
func TestWhatIsHeldNeverMoves(t *testing.T) {
	p := panelOf(leaking(t, 10), grain{})
	steps := map[fate]int{}
	for _, l := range p.stack.layers {
		steps[l.fate]++
		if p.isLeft(l.bands[0]) {
			for _, b := range l.bottom {
				require.Equal(t, l.bottom[0], b)
			}
			require.Len(t, p.clock.columns, l.to)
		}
	}
	require.Equal(t, map[fate]int{held: 1, piled: 10, freed: 10}, steps)
	require.EqualValues(t, 40*mib, p.leftOf(piled))
}

// TestPilesThatEnd has a list that grows and is cleared: nothing of it is held.
func TestPilesThatEnd(t *testing.T) {
	p := newProgram(t, "a list that is cleared")
	for range 5 {
		p.held = append(p.held, p.malloc("x", 4*mib))
		p.statement("outs.append(f())")
	}
	require.EqualValues(t, 20*mib, panelOf(p.recording, grain{}).leftOf(piled))
	for _, b := range p.held {
		p.free(b)
	}
	p.statement("outs.clear()")
	end := panelOf(p.recording, grain{})
	require.Zero(t, end.leftOf(piled))
	require.True(t, end.has(piled), "it is seen all the same")
	require.False(t, end.has(freed))
}

func TestPassages(t *testing.T) {
	passages := func(texts ...string) (all []passage) {
		statements := make([]timeline.Statement, len(texts))
		for i, text := range texts {
			statements[i].Text = text
		}
		return passagesOf(statements)
	}
	require.Equal(t, []passage{{0, 1, 1, 1}, {1, 4, 1, 3}}, passages("m", "f(x)  # 0", "f(x)  # 1", "f(x)  # 2"))
	require.Equal(t, []passage{{0, 6, 2, 3}, {6, 7, 1, 1}}, passages("x # 0", "y", "x # 1", "y", "x # 2", "y", "x # 9"))
	require.Equal(t, []passage{{0, 1, 1, 1}, {1, 2, 1, 1}}, passages("x", "x"), "twice is no loop")
	require.Equal(t, []passage{{0, 3, 1, 3}, {3, 4, 1, 1}, {4, 5, 1, 1}},
		passages("x # 0", "x # 1", "x # 2", "x # 998", "x # 999"), "rounds are left out")
	require.Equal(t, []passage{{0, 3, 1, 3}}, passages("x # 10", "x # 20", "x # 30"), "every tenth round is shown")
}

func TestGrowth(t *testing.T) {
	growth := func(allocated ...int64) (int64, bool) {
		statements := make([]timeline.Statement, len(allocated))
		for i, n := range allocated {
			statements[i].Allocated = n
		}
		return passage{0, len(allocated), 1, len(allocated)}.growth(statements)
	}
	check := func(bytes int64, steady bool, allocated ...int64) {
		t.Helper()
		gotBytes, gotSteady := growth(allocated...)
		require.Equal(t, bytes, gotBytes)
		require.Equal(t, steady, gotSteady)
	}
	check(20, true, 0, 40, 50, 60)
	check(0, false, 0, 40, 40, 40)
	check(5, false, 0, 40, 30, 45)
}

// TestFlagsKeepApart makes sure that no label covers another, and that none is
// crossed by the line of another.
func TestFlagsKeepApart(t *testing.T) {
	for seed := range uint64(8) {
		p := panelOf(random(t, seed, 150), grain{1, 1})
		require.NotEmpty(t, p.flags)
		for i, f := range p.flags {
			end := f.x + float64(len([]rune(f.text)))*codeWidth
			require.LessOrEqual(t, end, p.w+p.margin)
			for j, other := range p.flags {
				if i != j && other.row >= f.row {
					require.False(t, f.x <= other.x && other.x < end, "%v and %v", f, other)
				}
			}
		}
	}
}

// TestLabelsFit looks for labels wider than the part of the band that they are in.
func TestLabelsFit(t *testing.T) {
	labelled := 0
	for seed := range uint64(8) {
		p := panelOf(random(t, seed, 60), grain{1, 1})
		for _, l := range p.stack.layers {
			text, ok := p.labelOf(l)
			if !ok {
				continue
			}
			labelled++
			half := float64(len([]rune(text.text))) * letterWidth / 2
			for i := range l.bottom {
				if x := p.middle(l.from + i); text.x-half < x && x < text.x+half {
					middle := (p.level(l.bottom[i]) + p.level(l.bottom[i]+l.height[i])) / 2
					require.InDelta(t, middle, text.y-4, 1)
				}
			}
		}
	}
	require.NotZero(t, labelled)
}

// TestStatementsTakeRoom gives a statement that does nothing some width.
func TestStatementsTakeRoom(t *testing.T) {
	r := leaking(t, 3)
	for i := range 4 {
		r.Statements = append(r.Statements, timeline.Statement{Text: fmt.Sprintf("y%d = x", i), End: len(r.Events)})
	}
	p := panelOf(r, grain{})
	for i := 1; i <= len(r.Statements); i++ {
		require.Greater(t, p.begin(i)-p.begin(i-1), 10.0)
	}
}
