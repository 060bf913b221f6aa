"""Record random programs on tensors, statement by statement. usage: random_programs.py OUT SEED STATEMENTS

A statement is a line of Python that runs as it stands, and the same as a list: its verb and its operands.
Names are those of the program. What a statement raises is recorded too."""
import json, random, sys, warnings
import torch, torch.nn as nn
import torch.nn.functional as F
import torch.utils.checkpoint as cp
import programs
warnings.simplefilter("ignore")
out, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rng = random.Random(seed)
torch.cuda.init()
SIZES = (1, 2, 30, 64, 256, 513, 1000)
ns = {"torch": torch, "nn": nn, "F": F, "cp": cp, "out": []}
names = [f"v{i}" for i in range(8)]
WIDTHS = {"m0": (256, 64), "m1": (64, 256), "m2": (256, 256)}
SETUP = [
    ["model", "m0", "nn.Sequential(nn.Linear(256, 64), nn.ReLU()).cuda()"],
    ["model", "m1", "nn.Sequential(nn.Linear(64, 256), nn.Dropout(0.5), nn.ReLU(), nn.Linear(256, 256)).cuda()"],
    ["model", "m2", "nn.Sequential(nn.Linear(256, 1000), nn.ReLU(), nn.Linear(1000, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU()).cuda()"],
]
def tensors(ok=lambda t: True): return [n for n in names if isinstance(ns.get(n), torch.Tensor) and ok(ns[n])]
def pick(ok=lambda t: True):
    found = tensors(ok)
    return rng.choice(found) if found else None
def fresh(n):
    shape = [rng.choice(SIZES) for _ in range(rng.choice((1, 2, 2, 2)))]
    if rng.random() < .5: shape = [rng.choice((1, 64, 513, 4096)), rng.choice((64, 256))]
    leaf = rng.random() < .4
    s = ", ".join(map(str, shape))
    return ["leaf" if leaf else "randn", n, shape], f"{n} = torch.randn({s}).cuda()" + (".requires_grad_()" if leaf else "")
def unary(n):
    a = pick(); f = rng.choice("relu exp sigmoid tanh sin cos abs neg clone detach contiguous t softmax sqrt".split())
    if f == "t" and ns[a].dim() > 2: return None
    if f == "softmax": return (["softmax", n, a], f"{n} = {a}.softmax(-1)") if ns[a].dim() else None
    return ["unary", n, f, a], f"{n} = {a}.{f}()"
def scalar(n):
    a = pick(); f, o, x = rng.choice((("add", "+", 1), ("mul", "*", 3), ("sub", "-", 2), ("div", "/", 4)))
    return ["scalar", n, f, a, x], f"{n} = {a} {o} {x}"
def fits(a, b):
    try: torch.broadcast_shapes(ns[a].shape, ns[b].shape); return True
    except RuntimeError: return False
def binary(n):
    a = pick(); found = tensors(); b = rng.choice([x for x in found if fits(a, x)]); f, o = rng.choice((("add", "+"), ("mul", "*"), ("sub", "-"), ("div", "/")))
    return ["binary", n, f, a, b], f"{n} = {a} {o} {b}"
def chain(n):
    a = pick(); return ["chain", n, a], f"{n} = torch.relu({a} * 2 + 1)"
def matmul(n):
    a = pick(lambda t: t.dim() == 2); b = a and pick(lambda t: t.dim() == 2 and t.shape[0] == ns[a].shape[1])
    return (["matmul", n, a, b], f"{n} = {a} @ {b}") if b else None
def reduce(n):
    a = pick(); f = rng.choice(("sum", "mean")); d = rng.choice([None] + list(range(ns[a].dim())))
    return ["reduce", n, f, a, d], f"{n} = {a}.{f}({'' if d is None else d})"
