package whatif

// # Before the first event
//
// A history that begins in the middle shows which blocks were there, and the
// segments that they lay in. A replay under the recorded settings begins with
// exactly that, the cache included, see restore.go. Under other settings there
// would have been other segments, and nobody knows which blocks had come and
// gone before. So such a replay begins with the blocks alone.

// startWithBlocks allocates the blocks that were there, by address.
func (r *replay) startWithBlocks() error {
	for i := range r.program.Start.Blocks {
		b := &r.program.Start.Blocks[i]
		block, err := r.take(b.Size, b.Lane)
		if err != nil {
			return err
		}
		r.held[b.Slot] = block
		r.note(block)
	}
	return r.startWaiting()
}

// startWaiting frees the blocks that waited for another stream.
func (r *replay) startWaiting() error {
	for i := range r.program.Start.Blocks {
		if b := &r.program.Start.Blocks[i]; b.Pending {
			if err := r.freeLater(int32(b.Slot), b.Queue); err != nil {
				return err
			}
		}
	}
	return nil
}

// failedAtStart is the result where even those blocks do not fit.
func (r *replay) failedAtStart() Result {
	r.result.PeakAllocated, r.result.PeakReserved = r.allocated, r.driver.peak
	r.result.FailedAt, r.result.FailedEarly = 0, true
	return r.result
}
