"""Record counters of small programs statement by statement on PyTorch. usage: programs.py OUT"""
import json, os, sys, gc, warnings, time
import torch, torch.nn as nn
import torch.utils.checkpoint as cp
warnings.simplefilter("ignore")
out = sys.argv[1]
want = sys.argv[2:] 
res = {}
KEYS = ["allocated_bytes","reserved_bytes","active_bytes","inactive_split_bytes","requested_bytes","allocation","segment"]
def counters():
    s = torch.cuda.memory_stats()
    d = {}
    for k in KEYS:
        d[k] = s[f"{k}.all.current"]
    d["allocated_peak"] = s["allocated_bytes.all.peak"]; d["reserved_peak"] = s["reserved_bytes.all.peak"]
    d["allocs_total"] = s["allocation.all.allocated"]; d["num_ooms"]=s["num_ooms"]; d["num_alloc_retries"]=s["num_alloc_retries"]
    d["num_device_alloc"]=s["num_device_alloc"]; d["num_device_free"]=s["num_device_free"]
    return d
class Rec:
    def __init__(s):
        s.rows=[]; s.extra={}; s.seen=0
        torch.cuda.memory._record_memory_history(max_entries=1_000_000, context=None, stacks="python")
    def take(s):
        ev = torch.cuda.memory._snapshot()["device_traces"][0]
        new = [[e["action"], e["size"], e.get("addr",0), e["stream"]] for e in ev[s.seen:] if e["action"]!="snapshot"]
        s.seen = len(ev)
        return new
    def __call__(s, label):
        torch.cuda.synchronize(); c = counters(); c["label"]=label; c["events"]=s.take(); s.rows.append(c)
PROGS = {}
def prog(f): PROGS[f.__name__]=f; return f

@prog
def s21_del(m):
    m("start"); x = torch.randn(1000,1000).cuda(); m("x = randn(1000,1000).cuda()")
    del x; m("del x")
@prog
def s21_two_refs(m):
    x = torch.randn(1000,1000).cuda(); y = x; m("y = x"); del x; m("del x"); del y; m("del y")
@prog
def s21_views(m):
    x = torch.randn(1000,1000).cuda(); v = x[0]; m("v = x[0]"); del x; m("del x"); w = v.clone(); m("w = v.clone()"); del v; m("del v"); del w; m("del w")
@prog
def s21_rebind(m):
    x = torch.randn(1000,1000).cuda(); m("x"); x = torch.randn(1000,1000).cuda(); m("x rebound"); x = x + 1; m("x = x + 1"); x += 1; m("x += 1"); x = None; m("x = None")
@prog
def s22_empty_cache(m):
    m("start"); x = torch.randn(1000,1000).cuda(); m("x"); del x; m("del x"); torch.cuda.empty_cache(); m("empty_cache")
@prog
def s22_empty_cache_pinned_by_live(m):
    a = torch.empty(1000,1000,device="cuda"); b = torch.empty(1000,1000,device="cuda"); c=torch.empty(1000,1000,device="cuda"); m("abc"); del a, c; m("del a c"); torch.cuda.empty_cache(); m("empty_cache"); del b; torch.cuda.empty_cache(); m("del b empty_cache")
@prog
def s22_sizes(m):
    m("start")
    for n in (1, 128, 129, 1000, 262144, 262145, 2621440, 2621441, 5000000, 10000000):
        x = torch.empty(n, device="cuda"); m(f"empty({n}) f32"); del x; m(f"del empty({n})")
    torch.cuda.empty_cache(); m("empty_cache")
@prog
def s31_grad(m):
    model = nn.Linear(1000,1000).cuda(); m("model"); output = model(torch.randn(1000,1000).cuda()); m("output = model(randn)"); del output; m("del output"); del model; m("del model"); torch.cuda.empty_cache(); m("empty_cache")
@prog
def s31_no_grad(m):
    model = nn.Linear(1000,1000).cuda(); m("model")
    with torch.no_grad():
        output = model(torch.randn(1000,1000).cuda()); m("output = model(randn) no_grad")
    m("exit"); del output; m("del output"); del model; m("del model"); torch.cuda.empty_cache(); m("empty_cache")
@prog
def s31_inference_mode(m):
    model = nn.Linear(1000,1000).cuda(); m("model")
    with torch.inference_mode():
        output = model(torch.randn(1000,1000).cuda()); m("output")
def mlp(depth, width): 
    l=[]
    for _ in range(depth): l += [nn.Linear(width,width), nn.ReLU()]
    return nn.Sequential(*l)
@prog
def s31_mlp_grad(m):
    model = mlp(8,1000).cuda(); m("model"); x = torch.randn(4096,1000).cuda(); m("x"); y = model(x); m("y = model(x)"); loss = y.sum(); m("loss"); loss.backward(); m("backward"); del y, loss; m("del y loss")
@prog
def s31_mlp_no_grad(m):
    model = mlp(8,1000).cuda(); m("model"); x = torch.randn(4096,1000).cuda(); m("x")
    with torch.no_grad(): y = model(x); m("y = model(x)")
    del y; m("del y")
class Large(nn.Module):
    def __init__(s, mode): super().__init__(); s.layer1=nn.Linear(1000,1000); s.layer2=nn.Linear(1000,1000); s.mode=mode
    def forward(s,x):
        if s.mode is None: return s.layer2(s.layer1(x))
        x = cp.checkpoint(s.layer1, x, use_reentrant=s.mode); x = cp.checkpoint(s.layer2, x, use_reentrant=s.mode); return x
def _s32(m, mode):
    model = Large(mode).cuda(); m("model"); output = model(torch.randn(1000,1000).cuda()); m("output"); 
    if output.requires_grad:
        loss = output.sum(); m("loss"); loss.backward(); m("backward"); m.extra["w1_grad_is_none"] = model.layer1.weight.grad is None; del loss
    else: m.extra["requires_grad"]=False
    del output; m("del output")
@prog
def s32_plain(m): _s32(m,None)
@prog
def s32_ckpt_nonreentrant(m): _s32(m,False)
@prog
def s32_ckpt_reentrant(m): _s32(m,True)
def _deep(m, mode, segs=4, depth=16):
    model = mlp(depth,1000).cuda(); m("model"); x = torch.randn(4096,1000).cuda().requires_grad_(); m("x")
    torch.cuda.reset_peak_memory_stats(); m("reset_peak")
    y = model(x) if mode is None else cp.checkpoint_sequential(model, segs, x, use_reentrant=mode); m("forward"); loss=y.sum(); m("loss"); del y; m("del y"); loss.backward(); m("backward"); del loss; m("del loss"); model.zero_grad(); m("zero_grad"); x.grad=None; m("x.grad=None")
