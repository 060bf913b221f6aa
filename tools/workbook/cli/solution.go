package cli

import (
	"fmt"
	"path"

	"github.com/spf13/cobra"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/solutions"
)

func (a *app) solution() *cobra.Command {
	peek := false
	c := &cobra.Command{
		Use:   "solution N",
		Short: "The answer, after you have passed",
		Long: `solution shows an answer to a task, and where it lies. Compare it with yours:
there are often several. It is shown when you have passed the task. --peek shows
it anyway.

--json prints {"name": ..., "file": ..., "source": ...}.`,
		Args: oneTask,
		RunE: func(_ *cobra.Command, args []string) error {
			i, err := findOne(args[0])
			if err != nil {
				return err
			}
			_, done, err := a.open()
			if err != nil {
				return err
			}
			if !peek && !done.Passed(i.Name) {
				return fmt.Errorf("%s is not passed yet; --peek shows the answer anyway", i.Name)
			}
			return a.showAnswer(i)
		},
	}
	c.Flags().BoolVar(&peek, "peek", false, "show it before you have passed")
	return c
}

// showAnswer prints an answer and where it lies.
func (a *app) showAnswer(i grade.Info) error {
	source, err := solutions.Answer(i.Lesson, i.File())
	if err != nil {
		return err
	}
	file := path.Join("solutions", i.Lesson, i.File())
	if a.json {
		return a.printJSON(map[string]string{"name": i.Name, "file": file, "source": string(source)})
	}
	return a.print(fmt.Sprintf("%s\n\n%s", strong.Render(file), source))
}
