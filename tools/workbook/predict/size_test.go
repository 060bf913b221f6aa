package predict

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnswers(t *testing.T) {
	const before = 10 << 20
	for text, want := range map[string]prediction{
		"0":                {bytes: 0},
		"4000256":          {bytes: 4000256},
		"4,000,256":        {bytes: 4000256},
		"4_000_256":        {bytes: 4000256},
		"512 bytes":        {bytes: 512},
		"512B":             {bytes: 512},
		"4MiB":             {bytes: 4 << 20},
		"4 mib":            {bytes: 4 << 20},
		"1,024 KiB":        {bytes: 1 << 20},
		"4 MB":             {bytes: 4000000},
		"3.8 MiB":          {bytes: 3984588, slack: 52428},
		"0.50 GiB":         {bytes: 1 << 29, slack: 5368709},
		"=":                {bytes: before},
		"+512":             {bytes: before + 512},
		"+ 4 MiB":          {bytes: 14 << 20},
		"-4MiB":            {bytes: 6 << 20},
		"−4 MiB":           {bytes: 6 << 20},
		"-10,485,760":      {bytes: 0},
		"-0.5 MiB":         {bytes: before - 1<<19, slack: 52428},
		"9007199254740993": {bytes: 9007199254740993},
	} {
		got, err := parse(text, before)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
}

func TestAnswersThatMakeNoSense(t *testing.T) {
	for text, want := range map[string]string{
		"much":                    `"much": not a number of bytes, such as 4,000,256 or 3.8 MiB`,
		"4 MiB 2":                 `"4 MiB 2": not a number of bytes, such as 4,000,256 or 3.8 MiB`,
		"+":                       `"+": not a number of bytes, such as 4,000,256 or 3.8 MiB`,
		"--4":                     `"--4": not a number of bytes, such as 4,000,256 or 3.8 MiB`,
		"٣":                       `"٣": not a number of bytes, such as 4,000,256 or 3.8 MiB`,
		"3,8 MiB":                 `"3,8 MiB": commas stand between thousands, and a point before decimals`,
		"4,00,256":                `"4,00,256": commas stand between thousands, and a point before decimals`,
		"4 apples":                `"4 apples": no unit "apples": there are KiB, MiB, GiB, and KB, MB, GB for thousands`,
		"3.8":                     `"3.8": bytes have no decimals; which unit is meant, MiB?`,
		"3.8 bytes":               `"3.8 bytes": bytes have no decimals; which unit is meant, MiB?`,
		"-11MiB":                  `"-11MiB": no counter falls below 0`,
		"9 EiB":                   `"9 EiB": more than any GPU has`,
		"99999999999999999999999": `"99999999999999999999999": more than any GPU has`,
	} {
		_, err := parse(text, 10<<20)
		require.EqualError(t, err, want, text)
	}
}

// TestDecimalsAreAsExactAsTheyAreGiven holds spelled numbers against counters.
func TestDecimalsAreAsExactAsTheyAreGiven(t *testing.T) {
	const actual = 4000256 // 3.8149 MiB
	for text, right := range map[string]bool{
		"3.8 MiB": true, "3.81 MiB": true, "3.815 MiB": true, "3.8149 MiB": true,
		"3.9 MiB": false, "3.82 MiB": false, "4 MiB": false, "4.0 MiB": false, "4 MB": false, "4.0 MB": true,
	} {
		p, err := parse(text, 0)
		require.NoError(t, err)
		require.Equal(t, right, p.right(actual), text)
	}
}

// TestShortNumbersAreRightAnswers reads what the game itself writes.
func TestShortNumbersAreRightAnswers(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 512: "512", 1024: "1,024 (1 KiB)", 4000256: "4,000,256 (3.8 MiB)", 20971520: "20,971,520 (20 MiB)",
		42607616: "42,607,616 (40.6 MiB)", 38797000: "38,797,000 (37.0 MiB)", 303038464: "303,038,464 (289 MiB)",
		1048064: "1,048,064 (1023.5 KiB)", 10444800: "10,444,800 (9.96 MiB)",
	} {
		require.Equal(t, want, spell(n))
		if n < 1024 {
			continue
		}
		p, err := parse(short(uint64(n)), 0)
		require.NoError(t, err)
		require.True(t, p.right(n), want)
	}
}