@prog
def s32_deep_plain(m): _deep(m,None)
@prog
def s32_deep_nonreentrant_4(m): _deep(m,False,4)
@prog
def s32_deep_reentrant_4(m): _deep(m,True,4)
@prog
def s32_deep_nonreentrant_16(m): _deep(m,False,16)
@prog
def s32_dropout_rng(m):
    torch.manual_seed(0); model = nn.Sequential(nn.Linear(1000,1000), nn.Dropout(0.5), nn.ReLU(), nn.Linear(1000,1000)).cuda(); x = torch.randn(1024,1000).cuda(); m("model x")
    for mode in ("plain","preserve","nopreserve"):
        torch.manual_seed(1); model.zero_grad(); m(mode+" zero_grad"); torch.cuda.reset_peak_memory_stats()
        y = model(x) if mode=="plain" else cp.checkpoint(model, x, use_reentrant=False, preserve_rng_state=(mode=="preserve")); m(mode+" forward"); y.sum().backward(); m(mode+" backward"); del y; m(mode+" del y")
        m.extra[mode+"_g0"] = float(model[0].weight.grad.double().sum())
@prog
def s41_loop(m):
    model = nn.Linear(1000,1000).cuda(); m("model")
    for i in range(1000):
        x = torch.randn(1000,1000).cuda(); 
        if i<5 or i>=998: m(f"{i} x")
        output = model(x)
        if i<5 or i>=998: m(f"{i} output")
@prog
def s42_loop(m):
    model = nn.Linear(1000,1000).cuda(); m("model")
    for i in range(1000):
        x = torch.randn(1000,1000).cuda(); 
        if i<5 or i>=998: m(f"{i} x")
        output = model(x)
        if i<5 or i>=998: m(f"{i} output")
        del x
        if i<5 or i>=998: m(f"{i} del x")
        torch.cuda.empty_cache()
        if i<5 or i>=998: m(f"{i} empty_cache")
@prog
def s42_loop_del_both(m):
    model = nn.Linear(1000,1000).cuda(); m("model")
    for i in range(5):
        x = torch.randn(1000,1000).cuda(); m(f"{i} x"); output = model(x); m(f"{i} output"); del x, output; m(f"{i} del x output"); torch.cuda.empty_cache(); m(f"{i} empty_cache")
@prog
def s41_leak_list(m):
    model = nn.Linear(1000,1000).cuda(); m("model"); outs=[]
    for i in range(10):
        x = torch.randn(1000,1000).cuda(); outs.append(model(x)); m(f"{i} append")
    outs = [o.detach() for o in outs]; m("detach all"); outs.clear(); m("clear"); del x; m("del x")
@prog
def s41_leak_loss(m):
    model = nn.Linear(1000,1000).cuda(); m("model"); total=0
    for i in range(10):
        x = torch.randn(1000,1000).cuda(); loss = model(x).sum(); total = total + loss; m(f"{i} total = total + loss")
    del total; m("del total"); del loss; m("del loss"); del x; m("del x")
@prog
def s41_leak_loss_item(m):
    model = nn.Linear(1000,1000).cuda(); m("model"); total=0
    for i in range(10):
        x = torch.randn(1000,1000).cuda(); loss = model(x).sum(); total += loss.item(); m(f"{i} total += loss.item()")
@prog
def s41_leak_detach(m):
    model = nn.Linear(1000,1000).cuda(); m("model"); outs=[]
    for i in range(10):
        x = torch.randn(1000,1000).cuda(); outs.append(model(x).detach()); m(f"{i} append detach")
@prog
def s41_leak_cpu(m):
    model = nn.Linear(1000,1000).cuda(); m("model"); outs=[]
    for i in range(10):
        x = torch.randn(1000,1000).cuda(); outs.append(model(x).detach().cpu()); m(f"{i} append cpu")
def _opt(m, mk, steps=3, **z):
    model = mlp(4,1000).cuda(); m("model"); opt = mk(model.parameters()); m("opt")
    for i in range(steps):
        x = torch.randn(256,1000).cuda(); m(f"{i} x"); loss = model(x).pow(2).mean(); m(f"{i} loss"); opt.zero_grad(**z); m(f"{i} zero_grad"); loss.backward(); m(f"{i} backward"); opt.step(); m(f"{i} step")
    del loss, x; m("del loss x"); del opt; gc.collect(); m("del opt"); del model; gc.collect(); m("del model"); torch.cuda.empty_cache(); m("empty_cache")
for nm, mk in {"sgd_for": lambda p: torch.optim.SGD(p,lr=.01,foreach=False), "sgd_each": lambda p: torch.optim.SGD(p,lr=.01), "sgd_mom_for": lambda p: torch.optim.SGD(p,lr=.01,momentum=.9,foreach=False), "sgd_mom_each": lambda p: torch.optim.SGD(p,lr=.01,momentum=.9), "adam_for": lambda p: torch.optim.Adam(p,foreach=False), "adam_each": lambda p: torch.optim.Adam(p), "adam_fused": lambda p: torch.optim.Adam(p,fused=True), "adamw_for": lambda p: torch.optim.AdamW(p,foreach=False), "adamw_each": lambda p: torch.optim.AdamW(p)}.items():
    PROGS["opt_"+nm] = (lambda mk: lambda m: _opt(m,mk))(mk)
PROGS["opt_sgd_zero_not_none"] = lambda m: _opt(m, lambda p: torch.optim.SGD(p,lr=.01,foreach=False), set_to_none=False)
@prog
def train_accum(m):
    model = mlp(4,1000).cuda(); opt=torch.optim.SGD(model.parameters(),lr=.01,foreach=False); m("model")
    for i in range(4):
        x = torch.randn(256,1000).cuda(); loss = model(x).pow(2).mean()/4; loss.backward(); m(f"micro {i}")
    opt.step(); m("step"); opt.zero_grad(); m("zero_grad")
@prog
def retain_graph(m):
    model = mlp(4,1000).cuda(); x = torch.randn(1024,1000).cuda(); m("model x"); loss = model(x).sum(); m("loss"); loss.backward(retain_graph=True); m("backward retain"); loss.backward(); m("backward"); 
    try: loss.backward()
    except RuntimeError as e: m.extra["third_backward"]=str(e)
    del loss; m("del loss")
@prog
def frag(m):
    t = [torch.empty(3<<20,dtype=torch.uint8,device="cuda") for _ in range(64)]; m("64 x 3MiB"); 
    for i in range(0,64,2): t[i]=None
    m("free every other"); torch.cuda.empty_cache(); m("empty_cache"); b = torch.empty(64<<20,dtype=torch.uint8,device="cuda"); m("64 MiB"); c = torch.empty(6<<20,dtype=torch.uint8,device="cuda"); m("6 MiB")
