package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/torchmem/workbook/tools/misuse"
)

// program is how the command is typed.
const program = "go run ./tools/replay"

const overview = `Replay repeats what PyTorch's allocator did elsewhere.

check compares recorded traces with the allocator of this workbook, counter by
counter. Every trace of ours is equal; check is for your own recordings, which
tools/recorder/fuzz.py makes.

whatif takes a snapshot of a program's memory and tells what the program would
have needed under other settings of the allocator, or on a smaller GPU.

map draws the memory of a snapshot here, or of two snapshots side by side.`

const statuses = `A flag may have one dash or two. Exit status: 0 if all is well, 1 if something
differs or a file cannot be used, 2 if the command was typed wrong. (go run
itself turns each status but 0 into 1.)`

// root returns the command with all its verbs.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "replay",
		Short:         "Repeat recorded allocations",
		Long:          overview,
		SilenceErrors: true, // Main reports them
		SilenceUsage:  true,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: program},
		Args:          knownVerb,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SuggestionsMinimumDistance = 2
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetOut(a.out)
	root.SetErr(a.errOut)
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON, one object a line")
	root.PersistentFlags().BoolP("help", "h", false, "show this text")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return misuse.Newf("%v; %s --help shows the flags", err, c.Name())
	})
	root.SetUsageTemplate(usage)
	cobra.EnableCommandSorting = false
	root.AddCommand(a.check(), a.whatif(), a.segments())
	root.SetHelpCommand(&cobra.Command{Hidden: true})
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
	advice := program + " --help lists them"
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		advice = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return misuse.Newf("there is no command %q; %s", args[0], advice)
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
