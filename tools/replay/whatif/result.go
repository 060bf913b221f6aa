package whatif

// none is no event.
const none = -1

// Result is what a program needs under some settings. Sizes are bytes.
type Result struct {
	PeakAllocated, PeakReserved int64
	// Idle is what was reserved but not allocated when the most was
	// reserved for the first time.
	Idle int64
	// Mallocs and Frees are calls of the driver, and Retries requests for
	// which the cache was emptied.
	Mallocs, Frees, Retries int64
	// FailedAt is the event whose request did not fit, -1 if all did.
	FailedAt int
	// FailedEarly tells that even the blocks that were there before the
	// first event did not fit. FailedAt is 0 then.
	FailedEarly bool
	// LeftAt is the event where a replay under the settings of the
	// recording did something else, -1 if it never did.
	LeftAt int
}

// Fits reports whether every request was served.
func (r Result) Fits() bool { return r.FailedAt == none }
