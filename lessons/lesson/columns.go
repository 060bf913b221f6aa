package lesson

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
)

// column is one figure of each row.
type column struct {
	title string
	width int
	show  func(Row) string
}

// counters are the columns of every page. What is not shown is in the JSON.
var counters = []column{
	{"allocated", 13, func(r Row) string { return humanize.Comma(r.AllocatedBytes) }},
	{"reserved", 13, func(r Row) string { return humanize.Comma(r.ReservedBytes) }},
	{"peak", 13, func(r Row) string { return humanize.Comma(r.AllocatedPeak) }},
}

// figures are the columns that a real GPU adds: the driver's own.
var figures = []column{
	{"driver's used memory", 34, func(r Row) string {
		return humanize.Comma(r.Before) + " -> " + humanize.Comma(r.After)
	}},
	{"less reserved", 15, func(r Row) string { return humanize.Comma(r.Beyond) }},
}

// statementWidth is the column of the statements. A longer one has a line of
// its own.
const statementWidth = width - 3*13

// heading is the line above the rows.
func heading(columns []column) string {
	return spell("bytes after each statement", columns, func(c column) string { return c.title })
}

// spellRow returns the lines of a row.
func spellRow(r Row, columns []column) string {
	cell := func(c column) string { return c.show(r) }
	if len([]rune(r.Statement)) >= statementWidth {
		return r.Statement + "\n" + spell("", columns, cell)
	}
	return spell(r.Statement, columns, cell)
}

func spell(first string, columns []column, cell func(column) string) string {
	var line strings.Builder
	fmt.Fprintf(&line, "%-*s", statementWidth, first)
	for _, c := range columns {
		fmt.Fprintf(&line, " %*s", c.width-1, cell(c)) // one too wide stands apart too
	}
	return line.String()
}