@prog
def summary(m):
    x = torch.randn(1000,1000).cuda(); y = torch.empty(100,device="cuda"); del x; m.extra["summary"]=torch.cuda.memory_summary(); m.extra["summary_abbr"]=torch.cuda.memory_summary(abbreviated=True); m("end")
@prog
def ex1_loop_many(m):
    ts=[]
    for i in range(100): ts.append(torch.randn(1000,1000).cuda()); (i%10==9) and m(f"{i+1} tensors")
    m.extra["summary_full"]=torch.cuda.memory_summary(); ts.clear(); m("clear"); m.extra["summary_cleared"]=torch.cuda.memory_summary(); torch.cuda.empty_cache(); m("empty_cache"); m.extra["summary_empty"]=torch.cuda.memory_summary()
@prog
def oom(m):
    total = torch.cuda.get_device_properties(0).total_memory
    torch.cuda.set_per_process_memory_fraction((1<<30)/total); m("limit 1GiB"); a = torch.empty(600<<20,dtype=torch.uint8,device="cuda"); m("600MiB")
    try: b = torch.empty(600<<20,dtype=torch.uint8,device="cuda")
    except torch.OutOfMemoryError as e: m.extra["oom"]=str(e)
    m("oom"); del a; m("del a"); b = torch.empty(700<<20,dtype=torch.uint8,device="cuda"); m("700MiB after retry"); del b; torch.cuda.empty_cache(); m("end")
    try: c = torch.empty(1<<40,dtype=torch.uint8,device="cuda")
    except torch.OutOfMemoryError as e: m.extra["oom_1tib"]=str(e)
    torch.cuda.set_per_process_memory_fraction(1.0)
    try: c = torch.empty(1<<40,dtype=torch.uint8,device="cuda")
    except torch.OutOfMemoryError as e: m.extra["oom_1tib_nolimit"]=str(e)
@prog
def record_stream(m):
    s = torch.cuda.Stream(); x = torch.empty(1000,1000,device="cuda"); m("x")
    with torch.cuda.stream(s): torch.cuda._sleep(200_000_000)
    x.record_stream(s); c0=None; del x; d=counters(); d["label"]="del x (side stream busy)"; m.rows.append(d)
    y = torch.empty(1000,1000,device="cuda"); d=counters(); d["label"]="y while busy"; m.rows.append(d)
    torch.cuda.synchronize(); m("synchronize"); z = torch.empty(1000,1000,device="cuda"); m("z after")
@prog
def amp(m):
    model = mlp(4,1000).cuda(); opt=torch.optim.SGD(model.parameters(),lr=.01,foreach=False); m("model")
    for i in range(2):
        x = torch.randn(1024,1000).cuda(); m(f"{i} x")
        with torch.autocast("cuda",dtype=torch.float16): y = model(x); m(f"{i} y"); loss=y.float().pow(2).mean(); m(f"{i} loss")
        opt.zero_grad(); loss.backward(); m(f"{i} backward"); opt.step(); m(f"{i} step")
@prog
def save_on_cpu(m):
    model = mlp(4,1000).cuda(); x = torch.randn(4096,1000).cuda(); m("model x")
    with torch.autograd.graph.save_on_cpu(): y = model(x); m("forward")
    y.sum().backward(); m("backward")
@prog
def elementwise(m):
    x = torch.randn(1000,1000).cuda().requires_grad_(); m("x")
    for nm,f in {"exp":torch.exp,"relu":torch.relu,"sigmoid":torch.sigmoid,"tanh":torch.tanh,"sin":torch.sin,"mul_self":lambda a:a*a,"mul2":lambda a:a*2,"add1":lambda a:a+1,"pow2":lambda a:a.pow(2),"softmax":lambda a:a.softmax(1),"gelu":nn.functional.gelu,"silu":nn.functional.silu,"layer_norm":lambda a:nn.functional.layer_norm(a,(1000,)),"sum":torch.sum,"mean":torch.mean,"transpose_contig":lambda a:a.t().contiguous(),"matmul":lambda a:a@a,"dropout":lambda a:nn.functional.dropout(a,.5),"log_softmax":lambda a:a.log_softmax(1),"sqrt":lambda a: a.abs().sqrt()}.items():
        torch.cuda.reset_peak_memory_stats(); y=f(x); m(nm+" fwd"); y.backward(torch.ones_like(y)); m(nm+" bwd"); del y; m(nm+" del"); x.grad=None; m(nm+" grad none")
@prog
def s32_tutorial(m):
    class Tutorial(nn.Module):
        def __init__(s): super().__init__(); s.layer1=nn.Linear(1000,1000); s.layer2=nn.Linear(1000,1000)
        def forward(s,x): x = cp.checkpoint(s.layer1, x); x = cp.checkpoint(s.layer2, x); return x
    model = Tutorial().cuda(); m("model"); output=None
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always")
        try: output = model(torch.randn(1000,1000).cuda())
        except Exception as e: m.extra["exception"]=type(e).__name__+": "+str(e)
        m.extra["warnings"]=[str(x.message) for x in w]
    m("output"); m.extra["requires_grad"] = None if output is None else output.requires_grad
@prog
def s41_leak_hidden(m):
    cell = nn.Linear(1000,1000).cuda(); m("cell"); h = torch.zeros(1000,1000).cuda(); m("h = zeros")
    for i in range(10):
        h = torch.tanh(cell(h)); m(f"{i} h = tanh(cell(h))")
    h = h.detach(); m("h = h.detach()"); del h; m("del h")
@prog
def s42_hidden_detach(m):
    cell = nn.Linear(1000,1000).cuda(); m("cell"); h = torch.zeros(1000,1000).cuda(); m("h = zeros")
    for i in range(10):
        h = torch.tanh(cell(h)).detach(); m(f"{i} h = tanh(cell(h)).detach()")
@prog
def s41_leak_view(m):
    rows=[]
    for i in range(10):
        x = torch.randn(1000,1000).cuda(); rows.append(x[0]); m(f"{i} append x[0]")
    del x; m("del x"); rows = [r.clone() for r in rows]; m("clone all"); torch.cuda.empty_cache(); m("empty_cache"); rows.clear(); m("clear")
@prog
def s42_view_clone(m):
    rows=[]
    for i in range(10):
        x = torch.randn(1000,1000).cuda(); rows.append(x[0].clone()); m(f"{i} append x[0].clone()")
    del x; m("del x")
@prog
def s41_leak_hook(m):
    model = nn.Linear(1000,1000).cuda(); m("model"); grads=[]
    for i in range(5):
        x = torch.randn(1000,1000).cuda(); output = model(x); output.register_hook(grads.append); m(f"{i} output"); output.relu().sum().backward(); m(f"{i} backward"); model.zero_grad(); m(f"{i} zero_grad")
    grads.clear(); m("clear")
