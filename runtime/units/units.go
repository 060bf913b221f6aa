// Package units spells bytes and numbers of things for a reader. Where every byte
// counts, nothing is rounded, and this package has no part.
package units

import (
	"fmt"
	"strings"
)

// Size spells bytes with one decimal where there is one: 512 B, 3.8 MiB, 20 MiB.
func Size(n int64) string {
	if n < 0 {
		return "-" + Size(-n)
	}
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	v := float64(n)
	unit := ""
	for _, unit = range []string{"KiB", "MiB", "GiB", "TiB"} {
		if v /= 1024; v < 1023.95 {
			break
		}
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") + " " + unit
}

// Count spells a number of things: 1 block, 2 blocks.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
