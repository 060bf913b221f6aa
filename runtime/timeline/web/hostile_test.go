package web

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/timeline"
)

// hostile are texts that would be more than texts, were they not escaped.
var hostile = []string{
	`</script><script>alert(1)</script>`, `<!-- <script>`, `]]>`, "line\u2028separator\u2029", `"><img src=x onerror=alert(1)>`,
	`{{.Title}}`, `</style><style>*{display:none}`, `javascript:alert(1)`, "\x00\x1b[31m", "not\xffutf8", `${alert(1)}`, `\u003c`,
}

// hostileRecording has such a text wherever a text may stand.
func hostileRecording() *timeline.Recording {
	r := &timeline.Recording{Title: hostile[0], Device: hostile[4], Total: 1 << 40}
	r.Events = append(r.Events, timeline.Event{Entry: caching.Entry{Action: caching.ActionSegmentAlloc, Addr: 1 << 40, Size: 20 << 20}})
	for i, text := range hostile {
		at := caching.Entry{Action: caching.ActionAlloc, Addr: gpu.Ptr(1<<40 + i<<20), Size: 1 << 20}
		r.Events = append(r.Events, timeline.Event{
			Entry: at, Block: 1 << 20, Name: text, Frames: []caching.Frame{{Filename: text, Line: i, Name: text}},
		})
		r.Statements = append(r.Statements, timeline.Statement{Text: text, File: text, Line: i, End: len(r.Events)})
	}
	r.Events = append(r.Events, timeline.Event{Entry: caching.Entry{Action: "</script>"}})
	return r
}

func TestHostileTextsStayTexts(t *testing.T) {
	b := open(t, hostileRecording(), hostileRecording())
	for i := range len(hostile) + 3 {
		b.move(i)
	}
	b.move(10)
	names := b.texts("#holders tbody tr button span:last-child")
	require.Len(t, names, 9)
	for i, name := range names {
		want := strings.ToValidUTF8(hostile[i], "\ufffd")
		require.Equal(t, want, name)
	}
	require.Zero(t, eval[int](b, `document.querySelectorAll('img, [href^="javascript"], [onerror]').length`))
	require.Equal(t, 2, eval[int](b, `document.scripts.length`))
	b.quiet()
}

func TestHostileTitle(t *testing.T) {
	for _, title := range hostile {
		var page bytes.Buffer
		require.NoError(t, Write(&page, title, []*timeline.Recording{hostileRecording()}))
		text := page.String()
		require.Equal(t, 2, strings.Count(text, "</script>"), title)
		require.Equal(t, 1, strings.Count(text, "</style>"), title)
		require.False(t, strings.Contains(text, "<img"), title)
		require.False(t, strings.Contains(text, "<!--"), title)
		_, scripts, _ := strings.Cut(text, "<script")
		require.False(t, strings.ContainsAny(scripts, "\u2028\u2029"), title)
	}
}

// TestPolicyNamesTheScriptAndTheStyle makes sure that nothing else may run: the
// policy has no exception, and the page has nothing that would need one.
func TestPolicyNamesTheScriptAndTheStyle(t *testing.T) {
	var page bytes.Buffer
	require.NoError(t, Write(&page, "title", []*timeline.Recording{{Title: "a recording"}}))
	text := page.String()
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(text)
	require.NotNil(t, policy)
	require.Contains(t, policy[1], "default-src &#39;none&#39;")
	require.NotContains(t, policy[1], "unsafe")
	require.NotContains(t, policy[1], "http")
	require.False(t, regexp.MustCompile(` (on[a-z]+|style)="`).MatchString(text), "an attribute that the policy forbids")
	require.False(t, regexp.MustCompile(`(src=|@import|url\()`).MatchString(text), "something is loaded")
}

// TestDataAreJSON reads the data back.
func TestDataAreJSON(t *testing.T) {
	text, err := encode("title", []*timeline.Recording{hostileRecording()}, maxEvents)
	require.NoError(t, err)
	var d data
	require.NoError(t, json.Unmarshal(text, &d))
	require.Contains(t, d.Recordings[0].Texts, hostile[0])
	require.NotContains(t, string(text), "<")
}

func TestPageNeedsARecording(t *testing.T) {
	require.EqualError(t, Write(&bytes.Buffer{}, "title", nil), "a page needs a recording")
}

// TestEmptyRecording has nothing to draw.
func TestEmptyRecording(t *testing.T) {
	b := open(t, &timeline.Recording{Title: "nothing"})
	require.Equal(t, "Event 0 of 0", b.text("now-title"))
	require.Equal(t, "Nobody holds anything.", b.text("holders-about"))
	b.quiet()
}