@prog
def s42_hook_norm(m):
    model = nn.Linear(1000,1000).cuda(); m("model"); sums=[]
    for i in range(5):
        x = torch.randn(1000,1000).cuda(); output = model(x); output.register_hook(lambda g: sums.append(g.sum().item())); m(f"{i} output"); output.relu().sum().backward(); m(f"{i} backward"); model.zero_grad(); m(f"{i} zero_grad")
@prog
def s41_leak_forward_hook(m):
    model = nn.Linear(1000,1000).cuda(); m("model"); kept=[]
    def keep(mod, args, out): kept.append(out)
    handle = model.register_forward_hook(keep)
    with torch.no_grad():
        for i in range(3):
            output = model(torch.randn(1000,1000).cuda()); m(f"{i} output")
    handle.remove(); m("handle.remove()"); kept.clear(); m("clear")
@prog
def s21_rebind_loop(m):
    for i in range(10): x = torch.ones(1000,1000,i+1).cuda(); m(f"{i} x")
    del x; m("del x"); torch.cuda.empty_cache(); torch.cuda.reset_peak_memory_stats(); m("empty_cache reset_peak")
    for i in range(10): x = torch.ones(1000,1000,i+1).cuda(); m(f"{i} x again"); del x; m(f"{i} del x")
@prog
def move_grad(m):
    model = nn.Linear(1000,1000).cuda(); m("model"); out=[]
    for i in range(3): x = torch.randn(1000,1000).cuda(); out.append(model(x).cpu()); m(f"{i} append cpu with graph")
    loss = out[0].sum(); m("loss"); loss.backward(); m("backward"); out.clear(); del loss; m("clear"); y = torch.randn(10,10,requires_grad=True); z=y.cuda(); m("z = y.cuda()"); (z*z).sum().backward(); m("backward 2"); m.extra["grad_device"]=str(y.grad.device); model.cpu(); m("model.cpu()"); model.cuda(); m("model.cuda()")
@prog
def stats_reset(m):
    E=m.extra
    def full(k): E[k]=torch.cuda.memory_stats()
    full("fresh"); m("start"); x=torch.randn(1000,1000).cuda(); y=torch.empty(100,device="cuda"); z=torch.empty(11000000,dtype=torch.uint8,device="cuda"); m("x y z"); del x; m("del x"); full("del_x"); E["snapshot_del_x"]=torch.cuda.memory_snapshot()
    E["mem_get_info"]=list(torch.cuda.mem_get_info())
    torch.cuda.reset_peak_memory_stats(); m("reset_peak"); full("reset_peak"); torch.cuda.reset_accumulated_memory_stats(); m("reset_accumulated"); full("reset_accumulated"); del y; m("del y"); full("del_y"); torch.cuda.empty_cache(); m("empty_cache"); full("empty_cache"); E["snapshot_end"]=torch.cuda.memory_snapshot()
    for f in (1, 1.5, -0.1, 0.5):
        try: torch.cuda.set_per_process_memory_fraction(f); E[f"fraction {f!r}"]="ok "+repr(torch.cuda.get_per_process_memory_fraction())
        except Exception as e: E[f"fraction {f!r}"]=type(e).__name__+": "+str(e)
    torch.cuda.set_per_process_memory_fraction(0.0)
    try: torch.empty(1,device="cuda")
    except torch.OutOfMemoryError as e: E["oom_fraction_0"]=str(e)
    m("oom at fraction 0"); full("oom"); E["summary_oom"]=torch.cuda.memory_summary()
    torch.cuda.reset_accumulated_memory_stats(); full("reset_after_oom"); m("reset_accumulated after oom")
@prog
def mem_info(m):
    free=[]; f=lambda l: free.append([l,*torch.cuda.mem_get_info(),torch.cuda.memory_reserved()]); f("start"); keep=[]
    for mb in (1,1,3,3,20,32,33,64,100,600,2,2,2,2,2,2,2,2,2,2):
        keep.append(torch.empty(mb<<20,dtype=torch.uint8,device="cuda")); f(f"empty {mb} MiB")
    a=torch.randn(100,100,device="cuda"); f("randn kernel"); b=a@a; f("mm"); c=nn.functional.linear(a,a,a[0]); f("linear")
    keep.clear(); f("clear"); torch.cuda.empty_cache(); f("empty_cache"); m("end"); m.extra["free"]=free
@prog
def ops2(m):
    x = torch.rand(1000,1000).cuda().add(0.5).requires_grad_(); w = torch.rand(1000,1000).cuda().add(0.5).requires_grad_(); b = torch.rand(1000).cuda().add(0.5).requires_grad_(); m("x w b")
    for nm,f in {"sub":lambda:x-w,"sub1":lambda:x-1,"rsub1":lambda:1-x,"div":lambda:x/w,"div2":lambda:x/2,"rdiv1":lambda:1/x,"neg":lambda:-x,"mul":lambda:x*w,"add":lambda:x+w,"add_bias":lambda:x+b,"mul_bias":lambda:x*b,"log":lambda:x.log(),"cos":lambda:x.cos(),"abs":lambda:x.abs(),"pow3":lambda:x.pow(3),"pow_half":lambda:x.pow(.5),"reciprocal":lambda:x.reciprocal(),"sum0":lambda:x.sum(0),"sum1":lambda:x.sum(1),"mean0":lambda:x.mean(0),"mean1":lambda:x.mean(1),"sum1_keep":lambda:x.sum(1,keepdim=True),"view":lambda:x.view(100,10000),"reshape_t":lambda:x.t().reshape(-1),"select":lambda:x[3],"narrow":lambda:x[10:20],"cat":lambda:torch.cat([x,w]),"stack":lambda:torch.stack([x,w]),"clone":lambda:x.clone(),"double":lambda:x.double(),"half":lambda:x.half(),"mm":lambda:x@w,"mm_t":lambda:x@w.t(),"tt":lambda:x.t()@w.t(),"mv":lambda:x@b,"linear_nobias":lambda:nn.functional.linear(x,w),"linear":lambda:nn.functional.linear(x,w,b),"mse":lambda:nn.functional.mse_loss(x,w.detach()),"mse_mean_manual":lambda:(x-w).pow(2).mean(),"max":lambda:x.max(),"expand":lambda:b.expand(1000,1000),"clamp":lambda:x.clamp(min=.7),"leaky":lambda:nn.functional.leaky_relu(x),"dropout0":lambda:nn.functional.dropout(x,0.),"dropout_eval":lambda:nn.functional.dropout(x,.5,training=False),"inplace_relu":lambda:nn.functional.relu_(x*2),"inplace_add":lambda:(x*2).add_(w),"inplace_mul":lambda:(x+1).mul_(2),"cross_entropy":lambda:nn.functional.cross_entropy(x,torch.zeros(1000,dtype=torch.long,device="cuda")),"norm":lambda:x.norm(),"outer":lambda:torch.outer(b,b),"bmm":lambda:torch.bmm(x.view(10,100,1000),w.view(10,1000,100))}.items():
        try:
            torch.cuda.reset_peak_memory_stats(); y=f(); m(nm+" fwd"); g=torch.ones_like(y); m(nm+" grad"); y.backward(g); m(nm+" bwd"); del y,g; m(nm+" del"); x.grad=w.grad=b.grad=None; m(nm+" grad none")
        except Exception as e: m.extra["error "+nm]=repr(e)
