package predict

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/torchmem/workbook/lessons/lesson"
)

// goRun returns a source that runs the lessons of a project with the go
// command.
func goRun(root string) source {
	return func(ctx context.Context, number string, flags ...string) ([]lesson.Row, error) {
		args := append([]string{"run", "github.com/torchmem/workbook/lessons/" + number, "-json"}, flags...)
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir = root
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		// An interrupt ends go, not the lesson below it. Do not wait for that.
		cmd.WaitDelay = 2 * time.Second
		err := cmd.Run()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("run lesson %s: %w", number, reason(err, stderr.String()))
		}
		return decode(number, &stdout)
	}
}

// decode reads rows, one JSON object after the other.
func decode(number string, from io.Reader) ([]lesson.Row, error) {
	var rows []lesson.Row
	for d := json.NewDecoder(from); ; {
		var r lesson.Row
		err := d.Decode(&r)
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the rows of lesson %s: %w", number, err)
		}
		rows = append(rows, r)
	}
}

// reason returns what a command said of its failure, which is more than its
// exit status says. The go command's own heading and last line are no reason.
func reason(err error, stderr string) error {
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "exit status") {
			return errors.New(line)
		}
	}
	return err
}
