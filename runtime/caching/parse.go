package caching

import (
	"errors"
	"math"
	"math/bits"
	"slices"
)

// Settings are pairs `key:value` joined by commas. The refusals are PyTorch's,
// to the character.

// ParseConfig reads a settings string as PYTORCH_CUDA_ALLOC_CONF holds it. An
// error says what torch._C._accelerator_setAllocatorSettings says, except where
// PyTorch only reports a broken assertion of its own. For an unknown key in the
// variable itself PyTorch says CUDA in place of Accelerator.
func ParseConfig(s string) (Config, error) {
	p := parser{tokens: tokenize(s)}
	cfg := DefaultConfig().resolved()
	if err := p.firstPass(&cfg); err != nil {
		return Config{}, err
	}
	for p.next = 0; !p.done(); p.next++ { // the step skips the comma
		key, _ := p.take()
		parse, ok := settings[key]
		if !ok {
			return Config{}, refuse("Unrecognized key '%s' in Accelerator allocator config.", key)
		}
		p.next++ // the colon
		if err := parse(&p, &cfg); err != nil {
			return Config{}, err
		}
	}
	return cfg, nil
}

// firstPass reads the one setting that other settings are compared with.
func (p *parser) firstPass(cfg *Config) error {
	at := slices.Index(p.tokens, "large_segment_size_mb")
	if at < 0 {
		return nil
	}
	p.next = at + 2
	if err := parseLargeSegment(p, cfg); err != nil {
		return err
	}
	cfg.MaxNonSplitRounding = cfg.LargeSegment
	return nil
}

// settings has one entry for each key that PyTorch knows. Those of the host
// allocator are checked and then ignored: they change no counter of the
// device.
var settings = map[string]func(*parser, *Config) error{
	"max_split_size_mb":                 parseMaxSplit,
	"max_non_split_rounding_mb":         parseMaxNonSplitRounding,
	"large_segment_size_mb":             parseLargeSegment,
	"garbage_collection_threshold":      parseThreshold,
	"roundup_power2_divisions":          parseRoundup,
	"expandable_segments":               parseExpandable,
	"per_process_memory_fraction":       parseFraction,
	"backend":                           parseBackend,
	"pinned_num_register_threads":       checkRegisterThreads,
	"pinned_reserve_segment_size_mb":    checkPinnedReserve,
	"pinned_use_background_threads":     checkBool,
	"pinned_use_cuda_host_register":     checkBool,
	"release_lock_on_cudamalloc":        checkBool,
	"graph_capture_record_stream_reuse": checkBool,
}

func parseMaxSplit(p *parser, cfg *Config) (err error) {
	cfg.MaxSplitSize, err = p.megabytesAtLeast("max_split_size_mb", cfg.LargeSegment)
	return err
}

func parseMaxNonSplitRounding(p *parser, cfg *Config) (err error) {
	cfg.MaxNonSplitRounding, err = p.megabytesAtLeast("max_non_split_rounding_mb", cfg.LargeSegment)
	return err
}

func (p *parser) megabytesAtLeast(key string, least int64) (int64, error) {
	mb, err := p.integer()
	if err != nil {
		return 0, err
	}
	if least >>= 20; mb < uint64(least) {
		return 0, refuse("CachingAllocator option %s too small, must be >= %d", key, least)
	}
	return bytesOf(mb), nil
}

// bytesOf turns MiB into bytes. What exceeds every device counts as no bound.
func bytesOf(mb uint64) int64 {
	if mb > math.MaxInt64>>20 {
		return math.MaxInt64
	}
	return int64(mb << 20)
}

func parseLargeSegment(p *parser, cfg *Config) error {
	mb, err := p.integer()
	if err != nil {
		return err
	}
	if mb <= 10 {
		return refuse("CachingAllocator option large_segment_size_mb must be > 10 MB")
	}
	cfg.LargeSegment = bytesOf(mb)
	return nil
}

func parseThreshold(p *parser, cfg *Config) error {
	v, err := p.float()
	if err != nil {
		return err
	}
	if !(v > 0 && v < 1) {
		return refuse("garbage_collect_threshold is invalid, set it in (0.0, 1.0)")
	}
	cfg.GarbageCollectionThreshold = v
	return nil
}

func parseFraction(p *parser, cfg *Config) error {
	v, err := p.float()
	if err != nil {
		return err
	}
	if !(v >= 0 && v <= 1) {
		return refuse("per_process_memory_fraction is invalid, set it in [0.0, 1.0]")
	}
	cfg.MemoryFraction = &v
	return nil
}

func parseExpandable(p *parser, cfg *Config) (err error) {
	cfg.ExpandableSegments, err = p.boolean()
	return err
}

func parseBackend(p *parser, _ *Config) error {
	switch name, err := p.take(); {
	case err != nil:
		return err
	case name == "native":
		return nil
	case name == "cudaMallocAsync":
		return errors.New("backend cudaMallocAsync is not part of this workbook, use native")
	default:
		return refuse("Unknown allocator backend, options are native and cudaMallocAsync")
	}
}

func checkBool(p *parser, _ *Config) error {
	_, err := p.boolean()
	return err
}

func checkRegisterThreads(p *parser, _ *Config) error {
	v, err := p.integer()
	switch {
	case err != nil:
		return err
	case !isPowerOfTwo(v):
		return refuse("Number of register threads has to be power of 2, got %d", v)
	case v > 128:
		return refuse("Number of register threads should be less than or equal to 128, got %d", v)
	}
	return nil
}

func checkPinnedReserve(p *parser, _ *Config) error {
	v, err := p.integer()
	if err == nil && v == 0 {
		return refuse("Pinned reserve segment size has to be greater than 0")
	}
	return err
}

func isPowerOfTwo(v uint64) bool { return bits.OnesCount64(v) == 1 }
