package snapshot

import (
	"errors"
	"fmt"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/snapshot/pickle"
)

// block keeps one block of a segment. Its address may be missing: then the
// segment knows it.
func (m *maker) block(items []pickle.Value) (pickle.Value, error) {
	r := fieldsOf("a block", items)
	b := caching.BlockRecord{
		Address: gpu.Ptr(r.sizeOr("address", 0)),
		Size:    r.size("size"),
		State:   caching.BlockState(r.text("state")),
		Frames:  r.stack(m, "frames"),
	}
	b.RequestedSize = r.sizeOr("requested_size", b.Size)
	if b.State == "active_awaiting_free" { // the name in PyTorch's manual
		b.State = caching.ActivePendingFree
	}
	if b.Frames == nil {
		b.Frames = r.history(m)
	}
	m.blocks = append(m.blocks, b)
	return pickle.Object(tagBlock, len(m.blocks)-1), r.err
}

// history returns the stack of a block where older versions keep it: in the
// first entry of a list.
func (f *fields) history(m *maker) []caching.Frame {
	v, _ := pickle.Find(f.items, "history")
	entries, _ := v.List()
	if len(entries) == 0 {
		return nil
	}
	entry, ok := entries[0].Dict()
	if !ok {
		f.wrong("history", false, "no list of dicts")
		return nil
	}
	inner := fieldsOf(f.what, entry)
	frames := inner.stack(m, "frames")
	if f.err == nil {
		f.err = inner.err
	}
	return frames
}

// segment keeps one segment with its blocks.
func (m *maker) segment(items []pickle.Value) (pickle.Value, error) {
	r := fieldsOf("a segment", items)
	s := caching.Segment{
		Device:        int(r.sizeOr("device", 0)),
		Address:       gpu.Ptr(r.size("address")),
		TotalSize:     r.size("total_size"),
		AllocatedSize: r.sizeOr("allocated_size", 0),
		ActiveSize:    r.sizeOr("active_size", 0),
		RequestedSize: r.sizeOr("requested_size", 0),
		Stream:        gpu.Stream(r.sizeOr("stream", 0)),
		SegmentType:   r.textOr("segment_type"),
		IsExpandable:  r.truth("is_expandable"),
		Frames:        r.stack(m, "frames"),
	}
	r.pool(&s)
	if r.err != nil {
		return pickle.Value{}, r.err
	}
	list, _ := pickle.Find(items, "blocks")
	blocks, err := gather(m, list, tagBlock, m.blocks)
	if err != nil {
		return pickle.Value{}, fmt.Errorf("blocks of a segment: %w", err)
	}
	if s.Blocks, err = tile(s, blocks); err != nil {
		return pickle.Value{}, err
	}
	m.segments = append(m.segments, s)
	return pickle.Object(tagSegment, len(m.segments)-1), nil
}

// pool reads the id of a private pool, which older versions do not write.
func (f *fields) pool(s *caching.Segment) {
	v, ok := pickle.Find(f.items, "segment_pool_id")
	if !ok || v.IsNone() {
		return
	}
	pair, ok := v.List()
	if !ok || len(pair) != 2 {
		f.wrong("segment_pool_id", false, "no pair")
		return
	}
	for i := range pair {
		n, ok := pair[i].Int()
		if !ok {
			f.wrong("segment_pool_id", false, "no pair of numbers")
		}
		s.SegmentPoolID[i] = int(n)
	}
}

var errTile = errors.New("a segment whose blocks do not fill it")

// tile checks that blocks lie side by side from the segment's start to its end,
// and sets the addresses that the file leaves out.
func tile(s caching.Segment, blocks []caching.BlockRecord) ([]caching.BlockRecord, error) {
	at := s.Address
	for i := range blocks {
		b := &blocks[i]
		if b.Address == 0 {
			b.Address = at
		}
		if b.Address != at || b.Size <= 0 {
			return nil, errTile
		}
		at += gpu.Ptr(b.Size)
	}
	if len(blocks) > 0 && int64(at-s.Address) != s.TotalSize {
		return nil, errTile
	}
	return blocks, nil
}

// annotation keeps a stage that a program passed.
func (m *maker) annotation(items []pickle.Value) (pickle.Value, error) {
	r := fieldsOf("an annotation", items)
	m.annotations = append(m.annotations, Annotation{
		Stage:  r.textOr("stage"),
		Name:   r.textOr("name"),
		Device: int(r.sizeOr("device", 0)),
		TimeUS: r.sizeOr("time_us", 0),
	})
	return pickle.Object(tagAnnotation, len(m.annotations)-1), r.err
}
