package tasks

import (
	"fmt"
	"os"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/timeline/web"
)

// PageVariable is the environment variable that names a file for a page that
// shows in the browser what a learner's function does to memory.
const PageVariable = "WORKBOOK_PAGE"

// draw writes the page, if one is asked for.
func draw[F any](task grade.Task[F], f F) error {
	name := os.Getenv(PageVariable)
	if name == "" {
		return nil
	}
	out, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("html: %w", err)
	}
	defer out.Close()
	if err := web.Write(out, task.Name+": "+task.Title, task.Film(f)); err != nil {
		return fmt.Errorf("html: %w", err)
	}
	return out.Close()
}
