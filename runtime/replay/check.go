package replay

import (
	"errors"
	"fmt"
	"slices"

	"github.com/torchmem/workbook/runtime/caching"
)

// maxMemory is more than any device has.
const maxMemory = 1 << 50

// check looks for what no recorder writes, so that the rest of the package can
// rely on a trace.
func (t *Trace) check() error {
	if len(t.Columns) == 0 {
		return errors.New("it has no columns")
	}
	for _, name := range t.Columns {
		if _, ok := column(name); !ok {
			return fmt.Errorf("its columns have %.60q, which is no counter", name)
		}
	}
	if len(t.Streams) == 0 || t.Streams[0] != 0 {
		return errors.New("its streams do not begin with the default one")
	}
	if t.TotalMemory < 0 || t.TotalMemory > maxMemory {
		return fmt.Errorf("it has a device of %d bytes", t.TotalMemory)
	}
	for i, e := range t.Events {
		if !slices.Contains(actions, e.Action) {
			return fmt.Errorf("event %d is %.40q, which is unknown", i, e.Action)
		}
	}
	for i, s := range t.Segments {
		if len(s.Blocks) == 0 {
			return fmt.Errorf("segment %d has no blocks", i)
		}
	}
	return t.checkOps()
}

// actions are what a recorded event can be.
var actions = []caching.Action{
	caching.ActionAlloc, caching.ActionFreeRequested, caching.ActionFreeCompleted,
	caching.ActionSegmentAlloc, caching.ActionSegmentFree,
	caching.ActionSegmentMap, caching.ActionSegmentUnmap, caching.ActionOOM,
}

// checkOps follows the blocks through the operations.
func (t *Trace) checkOps() error {
	live := map[int]bool{}
	for i, op := range t.Ops {
		if err := t.checkOp(op, live); err != nil {
			return fmt.Errorf("operation %d: %w", i, err)
		}
	}
	return nil
}

func (t *Trace) checkOp(op Operation, live map[int]bool) error {
	switch {
	case len(op.Counters) != len(t.Columns):
		return fmt.Errorf("%d counters for %d columns", len(op.Counters), len(t.Columns))
	case op.Stream < 0 || op.Stream >= len(t.Streams):
		return fmt.Errorf("stream %d of %d", op.Stream, len(t.Streams))
	}
	switch op.Op {
	case OpAlloc:
		if op.Bytes < 0 || live[op.ID] {
			return fmt.Errorf("%s cannot be", op)
		}
		live[op.ID] = op.OK
	case OpFree, OpRecordStream:
		if !live[op.ID] {
			return fmt.Errorf("%s, which is not allocated", op)
		}
		live[op.ID] = op.Op == OpRecordStream
	case OpEmptyCache, OpResetPeak:
	default:
		return fmt.Errorf("%.40q is unknown", op.Op)
	}
	return nil
}
