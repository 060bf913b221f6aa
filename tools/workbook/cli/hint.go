package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/tools/misuse"
	"github.com/torchmem/workbook/tools/workbook/progress"
)

func (a *app) hint() *cobra.Command {
	depth := 0
	c := &cobra.Command{
		Use:   "hint N",
		Short: "A hint, each time one more",
		Long: `Each task has three hints: a question, a pointer, and nearly the answer. Each
call shows one more, with those before it. Think a while between them. Where
progress cannot be saved, --depth shows the next one.

--json prints {"name": ..., "hints": [{"depth": 1, "text": ...}], "left": 2}.`,
		Args: oneTask,
		RunE: func(c *cobra.Command, args []string) error {
			i, err := findOne(args[0])
			if err != nil {
				return err
			}
			if !c.Flags().Changed("depth") {
				return a.nextHint(i)
			}
			if depth < 1 || depth > progress.Depths {
				return misuse.Newf("there is no hint %d: --depth is 1, 2 or 3", depth)
			}
			return a.show(hints{
				Name: i.Name, Shown: hintsOf(i)[depth-1 : depth], Left: progress.Depths - depth,
				more: oneHintOf(i, depth+1),
			})
		},
	}
	c.Flags().IntVar(&depth, "depth", 0, "show this hint alone: `1, 2 or 3`")
	return c
}

// nextHint shows one hint more than before, and remembers that.
func (a *app) nextHint(i grade.Info) error {
	_, done, err := a.open()
	if err != nil {
		return err
	}
	depth, err := done.ShowHint(i.Name)
	a.warn(err)
	more := "hint " + i.Name
	if err != nil { // the next call knows nothing of this one
		more = oneHintOf(i, depth+1)
	}
	return a.show(hints{Name: i.Name, Shown: hintsOf(i)[:depth], Left: progress.Depths - depth, more: more})
}

// oneHintOf is the command that shows one hint alone.
func oneHintOf(i grade.Info, depth int) string {
	return fmt.Sprintf("hint %s --depth %d", i.Name, depth)
}

// hints are those shown at one time.
type hints struct {
	Name  string    `json:"name"`
	Shown []oneHint `json:"hints"`
	Left  int       `json:"left"`
	// more is the command that shows the next one.
	more string
}

type oneHint struct {
	Depth int    `json:"depth"`
	Text  string `json:"text"`
}

func hintsOf(i grade.Info) []oneHint {
	var all []oneHint
	for n, text := range i.Hints {
		all = append(all, oneHint{n + 1, text})
	}
	return all
}

// show prints hints.
func (a *app) show(h hints) error {
	if a.json {
		return a.printJSON(h)
	}
	var s strings.Builder
	for _, x := range h.Shown {
		fmt.Fprintf(&s, "%s\n\n", wrap(fmt.Sprintf("hint %d of %d  %s", x.Depth, progress.Depths, x.Text)))
	}
	switch h.Left {
	case 0:
		fmt.Fprintf(&s, "No hint is left. The answer: %s solution %s --peek\n", program, h.Name)
	case 1:
		fmt.Fprintf(&s, "1 hint is left: %s %s\n", program, h.more)
	default:
		fmt.Fprintf(&s, "%d hints are left: %s %s\n", h.Left, program, h.more)
	}
	return a.print(s.String())
}
