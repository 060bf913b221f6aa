package whatif

import (
	"fmt"
	"math"
	"strings"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/snapshot"
)

// recordedSettings returns the settings of the recording, as a string and as the
// allocator takes them, and remarks about what is not known of them. The string
// may name settings that are not known here; the values that a snapshot has
// beside it count more.
func recordedSettings(s *snapshot.Snapshot) (conf string, cfg caching.Config, remarks []string) {
	cfg, _ = caching.ParseConfig("")
	known := s.Settings
	if known == nil {
		cfg.ExpandableSegments = expands(s)
		return "", cfg, []string{"The snapshot does not tell its settings. The defaults are assumed."}
	}
	parsed, err := caching.ParseConfig(known.Conf)
	if err != nil {
		reason := Printable(strings.TrimSuffix(err.Error(), "."))
		remarks = append(remarks, fmt.Sprintf("The recorded settings are not all known here: %s.", reason))
	} else {
		cfg = parsed
	}
	cfg.MaxSplitSize = known.MaxSplitSize
	if known.MaxSplitSize < 0 {
		cfg.MaxSplitSize = math.MaxInt64
	}
	cfg.GarbageCollectionThreshold = known.GarbageCollectionThreshold
	cfg.ExpandableSegments = known.ExpandableSegments
	cfg.RoundupDivisions = known.RoundupDivisions
	return known.Conf, cfg, remarks
}

// expands reports whether any segment of a snapshot is expandable.
func expands(s *snapshot.Snapshot) bool {
	for _, seg := range s.Segments {
		if seg.IsExpandable {
			return true
		}
	}
	return false
}
