package svg

// flag is the label of a passage. It hangs below the axis, on a line from the
// place where the passage begins.
type flag struct {
	// x is that place, from the left of the plot.
	x    float64
	text string
	row  int
}

// The rows below the axis, in pixels.
const (
	bracketRow = 22
	flagRow    = 15
)

const (
	// codeWidth is the width of a letter of code, in pixels.
	codeWidth = 6.4
	// longestFlag is the most letters of a statement.
	longestFlag = 44
	// mostRows is how many labels hang below each other. What does not fit
	// is left out: its tick remains.
	mostRows = 12
)

// placeFlags gives each label a row. It goes from the right to the left: a label
// hangs below all that begin above its text, whose lines would cross it.
func (p *panel) placeFlags() []flag {
	var flags []flag
	room := p.clock.width + p.margin
	for i := len(p.passages) - 1; i >= 0; i-- {
		x := p.clock.starts[p.passages[i].from]
		letters := min(longestFlag, int((room-x)/codeWidth))
		f := flag{x: x, text: cut(p.passages[i].text(p.recording.Statements), letters)}
		end := x + float64(len([]rune(f.text))+1)*codeWidth
		for _, other := range flags {
			if other.x < end {
				f.row = max(f.row, other.row+1)
			}
		}
		if f.row < mostRows {
			flags = append(flags, f)
		}
	}
	return flags
}

func rowsOf(flags []flag) int {
	rows := 0
	for _, f := range flags {
		rows = max(rows, f.row+1)
	}
	return rows
}

// drawFlags hangs the labels below the axis.
func (p *panel) drawFlags(c *canvas) {
	for _, f := range p.flags {
		x := p.x + f.x
		y := p.floor() + bracketRow + float64(f.row)*flagRow
		c.line("s", x, p.floor(), x, y+9)
		c.text("c", start, x+3, y+9, f.text)
	}
}
