package lesson

import (
	"fmt"
	"regexp"
	"strings"
)

// prose is a lesson's text, cut at its headings:
//
//	# title
//	what comes before all programs
//	## name of a program: its title
//	what comes before the program
//	### What to notice
//	what comes after it
//	## Next
//	what leads to the next lesson
//
// Pictures, ![as in Markdown](file), are for those who read the file itself. A
// terminal has none.
type prose struct {
	title    string
	opening  string
	programs map[string]section
	next     string
}

// section is the text around one program.
type section struct{ title, before, notice string }

// picture is a line with a picture, and the empty line behind it.
var picture = regexp.MustCompile(`(?m)^!\[.*\]\(.*\)\n\n?`)

const noticeHeading = "### What to notice"

// parseProse cuts the text. Every program must have its section.
func parseProse(l Lesson) (prose, error) {
	p := prose{programs: map[string]section{}}
	text := picture.ReplaceAllString(l.Prose, "")
	parts := strings.Split("\n"+strings.TrimSpace(text), "\n## ")
	title, opening, _ := strings.Cut(strings.TrimPrefix(parts[0], "\n# "), "\n")
	p.title, p.opening = title, strings.TrimSpace(opening)
	for _, part := range parts[1:] {
		heading, text, _ := strings.Cut(part, "\n")
		if heading == "Next" {
			p.next = strings.TrimSpace(text)
			continue
		}
		name, title, _ := strings.Cut(heading, ": ")
		before, notice, _ := strings.Cut(text, noticeHeading)
		p.programs[name] = section{title, strings.TrimSpace(before), strings.TrimSpace(notice)}
	}
	for _, program := range l.Programs {
		if _, ok := p.programs[program.Name]; !ok {
			return p, fmt.Errorf("lesson.md has no section for the program %s", program.Name)
		}
	}
	return p, nil
}
