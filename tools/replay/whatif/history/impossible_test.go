package history

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/snapshot"
)

// TestImpossible refuses what cannot have happened, each in one line.
func TestImpossible(t *testing.T) {
	one := []caching.Segment{seg(0, 20*mib)}
	begin := []snapshot.Event{segmentAlloc(0, 20*mib), alloc(0, 2*mib)}
	on := func(e snapshot.Event, stream gpu.Stream) snapshot.Event {
		e.Stream = stream
		return e
	}
	for name, c := range map[string]struct {
		final  []caching.Segment
		events []snapshot.Event
		want   string
	}{
		"allocated twice":          {one, append(begin, alloc(0, 2*mib)), "event 2: alloc of 2097152 bytes at 0x7f0000000000: that block is still in use"},
		"allocated while it waits": {one, append(begin, request(0, 2*mib), alloc(0, 2*mib)), "that block is still in use"},
		"of no size":               {one, append(begin, alloc(4*mib, 0)), "no block has that size"},
		"far too large":            {one, append(begin, alloc(4*mib, 1<<60)), "no block has that size"},
		"outside":                  {one, append(begin, alloc(40*mib, 512)), "there is no segment"},
		"over the end":             {one, append(begin, alloc(19*mib, 2*mib)), "there is no segment"},
		"on another stream":        {one, append(begin, on(alloc(4*mib, 512), 7)), "its segment belongs to another stream"},
		"freed twice":              {one, append(begin, request(0, 2*mib), complete(0, 2*mib), request(0, 2*mib)), "event 4: free_requested of 2097152 bytes at 0x7f0000000000: no block is in use there"},
		"freed while it waits":     {one, append(begin, request(0, 2*mib), alloc(4*mib, 512), request(0, 2*mib)), "it is freed already"},
		"never freed":              {one, append(begin, complete(0, 2*mib)), "nobody freed it"},
		"never allocated":          {one, append(begin, request(4*mib, 512)), "no block is in use there"},
		"of another size":          {one, append(begin, request(0, 512)), "the block has 2097152"},
		"a segment twice":          {one, append(begin, segmentAlloc(0, 20*mib)), "event 2: segment_alloc of 20971520 bytes at 0x7f0000000000: there is memory already"},
		"a segment in another":     {append(one, seg(30*mib, 2*mib)), append(begin, segmentAlloc(30*mib, 4*mib)), "later it has 2097152"},
		"a segment over another":   {one, append(begin, segmentAlloc(10*mib, 20*mib)), "there is memory already"},
		"a segment of no size":     {one, append(begin, segmentAlloc(30*mib, 0)), "no segment is like that"},
		"a segment freed twice":    {nil, []snapshot.Event{segmentAlloc(0, 2*mib), segmentFree(0, 2*mib), segmentFree(0, 2*mib)}, "later it is still there"},
		"a segment still there":    {one, append(begin, segmentFree(0, 20*mib)), "later it is still there"},
		"a segment in use":         {nil, append(begin, segmentFree(0, 20*mib)), "event 2: segment_free of 20971520 bytes at 0x7f0000000000: 1 of its blocks are in use"},
		"mapped and not there":     {nil, []snapshot.Event{ev(caching.ActionSegmentMap, 0, 2*mib)}, "later it is not there"},
		"unmapped and there":       {expanding(one), []snapshot.Event{ev(caching.ActionSegmentUnmap, 0, 2*mib)}, "later it is still there"},
		"failed for nothing":       {one, append(begin, oom(0)), "nobody asks for that"},
		"no address":               {[]caching.Segment{seg(Beyond, 2*mib)}, nil, "a segment of 2097152 bytes at 0x10007f0000000000"},
		"an end that is none":      {nil, []snapshot.Event{segmentFree(Beyond-base-mib, 2*mib)}, "no segment is like that"},
		"no stream":                {nil, []snapshot.Event{on(segmentAlloc(0, 2*mib), Beyond)}, "event 0: no stream has the handle 0x1000000000000000"},
		"two at one place":         {append(one, seg(0, 2*mib)), begin, "two segments share the address 0x7f0000000000"},
		"a snapshot of nothing":    {[]caching.Segment{{Address: 1}}, begin, "a segment of 0 bytes at 0x1"},
		"more than there is":       {[]caching.Segment{seg(0, 1<<49), seg(1<<50, 1<<50)}, begin, "event 0: segment_alloc"},
	} {
		_, err := read(c.final, c.events...)
		require.ErrorContains(t, err, c.want, name)
		require.NotContains(t, err.Error(), "\n", name)
	}
}

func expanding(all []caching.Segment) (out []caching.Segment) {
	for _, s := range all {
		s.IsExpandable = true
		out = append(out, s)
	}
	return out
}
