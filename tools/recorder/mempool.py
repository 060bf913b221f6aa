"""Record programs with private pools (torch.cuda.MemPool) statement by statement.
usage: mempool.py FOLDER for all of them, each in a process of its own, or mempool.py OUT NAME for one.

The label of a row is the statement itself, so that the Go twin can read what to do from the recording."""
import gzip, json, os, random, subprocess, sys
from concurrent.futures import ThreadPoolExecutor
from mempool_programs import PROGRAMS, RANDOM, TENSORS

COUNTS = ["allocated_bytes", "reserved_bytes", "active_bytes", "inactive_split_bytes", "requested_bytes",
          "allocation", "segment", "active", "inactive_split"]
EVENTS = ["num_alloc_retries", "num_ooms", "num_sync_all_streams", "num_device_alloc", "num_device_free"]
COLUMNS = ([f"{k}.{p}.current" for k in COUNTS for p in ("all", "small_pool", "large_pool")] + [f"{k}.all.peak" for k in COUNTS]
           + EVENTS + ["oversize_allocations.current", "oversize_segments.current"])


class Recorder:
    """Runs statements and keeps a row for each. Streams that busy() holds are left alone."""

    def __init__(self, nap=2_000_000_000):
        import torch
        self.torch, self.cuda, self.nap = torch, torch.cuda, nap
        self.rows, self.seen, self.within, self.held = [], 0, [], {}
        self.cuda.init()
        self.cuda.memory._record_memory_history(max_entries=10_000_000, context=None, stacks="python")
        c = self.cuda
        self.names = {"torch": torch, "MemPool": c.MemPool, "empty_cache": c.empty_cache, "reset_peak": c.reset_peak_memory_stats,
                      "memory_snapshot": c.memory_snapshot, "memory_summary": c.memory_summary, "memory_stats": c.memory_stats,
                      **{f.__name__: f for f in (self.empty, self.elsewhere, self.use, self.end, self.limit, self.busy, self.idle)},
                      "Stream": self.stream}

    def empty(self, size, stream=None):
        with self.cuda.stream(stream):
            return self.torch.empty(size, dtype=self.torch.uint8, device="cuda")

    def elsewhere(self, size):
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(self.empty, size).result()

    def use(self, pool):
        within = self.cuda.use_mem_pool(pool)
        within.__enter__()
        self.within.append(within)

    def end(self):
        self.within.pop().__exit__(None, None, None)

    def limit(self, mib):
        total = self.cuda.get_device_properties(0).total_memory
        self.cuda.set_per_process_memory_fraction(1.0 if mib is None else (mib << 20) / total)

    def stream(self):
        s = self.cuda.Stream()
        self.held[s] = False
        return s

    def busy(self, stream):
        self.held[stream] = True
        with self.cuda.stream(stream):
            self.cuda._sleep(self.nap)

    def idle(self, stream):
        self.held[stream] = False
        stream.synchronize()

    def run(self, statement, events=True):
        row = {"label": statement}
        try:
            value = self.evaluate(statement)
            if value is not None:
                row["value"] = value
        except RuntimeError as e:
            row["raised"] = type(e).__name__ + ": " + str(e)
        self.settle()
        stats = self.cuda.memory_stats()
        row["counters"] = [stats[c] for c in COLUMNS]
        row["allocs_total"] = stats["allocation.all.allocated"]
        row["busy"] = [k for k, v in self.names.items() if isinstance(v, self.cuda.Stream) and not v.query()]
        if events:
            row["events"] = self.events()
        self.rows.append(row)
        return "raised" not in row

    def evaluate(self, statement):
        try:
            code = compile(statement, statement, "eval")
        except SyntaxError:
            code = compile(statement, statement, "exec")
        return eval(code, self.names)

    def settle(self):
        self.cuda.current_stream().synchronize()
        for s, held in self.held.items():
            if not held:
                s.synchronize()

    def events(self):
        trace = self.cuda.memory._snapshot()["device_traces"][0]
        new = [e for e in trace[self.seen:] if e["action"] != "snapshot"]
        self.seen = len(trace)
        return [[e["action"], e["size"], e.get("addr", 0), e["stream"]] for e in new]

    def document(self, name):
        streams = {k: v.cuda_stream for k, v in self.names.items() if isinstance(v, self.cuda.Stream)}
        return {"program": name, "torch": self.torch.__version__, "device": self.cuda.get_device_name(0),
                "conf": os.environ.get("PYTORCH_CUDA_ALLOC_CONF", ""), "columns": COLUMNS, "streams": streams, "rows": self.rows,
                "extra": {"stats": self.cuda.memory_stats(), "summary": self.cuda.memory_summary(), "snapshot": self.cuda.memory_snapshot()}}