REDUCTIONS = [((1000000,),None),((4096000,),None),((16777216,),None),((513,),None),((129,),None),((4096,1000),0),((4096,1000),1),((4096,1000),None),((1024,1000),0),((1000,1000),0),((1000,1000),1),((256,1000),0),((100000,7),0),((100000,7),1),((7,100000),0),((7,100000),1),((100000,6),0),((100000,8),0),((30000,33),0),((33,30000),1),((3,1000,1000),(0,2)),((3,1000,1000),(1,2)),((3,1000,1000),(0,1)),((3,1000,1000),1),((1000,3,1000),(0,2)),((1000,3,1000),0),((64,64,64,64),(0,2)),((64,64,64,64),(1,3)),((64,64,64,64),(0,1,2)),((64,64,64,64),(2,3)),((1,128),0),((128,1),0),((1,1000000),1),((1000000,1),0),((2,500000),1),((2,500000),0),((500000,2),1),((500000,2),0),((16,65536),1),((132,8192),1),((1000,4096),1),((2048,2048),(0,1)),((1,),None),((5,1,100000),2),((5,1,100000),(1,2))]
@prog
def reductions(m):
    for shape,dim in REDUCTIONS:
        for kind in ("plain","t","double","expand"):
            x = torch.empty(shape,device="cuda")
            if kind=="t": x = x.t() if x.dim()==2 else x
            if kind=="double": x = x.double()
            if kind=="expand": x = torch.empty((1,)*len(shape),device="cuda").expand(shape)
            m(f"{kind} {shape} x"); y = x.sum() if dim is None else x.sum(dim); m(f"{kind} {shape} sum {dim}"); del y, x; m(f"{kind} {shape} del")
@prog
def linear_shapes(m):
    F=nn.functional
    for b in (1,2,3,64,1000):
        for i in (1,2,3,64,1000):
            for o in (1,2,64,1000):
                x=torch.empty(b,i,device="cuda",requires_grad=True); w=torch.empty(o,i,device="cuda",requires_grad=True); c=torch.empty(o,device="cuda",requires_grad=True)
                torch._C._cuda_clearCublasWorkspaces(); m(f"{b} {i} {o} clear"); y=F.linear(x,w,c); m(f"{b} {i} {o} linear"); y.sum().backward(); m(f"{b} {i} {o} backward"); del y,x,w,c; m(f"{b} {i} {o} del")
    for b,i,o in ((1,1000,1000),(1000,1000,1),(64,64,64),(1,1,1)):
        x=torch.empty(b,i,device="cuda",requires_grad=True); w=torch.empty(o,i,device="cuda",requires_grad=True); torch._C._cuda_clearCublasWorkspaces(); m(f"nobias {b} {i} {o} clear"); y=F.linear(x,w); m(f"nobias {b} {i} {o} linear"); y.relu().sum().backward(); m(f"nobias {b} {i} {o} backward"); del y,x,w; m(f"nobias {b} {i} {o} del")
    with torch.no_grad():
        a=torch.empty(64,64,device="cuda"); v=a[:,::2]; c=torch.empty(32,device="cuda"); torch._C._cuda_clearCublasWorkspaces(); m("strided clear"); y=F.linear(a[:, :32],torch.empty(32,32,device="cuda"),c); m("strided rows"); y=F.linear(v,torch.empty(32,32,device="cuda"),c); m("strided cols"); y=F.linear(a.t()[:32].t().contiguous().t(),torch.empty(64,64,device="cuda"),torch.empty(64,device="cuda")); m("transposed"); y=F.linear(torch.empty(2,3,64,device="cuda"),torch.empty(64,64,device="cuda"),torch.empty(64,device="cuda")); m("3d"); y=F.linear(torch.empty(64,device="cuda"),torch.empty(64,64,device="cuda"),torch.empty(64,device="cuda")); m("1d")
def _deep_segments(n):
    PROGS[f"deep_nonreentrant_{n}"] = lambda m: _deep(m,False,n)
for n in (2,3,5,8): _deep_segments(n)
@prog
def ckpt_block(m):
    model = nn.Sequential(nn.Linear(1000,1000), nn.ReLU(), nn.Linear(1000,1000), nn.ReLU()).cuda(); m("model")
    for early in (True, False):
        x = torch.randn(1000,1000).cuda(); y = cp.checkpoint(model, x, use_reentrant=False, early_stop=early); m(f"{early} forward"); y.sum().backward(); m(f"{early} backward"); del y; m(f"{early} del y"); model.zero_grad(); m(f"{early} zero_grad")
        y = cp.checkpoint(lambda a: cp.checkpoint(model, model(a), use_reentrant=False, early_stop=early), x, use_reentrant=False, early_stop=early); m(f"{early} nested forward"); y.sum().backward(); m(f"{early} nested backward"); del y; model.zero_grad(); m(f"{early} nested del y")
        y = cp.checkpoint(model, x, use_reentrant=False, early_stop=early); l = y.sum(); m(f"{early} retain forward"); l.backward(retain_graph=True); m(f"{early} retain backward"); l.backward(); m(f"{early} second backward"); del y, l; model.zero_grad(); m(f"{early} retain del")
    x = torch.randn(1000,1000).cuda().requires_grad_(); y = cp.checkpoint(model, x, use_reentrant=True); m("reentrant forward"); y.sum().backward(); m("reentrant backward"); del y; m("reentrant del y"); x.grad=None; model.zero_grad(); m("reentrant zero")
    try: 
        y = cp.checkpoint(model, x, use_reentrant=True); y.sum().backward(); y.sum().backward()
    except Exception as e: m.extra["reentrant_twice"]=type(e).__name__+": "+str(e)
    m("reentrant twice"); del y; x.grad=None; model.zero_grad(); m("end")
@prog
def oom_train(m):
    total = torch.cuda.get_device_properties(0).total_memory; model = mlp(8,1000).cuda(); m("model"); x=torch.randn(4096,1000).cuda(); m("x")
    for mb in (160, 230, 280, 320, 360):
        torch.cuda.set_per_process_memory_fraction(((mb<<20)+1)/total)
        try:
            y=model(x); m(f"{mb} forward"); y.sum().backward(); m(f"{mb} backward"); del y
        except torch.OutOfMemoryError as e: m.extra[f"oom {mb}"]=str(e).split(". If reserved")[0]
        gc.collect(); m(f"{mb} after"); y=None; model.zero_grad(); gc.collect(); m(f"{mb} zero_grad"); torch.cuda.empty_cache(); m(f"{mb} empty_cache")