def window(n):
    a = pick(lambda t: t.dim() > 0 and t.shape[0] > 1)
    if not a: return None
    k = ns[a].shape[0]; i = rng.randrange(k); j = rng.randrange(i, k) + 1
    return rng.choice(((["index", n, a, i], f"{n} = {a}[{i}]"), (["slice", n, a, i, j], f"{n} = {a}[{i}:{j}]")))
def reshape(n):
    a = pick(lambda t: t.dim() == 2); return (["reshape", n, a], f"{n} = {a}.reshape(-1)") if a else None
def model(n):
    m = rng.choice(list(WIDTHS)); a = pick(lambda t: t.dim() == 2 and t.shape[1] == WIDTHS[m][0])
    if not a: return None
    how = rng.choice(("call", "call", "checkpoint", "reentrant"))
    if how == "call": return ["call", n, m, a], f"{n} = {m}({a})"
    return [how, n, m, a], f"{n} = cp.checkpoint({m}, {a}, use_reentrant={how == 'reentrant'})"
def dropout(n):
    a = pick(); return ["dropout", n, a], f"{n} = F.dropout({a}, 0.25)"
def no_grad(n):
    s = rng.choice((unary, scalar, binary, model, chain))(n)
    return (["no_grad", s[0]], f"with torch.no_grad(): {s[1]}") if s and s[1] else None
def backward(n):
    a = pick(lambda t: t.requires_grad)
    if not a: return None
    retain = rng.random() < .25
    return ["backward", a, retain], f"{a}.sum().backward({'retain_graph=True' if retain else ''})"
def change(n):
    a = pick(); b = rng.choice([x for x in tensors() if fits(a, x)])
    return rng.choice(((["add_", a, b], f"{a} += {b}"), (["mul_scalar_", a, 2], f"{a} *= 2")))
def alias(n): a = pick(); return ["alias", n, a], f"{n} = {a}"
def delete(n): a = pick(); return ["del", a], f"del {a}"
def none(n): a = pick(); return ["none", a], f"{a} = None"
def append(n): a = pick(); return ["append", a], f"out.append({a})"
def append_detached(n): a = pick(); return ["append_detached", a], f"out.append({a}.detach())"
def clear(n): return ["clear"], "out.clear()"
def grads(n):
    a = pick(lambda t: t.is_leaf and t.grad is not None)
    if a and rng.random() < .5: return ["grad_none", a], f"{a}.grad = None"
    m = rng.choice(list(WIDTHS)); return ["zero_grad", m], f"{m}.zero_grad()"
def empty_cache(n): return ["empty_cache"], "torch.cuda.empty_cache()"
def reset_peak(n): return ["reset_peak"], "torch.cuda.reset_peak_memory_stats()"
def to_cpu(n): a = pick(); return ["cpu", n, a], f"{n} = {a}.cpu().cuda()"
KINDS = {fresh: 6, unary: 7, scalar: 3, binary: 6, chain: 2, matmul: 3, reduce: 4, window: 3, reshape: 1, model: 7, dropout: 2, no_grad: 3, backward: 8, change: 2, alias: 1, delete: 4, none: 1, append: 2, append_detached: 1, clear: 1, grads: 3, empty_cache: 1, reset_peak: 1, to_cpu: 1}
rec = programs.Rec(); statements = []
def run(statement, source):
    raised = None
    try: exec(source, ns)
    except (RuntimeError, ValueError, IndexError) as e: raised = str(e)
    rec(source); rec.rows[-1]["statement"] = statement; rec.rows[-1]["raised"] = raised
for s in SETUP: run(s, f"{s[1]} = {s[2]}")
while len(rec.rows) < count:
    n = rng.choice(names); kind = rng.choices(list(KINDS), list(KINDS.values()))[0]
    if not tensors(): kind = fresh
    s = kind(n)
    if s and s[1]: run(*s)
torch.cuda.synchronize()
json.dump({"program": f"random_{seed}", "torch": torch.__version__, "device": torch.cuda.get_device_name(0), "conf": "", "rows": rec.rows, "extra": {}}, open(out, "w"), separators=(",", ":"))
