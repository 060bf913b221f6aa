package pickle

import (
	"strings"
	"unicode/utf8"
)

// decodable replaces what Python cannot read as UTF-8. Python keeps bytes of odd
// file names as halves of a character; those it reads as it wrote them.
func decodable(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r != utf8.RuneError || size != 1:
			out.WriteString(s[i : i+size])
		case isHalf(s[i:]):
			size = 3
			out.WriteString(s[i : i+size])
		default:
			out.WriteRune(utf8.RuneError)
		}
		i += size
	}
	return out.String()
}

// isHalf reports whether a text begins with half of a character as Python spells
// it: the bytes of a surrogate.
func isHalf(s string) bool {
	return len(s) >= 3 && s[0] == 0xed && s[1] >= 0xa0 && s[1] <= 0xbf && s[2] >= 0x80 && s[2] <= 0xbf
}
