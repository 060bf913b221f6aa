package predict

import (
	"context"
	"errors"
	"io"

	"github.com/torchmem/workbook/lessons/lesson"
)

// game is one conversation.
type game struct {
	story   story
	answers *answers
	page    *page
	report  *Report
	// misread hears of an answer that makes no sense. If it returns nil,
	// the question is asked again.
	misread func(error) error
}

func newGame(s story, in io.Reader, p *page) *game {
	return &game{story: s, answers: readAnswers(in), page: p, report: newReport(s)}
}

// errStop ends a game early. What was answered so far counts.
var errStop = errors.New("stop")

// run shows every row and asks for those that are to be asked for.
func (g *game) run(ctx context.Context) error {
	defer g.answers.stop()
	g.page.begin(g.story)
	asked := g.story.asked()
	for i, r := range g.story.rows {
		var err error
		switch {
		case isStart(r):
			g.page.statement(i, g.story)
			g.page.counters(r)
		case asked[i]:
			g.page.statement(i, g.story)
			err = g.ask(ctx, g.story.before(i), r)
		case i+1 == len(asked) || asked[i+1]:
			g.page.andSoOn(r, unasked(asked[:i+1]))
		}
		if errors.Is(err, errStop) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unasked counts the rows at the end that are not asked for.
func unasked(asked []bool) int {
	n := 0
	for n < len(asked) && !asked[len(asked)-1-n] {
		n++
	}
	return n
}

// ask asks for the three counters after one statement.
func (g *game) ask(ctx context.Context, before, after lesson.Row) error {
	for _, c := range counters {
		p, err := g.predictionOf(ctx, c, before)
		if err != nil {
			return err
		}
		g.judge(c, p, before, after)
	}
	return nil
}

// predictionOf asks for one counter until there is an answer. It returns nil
// for a question that is skipped.
func (g *game) predictionOf(ctx context.Context, c counter, before lesson.Row) (*prediction, error) {
	for {
		g.page.question(c, c.of(before))
		text, err := g.answers.next(ctx)
		if err != nil {
			g.page.breakOff()
			return nil, err
		}
		g.page.heard(text)
		switch text {
		case "":
			return nil, nil
		case "q":
			return nil, errStop
		case "?":
			g.page.rules()
			continue
		}
		p, err := parse(text, c.of(before))
		if err == nil {
			return &p, nil
		}
		if err := g.misread(err); err != nil {
			return nil, err
		}
	}
}

// judge counts an answer and shows the truth.
func (g *game) judge(c counter, p *prediction, before, after lesson.Row) {
	a := Answer{Statement: after.Statement, Counter: c.name, Actual: c.of(after)}
	if p == nil {
		g.report.add(a)
		g.page.truth(a.Actual)
		return
	}
	a.Predicted, a.Right = &p.bytes, p.right(a.Actual)
	if a.Right {
		g.report.add(a)
		g.page.right(a.Actual, p.bytes)
		return
	}
	m := miss{counter: c.name, predicted: p.bytes, actual: a.Actual, before: before, after: after}
	a.Near = m.near()
	g.report.add(a)
	g.report.misses = append(g.report.misses, m)
	g.page.missed(m)
}
