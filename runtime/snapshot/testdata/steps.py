"""Check which steps a snapshot takes, and what comes out: steps.py FILE"""
import pickle, pickletools, sys

KNOWN = set("""PROTO APPEND APPENDS LIST TUPLE NEWFALSE NEWTRUE NONE BINGET LONG_BINGET BININT BININT1 BININT2
    EMPTY_DICT EMPTY_LIST EMPTY_TUPLE FRAME LONG1 MARK MEMOIZE BINPUT LONG_BINPUT SETITEM SETITEMS DICT
    SHORT_BINUNICODE BINUNICODE STOP TUPLE1 TUPLE2 TUPLE3 BINFLOAT""".split())
data = open(sys.argv[1], "rb").read()
steps = {op.name for op, _, _ in pickletools.genops(data)}
assert steps <= KNOWN, f"PyTorch's page does not know {steps - KNOWN}"
assert data[:2] in (b"\x80\x02", b"\x80\x03", b"\x80\x04"), "a protocol that PyTorch's page does not read"

s = pickle.loads(data)
trace = s["device_traces"][0]
assert len(trace) == 2501 and s["device_traces"][1] == []
for i, e in enumerate(trace[:2500]):
    assert e["size"] == 1 << i % 63 and e["addr"] == (1 << 46) + 512 and e["stream"] == 1 << 63 and e["time_us"] == i, e
    assert e["frames"] is trace[0]["frames"], "a stack is there twice"
assert trace[0]["frames"] == [
    {"filename": "</script>.go", "line": 1 << 20, "name": "main.\0\"'<b>\u2028\ufffd"},
    {"filename": "long/" * 100, "line": 255, "name": "ä"},
]
assert trace[2500]["device_free"] == 65535 and trace[2500]["size"] == 65536 and "addr" not in trace[2500]
assert "frames" not in trace[2500]
assert s["segments"][0]["segment_pool_id"] == (0, 300) and s["segments"][0]["frames"] is trace[0]["frames"]
assert s["segments"][0]["blocks"][0] == {"address": 1 << 46, "size": 2 << 20, "requested_size": 0, "state": "inactive", "frames": []}
assert s["allocator_settings"]["max_split_size"] == 30 << 20 and s["allocator_settings"]["garbage_collection_threshold"] == 0.0
assert s["external_annotations"] == [{"stage": "START", "name": "step", "device": 0, "time_us": 1 << 50}]
