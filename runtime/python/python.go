// Package python spells values as Python prints them, for messages that are
// PyTorch's to the character.
package python

import (
	"math"
	"strconv"
	"strings"
)

// Float spells a number as repr does: 2 is 2.0, and powers of ten appear from
// 1e+16 up and below 0.0001.
func Float(x float64) string {
	switch size := math.Abs(x); {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 0):
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(x, 'g', -1, 64)), "+")
	case size >= 1e16 || (size != 0 && size < 1e-4):
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	text := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}
