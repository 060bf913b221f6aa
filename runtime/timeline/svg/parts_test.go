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
	require.Equal(t, []passage{{0, 1, 1, 1, 0}, {1, 4, 1, 3, 1}}, passages("m", "f(x)  # 0", "f(x)  # 1", "f(x)  # 2"))
	require.Equal(t, []passage{{0, 6, 2, 3, 1}, {6, 7, 1, 1, 0}}, passages("x # 0", "y", "x # 1", "y", "x # 2", "y", "x # 9"))
	require.Equal(t, []passage{{0, 1, 1, 1, 0}, {1, 2, 1, 1, 0}}, passages("x", "x"), "twice is no loop")
	require.Equal(t, []passage{{0, 3, 1, 3, 0}}, passages("x", "x", "x"))
	require.Equal(t, []passage{{0, 5, 1, 5, 1}}, passages("x # 0", "x # 1", "x # 2", "x # 998", "x # 999"), "rounds are left out")
	require.Equal(t, []passage{{0, 3, 1, 3, 1}, {3, 6, 1, 3, 1}}, passages("x # 0", "x # 1", "x # 2", "x # 0", "x # 1", "x # 2"), "two loops")
	require.Equal(t, []passage{{0, 3, 1, 3, 10}}, passages("x # 10", "x # 20", "x # 30"), "every tenth round is shown")
}

// TestRoundsAreCountedIfKnown has loops of which some rounds are not shown.
func TestRoundsAreCountedIfKnown(t *testing.T) {
	says := func(first, step, shown, perStatement, inFirst int) verdict {
		p := newProgram(t, "tens")
		p.malloc("weight", mib)
		p.statement("model = f()")
		for i := range shown {
			n := perStatement
			if i == 0 {
				n = inFirst
			}
			for range n {
				p.malloc("x", 32*mib) // a segment of its own
			}
			p.statement(fmt.Sprintf("xs.append(g())  # %d", first+i*step))
		}
		one := panelOf(p.recording, grain{})
		require.Len(t, one.passages, 2)
		return one.verdict(one.passages[1])
	}
	require.Equal(t, "40 rounds, every 10 end about 320 MiB higher", says(10, 10, 4, 10, 10).texts[0])
	require.Equal(t, "every 10 rounds +320 MiB", says(10, 10, 4, 10, 10).fitting(0))
	require.Equal(t, "every 10th round shown, every 10 end about 320 MiB higher", says(0, 10, 4, 10, 1).texts[0], "who knows what follows # 30")
	require.Equal(t, "every 10th round shown, every 10 end about 320 MiB higher", says(10, 10, 4, 10, 11).texts[0], "# 0 is not shown")
	require.Equal(t, "4 rounds, each ends about 320 MiB higher", says(0, 1, 4, 10, 10).texts[0])
}

// TestRoundsThatAreNotShown shows the first and the last ones of a long loop.
func TestRoundsThatAreNotShown(t *testing.T) {
	p := newProgram(t, "a long loop")
	for i := range 1000 {
		p.malloc("outs", mib)
		if i < 5 || i >= 998 {
			p.statement(fmt.Sprintf("outs.append(x)  # %d", i))
		}
	}
	one := panelOf(p.recording, grain{})
	require.Len(t, one.passages, 1)
	require.Equal(t, "1000 rounds, 993 of them not shown, each ends about 1 MiB higher", one.verdict(one.passages[0]).texts[0])
}

// TestFiguresAtTheEdgeAddUp has more holders than lines.
func TestFiguresAtTheEdgeAddUp(t *testing.T) {
	p := newProgram(t, "many names")
	for i := range 7 {
		p.malloc(fmt.Sprintf("x%d", i), int64(7-i)*mib)
	}
	p.statement("f()")
	texts := textsOf(t, drawn(t, p.recording))["text"]
	for _, text := range []string{"28 MiB", "x0 7 MiB", "x1 6 MiB", "x2 5 MiB", "x3 4 MiB", "x4 3 MiB", "2 others 3 MiB"} {
		require.Contains(t, texts, text)
	}
}

// TestPiledLinesAddUp has one name that holds a pile and something else.
func TestPiledLinesAddUp(t *testing.T) {
	r := leaking(t, 10)
	for i := range r.Events {
		if r.Events[i].Name == "weight" {
			r.Events[i].Name = "outs"
		}
	}
	one, c := panelOf(r, grain{}), &canvas{}
	one.drawEnd(c)
	require.Contains(t, c.String(), ">piled up 40 MiB<")
	require.Regexp(t, `class="n k"[^>]*>outs ×10 40 MiB<`, c.String())
	require.Regexp(t, `class="n"[^>]*>outs 8 MiB<`, c.String())
}

// TestReservedStandsAtItsLine looks where the label is if nothing is allocated.
func TestReservedStandsAtItsLine(t *testing.T) {
	p := newProgram(t, "nothing is left")
	p.free(p.malloc("x", 32*mib))
	p.statement("del x")
	requireReservedAtItsLine(t, p.recording)
	require.NoError(t, p.allocator.EmptyCache())
	p.statement("empty_cache()")
	requireReservedAtItsLine(t, p.recording)
}

func requireReservedAtItsLine(t *testing.T, r *timeline.Recording) {
	t.Helper()
	one, c := panelOf(r, grain{}), &canvas{}
	one.drawEnd(c)
	end := one.end().reserved
	require.Contains(t, c.String(), fmt.Sprintf(`y="%s">reserved %s<`, number(one.level(end)+4), size(end)))
	require.Contains(t, c.String(), "nothing is left")
}

func TestGrowth(t *testing.T) {
	growth := func(allocated ...int64) (int64, bool) {
		statements := make([]timeline.Statement, len(allocated))
		for i, n := range allocated {
			statements[i].Allocated = n
		}
		return passage{0, len(allocated), 1, len(allocated), 0}.growth(statements)
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
