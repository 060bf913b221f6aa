"""Record the texts of PyTorch's errors. usage: errors.py OUT"""
import json, sys, warnings
import torch, torch.nn as nn, torch.nn.functional as F
import torch.utils.checkpoint as cp
warnings.simplefilter("ignore")
g = lambda *s: torch.ones(*s, device="cuda")
r = lambda *s: torch.ones(*s, device="cuda", requires_grad=True)
def inference_saved():
    with torch.inference_mode(): x = g(2, 2)
    (x * r(2, 2)).sum()
def inference_requires_grad():
    with torch.inference_mode(): x = g(2, 2)
    x.requires_grad_()
def twice():
    y = r(2, 2).exp().sum(); y.backward(); y.backward()
def modified():
    x = r(2, 2) * 1; y = x.exp(); z = (y * y).sum(); y.add_(1); z.backward()
def modified_input():
    x = g(2, 2); w = r(2, 2); y = (x * w).sum(); x.add_(1); y.backward()
def ckpt_mismatch():
    n = [0]
    def f(x):
        n[0] += 1
        return x.exp().exp() if n[0] == 1 else x.exp()
    cp.checkpoint(f, r(2, 2), use_reentrant=False, early_stop=False).sum().backward()
def ckpt_none():
    cp.checkpoint(lambda x: x.detach(), r(2, 2), use_reentrant=True).sum().backward()
CASES = {
    "negative_size": lambda: torch.empty(-1), "negative_size_2d": lambda: torch.empty(2, -3, device="cuda"),
    "overflow": lambda: torch.empty(1 << 40, 1 << 40), "overflow_cuda": lambda: torch.empty(1 << 40, 1 << 40, device="cuda"),
    "exbibyte": lambda: torch.empty(1 << 60, dtype=torch.uint8, device="cuda"), "mm_shapes": lambda: g(2, 3) @ g(2, 3),
    "mm_3d": lambda: torch.mm(g(2, 3, 4), g(2, 3)), "linear_shapes": lambda: nn.Linear(3, 4).cuda()(g(2, 5)), "linear_bias": lambda: F.linear(g(2, 3), g(4, 3), g(5)),
    "broadcast": lambda: g(2, 3) + g(2, 4), "broadcast_inplace": lambda: g(3).add_(g(2, 3)), "select_range": lambda: g(2, 3)[5], "select_negative": lambda: g(2, 3)[-3], "select_scalar": lambda: g(())[0],
    "view_size": lambda: g(2, 3).view(4), "view_infer": lambda: g(2, 3).view(4, -1), "view_stride": lambda: g(2, 3).t().view(6), "view_two_unknown": lambda: g(2, 3).view(-1, -1), "expand": lambda: g(2, 3).expand(4, 3), "expand_fewer": lambda: g(2, 3).expand(3), "t_3d": lambda: g(2, 3, 4).t(),
    "sum_dim": lambda: g(2, 3).sum(2), "sum_dim_negative": lambda: g(2, 3).sum(-3), "sum_dim_twice": lambda: g(2, 3).sum((0, 0)), "devices": lambda: g(2, 3) + torch.ones(2, 3), "devices_mm": lambda: g(2, 3) @ torch.ones(3, 2), "devices_linear": lambda: nn.Linear(3, 4)(g(2, 3)),
    "dropout": lambda: F.dropout(g(2), 2.0), "dropout_module": lambda: nn.Dropout(-0.5), "item": lambda: g(2, 3).item(), "backward_shape": lambda: r(2, 3).exp().backward(), "backward_no_grad": lambda: g(2, 3).sum().backward(), "backward_grad_shape": lambda: r(2, 3).exp().backward(g(3, 2)), "twice": twice,
    "hook": lambda: g(2).register_hook(lambda g: None), "leaf_inplace": lambda: r(2, 3).add_(1), "modified": modified, "modified_input": modified_input, "inference_saved": inference_saved, "inference_requires_grad": inference_requires_grad,
    "requires_grad_int": lambda: torch.ones(2, dtype=torch.long).requires_grad_(), "ckpt_mismatch": ckpt_mismatch, "ckpt_none": ckpt_none, "cat_shapes": lambda: torch.cat([g(2, 3), g(3, 4)]), "stack_shapes": lambda: torch.stack([g(2, 3), g(3, 4)]), "cat_empty": lambda: torch.cat([]),
    "reshape": lambda: g(2, 3).reshape(5), "view_negative": lambda: g(2, 3).view(-2, 3), "mse_shapes": lambda: F.mse_loss(g(2, 3), g(2, 4)), "ckpt_sequential_segments": lambda: cp.checkpoint_sequential(nn.Sequential(nn.ReLU(), nn.ReLU()), 3, g(2), use_reentrant=False), "ckpt_sequential_zero": lambda: cp.checkpoint_sequential(nn.Sequential(nn.ReLU(), nn.ReLU()), 0, g(2), use_reentrant=False), "fraction": lambda: torch.cuda.set_per_process_memory_fraction(1.5), "layer_norm": lambda: F.layer_norm(g(2, 3), (4,)), "zero_dim_mm": lambda: g(()) @ g(2, 2), "div_int": lambda: g(2) / 0,
}
if __name__ == "__main__":
    out = {}
    for name, f in CASES.items():
        try: out[name] = {"result": str(f())}
        except Exception as e: out[name] = {"type": type(e).__name__, "text": str(e)}
    json.dump({"torch": torch.__version__, "device": torch.cuda.get_device_name(0), "errors": out}, open(sys.argv[1], "w"), indent=1)
