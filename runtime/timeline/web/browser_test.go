package web

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/timeline"
)

// browser is a page in a real Chromium, with what it complained about and what
// it asked the network for.
type browser struct {
	t   *testing.T
	ctx context.Context
	// touching tells that a finger is on the screen.
	touching bool

	mu         sync.Mutex
	complaints []string
	requests   []string
}

// chromium returns the browser's path. Without one the tests are skipped, unless
// CHROMIUM_REQUIRED says that there has to be one.
func chromium(t *testing.T) string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	require.Empty(t, os.Getenv("CHROMIUM_REQUIRED"), "CHROMIUM_REQUIRED is set and there is no Chromium")
	t.Skip("there is no Chromium here: apt-get install chromium")
	return ""
}

// open writes a page with the recordings and opens it. The window has the size
// of a small screen; resize changes it.
func open(t *testing.T, recordings ...*timeline.Recording) *browser {
	t.Helper()
	return openLimited(t, maxEvents, recordings...)
}

func openLimited(t *testing.T, limit int, recordings ...*timeline.Recording) *browser {
	t.Helper()
	path := chromium(t)
	file := filepath.Join(t.TempDir(), "page.html")
	f, err := os.Create(file)
	require.NoError(t, err)
	require.NoError(t, write(f, "A title", recordings, limit))
	require.NoError(t, f.Close())
	b := start(t, path)
	b.do(chromedp.EmulateViewport(1200, 900), chromedp.Navigate("file://"+file))
	b.settle()
	return b
}

// start starts a browser of its own for the test.
func start(t *testing.T, path string) *browser {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-sync", true),
		chromedp.NoFirstRun, chromedp.WSURLReadTimeout(60*time.Second))
	ctx, stopBrowser := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stopTab := chromedp.NewContext(ctx)
	t.Cleanup(func() {
		stopTab()
		stopBrowser()
	})
	b := &browser{t: t, ctx: ctx}
	require.NoError(t, chromedp.Listen(ctx, b.hear))
	return b
}

// hear notes what the browser says.
func (b *browser) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		b.complaints = append(b.complaints, "console: "+e.Type.String())
	case *runtime.EventExceptionThrown:
		b.complaints = append(b.complaints, e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		b.complaints = append(b.complaints, e.Entry.Text)
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	}
}

func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	require.NoError(b.t, chromedp.Do(ctx, actions...))
}

// settle waits until what was marked is drawn.
func (b *browser) settle() {
	b.t.Helper()
	eval[bool](b, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
}

// run runs an action and returns its value.
func run[T any](b *browser, action chromedp.Action[T]) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	value, err := chromedp.Run(ctx, action)
	require.NoError(b.t, err)
	return value
}

// eval evaluates JavaScript in the page, and waits for promises.
func eval[T any](b *browser, code string) T {
	b.t.Helper()
	return run(b, chromedp.Evaluate[T](code, chromedp.EvalAwaitPromise))
}

// text returns the text of an element.
func (b *browser) text(id string) string {
	b.t.Helper()
	return strings.TrimSpace(eval[string](b, `document.getElementById('`+id+`').textContent`))
}

// texts returns the texts of all elements that a selector finds.
func (b *browser) texts(selector string) []string {
	b.t.Helper()
	return eval[[]string](b, `[...document.querySelectorAll('`+selector+`')].map(e => e.textContent)`)
}

// quiet makes sure that nothing was complained about, and that the page asked
// for nothing but itself.
func (b *browser) quiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Empty(b.t, b.complaints)
	require.NotEmpty(b.t, b.requests, "not even the page was asked for")
	for _, url := range b.requests {
		require.True(b.t, strings.HasPrefix(url, "file:///") && strings.HasSuffix(url, "/page.html") || strings.HasPrefix(url, "data:"),
			"the page asks for %s", url)
	}
}
