package snapshot

import (
	"errors"
	"strconv"

	"github.com/torchmem/workbook/runtime/snapshot/pickle"
)

// confKeys are the names under which versions of PyTorch write the settings
// string.
var confKeys = []string{"PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF"}

// settingsOf reads the settings of the recording, nil where there are none.
func settingsOf(dict []pickle.Value) (*Settings, error) {
	v, ok := pickle.Find(dict, "allocator_settings")
	if !ok || v.IsNone() {
		return nil, nil
	}
	items, ok := v.Dict()
	if !ok {
		return nil, errors.New("no dict")
	}
	r := fieldsOf("a dict", items)
	s := &Settings{
		MaxSplitSize:                  r.splitSize(),
		GarbageCollectionThreshold:    r.fraction("garbage_collection_threshold"),
		ExpandableSegments:            r.truth("expandable_segments"),
		PinnedNumRegisterThreads:      r.sizeOr("pinned_num_register_threads", 0),
		ReleaseLockOnCudaMalloc:       r.truth("release_lock_on_cudamalloc"),
		PinnedUseCudaHostRegister:     r.truth("pinned_use_cuda_host_register"),
		GraphCaptureRecordStreamReuse: r.truth("graph_capture_record_stream_reuse"),
	}
	for _, key := range confKeys {
		if s.Conf == "" {
			s.Conf = r.textOr(key)
		}
	}
	r.roundup(s)
	return s, r.err
}

// splitSize is negative without a bar on splitting.
func (f *fields) splitSize() int64 {
	v, ok := pickle.Find(f.items, "max_split_size")
	if !ok {
		return -1
	}
	n, isInt := v.Int()
	if !isInt {
		f.wrong("max_split_size", false, "no size")
	}
	return max(n, -1)
}

func (f *fields) fraction(key string) float64 {
	v, ok := pickle.Find(f.items, key)
	if !ok {
		return 0
	}
	x, isFloat := v.Float()
	if !isFloat || !(x >= 0 && x <= 1) {
		f.wrong(key, false, "no fraction")
	}
	return x
}

// roundup reads the divisions for each power of two, in MiB.
func (f *fields) roundup(s *Settings) {
	v, ok := pickle.Find(f.items, "roundup_power2_divisions")
	if !ok {
		return
	}
	table, isDict := v.Dict()
	if !isDict {
		f.wrong("roundup_power2_divisions", false, "no dict")
		return
	}
	r := fieldsOf("roundup_power2_divisions", table)
	for i := range s.RoundupDivisions {
		s.RoundupDivisions[i] = r.sizeOr(strconv.Itoa(1<<i), 0)
	}
	if f.err == nil {
		f.err = r.err
	}
}
