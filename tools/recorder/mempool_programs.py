"""The programs that mempool.py records: the settings and the statements of each."""

PROGRAMS = {
    "basics": ('',
        'x = empty(4000000); del x; p = MemPool(); p.id; p.use_count(); use(p); p.use_count(); y = empty(4000000); '
        'z = empty(400); del y; w = empty(3000000); end(); p.use_count(); a = empty(4000000); b = empty(400); del a; '
        'del b; del w; empty_cache(); del z; empty_cache(); use(p); v = empty(4000000); u = empty(30000000); del u; '
        'empty_cache(); end(); empty_cache(); del v; del p; empty_cache()'),
    "never_used": ('',
        'p = MemPool(); x = empty(4000000); del p; q = MemPool(); use(q); end(); del q; empty_cache()'),
    "del_live": ('',
        'p = MemPool(); use(p); x = empty(4000000); y = empty(4000000); z = empty(30000000); s = empty(400); end(); del z; '
        'del p; a = empty(4000000); b = empty(30000000); del x; empty_cache(); del s; c = empty(400); empty_cache(); '
        'del y; empty_cache(); del a; del b; del c; empty_cache()'),
    "del_within": ('',
        'p = MemPool(); use(p); x = empty(4000000); y = empty(30000000); del y; del p; z = empty(4000000); end(); '
        'w = empty(4000000); del x; del z; empty_cache()'),
    "two": ('',
        'p = MemPool(); q = MemPool(); p.id; q.id; use(p); x = empty(4000000); use(q); y = empty(4000000); p.use_count(); '
        'q.use_count(); end(); z = empty(4000000); end(); w = empty(4000000); del x; del y; use(q); a = empty(3000000); '
        'use(p); b = empty(2500000); end(); end(); del q; del p; del a; del b; del z; empty_cache()'),
    "same_twice": ('',
        'p = MemPool(); use(p); x = empty(4000000); use(p); p.use_count(); end(); p.use_count(); y = empty(4000000); '
        'del x; del y; empty_cache()'),
    "streams": ('',
        's1 = Stream(); x = empty(4000000); a = empty(4000000, s1); del x; del a; p = MemPool(); use(p); '
        'x = empty(4000000); y = empty(4000000, s1); z = empty(400, s1); del x; del y; w = empty(3000000, s1); '
        'v = empty(3000000); end(); u = empty(3000000, s1); del w; del v; del z; del p; empty_cache()'),
    "record_before": ('',
        's1 = Stream(); p = MemPool(); a = empty(4000000); b = empty(30000000); a.record_stream(s1); b.record_stream(s1); '
        'busy(s1); del a; c = empty(400); use(p); del b; d = empty(4000000); memory_snapshot(); idle(s1); e = empty(400); '
        'empty_cache(); end(); empty_cache(); f = empty(4000000)'),
    "record_both": ('',
        's1 = Stream(); s2 = Stream(); p = MemPool(); a = empty(4000000); b = empty(5000000); c = empty(6000000); '
        'a.record_stream(s1); use(p); a.record_stream(s2); b.record_stream(s1); b.record_stream(s2); busy(s1); busy(s2); '
        'del a; del b; c.record_stream(s1); end(); del c; d = empty(400); idle(s2); d = empty(500); idle(s1); '
        'd = empty(600); empty_cache()'),
    "record_del_pool": ('',
        's1 = Stream(); p = MemPool(); use(p); x = empty(4000000); y = empty(30000000); end(); z = empty(30000000); '
        'x.record_stream(s1); z.record_stream(s1); y.record_stream(s1); busy(s1); del z; del x; del y; del p; '
        'empty_cache()'),
    "oom_within": ('',
        'limit(100); a = empty(30000000); del a; p = MemPool(); use(p); x = empty(40000000); y = empty(40000000); '
        'z = empty(400); del x; y = empty(60000000); end(); y = empty(60000000); w = empty(20000000); del z; del p; '
        'y = empty(60000000)'),
    "oom_within_oversize": ('max_split_size_mb:66',
        'limit(100); p = MemPool(); use(p); x = empty(69206016); del x; y = empty(70254593); y = empty(70254593); '
        'del y; x = empty(69206016); y = empty(30000000); del y; del x; y = empty(80000000); end(); del p; '
        'y = empty(80000000); empty_cache()'),
    "oom_text": ('',
        'limit(100); p = MemPool(); q = MemPool(); use(p); x = empty(20000000); y = empty(4000000); z = empty(400); end(); '
        'use(q); w = empty(4000000); end(); del x; a = empty(4000000); b = empty(80000000); del w; b = empty(80000000); '
        'del q; b = empty(80000000); limit(None); b = empty(1 << 40)'),
    "oom_freeable": ('',
        'limit(100); p = MemPool(); use(p); x = empty(60000000); end(); del p; y = empty(60000000); del x; '
        'y = empty(60000000)'),
    "use_on_oom": ('',
        'limit(100); p = MemPool(use_on_oom=True); p.use_count(); use(p); x = empty(60000000); end(); y = empty(60000000); '
        'del x; a = empty(30000000); del a; y = empty(50000000); p.use_count(); memory_snapshot(); z = empty(8000000); '
        'del y; w = empty(400); v = empty(2000000); del p; del v; del z; empty_cache(); y = empty(80000000); del y; '
        'y = empty(98000000)'),
    "use_on_oom_two": ('',
        'limit(200); p = MemPool(use_on_oom=True); q = MemPool(use_on_oom=True); r = MemPool(); use(p); '
        'x = empty(60000000); end(); use(q); y = empty(60000000); end(); use(r); z = empty(60000000); end(); del x; del y; '
        'del z; use(r); a = empty(70000000); b = empty(30000000); end(); c = empty(40000000); d = empty(40000000); '
        'e = empty(40000000); f = empty(10000000); del c; del d; memory_snapshot()'),
    "use_on_oom_three": ('',
        'limit(200); p = MemPool(use_on_oom=True); q = MemPool(use_on_oom=True); r = MemPool(use_on_oom=True); use(p); '
        'x = empty(60000000); end(); use(q); y = empty(62000000); end(); use(r); z = empty(64000000); end(); del x; del y; '
        'del z; a = empty(60000000); b = empty(60000000); c = empty(60000000)'),
    "use_on_oom_dead": ('',
        'limit(100); p = MemPool(use_on_oom=True); use(p); x = empty(40000000); y = empty(30000000); end(); del y; del p; '
        'z = empty(50000000); w = empty(70000000); del x; w = empty(70000000)'),
    "use_on_oom_within": ('',
        'limit(100); p = MemPool(use_on_oom=True); q = MemPool(); use(p); x = empty(60000000); del x; use(q); '
        'y = empty(60000000); end(); end(); use(q); y = empty(60000000); end(); y = empty(60000000)'),
    "use_on_oom_no_split": ('',
        'limit(100); p = MemPool(use_on_oom=True, no_split=True); use(p); x = empty(60000000); end(); del x; '
        'z = empty(60000000); del z; z = empty(50000000)'),
    "use_on_oom_expandable": ('expandable_segments:True',
        'limit(200); p = MemPool(use_on_oom=True); use(p); x = empty(100000000); end(); del x; a = empty(80000000); '
        'b = empty(60000000); memory_snapshot()'),
    "no_split": ('',
        'p = MemPool(no_split=True); use(p); a = empty(400); b = empty(400); c = empty(4000000); d = empty(4000000); '
        'e = empty(30000000); del a; a = empty(1000); del c; del d; del e; f = empty(25000000); g = empty(4000000); end(); '
        'h = empty(400); i = empty(400); memory_snapshot(); del p; del f; del g; empty_cache(); j = empty(400)'),
    "no_split_expandable": ('expandable_segments:True',
        'p = MemPool(no_split=True); use(p); a = empty(400); b = empty(400); c = empty(4000000); d = empty(4000000); '
        'del a; a = empty(1000); del c; del d; e = empty(30000000); end(); memory_snapshot()'),
    "expandable": ('expandable_segments:True',
        'x = empty(4000000); p = MemPool(); use(p); y = empty(4000000); z = empty(400); w = empty(30000000); del y; '
        'v = empty(3000000); empty_cache(); end(); empty_cache(); memory_snapshot(); del w; del v; del z; empty_cache(); '
        'p.use_count(); del p; empty_cache()'),
    "expandable_live": ('expandable_segments:True',
        'p = MemPool(); use(p); x = empty(20 << 20); y = empty(20 << 20); z = empty(20 << 20); end(); del x; del p; '
        'memory_snapshot(); del z; empty_cache(); del y; empty_cache(); memory_snapshot()'),
    "gc": ('garbage_collection_threshold:0.5',
        'limit(200); p = MemPool(); use(p); x = empty(30000000); y = empty(30000000); end(); a = empty(30000000); del a; '
        'b = empty(40000000); del b; del x; c = empty(50000000); use(p); d = empty(60000000); end(); del y; del p; '
        'e = empty(20000000); f = empty(70000000)'),
    "max_split": ('max_split_size_mb:32',
        'limit(200); a = empty(40000000); del a; p = MemPool(); use(p); x = empty(40000000); y = empty(50000000); del x; '
        'z = empty(30000000); del y; w = empty(90000000); v = empty(4000000); end(); u = empty(90000000); del v; del p; '
        'empty_cache()'),
    "snapshot": ('',
        'x = empty(4000000); p = MemPool(); q = MemPool(); use(p); y = empty(4000000); z = empty(400); end(); '
        'memory_snapshot(); p.snapshot(); memory_snapshot((0, 1)); memory_snapshot((0, 2)); memory_snapshot((0, 99)); '
        'memory_snapshot((0, 0)); memory_stats(); memory_summary(); use(p); memory_snapshot(); end(); del p; '
        'memory_snapshot(); reset_peak()'),
    "same_twice_del": ('',
        'p = MemPool(); use(p); x = empty(4000000); use(p); end(); del x; del p; y = empty(4000000); empty_cache()'),
    "record_within": ('',
        's1 = Stream(); p = MemPool(); use(p); x = empty(4000000); y = empty(30000000); x.record_stream(s1); '
        'y.record_stream(s1); busy(s1); del x; x = empty(4000000); end(); del y; y = empty(30000000); w = empty(400); '
        'idle(s1); w = empty(500); del y; del x; del w; del p; empty_cache()'),
    "record_again": ('',
        's1 = Stream(); s2 = Stream(); p = MemPool(); a = empty(30000000); b = empty(30000000); a.record_stream(s1); '
        'a.record_stream(s2); busy(s1); busy(s2); use(p); a.record_stream(s1); del a; end(); c = empty(400); '
        'memory_snapshot(); idle(s1); d = empty(400); idle(s2); e = empty(400); empty_cache()'),
    "unordered_deferred": ('',
        's1 = Stream(); p = MemPool(); x0 = empty(20971520); x1 = empty(23068672); x2 = empty(25165824); '
        'x3 = empty(27262976); x4 = empty(29360128); x5 = empty(31457280); use(p); x0.record_stream(s1); '
        'x1.record_stream(s1); x2.record_stream(s1); x3.record_stream(s1); x4.record_stream(s1); x5.record_stream(s1); '
        'del x0; del x5; del x4; del x3; del x2; del x1; end(); y = empty(400); empty_cache()'),
    "empty_cache_within": ('',
        'p = MemPool(); q = MemPool(); use(p); x = empty(4000000); y = empty(30000000); end(); a = empty(30000000); del a; '
        'del p; del x; use(q); empty_cache(); z = empty(30000000); del y; empty_cache(); end(); empty_cache()'),
    "del_within_nested": ('',
        'p = MemPool(); q = MemPool(); use(p); x = empty(30000000); use(q); y = empty(30000000); del p; end(); del x; '
        'z = empty(400); del y; end(); del q; del z; empty_cache()'),
    "thread": ('',
        'limit(100); s1 = Stream(); a = empty(30000000); del a; c = empty(4000000); c.record_stream(s1); del c; '
        'p = MemPool(); use(p); x = elsewhere(25000000); y = empty(25000000); z = elsewhere(60000000); del x; end(); '
        'z = elsewhere(60000000); del y; del p; empty_cache()'),
    "use_on_oom_thread": ('',
        'limit(100); p = MemPool(use_on_oom=True); use(p); x = empty(60000000); del x; y = elsewhere(60000000); '
        'p.use_count(); end(); p.use_count(); y = elsewhere(60000000); del y; del p; z = empty(60000000)'),
    "expandable_snapshot": ('expandable_segments:True',
        'p = MemPool(); use(p); x = empty(20 << 20); y = empty(20 << 20); z = empty(20 << 20); w = empty(20 << 20); end(); '
        'del x; del z; del p; memory_snapshot(); memory_snapshot((0, 1)); del y; empty_cache(); memory_snapshot((0, 1)); '
        'del w; empty_cache(); memory_snapshot()'),
    "expandable_streams": ('expandable_segments:True',
        's1 = Stream(); p = MemPool(); use(p); x = empty(4000000, s1); y = empty(4000000); x.record_stream(s1); '
        'y.record_stream(s1); del x; del y; end(); z = empty(400); del p; empty_cache()'),
    "expandable_oom": ('expandable_segments:True',
        'limit(200); a = empty(60 << 20); del a; p = MemPool(); use(p); x = empty(60 << 20); y = empty(60 << 20); '
        'z = empty(60 << 20); del x; z = empty(70 << 20); end(); z = empty(90 << 20); del p; z = empty(90 << 20)'),
    "use_on_oom_max_split": ('max_split_size_mb:32',
        'limit(200); a = empty(50000000); del a; p = MemPool(use_on_oom=True); use(p); x = empty(50000000); end(); '
        'y = empty(70000000); del x; z = empty(45000000); w = empty(90000000); del z; z = empty(60000000); del p; '
        'empty_cache()'),
    "use_on_oom_streams": ('',
        'limit(100); s1 = Stream(); p = MemPool(use_on_oom=True); use(p); x = empty(40000000); y = empty(40000000, s1); '
        'end(); del x; del y; z = empty(30000000, s1); w = empty(20000000, s1); v = empty(30000000); z.record_stream(s1); '
        'v.record_stream(s1); del z; del v; u = empty(400); del p; empty_cache()'),
}
# Eleven pools that are released together go back in an order of their own.
PROGRAMS["many"] = ("", "; ".join(
    [f"p{i} = MemPool(); use(p{i}); x{i} = empty({(20 + 2 * i) << 20}); end()" for i in range(1, 12)]
    + [f"del p{i}" for i in range(1, 12)] + ["p1 = MemPool(); p1.id; del p1"] + [f"del x{i}" for i in range(1, 12)] + ["empty_cache()"]))
