"""Compare snapshots in a folder with those of the same names: same.py FOLDER FILE..."""
import gzip, os, pickle, sys


def load(name):
    opened = gzip.open(name) if open(name, "rb").read(2) == b"\x1f\x8b" else open(name, "rb")
    with opened as f:
        return pickle.load(f)


def spelled(v):
    if isinstance(v, dict):
        return "{" + ",".join(f"{k!r}:{spelled(v[k])}" for k in sorted(v)) + "}"
    if isinstance(v, (list, tuple)):
        return type(v).__name__ + "(" + ",".join(map(spelled, v)) + ")"
    return repr(v)


folder, files = sys.argv[1], sys.argv[2:]
for name in files:
    before, after = load(name), load(os.path.join(folder, os.path.basename(name)))
    # To Python 1 equals True, so they are spelled, too.
    assert spelled(before) == spelled(after), f"{name} has other types"
print(f"{len(files)} files are the same")
