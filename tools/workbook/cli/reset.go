package cli

import (
	"bufio"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/tools/misuse"
	"github.com/torchmem/workbook/tools/workbook/project"
	"github.com/torchmem/workbook/tools/workbook/terminal"
)

func (a *app) reset() *cobra.Command {
	yes := false
	c := &cobra.Command{
		Use:   "reset N",
		Short: "Put a file back as it came",
		Long: `reset puts the file of a task back as it came. What you wrote is saved first, in
.workbook/saved. A file that was deleted is simply written again. What you have
passed stays passed.

reset asks before it does so, unless --yes is given. Where there is nobody to
ask, it wants --yes.

--json prints {"name": ..., "file": ..., "saved": ...}; saved is the copy, or
empty if there was no file.`,
		Args: oneTask,
		RunE: func(_ *cobra.Command, args []string) error {
			i, err := findOne(args[0])
			if err != nil {
				return err
			}
			p, err := a.project()
			if err != nil {
				return err
			}
			if yes {
				return a.putBack(p, i)
			}
			return a.askAndPutBack(p, i)
		},
	}
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}

// askAndPutBack resets a file if the learner agrees.
func (a *app) askAndPutBack(p project.Project, i grade.Info) error {
	agreed, err := a.ask(fmt.Sprintf("Put %s back as it came? What you wrote is saved first. [y/N] ", p.Short(i)))
	if err != nil {
		return err
	}
	if !agreed {
		return a.print("Nothing was changed.\n")
	}
	return a.putBack(p, i)
}

// putBack resets a file and says where the learner's text is.
func (a *app) putBack(p project.Project, i grade.Info) error {
	saved, err := p.Reset(i, time.Now())
	if err != nil {
		return err
	}
	if saved != "" {
		if short, err := filepath.Rel(p.Root, saved); err == nil {
			saved = filepath.ToSlash(short)
		}
	}
	if a.json {
		return a.printJSON(map[string]string{"name": i.Name, "file": p.Short(i), "saved": saved})
	}
	text := p.Short(i) + " is as it came.\n"
	if saved != "" {
		text += "What you wrote is saved: " + saved + "\n"
	}
	return a.print(text)
}

// ask asks a question that is answered by yes or no. Nobody there means misuse,
// since a script has to say what it wants.
func (a *app) ask(question string) (bool, error) {
	if a.json || !terminal.Is(a.in) {
		return false, misuse.Newf("reset asks first, and nobody is there to answer; add --yes")
	}
	if err := a.print(question); err != nil {
		return false, err
	}
	answer, err := bufio.NewReader(a.in).ReadString('\n')
	if err != nil && answer == "" {
		return false, a.print("\n")
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes", nil
}
