package replay

import (
	"fmt"
	"io"
)

// budget ends a text that is too long, or that has too long a value in it.
type budget struct {
	from io.Reader
	// whole is what may still be read, value what of it before the next
	// renewal.
	whole, value int64
}

// renew is called before each value. What was read ahead counts for nobody.
func (b *budget) renew() { b.value = maxValue }

func (b *budget) Read(p []byte) (int, error) {
	switch {
	case b.whole <= 0:
		return 0, fmt.Errorf("more than %d MiB of text", maxText>>20)
	case b.value <= 0:
		return 0, fmt.Errorf("one value of more than %d MiB", maxValue>>20)
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.whole, b.value)])
	b.whole -= int64(n)
	b.value -= int64(n)
	return n, err
}
