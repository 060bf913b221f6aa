package predict

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/torchmem/workbook/lessons/lesson"
)

// story is the program that is played.
type story struct {
	lesson, program string
	// others are the lesson's other programs.
	others []string
	rows   []lesson.Row
}

// source runs a lesson with more flags and returns its rows.
type source func(ctx context.Context, number string, flags ...string) ([]lesson.Row, error)

// findStory reads a program's rows. No name is the lesson's first program.
func findStory(ctx context.Context, run source, number, name string) (story, error) {
	all, err := run(ctx, number)
	if err != nil {
		return story{}, err
	}
	names := programs(all)
	if len(names) == 0 {
		return story{}, fmt.Errorf("lesson %s shows no statement", number)
	}
	if name == "" {
		name = names[0]
	}
	i := slices.Index(names, name)
	if i < 0 {
		return story{}, &MisuseError{fmt.Sprintf("no program %q in lesson %s: there are %s", name, number, strings.Join(names, ", "))}
	}
	// A row that no recording has does not name its program, so the rows
	// of one program are had by asking for that program.
	rows, err := run(ctx, number, "-program", name)
	if err != nil {
		return story{}, err
	}
	return story{lesson: number, program: name, others: slices.Delete(names, i, i+1), rows: rows}, nil
}

// programs lists the programs of the rows in their order.
func programs(rows []lesson.Row) []string {
	var names []string
	for _, r := range rows {
		if r.Program != "" && !slices.Contains(names, r.Program) {
			names = append(names, r.Program)
		}
	}
	return names
}

// findLesson returns the name of a lesson's folder: 01 for 1.
func findLesson(root, name string) (string, error) {
	folders, err := filepath.Glob(filepath.Join(root, "lessons", "[0-9][0-9]", "main.go"))
	if err != nil {
		return "", fmt.Errorf("list the lessons: %w", err)
	}
	var numbers []string
	for _, f := range folders {
		numbers = append(numbers, filepath.Base(filepath.Dir(f)))
	}
	if len(numbers) == 0 {
		return "", fmt.Errorf("no lessons in %s%clessons", root, os.PathSeparator)
	}
	if number := fmt.Sprintf("%02s", name); slices.Contains(numbers, number) {
		return number, nil
	}
	return "", &MisuseError{fmt.Sprintf("no lesson %q: there are %s", name, strings.Join(numbers, ", "))}
}

// before returns the row before the one with this index. Before the first row,
// nothing has happened.
func (s story) before(i int) lesson.Row {
	if i == 0 {
		return lesson.Row{}
	}
	return s.rows[i-1]
}