def each(m,x,table,*leaves):
    for nm,f in table.items():
        try:
            torch.cuda.reset_peak_memory_stats(); y=f(); m(nm+" fwd"); g=torch.ones_like(y); m(nm+" grad"); y.backward(g); m(nm+" bwd"); del y,g; m(nm+" del")
            for l in leaves: l.grad=None
            m(nm+" grad none")
        except Exception as e: m.extra["error "+nm]=repr(e); y=g=None
@prog
def ops3(m):
    x = torch.rand(1000,1000).cuda().add(0.5).requires_grad_(); w = torch.rand(1000,1000).cuda().add(0.5).requires_grad_(); b = torch.rand(1000).cuda().add(0.5).requires_grad_(); m("x w b")
    s = torch.rand(()).cuda().add(0.5).requires_grad_(); ln=nn.LayerNorm(1000).cuda(); m("s ln")
    each(m,x,{"layer_norm_affine":lambda:ln(x),"softmax0":lambda:x.softmax(0),"log_softmax0":lambda:x.log_softmax(0),"sum02":lambda:x.view(10,100,1000).sum((0,2)),"mean01_keep":lambda:x.view(10,100,1000).mean((0,1),keepdim=True),"mean0_keep":lambda:x.mean(0,keepdim=True),"sum_vec":lambda:b.sum(),"mean_big":lambda:torch.cat([x,w]).mean(),"cat1":lambda:torch.cat([x,w],1),"cat3":lambda:torch.cat([x,w,x]),"stack1":lambda:torch.stack([x,w],1),"cat_cols":lambda:torch.cat([x,b.view(1000,1)],1),
    "mul_t":lambda:(x*2).mul_(w),"sub_t":lambda:(x*2).sub_(w),"add_row":lambda:(x*2).add_(b),"mul_row":lambda:(x*2).mul_(b),"relu_chain":lambda:torch.relu_(x*2).sum(),"clamp_max":lambda:x.clamp(max=.7),"clamp_both":lambda:x.clamp(.6,.9),"pow0":lambda:x.pow(0),"pow1":lambda:x.pow(1),"mul_s":lambda:x*s,"add_s":lambda:x+s,"div_s":lambda:x/s,"s_mul":lambda:s*x,"mm_sum":lambda:(x@w).sum(),"mm_t_sum":lambda:(x@w.t()).sum(),"tt_sum":lambda:(x.t()@w.t()).sum(),"t_mm":lambda:x.t()@w,"mm_row":lambda:x[:1]@w,"linear_row":lambda:nn.functional.linear(x[:1],w,b),"linear_t":lambda:nn.functional.linear(x.t(),w,b),"linear_sum":lambda:nn.functional.linear(x,w,b).sum(),"t_mul":lambda:x.t()*w,"t_add":lambda:x.t()+w,"t_relu":lambda:x.t().relu(),"t_sum0":lambda:x.t().sum(0),"select_relu":lambda:x[3].relu(),"narrow_mul":lambda:x[10:20]*w[10:20],"expand_mul":lambda:b.expand(1000,1000)*x,"mse_mean":lambda:nn.functional.mse_loss(x,w),"mse_sum":lambda:nn.functional.mse_loss(x,w,reduction="sum"),"mse_none":lambda:nn.functional.mse_loss(x,w,reduction="none"),"l1":lambda:nn.functional.l1_loss(x,w),"norm_vec":lambda:b.norm(),"dropout1":lambda:nn.functional.dropout(x,1.),"unsqueeze":lambda:b.unsqueeze(1)*b,"x_plus_x":lambda:x+x,"x_twice":lambda:x*2+x*3,"three":lambda:(x+w)*(x-w)+x,"view_twice":lambda:x.view(-1)[:5000]+w.view(-1)[:5000],"sub_bias":lambda:x-b,"div_bias":lambda:x/b,"bias_div":lambda:b/x,"rsub":lambda:1-x,"neg_sum":lambda:(-x).sum(),"exp_inplace":lambda:(x*1).exp_() if hasattr(x,"exp_") else x,"sum_pow":lambda:x.pow(2).sum(),"mean_rows_mul":lambda:x*x.mean(1,keepdim=True),"softmax_mm":lambda:(x@w).softmax(1)@w,"gelu_tanh":lambda:nn.functional.gelu(x,approximate="tanh"),"min":lambda:x.min(),"var":lambda:x.var(1),"double_sum":lambda:x.double().sum()},x,w,b,s,ln.weight,ln.bias)
@prog
def base_views(m):
    x = torch.randn(1000,1000).cuda().requires_grad_(); m("x"); y=(x*x); m("y = x * x")
    with torch.no_grad(): v=y[0]
    m("v = y[0] no_grad"); del y; m("del y"); u=v.detach(); m("u = v.detach()"); del v; m("del v"); del u; m("del u")
    y=x*2; m("y = x * 2"); y[0].add_(1); m("y[0].add_(1)"); y.sum().backward(); m("y.sum().backward()"); del y; x.grad=None; m("del y")
    y=x*2; y[0].mul_(w0:=torch.ones(1000,device="cuda")); m("y[0].mul_(w)"); y.sum().backward(); m("backward"); del y; x.grad=None; m("del y again")
    z=torch.zeros(1000,1000).cuda(); m("z"); z[0].add_(x[0]); m("z[0].add_(x[0])"); z.sum().backward(); m("z backward"); del z; m("del z")
    t=x.detach(); d=t[0]; del t; m("d"); 
@prog
def ckpt_more(m):
    model = mlp(4,1000).cuda(); m("model"); x = torch.randn(4096,1000).cuda(); m("x")
    y=cp.checkpoint(model,x,use_reentrant=False); m("y"); l=y.sum(); l.backward(retain_graph=True); m("backward retain"); l.backward(); m("backward again"); del y,l; model.zero_grad(); m("del")
    inner=lambda a: model[2](cp.checkpoint(model[:2],a,use_reentrant=False))
    torch.cuda.reset_peak_memory_stats(); y=cp.checkpoint(inner,x,use_reentrant=False); m("nested y"); y.sum().backward(); m("nested backward"); del y; model.zero_grad(); m("nested del")
    for stop in (True,False):
        torch.cuda.reset_peak_memory_stats(); y=cp.checkpoint(model,x,use_reentrant=False,early_stop=stop); m(f"early_stop={stop} y"); y.sum().backward(); m(f"early_stop={stop} backward"); del y; model.zero_grad(); m(f"early_stop={stop} del")
    for segs in (1,3,5,8):
        for mode in (False,True):
            torch.cuda.reset_peak_memory_stats(); xx=x.detach().requires_grad_(); y=cp.checkpoint_sequential(model,segs,xx,use_reentrant=mode); m(f"{segs} {mode} y"); y.sum().backward(); m(f"{segs} {mode} backward"); del y,xx; model.zero_grad(); m(f"{segs} {mode} del")
