package predict

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/torchmem/workbook/tools/workbook/project"
	"github.com/torchmem/workbook/tools/workbook/terminal"
)

// Run plays a program of a lesson with a person. No program is the lesson's
// first. The game ends with its last question, at the end of the input, with the
// answer q, or when the context ends; each time with the score.
//
// What the caller got wrong is a [*MisuseError].
func Run(ctx context.Context, p project.Project, lesson, program string, in io.Reader, out io.Writer) error {
	s, err := choose(ctx, p, lesson, program)
	if err != nil {
		return err
	}
	return play(ctx, s, in, out)
}

// RunJSON plays it with a program. Nothing is said while answers are read, and
// the score is one JSON object. An answer that makes no sense is an error.
func RunJSON(ctx context.Context, p project.Project, lesson, program string, in io.Reader, out io.Writer) error {
	s, err := choose(ctx, p, lesson, program)
	if err != nil {
		return err
	}
	return playJSON(ctx, s, in, out)
}

// choose finds a program and runs its lesson.
func choose(ctx context.Context, p project.Project, lesson, program string) (story, error) {
	number, err := findLesson(p.Root, lesson)
	if err != nil {
		return story{}, err
	}
	return findStory(ctx, goRun(p.Root), number, program)
}

// play holds the conversation with a person.
func play(ctx context.Context, s story, in io.Reader, out io.Writer) error {
	g := newGame(s, in, newPage(out, !terminal.Is(in)))
	g.misread = func(err error) error {
		g.page.misread(err)
		return nil
	}
	if err := g.run(ctx); err != nil {
		return err
	}
	g.page.score(g.report)
	return g.page.err()
}

// playJSON holds it with a program, which hears nothing until the end.
func playJSON(ctx context.Context, s story, in io.Reader, out io.Writer) error {
	g := newGame(s, in, newPage(io.Discard, false))
	g.misread = func(err error) error {
		return &MisuseError{fmt.Sprintf("answer %d: %v", g.report.Asked+1, err)}
	}
	if err := g.run(ctx); err != nil {
		return err
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	if err := e.Encode(g.report); err != nil {
		return fmt.Errorf("write the score: %w", err)
	}
	return nil
}
