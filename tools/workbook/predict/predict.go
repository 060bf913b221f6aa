package predict

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/torchmem/workbook/tools/workbook/project"
)

// Run plays a program of a lesson. No program is the lesson's first. The game
// ends with its last question, at the end of the input, with the answer q, or
// when the context ends; each time with the score.
//
// With asJSON, nothing is said while answers are read, and the score is one
// JSON object. Then an answer that makes no sense is an error.
//
// What the caller got wrong is a [*MisuseError].
func Run(ctx context.Context, p project.Project, lesson, program string, asJSON bool, in io.Reader, out io.Writer) error {
	number, err := findLesson(p.Root, lesson)
	if err != nil {
		return err
	}
	s, err := findStory(ctx, goRun(p.Root), number, program)
	if err != nil {
		return err
	}
	if asJSON {
		return playJSON(ctx, s, in, out)
	}
	return play(ctx, s, in, out)
}

// play holds the conversation with a person.
func play(ctx context.Context, s story, in io.Reader, out io.Writer) error {
	g := newGame(s, in, newPage(out, !isTerminal(in)))
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