# These need operators.
TENSORS = {
    "matmul": ('',
        'x = torch.ones(1000, 1000, device="cuda"); p = MemPool(); use(p); y = x @ x; end(); z = x @ x; del y; del z; '
        'x.sum().item(); del p; torch._C._cuda_clearCublasWorkspaces(); empty_cache()'),
    "backward": ('',
        'model = torch.nn.Linear(1000, 1000).cuda(); x = torch.randn(1000, 1000).cuda(); p = MemPool(); use(p); '
        'y = model(x); loss = y.relu().sum(); loss.backward(); end(); del y; del loss; model.zero_grad(); '
        'loss = model(x).sum(); use(p); loss.backward(); end(); del loss; del model; del x; del p; empty_cache()'),
    "within": ('',
        'x = empty(30000000); del x; p = MemPool(use_on_oom=True); use(p); y = empty(30000000); use(p); '
        'z = empty(4000000); del p; end(); del y; del z; q = MemPool(no_split=True); use(q); a = empty(400); end(); '
        'limit(150); use(q); b = empty(80000000); c = empty(20000000); end(); del c; del q; d = empty(80000000); del a; '
        'empty_cache()'),
}
# Settings, seed and features of random programs.
RANDOM = {
    "random_plain": ('', 1),
    "random_streams": ('', 2, 'streams'),
    "random_limit": ('', 3, 'limit'),
    "random_limit_streams": ('', 4, 'limit', 'streams'),
    "random_oom": ('', 5, 'limit', 'use_on_oom'),
    "random_nosplit": ('', 6, 'no_split'),
    "random_all": ('', 7, 'limit', 'streams', 'use_on_oom', 'no_split'),
    "random_split32": ('max_split_size_mb:32', 8, 'limit'),
    "random_gc60": ('garbage_collection_threshold:0.6', 9, 'limit'),
    "random_pow2": ('roundup_power2_divisions:4', 10, 'streams'),
    "random_expandable": ('expandable_segments:True', 11),
    "random_expandable_all": ('expandable_segments:True', 12, 'limit', 'streams', 'use_on_oom', 'no_split'),
}
