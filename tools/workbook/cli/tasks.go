package cli

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/solutions/tasks"
	"github.com/torchmem/workbook/tools/misuse"
	"github.com/torchmem/workbook/tools/workbook/progress"
)

// firstOpen returns the first task that is not passed. There is none when all
// are.
func firstOpen(done *progress.Progress) (grade.Info, bool) {
	for _, i := range tasks.All() {
		if !done.Passed(i.Name) {
			return i, true
		}
	}
	return grade.Info{}, false
}

var lessonAndNumber = regexp.MustCompile(`^(\d{1,2})(?:\.(\d+))?$`)

// find returns the tasks that an argument names: by name, file, lesson, or
// lesson and number.
func find(arg string) ([]grade.Info, error) {
	name := strings.TrimSuffix(path.Base(filepath.ToSlash(arg)), ".go")
	if parts := lessonAndNumber.FindStringSubmatch(name); parts != nil { // exercises/05
		return findNumber(parts[1], parts[2])
	}
	for _, i := range tasks.All() {
		if strings.EqualFold(name, i.Name) || name == i.Func {
			return []grade.Info{i}, nil
		}
	}
	return nil, misuse.Newf("there is no task %q%s", arg, instead(near(name), program+" list shows them"))
}

// findNumber returns a lesson's tasks, or one of them.
func findNumber(lesson, n string) ([]grade.Info, error) {
	if len(lesson) == 1 {
		lesson = "0" + lesson
	}
	of := tasks.Of(lesson)
	if len(of) == 0 {
		return nil, misuse.Newf("lesson %s has no tasks; %s list shows those that have", lesson, program)
	}
	if n == "" {
		return of, nil
	}
	at, err := strconv.Atoi(n)
	if err != nil || at < 1 || at > len(of) {
		return nil, misuse.Newf("lesson %s has no task %s; it has %s.1 to %s.%d", lesson, n, lesson, lesson, len(of))
	}
	return of[at-1 : at], nil
}

// near lists the tasks whose names are like the one typed, by the rule that
// cobra has for commands.
func near(name string) []string {
	all := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, i := range tasks.All() {
		all.AddCommand(&cobra.Command{Use: i.Name, Run: func(*cobra.Command, []string) {}})
	}
	return all.SuggestionsFor(name)
}

// findAll returns the tasks that the arguments name, each once.
func findAll(args []string) ([]grade.Info, error) {
	var all []grade.Info
	for _, arg := range args {
		found, err := find(arg)
		if err != nil {
			return nil, err
		}
		for _, i := range found {
			if !slices.ContainsFunc(all, func(j grade.Info) bool { return i.Name == j.Name }) {
				all = append(all, i)
			}
		}
	}
	return all, nil
}

// findOne returns the one task that an argument names.
func findOne(arg string) (grade.Info, error) {
	found, err := find(arg)
	if err != nil {
		return grade.Info{}, err
	}
	if len(found) > 1 {
		return grade.Info{}, misuse.Newf("lesson %s has %d tasks; name one of them: %s", found[0].Lesson, len(found), names(found))
	}
	return found[0], nil
}

func names(of []grade.Info) string {
	var all []string
	for _, i := range of {
		all = append(all, i.Name)
	}
	return strings.Join(all, ", ")
}

// oneTask is the rule for verbs that need exactly one argument.
func oneTask(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return misuse.Newf("%s wants one task, %d are given; %s list shows them", c.Name(), len(args), program)
	}
	return nil
}

// noTask is the rule for verbs without arguments.
func noTask(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return misuse.Newf("%s takes no task, but got %q", c.Name(), args[0])
	}
	return nil
}