@prog
def oom_backward(m):
    total = torch.cuda.get_device_properties(0).total_memory
    model = mlp(4,1000).cuda(); x = torch.randn(4096,1000).cuda(); y=model(x).sum(); m("warm"); y.backward(); del y; model.zero_grad(); torch.cuda.empty_cache(); m("warm backward")
    def limit(mb): torch.cuda.set_per_process_memory_fraction((mb<<20)/total)
    def go(nm,f):
        try: f(); m.extra[nm]="ok"
        except torch.OutOfMemoryError as e: m.extra[nm]=str(e)[:60]
        m(nm)
    limit(160); go("forward",lambda: model(x).sum()); y=None
    limit(100000); y=model(x).sum(); m("y"); used=torch.cuda.memory_reserved()>>20; limit(used+8); m.extra["used"]=used
    go("backward",lambda: y.backward()); go("backward again",lambda:None)
    try: y.backward()
    except RuntimeError as e: m.extra["after"]=str(e)[:100]
    m("after"); y=None; m("del y"); limit(100000); model.zero_grad(); m("zero_grad"); torch.cuda.empty_cache()
    y=cp.checkpoint(model,x,use_reentrant=False).sum(); m("ckpt y"); used=torch.cuda.memory_reserved()>>20; limit(used+24); go("recompute",lambda: y.backward()); limit(100000); go("recompute again",lambda: y.backward()); y=None; m("ckpt del")
@prog
def cross_entropy(m):
    x=torch.randn(4096,8000).cuda().requires_grad_(); t=torch.zeros(4096,dtype=torch.long,device="cuda"); m("x t"); l=nn.functional.cross_entropy(x,t); m("loss"); l.backward(); m("backward"); del l; m("del"); x.grad=None
    l=nn.functional.cross_entropy((x*2),t); m("loss tmp"); l.backward(); m("backward tmp")
@prog
def linear_nd(m):
    x=torch.randn(8,128,1000).cuda().requires_grad_(); w=torch.randn(500,1000).cuda().requires_grad_(); b=torch.randn(500).cuda().requires_grad_(); m("x w b"); F=nn.functional
    for nm,f in {"bias":lambda:F.linear(x,w,b),"nobias":lambda:F.linear(x,w),"t":lambda:F.linear(x.transpose(0,1),w,b)}.items():
        y=f(); m(nm+" linear"); y.relu().sum().backward(); m(nm+" backward"); del y; x.grad=w.grad=b.grad=None; m(nm+" del")
@prog
def hooks(m):
    x=torch.randn(1000,1000).cuda().requires_grad_(); y=x+2; m("x y"); h=y.register_hook(lambda g:g*3); h2=x.register_hook(lambda g:g*5); y.relu().sum().backward(); m("backward"); x.grad=None; h.remove(); y.relu().sum().backward(); m("after remove"); h2.remove(); x.grad=None; y.relu().sum().backward(); m("after both"); del y; m("del y")
def told(x): return None if x is None else [str(x.device), list(x.shape), str(x.dtype), x.detach().reshape(-1)[0].item()]
def number(v, grad=True, **kw): return torch.tensor(v, requires_grad=grad, **kw)
def matrix(v, grad=True): return torch.full((1000,1000), v, device="cuda", requires_grad=grad)
@prog
def cpu_scalars(m):
    for nm,f in {"add":lambda a,b:a+b,"sub":lambda a,b:a-b,"mul":lambda a,b:a*b,"div":lambda a,b:a/b}.items():
        for first in ("t","y"):
            for grads in ("t","t y","y"):
                l = f"{nm} {first} first, grad of {grads}"; t = number(2., "t" in grads); y = matrix(3., "y" in grads); m(l+": t y")
                z = f(t,y) if first=="t" else f(y,t); m(l+": z"); z.sum().backward(); m(l+": backward"); m.extra[l]=[told(z),told(t.grad),told(y.grad)]; del t, y, z; m(l+": del")
