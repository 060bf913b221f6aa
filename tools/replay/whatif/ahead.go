package whatif

import "github.com/torchmem/workbook/tools/replay/whatif/history"

// # Looking ahead
//
// A program that holds a million blocks keeps them in memory that no cache of
// the processor holds, so each free waits for memory first. A program does not
// know what it frees next, but a replay does: it glances at the block some ops
// before its free, and the memory answers while other ops are done. Nothing else
// changes.

// ahead is how many ops a glance runs ahead.
const ahead = 8

// glance touches the block that the op number i frees.
func (r *replay) glance(i int) {
	if i >= len(r.program.Ops) {
		return
	}
	op := &r.program.Ops[i]
	if op.Kind != history.OpFree {
		return
	}
	if b := r.held[op.Slot]; b != nil {
		r.glanced += b.Size()
	}
}
