package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/torchmem/workbook/tools/misuse"
	"github.com/torchmem/workbook/tools/workbook/doctor"
	"github.com/torchmem/workbook/tools/workbook/predict"
	"github.com/torchmem/workbook/tools/workbook/watch"
)

func (a *app) watch() *cobra.Command {
	return &cobra.Command{
		Use:   "watch [N]",
		Short: "Grade a file whenever you save it",
		Long: `watch stays in a terminal beside your editor. Whenever you save, it grades the
task and shows the verdict. Without N it begins with the next task.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return misuse.Newf("watch takes one task, %d are given", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if a.json {
				return misuse.Newf("watch has no JSON; run --json grades once")
			}
			start := ""
			if len(args) == 1 {
				i, err := findOne(args[0])
				if err != nil {
					return err
				}
				start = i.Name
			}
			p, err := a.project()
			if err != nil {
				return err
			}
			return watch.Run(c.Context(), p, start, a.in, a.rawOut)
		},
	}
}

func (a *app) predict() *cobra.Command {
	name := ""
	c := &cobra.Command{
		Use:   "predict N",
		Short: "Guess a counter before you see it",
		Long: `predict plays a program of lesson N (03) statement by statement. Before it shows
the counters, you say what they will be.

--json reads answers, one a line, and prints the score as one object.`,
		Args: oneLesson,
		RunE: func(c *cobra.Command, args []string) error {
			p, err := a.project()
			if err != nil {
				return err
			}
			run := predict.Run
			if a.json {
				run = predict.RunJSON
			}
			err = run(c.Context(), p, args[0], name, a.in, a.rawOut)
			var wrong *predict.MisuseError
			if errors.As(err, &wrong) {
				return misuse.Newf("%v", wrong)
			}
			return err
		},
	}
	c.Flags().StringVar(&name, "program", "", "play this `PROGRAM` of the lesson, not the first")
	return c
}

func oneLesson(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return misuse.Newf("predict wants one lesson, such as 03; %d are given", len(args))
	}
	return nil
}

func (a *app) doctor() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Is all well on this machine?",
		Long: `doctor looks whether Go, the folders and the files are as the workbook needs
them, and says what to do where they are not.

--json prints one object with what was looked at.`,
		Args: noTask,
		RunE: func(c *cobra.Command, _ []string) error {
			p, err := a.project()
			if err != nil {
				return err
			}
			healthy, err := doctor.Run(c.Context(), p, a.json, a.rawOut)
			if err == nil && !healthy {
				return errFailed
			}
			return err
		},
	}
}
