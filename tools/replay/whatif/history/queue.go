package history

import "math"

// # Queues
//
// A block that waits for a stream comes back in the order of that stream's work.
// Which stream it was is not recorded. But blocks that came back in the order in
// which they were freed may have waited in one queue, so the fewest queues in
// which nobody overtakes explain all that was seen.

// maxQueues is how many streams PyTorch makes. If even they do not explain what
// was seen, some blocks wait a little longer than recorded.
const maxQueues = 32

// queue gives each block that waits a queue.
func (p *Program) queue() {
	var last []int64
	for i := range p.Start.Blocks {
		if b := &p.Start.Blocks[i]; b.Pending {
			b.Queue, last = join(last, b.Until)
		}
	}
	for i := range p.Ops {
		if op := &p.Ops[i]; op.Kind == OpFreeLater {
			n := 0
			n, last = join(last, op.Size)
			op.Lane = int16(n)
		}
	}
	p.Queues = len(last)
}

// join picks the queue whose last block comes back latest, but not after this
// one, and makes a new queue if there is none.
func join(last []int64, until int64) (int, []int64) {
	best, latest := -1, int64(math.MinInt64)
	for i, l := range last {
		if l <= until && l >= latest {
			best, latest = i, l
		}
	}
	if best < 0 && len(last) < maxQueues {
		return len(last), append(last, until)
	}
	best = max(best, 0)
	last[best] = max(last[best], until)
	return best, last
}
