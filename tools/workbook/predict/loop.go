package predict

import (
	"regexp"

	"github.com/torchmem/workbook/lessons/lesson"
)

// enough is how often a statement is asked for that does the same each time.
const enough = 3

// round is the comment that numbers the rounds of a loop.
var round = regexp.MustCompile(`\s*#\s*\d+$`)

// asked says for each row whether the game asks for it. The start of a program
// is not asked for, since nothing has happened. Neither is the fourth statement
// that reads the same and does the same.
func (s story) asked() []bool {
	type step struct {
		statement string
		change    change
	}
	times := map[step]int{}
	asked := make([]bool, len(s.rows))
	for i, r := range s.rows {
		this := step{round.ReplaceAllString(r.Statement, ""), changeOf(s.before(i), r)}
		times[this]++
		asked[i] = times[this] <= enough && !isStart(r)
	}
	return asked
}

// isStart reports whether a row stands before the first statement.
func isStart(r lesson.Row) bool { return r.Label == "start" }
