"""Record snapshots of PyTorch's allocator with its own peaks beside them.

usage: snapshots.py FOLDER [NAME...]

Each scenario runs in a process of its own, because the allocator reads its
settings once. It leaves NAME.pickle.gz, which is what _dump_snapshot writes with
the folders of file names taken off, and NAME.json with PyTorch's counters over
the recorded time. `snapshots.py -peaks FOLDER` puts the latter together.
Stacks in the recordings name this file record.py, as it was called then.
"""
import glob, gzip, json, os, pickle, random, subprocess, sys

MiB, GiB = 1 << 20, 1 << 30


class Work:
    """Allocations drawn at random, as a program with tensors of many sizes."""

    def __init__(self, torch, seed, streams=1, live=60):
        self.torch, self.rng, self.live, self.most = torch, random.Random(seed), [], live
        self.streams = [torch.cuda.default_stream()] + [torch.cuda.Stream() for _ in range(streams - 1)]
        self.ooms = 0

    def size(self):
        r = self.rng.random()
        if r < .45: return int(2 ** self.rng.uniform(0, 20))
        if r < .80: return int(2 ** self.rng.uniform(20, 23.3))
        if r < .97: return int(2 ** self.rng.uniform(23.3, 26))
        return int(2 ** self.rng.uniform(26, 28))

    def alloc(self, size=None, stream=None):
        s = stream or self.rng.choice(self.streams)
        try:
            with self.torch.cuda.stream(s):
                self.live.append(self.torch.empty(size or self.size(), dtype=self.torch.uint8, device="cuda"))
        except self.torch.OutOfMemoryError:
            self.ooms += 1
            del self.live[: len(self.live) // 2]

    def free(self):
        del self.live[self.rng.randrange(len(self.live))]

    def share(self):
        t, s = self.rng.choice(self.live), self.rng.choice(self.streams)
        with self.torch.cuda.stream(s):
            self.torch.cuda._sleep(self.rng.choice([1000, 200_000, 2_000_000]))
        t.record_stream(s)

    def clear(self):
        self.torch.cuda.empty_cache()

    def steps(self, n, share=0.0, clear=0.0):
        for _ in range(n):
            r = self.rng.random()
            if r < clear: self.clear()
            elif self.live and r < clear + share: self.share()
            elif self.live and (r > .57 or len(self.live) > self.most): self.free()
            else: self.alloc()
            if self.rng.random() < .01: self.most = self.rng.randint(5, 90)


def limit(torch, size):
    total = torch.cuda.get_device_properties(0).total_memory
    torch.cuda.set_per_process_memory_fraction(size / total)


def train(torch, steps, clear=0, width=700, batches=(64, 640, 320)):
    torch.manual_seed(0)
    model = torch.nn.Sequential(*[m for _ in range(4) for m in (torch.nn.Linear(width, width), torch.nn.GELU())]).cuda()
    opt = torch.optim.AdamW(model.parameters())
    for i in range(steps):
        x = torch.randn(batches[i % len(batches)], width).cuda()
        loss = model(x).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if clear and i % clear == clear - 1:
            torch.cuda.empty_cache()
    return model, opt


class Scenario:
    def __init__(self, run, conf="", context=None, entries=1_000_000, before=None):
        self.run, self.conf, self.context, self.entries, self.before = run, conf, context, entries, before


def random_steps(seed, n, streams=1, lim=0, live=60, **kw):
    def run(torch, state):
        if lim: limit(torch, lim)
        w = state or Work(torch, seed, streams, live)
        w.steps(n, **kw)
        return w
    return run


def warm(seed, n, streams=1, lim=0, live=60, **kw):
    def run(torch):
        if lim: limit(torch, lim)
        w = Work(torch, seed, streams, live)
        w.steps(n, **kw)
        return w
    return run


def go_on(n, **kw):
    def run(torch, w):
        w.steps(n, **kw)
        return w
    return run


def oom(torch, _):
    limit(torch, 256 * MiB)
    keep = [torch.empty(20 * MiB, dtype=torch.uint8, device="cuda") for _ in range(5)]
    del keep[::2]
    for _ in range(3):
        try:
            keep.append(torch.empty(300 * MiB, dtype=torch.uint8, device="cuda"))
        except torch.OutOfMemoryError:
            pass
        keep.append(torch.empty(30 * MiB, dtype=torch.uint8, device="cuda"))
    return keep


def graph(torch, _):
    a = torch.randn(500, 500, device="cuda")
    torch.cuda.synchronize()
    s = torch.cuda.Stream()
    with torch.cuda.stream(s):
        for _ in range(2): (a @ a).relu()
    torch.cuda.synchronize()
    g = torch.cuda.CUDAGraph()
    with torch.cuda.graph(g):
        b = a @ a
        for _ in range(6): b = (b * 0.001).relu() @ a
    keep = [torch.empty(3 * MiB, dtype=torch.uint8, device="cuda") for _ in range(5)]
    g.replay()
    torch.cuda.synchronize()
    del keep[1:3]
    return g, b, keep


def mempool(torch, _):
    pool = torch.cuda.MemPool()
    keep = [torch.empty(3 * MiB, dtype=torch.uint8, device="cuda")]
    for _ in range(3):
        with torch.cuda.use_mem_pool(pool):
            keep += [torch.empty(5 * MiB, dtype=torch.uint8, device="cuda"), torch.empty(1000, device="cuda")]
        keep.append(torch.empty(4 * MiB, dtype=torch.uint8, device="cuda"))
        del keep[1]
    torch.cuda.empty_cache()
    return pool, keep


def mempools(torch, _):
    """Two pools that stay, beside random work, with empty_cache calls."""
    w = Work(torch, 40)
    pools = [torch.cuda.MemPool(), torch.cuda.MemPool()]
    for i in range(120):
        with torch.cuda.use_mem_pool(pools[i % 2]):
            w.steps(3)
        w.steps(5, clear=.01)
    return pools, w


def released(torch, _):
    """Pools that come and go beside random work."""
    w = Work(torch, 41)
    for i in range(5):
        w.steps(60, clear=.01)
        pool = torch.cuda.MemPool()
        with torch.cuda.use_mem_pool(pool):
            inside = Work(torch, 42 + i)
            inside.steps(40)
        w.steps(30)
        with torch.cuda.use_mem_pool(pool):
            inside.steps(20)
        del inside
        w.steps(20)
        del pool
        w.steps(60)
    return w


def graphs(torch, _):
    """Graphs that are captured and dropped."""
    w = Work(torch, 50)
    a = torch.randn(600, 600, device="cuda")
    (a @ a).relu()
    for i in range(3):
        w.steps(60, clear=.01)
        g = torch.cuda.CUDAGraph()
        with torch.cuda.graph(g):
            b = a @ a
            for _ in range(4 + i): b = (b * 0.001).relu() @ a
        w.steps(40)
        g.replay()
        torch.cuda.synchronize()
        del b
        w.steps(20)
        del g
        w.steps(60)
    return w, a


def stale(torch, w):
    """Blocks that wait for a stream as the recording begins."""
    s = torch.cuda.Stream()
    with torch.cuda.stream(s):
        torch.cuda._sleep(400_000_000)
    for t in w.live[:8]:
        t.record_stream(s)
    del w.live[:8]
    return w


def pending_before(seed):
    def run(torch):
        w = Work(torch, seed)
        w.steps(600)
        torch.cuda.synchronize()
        return w
    return run


def pending_run(torch, w):
    w.steps(100)
    torch.cuda.synchronize()
    w.steps(500, clear=.005)
    return w


def growing(torch, _):
    """One tensor after the other, each larger, with empty_cache between."""
    for n in (30, 50, 80, 130, 210, 340):
        x = torch.empty(n * MiB, dtype=torch.uint8, device="cuda")
        del x
        torch.cuda.empty_cache()


L = 600 * MiB
SCENARIOS = {
    "empty_cache_none": Scenario(lambda t, _: train(t, 9, clear=2)),
    "empty_cache_all": Scenario(lambda t, _: train(t, 6, clear=2), context="all"),
    "empty_cache_random": Scenario(random_steps(1, 900, clear=.02)),
    "empty_cache_growing": Scenario(growing),
    "record_stream": Scenario(random_steps(2, 900, streams=3, share=.08)),
    "record_stream_cleared": Scenario(random_steps(3, 900, streams=3, share=.08, clear=.01)),
    "record_stream_limit": Scenario(random_steps(4, 900, streams=3, share=.08, clear=.004, lim=L)),
    "expandable": Scenario(random_steps(5, 900, clear=.01), "expandable_segments:True"),
    "expandable_streams": Scenario(random_steps(6, 900, streams=3, share=.06, clear=.01), "expandable_segments:True"),
    "expandable_limit": Scenario(random_steps(7, 900, clear=.005, lim=L), "expandable_segments:True"),
    "expandable_train": Scenario(lambda t, _: train(t, 4), "expandable_segments:True", context="all"),
    "limit": Scenario(random_steps(8, 900, clear=.005, lim=L)),
    "limit_all": Scenario(random_steps(9, 350, clear=.01, lim=L), context="all"),
    "limit_state": Scenario(random_steps(10, 350, clear=.01, lim=L), context="state"),
    "limit_alloc": Scenario(random_steps(11, 350, clear=.01, lim=L), context="alloc"),
    "limit_alone": Scenario(random_steps(12, 600, lim=L, live=40)),
    "limit_conf": Scenario(random_steps(13, 600, clear=.005), "per_process_memory_fraction:0.004"),
    "split": Scenario(random_steps(14, 900, clear=.004, lim=L), "max_split_size_mb:32"),
    "split_free": Scenario(random_steps(15, 900, clear=.01), "max_split_size_mb:48,max_non_split_rounding_mb:30"),
    "gc": Scenario(random_steps(16, 900, clear=.003, lim=L), "garbage_collection_threshold:0.6"),
    "gc_split": Scenario(random_steps(17, 900, clear=.003, lim=L), "garbage_collection_threshold:0.7,max_split_size_mb:64"),
    "gc_streams": Scenario(random_steps(18, 900, streams=3, share=.06, lim=L), "garbage_collection_threshold:0.5"),
    "pow2": Scenario(random_steps(19, 900, clear=.01), "roundup_power2_divisions:4"),
    "pow2_list": Scenario(random_steps(20, 900), "roundup_power2_divisions:[1:2,16:8,>:1],large_segment_size_mb:32"),
    "ring": Scenario(random_steps(21, 3000, clear=.004), entries=1500),
    "ring_streams": Scenario(random_steps(22, 3000, streams=3, share=.06), entries=1500),
    "ring_train": Scenario(lambda t, _: train(t, 9), context="all", entries=500),
    "ring_expandable": Scenario(random_steps(23, 3000, clear=.004), "expandable_segments:True", entries=1500),
    "ring_limit": Scenario(random_steps(24, 3000, lim=700 * MiB), entries=1500),
    "late": Scenario(go_on(700, clear=.005), before=warm(25, 1500)),
    "late_streams": Scenario(go_on(700, share=.06), before=warm(26, 1500, streams=3, share=.06)),
    "late_pending": Scenario(pending_run, before=pending_before(32)),
    "late_expandable": Scenario(go_on(700, clear=.005), "expandable_segments:True", before=warm(27, 1500, clear=.01)),
    "late_expandable_streams": Scenario(go_on(700, clear=.005, share=.05), "expandable_segments:True",
                                        before=warm(33, 1500, streams=3, clear=.01)),
    "late_expandable_limit": Scenario(go_on(700, clear=.003), "expandable_segments:True", before=warm(34, 1500, lim=700 * MiB)),
    "late_gc": Scenario(go_on(700), "garbage_collection_threshold:0.6", before=warm(28, 1500, lim=700 * MiB)),
    "late_split": Scenario(go_on(700), "max_split_size_mb:40", before=warm(29, 1500, lim=700 * MiB)),
    "late_pow2": Scenario(go_on(700), "roundup_power2_divisions:4", before=warm(30, 1500)),
    "late_pow2_expandable": Scenario(go_on(700), "roundup_power2_divisions:8,expandable_segments:True", before=warm(35, 1500)),
    "late_large": Scenario(go_on(700, clear=.004), "large_segment_size_mb:64", before=warm(36, 1500)),
    "late_train": Scenario(lambda t, m: train(t, 5, clear=3), context="all", before=lambda t: train(t, 3)),
    "oom": Scenario(oom, context="all"),
    "oom_random": Scenario(random_steps(31, 900, lim=400 * MiB)),
    "graph": Scenario(graph),
    "mempool": Scenario(mempool),
    "mempools": Scenario(mempools),
    "mempools_released": Scenario(released),
    "graphs": Scenario(graphs),
}


def record(name, folder):
    import torch
    torch.cuda.init()
    torch.cuda.synchronize()
    sc = SCENARIOS[name]
    state = sc.before(torch) if sc.before else None
    torch.cuda.synchronize()
    if name == "late_pending":
        stale(torch, state)
    torch.cuda.memory._record_memory_history(max_entries=sc.entries, context=sc.context, stacks="python")
    torch.cuda.reset_peak_memory_stats()
    first = torch.cuda.memory_stats()
    state = sc.run(torch, state)
    snap = torch.cuda.memory._snapshot()
    last = torch.cuda.memory_stats()
    seen = set()
    for e in [e for t in snap["device_traces"] for e in t] + snap["segments"] + [b for s in snap["segments"] for b in s["blocks"]]:
        for f in e.get("frames") or []:
            if id(f) not in seen:
                seen.add(id(f))
                f["filename"] = os.path.basename(f["filename"])
    with gzip.GzipFile(os.path.join(folder, name + ".pickle.gz"), "wb", mtime=0) as f:
        pickle.dump(snap, f, protocol={"late": 2, "ring": 3, "limit": 5}.get(name, 4))
    out = {"torch": torch.__version__, "conf": sc.conf, "context": sc.context, "entries": sc.entries,
           "events": sum(len(t) for t in snap["device_traces"]),
           "peak_allocated_bytes": last["allocated_bytes.all.peak"], "peak_reserved_bytes": last["reserved_bytes.all.peak"],
           "first_allocated_bytes": first["allocated_bytes.all.current"], "first_reserved_bytes": first["reserved_bytes.all.current"],
           "last_allocated_bytes": last["allocated_bytes.all.current"], "last_reserved_bytes": last["reserved_bytes.all.current"]}
    for k in ("num_device_alloc", "num_device_free", "num_alloc_retries", "num_ooms", "num_sync_all_streams"):
        out[k] = last[k] - first[k]
    with open(os.path.join(folder, name + ".json"), "w") as f:
        json.dump(out, f)
    print(name, out["events"], out["peak_reserved_bytes"], "retries", out["num_alloc_retries"], "ooms", out["num_ooms"], "frees", out["num_device_free"])


def peaks(folder):
    """Put the counters of all scenarios into one file."""
    out = {}
    for file in sorted(glob.glob(os.path.join(folder, "*.json"))):
        name = os.path.basename(file)[:-5]
        if name != "peaks":
            out[name] = json.load(open(file))
    with open(os.path.join(folder, "peaks.json"), "w") as f:
        f.write("{\n" + ",\n".join(json.dumps(k) + ": " + json.dumps(v) for k, v in out.items()) + "\n}\n")


def main():
    if sys.argv[1] == "-one":
        return record(sys.argv[3], sys.argv[2])
    if sys.argv[1] == "-peaks":
        return peaks(sys.argv[2])
    folder, names = sys.argv[1], sys.argv[2:] or list(SCENARIOS)
    os.makedirs(folder, exist_ok=True)
    todo, running = list(names), []
    while todo or running:
        while todo and len(running) < 8:
            n = todo.pop(0)
            env = dict(os.environ, PYTORCH_CUDA_ALLOC_CONF=SCENARIOS[n].conf)
            running.append((n, subprocess.Popen([sys.executable, __file__, "-one", folder, n], env=env)))
        n, p = running.pop(0)
        if p.wait() != 0:
            print("FAILED", n, p.returncode)


if __name__ == "__main__":
    main()