def record(out, name):
    r = Recorder()
    for statement in (PROGRAMS | TENSORS)[name][1].split("; "):
        r.run(statement)
    doc = r.document(name)
    if name in TENSORS:
        doc["rows"] = [tensor_row(row) for row in doc["rows"]]
    with open(out, "w") as f:
        json.dump(doc, f, separators=(",", ":"))


def tensor_row(row):
    """A row in the form of programs.py."""
    c = dict(zip(COLUMNS, row["counters"]))
    counters = {k: c[k + ".all.current"] for k in COUNTS[:7]} | {k: c[k] for k in EVENTS}
    counters |= {k: c[k + "_bytes.all.peak"] for k in ("allocated", "reserved")}
    counters = {k + "_peak" if k in ("allocated", "reserved") else k: v for k, v in counters.items()}
    return {k: v for k, v in row.items() if k not in ("counters", "busy")} | counters


def size(rng):
    r = rng.random()
    return int(2 ** (rng.uniform(0, 20) if r < .4 else rng.uniform(20, 23.3) if r < .7 else rng.uniform(23.3, 26)))


def record_random(out, name, seed, options, steps=700):
    """A random program. It deletes pools only outside of every with, where PyTorch survives it. Blocks whose
    events are put aside get them in the order of PyTorch's heap, so there is one such block at a time at most."""
    rng, r, made, live, pools, within, held, shared, aside = random.Random(seed), Recorder(600_000_000), 0, [], [], [], [], set(), False
    do = lambda statement: r.run(statement, events=False)
    streams = ["s1", "s2"] if "streams" in options else []
    for s in streams:
        do(s + " = Stream()")
    if "limit" in options:
        do("limit(500)")
    while len(r.rows) < steps:
        x, unused = rng.random(), [p for p in pools if p not in within]
        if x < .02 and len(pools) < 5:
            made += 1
            args = [k + "=True" for k in ("use_on_oom", "no_split") if k in options and rng.random() < .6]
            do(f"p{made} = MemPool({', '.join(args)})")
            pools.append(f"p{made}")
        elif x < .035 and pools and not within:
            do("del " + pools.pop(rng.randrange(len(pools))))
            aside = False
        elif x < .085 and unused and len(within) < 2:
            within.append(rng.choice(unused))
            do(f"use({within[-1]})")
        elif x < .14 and within:
            within.pop()
            do("end()")
        elif x < .15:
            do("empty_cache()")
            aside = aside and within != []
        elif x < .155:
            do("reset_peak()")
        elif x < .20 and live and streams:
            shared.add(rng.choice(live))
            do(f"{rng.choice(sorted(shared & set(live)))}.record_stream({rng.choice(streams)})")
        elif x < .22 and streams and not held:
            held.append(rng.choice(streams))
            do(f"busy({held[-1]})")
        elif x < .26 and held:
            do(f"idle({held.pop()})")
        elif x < .58 and live:
            victim = rng.choice([k for k in live if not (aside and within and k in shared)] or [None])
            if victim:
                live.remove(victim)
                aside = aside or within != [] and victim in shared
                do("del " + victim)
        else:
            made += 1
            on = rng.choice(["", "", ", s1", ", s2"]) if streams else ""
            if do(f"x{made} = empty({size(rng)}{on})"):
                live.append(f"x{made}")
            aside = aside and within != []
    doc = r.document(name)
    doc["events"] = r.events()
    with gzip.open(out, "wt") as f:
        json.dump(doc, f, separators=(",", ":"))


def run(folder, name, conf):
    out = os.path.join(folder, name + ".json" + (".gz" if name in RANDOM else ""))
    env = os.environ | ({"PYTORCH_CUDA_ALLOC_CONF": conf} if conf else {})
    done = subprocess.run([sys.executable, __file__, out, name], stderr=subprocess.PIPE, text=True, env=env)
    if done.returncode:
        print(name, "ended with", done.returncode, done.stderr[-1500:], flush=True)


def record_all(folder):
    """Those that run out of memory go alone, because their texts tell what is free."""
    jobs = [(folder, name, p[0]) for name, p in (PROGRAMS | TENSORS | RANDOM).items()]
    for job in jobs:
        if "oom" in job[1] and job[1] not in RANDOM:
            run(*job)
    with ThreadPoolExecutor(7) as pool:
        for job in jobs:
            if "oom" not in job[1] or job[1] in RANDOM:
                pool.submit(run, *job)


if __name__ == "__main__":
    if len(sys.argv) == 2:
        record_all(sys.argv[1])
    elif sys.argv[2] in RANDOM:
        record_random(sys.argv[1], sys.argv[2], RANDOM[sys.argv[2]][1], RANDOM[sys.argv[2]][2:])
    else:
        record(sys.argv[1], sys.argv[2])
