package caching

const (
	// minBlock is the quantum of every block, in bytes, and the least
	// remainder that a split in the small pool leaves.
	minBlock = 512
	// smallSize is the largest request of the small pool.
	smallSize = 1 << 20
	// smallSegment is what the small pool takes from the driver at a time.
	smallSegment = 2 << 20
	// largeSegment is what the large pool takes for requests below
	// ownSegment, unless a setting changes it.
	largeSegment = 20 << 20
	// ownSegment is the least request that gets a segment for itself, in
	// multiples of ownQuantum.
	ownSegment = 10 << 20
	ownQuantum = 2 << 20
	// tooLarge is where a request cannot be meant.
	tooLarge = 1 << 60
)

// round returns the bytes that a request of n > 0 bytes occupies at least.
func (c *Config) round(n int64) int64 {
	if n < minBlock {
		return minBlock
	}
	if c.rounds {
		if d := c.divisions(n); d > 1 && uint64(n) > minBlock*uint64(d) {
			return roundToDivision(n, d)
		}
	}
	return (n + minBlock - 1) &^ (minBlock - 1)
}

// segmentSize returns how many bytes to take from the driver for a rounded
// request.
func (c *Config) segmentSize(rounded int64) int64 {
	switch {
	case rounded <= smallSize:
		return smallSegment
	case rounded < ownSegment:
		return c.LargeSegment
	default:
		return (rounded + ownQuantum - 1) / ownQuantum * ownQuantum
	}
}