@prog
def cpu_scalar_graphs(m):
    E=m.extra; x=torch.empty(40<<20,dtype=torch.uint8,device="cuda"); del x; m("reserve")
    t=number(0.); losses=[torch.full((),i+1.,device="cuda",requires_grad=True) for i in range(3)]; m("losses"); u=t
    for i in range(3): u = u + losses[i]; m(f"{i} u = u + losses[i]")
    u.backward(); m("losses backward"); E["losses"]=[told(u),told(t.grad)]+[told(losses[i].grad) for i in range(3)]; del u, t; losses.clear(); m("losses del")
    w=matrix(1.); s=w.sum().cpu(); m("s = w.sum().cpu()"); y=matrix(3.); z=s*y; m("z = s * y"); z.sum().backward(); m("s backward"); E["s"]=[told(z),told(w.grad),told(y.grad)]; del w, s, y, z; m("s del")
    t=number(2.); y=matrix(3.); u=t+y.sum().cpu(); m("u = t + y.sum().cpu()"); u.backward(); m("u backward"); E["u"]=[told(u),told(t.grad),told(y.grad)]; del t, y, u; m("u del")
    t=number(2.); y=matrix(3.,False); m("again t y")
    for i in range(2): (t*y).sum().backward(); m(f"{i} again backward")
    E["again"]=[told(t.grad)]; t.grad=None; z=(t*y-t)*t; m("z = (t * y - t) * t"); z.sum().backward(); m("thrice backward"); E["thrice"]=[told(z),told(t.grad)]; del t, y, z; m("thrice del")
    t=number(2.); y=matrix(3.); seen=[]; t.register_hook(lambda g: seen.append(told(g))); t.register_hook(lambda g: g*2); z=t*y; m("hooked"); z.sum().backward(); m("hooked backward"); E["hooked"]=seen+[told(t.grad)]; del t, y, z; m("hooked del")
    t=number(2.)
    for nm,f in {"add_":lambda y:y.add_(t),"sub_":lambda y:y.sub_(t),"mul_":lambda y:y.mul_(t)}.items():
        y=matrix(3.,False); f(y); m(nm); y.sum().backward(); m(nm+" backward"); E[nm]=[told(y),told(t.grad)]; t.grad=None; del y; m(nm+" del")
        y=matrix(3.); z=y*1; f(z); m(nm+" both"); z.sum().backward(); m(nm+" both backward"); E[nm+" both"]=[told(z),told(t.grad),told(y.grad)]; t.grad=None; del y, z; m(nm+" both del")
        y=matrix(3.,False); f(y[0]); m(nm+" row"); y.sum().backward(); m(nm+" row backward"); E[nm+" row"]=[told(y),told(t.grad)]; t.grad=None; del y; m(nm+" row del")
    y=matrix(3.)
    with torch.no_grad(): y.mul_(t); m("no_grad")
    z=y.t()*t; m("z = y.t() * t"); z.sum().backward(); m("y.t() backward"); E["y.t()"]=[told(z),told(t.grad),told(y.grad)]; t.grad=y.grad=None; del z; m("y.t() del")
    v=torch.tensor([1.,2.],requires_grad=True); z=v[1]*y; m("z = v[1] * y"); z.sum().backward(); m("v[1] backward"); E["v[1]"]=[told(z),told(v.grad),told(v.grad[1]),told(y.grad)]; del v, z; y.grad=None; m("v[1] del")
    for mode in (False,True):
        z=cp.checkpoint(lambda a: (a*t).exp()/t, y, use_reentrant=mode); m(f"checkpoint {mode}"); z.sum().backward(); m(f"checkpoint {mode} backward"); E[f"checkpoint {mode}"]=[told(t.grad)]; t.grad=y.grad=None; del z; m(f"checkpoint {mode} del")
    z=(t*y).sum(); m("retain z"); z.backward(retain_graph=True); m("retain"); z.backward(); m("retain backward"); E["retain"]=[told(t.grad)]; del t, y, z; m("retain del")
    for dtype in (torch.float64,torch.float32,torch.int64):
        t=number(2,dtype.is_floating_point,dtype=dtype); y=matrix(3.); z=t*y; m(f"{dtype} z"); z.sum().backward(); m(f"{dtype} backward"); E[f"{dtype}"]=[told(z),told(t.grad),told(y.grad)]; del t, y, z; m(f"{dtype} del")
    for a,b in ((torch.int64,torch.float32),(torch.int64,torch.float64),(torch.bool,torch.int64),(torch.uint8,torch.int64)): E[f"{a} {b}"]=[told(torch.ones(2,dtype=a,device="cuda")*number(2,False,dtype=b))]
    E["float32 float64 scalars"]=[told(torch.ones((),device="cuda")*number(2.,False,dtype=torch.float64))]; m("types")
    for nm,f in {"add":lambda a,b:a+b,"mul":lambda a,b:a*b,"div":lambda a,b:a/b}.items():
        t=number(2.); y=torch.tensor(4.,device="cuda",requires_grad=True); z=f(t,y); m(f"scalars {nm}"); z.backward(); m(f"scalars {nm} backward"); E[f"scalars {nm}"]=[told(z),told(t.grad),told(y.grad)]; del t, y, z; m(f"scalars {nm} del")
    t=number(2.); y=torch.tensor(4.,device="cuda",requires_grad=True); u=t*1; u.backward(torch.tensor(3.,device="cuda")); m("u.backward(cuda)"); u=t*1; u.backward(torch.tensor(3.,device="cuda",dtype=torch.float64)); m("u.backward(cuda float64)"); z=y*1; m("z = y * 1"); z.backward(torch.tensor(3.)); m("z.backward(cpu)"); z=y*1; z.backward(torch.tensor(3.,dtype=torch.float64)); m("z.backward(cpu float64)"); E["given"]=[told(t.grad),told(y.grad)]; del t, y, u, z; m("given del")
    t=number(2.); e=torch.zeros(0,3,device="cuda"); (e*t).sum().backward(); E["empty"]=[told(t.grad)]; del t, e; m("empty")
    F=nn.functional; c=lambda *s: torch.ones(*s,device="cuda")
    def changed(grad):
        t=number(2.,grad); y=c(2).requires_grad_(); z=(t*y).sum()
        with torch.no_grad(): t.add_(1)
        z.backward()
    def saved():
        with torch.inference_mode(): t=number(2.,False)
        t*c(2).requires_grad_()
    def hooked(): t=number(2.); t.register_hook(lambda g: g.cuda()); (t*c(2)).sum().backward()
    def third(): z=(number(2.)*c(2)).sum(); z.backward(); z.backward()
    for nm,f in {"changed":lambda:changed(True),"changed no grad":lambda:changed(False),"inference":saved,"hook to cuda":hooked,"twice":third,"t += y":lambda:number(2.,False).add_(c(())),"t += matrix":lambda:number(2.,False).add_(c(2)),"leaf += y":lambda:number(2.).add_(c(())),"one + y":lambda:torch.zeros(1)+c(2),"y + one":lambda:c(2)+torch.zeros(1),"one * scalar":lambda:torch.zeros(1)*c(()),"two + y":lambda:torch.zeros(2)+c(3),"y += two":lambda:c(3).add_(torch.zeros(2)),"y += one":lambda:c(3).add_(torch.zeros(1)),"expanded":lambda:number(2.).expand(2)+c(2),"int *= 2.5":lambda:torch.ones(2,dtype=torch.long,device="cuda").mul_(number(2.5,False)),"int t += y":lambda:number(2,False).add_(c(())),"two += y":lambda:torch.zeros(2).add_(c(2)),"int two += y":lambda:torch.zeros(2,dtype=torch.long).add_(c(2)),"int *= one":lambda:torch.ones(2,dtype=torch.long,device="cuda").mul_(torch.full((1,),2.5)),"cat":lambda:torch.cat([c(1),number(2.).view(1)]),"cat scalar":lambda:torch.cat([c(1),number(2.)]),"stack":lambda:torch.stack([c(()),number(2.)]),"given":lambda:(c(2).requires_grad_()*1).backward(torch.ones(2)),
    "mse":lambda:F.mse_loss(c(()),number(2.,False)),"mse grad":lambda:F.mse_loss(c(()).requires_grad_(),number(2.,False)).backward(),"mse of t":lambda:F.mse_loss(number(2.),c(())).backward(),"mse wide":lambda:F.mse_loss(c(2,3),number(2.,False)),"mse matrices":lambda:F.mse_loss(torch.ones(2,3),c(2,3)),"mse shapes":lambda:F.mse_loss(torch.ones(2,3),c(4))}.items():
        try: r=f(); E["error "+nm]=""; E["result "+nm]=told(r)
        except Exception as e: E["error "+nm]=type(e).__name__+": "+str(e)
if __name__=="__main__":
    name = want[0]
    torch.cuda.init(); r=Rec(); t=time.time(); 
    PROGS[name](r); torch.cuda.synchronize()
    json.dump({"program":name,"torch":torch.__version__,"device":torch.cuda.get_device_name(0),"conf":os.environ.get("PYTORCH_CUDA_ALLOC_CONF",""),"seconds":time.time()-t,"rows":r.rows,"extra":r.extra}, open(out,"w"))
