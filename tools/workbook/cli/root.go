package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/torchmem/workbook/tools/misuse"
)

// program is how the command is typed.
const program = "go run ./tools/workbook"

const overview = `The workbook has tasks. Each is a Go file in the folder exercises with a gap:
the lines between // TODO and // END. Fill the gap so that the program does the
same with less GPU memory, and let it be graded.

Start with

  go run ./tools/workbook next     what to do now
  go run ./tools/workbook watch    grade a file whenever you save it

A task N is named by its name (segments), by its number (05.2), or by its file
(exercises/05/segments.go). A lesson number (05) means all tasks of the lesson.

What you have passed is remembered in .workbook/progress.json.`

const statuses = `Exit status: 0 if all is well or all that was graded passes, 1 if a task fails
or something broke, 2 if the command was typed wrong. (go run itself turns each
status but 0 into 1.) With --json, an error is {"error": "..."}.`

// root returns the command with all its verbs.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "workbook",
		Short:         "The workbook's helper",
		Long:          overview,
		SilenceErrors: true, // Main reports them
		SilenceUsage:  true,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: program},
		Args:          knownVerb,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SuggestionsMinimumDistance = 2
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.errOut)
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print one JSON value instead of text")
	root.PersistentFlags().BoolP("help", "h", false, "show this text")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return misuse.Newf("%v; %s --help shows the flags", err, c.Name())
	})
	root.SetUsageTemplate(usage)
	cobra.EnableCommandSorting = false
	root.AddCommand(
		a.list(), a.next(), a.run(), a.watch(), a.hint(), a.solution(), a.reset(),
		a.predict(), a.doctor(), a.grade(),
	)
	root.SetHelpCommand(helpVerb())
	for _, c := range root.Commands() {
		c.DisableFlagsInUseLine = true
	}
	return root
}

// knownVerb is an error for a verb that there is not.
func knownVerb(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return misuse.Newf("there is no command %q%s", args[0], instead(c.SuggestionsFor(args[0]), program+" --help lists them"))
}

// instead proposes names for one that is wrong.
func instead(near []string, otherwise string) string {
	if len(near) == 0 {
		return "; " + otherwise
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

// helpVerb shows the help of another verb.
func helpVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Explain a command",
		Args:  cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return knownVerb(c.Root(), rest)
			}
			return about.Help()
		},
	}
}

// usage is the second half of a help text.
const usage = `Type:
  {{if .HasAvailableSubCommands}}{{.CommandPath}} COMMAND{{else}}{{.UseLine}}{{end}}
{{- if .HasExample}}

For example:
{{.Example}}
{{- end}}
{{- if .HasAvailableSubCommands}}

Commands:
{{- range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name 9}} {{.Short}}{{end}}{{end}}

  {{.CommandPath}} COMMAND --help explains one.
{{- end}}

Flags:
{{.Flags.FlagUsagesWrapped 78 | trimTrailingWhitespaces}}

` + statuses + `
`
