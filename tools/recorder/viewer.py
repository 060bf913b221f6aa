"""Let PyTorch itself read snapshots that the workbook wrote.

usage: viewer.py FILE.pickle...

It needs PyTorch, and no GPU. Each file is loaded with pickle and given to
everything in torch.cuda._memory_viz that reads a snapshot: trace_plot,
segment_plot, segsum, trace, memory, segments and compare. What they make of it is
compared with the file. The first thing that is wrong ends the run with an error.

To make the files and check them:

    go run ./lessons/06 -snapshot /tmp/06.pickle >/dev/null
    go run ./tools/replay whatif testdata/oracle/snapshots/late.pickle.gz \\
        -alloc-conf expandable_segments:True -snapshot /tmp/late.pickle
    python3 tools/recorder/viewer.py /tmp/06-*.pickle /tmp/late.pickle
"""
import base64, contextlib, io, json, os, pickle, re, runpy, sys, tempfile

import torch
from torch.cuda import _memory_viz as viz


def plain(lines):
    """Stands in for the script that makes a flame graph of lines."""
    return lines


def plotted(html):
    """Returns the snapshot inside a page, as the page reads it."""
    name = re.search(r'"base64": *"([^"]+)"', html)
    assert name, "the page has no snapshot in it"
    return pickle.loads(base64.b64decode(name.group(1)))


def check_pages(data):
    for page in viz.trace_plot(data), viz.trace_plot(data, plot_segments=True), viz.segment_plot(data):
        assert "<html>" in page and "MemoryViz.js" in page
    assert plotted(viz.trace_plot(data)) == data
    assert plotted(viz.segment_plot(data)) == data


def check_texts(data):
    reserved = sum(s["total_size"] for s in data["segments"])
    allocated = sum(b["requested_size"] for s in data["segments"] for b in s["blocks"] if b["state"] == "active_allocated")
    summary = viz.segsum(data)
    assert f"total_reserved: {viz._format_size(reserved)}" in summary, summary
    assert f"total_allocated: {viz._format_size(allocated)}" in summary, summary
    told = viz.trace(data)
    for events in data["device_traces"]:
        assert not events or f"{len(events)} entries" in told
    for text in viz.memory(data, format_flamegraph=plain), viz.segments(data, format_flamegraph=plain):
        # Each line ends in bytes, and all together are what is reserved.
        assert sum(int(line.rsplit(" ", 1)[1]) for line in text.splitlines()) == reserved
        for s in data["segments"]:
            for b in s["blocks"]:
                for f in b["frames"]:
                    assert f["filename"].split("/")[-1] + f":{f['line']}:{f['name']}" in text
    with contextlib.redirect_stdout(io.StringIO()):
        viz.compare(data["segments"], data["segments"][1:], format_flamegraph=plain)


def check_commands(file):
    """Runs what a user would type: python3 -m torch.cuda._memory_viz trace_plot FILE."""
    for command in "trace_plot", "segment_plot", "trace", "stats":
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "out")
            sys.argv = ["_memory_viz.py", command, file, "-o", out] if "plot" in command else ["_memory_viz.py", command, file]
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                runpy.run_module("torch.cuda._memory_viz", run_name="__main__")
            size = os.path.getsize(out) if "plot" in command else len(printed.getvalue())
            assert size > 100, f"{command} makes nothing of {file}"


def main(files):
    assert files, __doc__
    for file in files:
        with open(file, "rb") as f:
            data = pickle.load(f)
        check_pages(data)
        check_texts(data)
        check_commands(file)
        events = sum(map(len, data["device_traces"]))
        frames = sum("frames" in e for t in data["device_traces"] for e in t)
        print(json.dumps({"file": file, "segments": len(data["segments"]), "events": events, "with frames": frames}))
    print(f"PyTorch {torch.__version__} reads all {len(files)} files")


if __name__ == "__main__":
    main(sys.argv[1:])
