package web

import (
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/timeline"
)

// piece is reserved memory with the time that it was reserved: a segment, or
// pages of an expandable one. The script joins pages that lie side by side.
type piece struct {
	at   gpu.Ptr
	size int64
	// from and to are moments: it is there at from, and no more at to.
	from, to   int
	stream     gpu.Stream
	expandable bool
}

func (p piece) end() gpu.Ptr { return p.at + gpu.Ptr(p.size) }

// reservations collects pieces. The last of all are open: nothing ended them.
type reservations struct {
	closed []piece
	open   map[gpu.Ptr]piece
	never  int
}

// piecesOf lists everything that was reserved.
func piecesOf(r *timeline.Recording) []piece {
	all := &reservations{open: map[gpu.Ptr]piece{}, never: len(r.Events) + 1}
	for _, s := range r.Start {
		all.add(piece{at: s.Address, size: s.TotalSize, stream: s.Stream, expandable: s.IsExpandable})
	}
	for i, e := range r.Events {
		switch e.Action {
		case caching.ActionSegmentAlloc, caching.ActionSegmentMap:
			all.add(piece{
				at: e.Addr, size: e.Size, from: i + 1, stream: e.Stream,
				expandable: e.Action == caching.ActionSegmentMap,
			})
		case caching.ActionSegmentFree, caching.ActionSegmentUnmap:
			all.cut(e.Addr, e.Addr+gpu.Ptr(e.Size), i+1)
		}
	}
	for _, p := range all.open {
		all.closed = append(all.closed, p)
	}
	return all.closed
}

func (r *reservations) add(p piece) {
	p.to = r.never
	r.open[p.at] = p
}

// cut ends what lies between two addresses. What is left of a piece on either
// side begins anew.
func (r *reservations) cut(from, to gpu.Ptr, moment int) {
	for _, p := range r.within(from, to) {
		delete(r.open, p.at)
		rest := p
		p.to = moment
		if p.from < moment {
			r.closed = append(r.closed, p)
		}
		rest.from = moment
		if p.at < from {
			front := rest
			front.size = int64(from - p.at)
			r.add(front)
		}
		if to < p.end() {
			back := rest
			back.at, back.size = to, int64(p.end()-to)
			r.add(back)
		}
	}
}

// within lists the open pieces between two addresses. Most often a whole one
// begins there.
func (r *reservations) within(from, to gpu.Ptr) []piece {
	if p, ok := r.open[from]; ok && p.end() == to {
		return []piece{p}
	}
	var some []piece
	for _, p := range r.open {
		if p.at < to && from < p.end() {
			some = append(some, p)
		}
	}
	return some
}
