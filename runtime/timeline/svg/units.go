package svg

import (
	"fmt"
	"math"
	"strings"

	"github.com/torchmem/workbook/runtime/units"
)

// size spells bytes for a label. Nothing has no unit.
func size(n int64) string {
	if n == 0 {
		return "0"
	}
	return units.Size(n)
}

// percent spells a share without decimals that say nothing.
func percent(part, whole int64) string {
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(whole))
}

// mostTicks is the most lines that the scale of bytes has.
const mostTicks = 5

// tickStep returns the bytes from one line of the scale to the next: a power of
// two, so that the labels are short.
func tickStep(top int64) int64 {
	step := int64(1)
	for top/step > mostTicks {
		step *= 2
	}
	return step
}

// tenth rounds a position to what a picture shows.
func tenth(v float64) float64 { return math.Round(v*10) / 10 }

// cut shortens a text to so many letters.
func cut(text string, letters int) string {
	runes := []rune(text)
	if len(runes) <= letters {
		return text
	}
	return strings.TrimRight(string(runes[:max(letters-1, 0)]), " ") + "…"
}
