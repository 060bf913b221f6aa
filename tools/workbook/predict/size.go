package predict

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/dustin/go-humanize"
)

// prediction is a number that a learner gave.
type prediction struct {
	bytes int64
	// slack is how far the truth may be away: half of the last decimal.
	slack int64
}

// right reports whether the number says the truth, as exactly as it was given.
func (p prediction) right(actual int64) bool { return distance(p.bytes, actual) <= p.slack }

func distance(a, b int64) int64 { return max(a-b, b-a) }

// amount splits 4,000,256 or 3.8 MiB into whole number, decimals and unit.
var amount = regexp.MustCompile(`^([0-9][0-9,_]*)(?:\.([0-9]+))?\s*([A-Za-z]*)$`)

// inThrees is a number whose commas stand where they should. A comma that
// stands elsewhere may be meant as a decimal point.
var inThrees = regexp.MustCompile(`^[0-9]{1,3}(,[0-9]{3})*$`)

// parse reads an answer. With a sign it is relative to the value before; the
// sign = alone is the value before.
func parse(text string, before int64) (prediction, error) {
	if text == "=" {
		return prediction{bytes: before}, nil
	}
	sign, rest := signOf(text)
	p, err := parseSize(strings.TrimSpace(rest))
	if err != nil {
		return prediction{}, fmt.Errorf("%q: %w", text, err)
	}
	switch sign {
	case '+':
		p.bytes += before
	case '-':
		p.bytes = before - p.bytes
	}
	if p.bytes < 0 {
		return prediction{}, fmt.Errorf("%q: no counter falls below 0", text)
	}
	return p, nil
}

// signOf cuts a sign off. A minus may also be the one of typography.
func signOf(text string) (sign rune, rest string) {
	for _, s := range []string{"+", "-", "−"} {
		if rest, ok := strings.CutPrefix(text, s); ok {
			if s == "+" {
				return '+', rest
			}
			return '-', rest
		}
	}
	return 0, text
}

// most is far above any GPU, and far below where sums overflow.
const most = math.MaxInt64 / 4

func parseSize(text string) (prediction, error) {
	part := amount.FindStringSubmatch(text)
	if part == nil {
		return prediction{}, errors.New("not a number of bytes, such as 4,000,256 or 3.8 MiB")
	}
	whole, decimals, unit := part[1], part[2], strings.ToLower(part[3])
	if strings.Contains(whole, ",") && !inThrees.MatchString(whole) {
		return prediction{}, errors.New("commas stand between thousands, and a point before decimals")
	}
	if unit == "byte" || unit == "bytes" {
		unit = "b"
	}
	one, err := humanize.ParseBytes("1" + unit)
	if err != nil {
		return prediction{}, fmt.Errorf("no unit %q: there are KiB, MiB, GiB, and KB, MB, GB for thousands", part[3])
	}
	if decimals != "" && one == 1 {
		return prediction{}, errors.New("bytes have no decimals; which unit is meant, MiB?")
	}
	return size(strings.ReplaceAll(whole, "_", ""), decimals, unit, one)
}

// size returns the number and, if it has decimals, how exact it is.
func size(whole, decimals, unit string, one uint64) (prediction, error) {
	text := whole
	if decimals != "" {
		text += "." + decimals
	}
	n, err := humanize.ParseBytes(text + unit)
	if err != nil || n > most {
		return prediction{}, errors.New("more than any GPU has")
	}
	p := prediction{bytes: int64(n)}
	if decimals != "" {
		p.slack = int64(float64(one) / math.Pow10(len(decimals)) / 2)
	}
	return p, nil
}
