package verdicts

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/solutions/tasks"
)

func TestClippedKeepsBothEnds(t *testing.T) {
	var c clipped
	c.add("begin ")
	for range 3 * tailBytes / 1024 {
		c.add(strings.Repeat("x", 1024))
	}
	c.add(" end")
	text := c.String()
	require.True(t, strings.HasPrefix(text, "begin x"))
	require.True(t, strings.HasSuffix(text, "x end"))
	require.Contains(t, text, "\n...\n")
	require.Less(t, len(text), headBytes+2*tailBytes+100)
}

func TestClippedLeavesShortTextsAlone(t *testing.T) {
	var c clipped
	text := strings.Repeat("0123456789", headBytes/5)
	for piece := range strings.SplitSeq(text, "9") {
		c.add(piece + "9")
	}
	require.Equal(t, text+"9", c.String())
}

// TestEventsInPieces cuts the stream where no line ends.
func TestEventsInPieces(t *testing.T) {
	stream := `{"Action":"build-output","Output":"# x\n"}
{"Action":"run","Test":"TestA"}
not JSON
{"Action":"output","Test":"TestA","Output":"hello\n"}
{"Action":"output","Test":"TestA/inner","Output":"inner\n"}
{"Action":"output","Test":"TestA","Output":"--- PASS: TestA (1.50s)\n"}
{"Action":"pass","Test":"TestA","Elapsed":1.5}
{"Action":"output","Output":"exit status 3\n"}`
	for size := 1; size < 40; size++ {
		e := newEvents()
		for rest := stream; rest != ""; {
			n := min(size, len(rest))
			written, err := e.Write([]byte(rest[:n]))
			require.NoError(t, err)
			require.Equal(t, n, written)
			rest = rest[n:]
		}
		e.close()
		require.Equal(t, []string{"# x"}, e.build)
		require.Len(t, e.tests, 1)
		a := e.tests["TestA"]
		require.True(t, a.passed)
		require.Equal(t, 1.5, a.took.Seconds())
		require.Equal(t, "hello\n", learners(a.output.String(), "TestA"))
		require.Equal(t, "not JSON\nexit status 3\n", e.rest.String())
		require.Equal(t, ": exit status 3", exit(e))
	}
}

// TestFaults has the last words of programs, as Go prints them.
func TestFaults(t *testing.T) {
	const stack = "\ngoroutine 7 [running]:\nx.Segments()\n\t/home/me/exercises/05/segments.go:14 +0x1\n"
	for name, c := range map[string]struct{ output, printed, problem string }{
		"panic": {"hi\npanic: boo [recovered, repanicked]\n" + stack, "hi\n", "exercises/05/segments.go:14: boo"},
		"fatal": {"fatal error: all goroutines are asleep - deadlock!\n", "",
			"exercises/05/segments.go: all goroutines are asleep - deadlock!"},
		"stack": {"runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n" + stack, "",
			"exercises/05/segments.go:14: stack overflow"},
		"windows": {"panic: boo\n\nx()\n\tC:\\me\\exercises\\05\\segments.go:14 +0x1\n", "", "exercises/05/segments.go:14: boo"},
		"timeout": {"panic: test timed out after 1m0s\n" + stack, "",
			"it did not end within 1m0s; it was at exercises/05/segments.go:14"},
		"silent": {"hi\n--- FAIL: TestSegments (0.00s)\n", "hi\n", "the program ended before it was graded: exit status 3"},
		"log":    {"    exercise_test.go:9: open segments.go: denied\n", "", "exercises/05/segments.go: open segments.go: denied"},
	} {
		t.Run(name, func(t *testing.T) {
			f := folder{lesson: "05", limit: time.Minute}
			e := newEvents()
			e.rest.add("exit status 3\n")
			printed, problem := f.fault(tasks.Segments.Info, c.output, e)
			require.Equal(t, c.printed, printed)
			require.Equal(t, c.problem, problem)
		})
	}
}
