package whatif

import (
	"strings"
	"unicode"
)

// title names settings.
func title(conf string) string {
	if conf == "" {
		return "the default settings"
	}
	return printable(conf)
}

// printable replaces what a terminal could take for a command. Names in a
// snapshot are anybody's.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, s)
}
