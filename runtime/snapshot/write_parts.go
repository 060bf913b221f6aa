package snapshot

import (
	"strconv"

	"github.com/torchmem/workbook/runtime/caching"
)

func (w *writer) segment(s *caching.Segment) {
	w.Dict(func() {
		w.number("device", int64(s.Device))
		w.address("address", uint64(s.Address))
		w.number("total_size", s.TotalSize)
		w.number("allocated_size", s.AllocatedSize)
		w.number("active_size", s.ActiveSize)
		w.number("requested_size", s.RequestedSize)
		w.address("stream", uint64(s.Stream))
		w.text("segment_type", s.SegmentType)
		w.Text("segment_pool_id")
		w.Pair(int64(s.SegmentPoolID[0]), int64(s.SegmentPoolID[1]))
		w.truth("is_expandable", s.IsExpandable)
		w.stack(s.Frames)
		w.Text("blocks")
		w.List(len(s.Blocks), func(i int) { w.block(&s.Blocks[i]) })
	})
}

func (w *writer) block(b *caching.BlockRecord) {
	w.Dict(func() {
		w.address("address", uint64(b.Address))
		w.number("size", b.Size)
		w.number("requested_size", b.RequestedSize)
		w.text("state", string(b.State))
		w.stack(b.Frames)
	})
}

// event writes one entry of a history. Where no stack was recorded there is no
// key for it.
func (w *writer) event(e *Event) {
	w.Dict(func() {
		w.text("action", string(e.Action))
		where := "addr"
		if e.Action == caching.ActionOOM {
			where = "device_free"
		}
		w.address(where, uint64(e.Addr))
		w.number("size", e.Size)
		w.address("stream", uint64(e.Stream))
		w.number("time_us", e.TimeUS)
		w.text("compile_context", e.CompileContext)
		w.text("user_metadata", e.UserMetadata)
		if e.Frames != nil {
			w.stack(e.Frames)
		}
	})
}

func (w *writer) settings(s *Settings) {
	w.Dict(func() {
		w.text(confKeys[0], s.Conf)
		w.number("max_split_size", s.MaxSplitSize)
		w.Text("garbage_collection_threshold")
		w.Float(s.GarbageCollectionThreshold)
		w.truth("expandable_segments", s.ExpandableSegments)
		w.number("pinned_num_register_threads", s.PinnedNumRegisterThreads)
		w.truth("release_lock_on_cudamalloc", s.ReleaseLockOnCudaMalloc)
		w.truth("pinned_use_cuda_host_register", s.PinnedUseCudaHostRegister)
		w.truth("graph_capture_record_stream_reuse", s.GraphCaptureRecordStreamReuse)
		w.Text("roundup_power2_divisions")
		w.Dict(func() {
			for i, n := range s.RoundupDivisions {
				w.number(strconv.Itoa(1<<i), n)
			}
		})
	})
}

func (w *writer) annotation(a Annotation) {
	w.Dict(func() {
		w.text("stage", a.Stage)
		w.text("name", a.Name)
		w.number("device", int64(a.Device))
		w.number("time_us", a.TimeUS)
	})
}
