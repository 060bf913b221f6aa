"""The exercises of lesson 07."""
import torch
from torch import nn
from . import Task
from .lesson06 import batches
from .sizes import last_layer_for, watched_for


def accumulate_starter(model, next, micro_batches, end):
    total = torch.tensor(0.0)
    for _ in range(micro_batches):
        loss = model(next()).pow(2).mean() / micro_batches
        total = total + loss
    if total.requires_grad:
        total.backward()
    end()

def accumulate_answer(model, next, micro_batches, end):
    total = torch.tensor(0.0)
    for _ in range(micro_batches):
        loss = model(next()).pow(2).mean() / micro_batches
        loss.backward()
        total = total + loss.item()
    if total.requires_grad:
        total.backward()
    end()

def accumulate(micro_batches, batch, width):
    def run(r, f):
        model = nn.Sequential()
        for _ in range(3):
            model.append(nn.LayerNorm(width))
            model.append(nn.GELU())
        model.cuda()
        r.measure(f, model, batches(batch, width), micro_batches)
    return f"{micro_batches} micro-batches of {batch} x {width}", run


def hook_starter(model, next, steps, end):
    norms = []
    grads = []
    for _ in range(steps):
        output = model(next())
        def keep(grad):
            grads.append(grad)
        output.register_hook(keep)
        output.pow(2).mean().backward()
    for i in range(len(grads)):
        norms.append(grads[i].norm().item())
    end()

def hook_answer(model, next, steps, end):
    norms = []
    grads = []
    for _ in range(steps):
        output = model(next())
        def keep(grad):
            norms.append(grad.norm().item())
        output.register_hook(keep)
        output.pow(2).mean().backward()
    for i in range(len(grads)):
        norms.append(grads[i].norm().item())
    end()

def hook(steps, batch, width):
    def run(r, f):
        model = watched_for(batch, width).cuda()
        r.measure(f, model, batches(batch, width), steps)
    return f"{steps} steps of {batch} x {width}", run


def activations_starter(model, layer, next, batches, end):
    norms = []
    kept = []
    handle = layer.register_forward_hook(lambda module, args, out: kept.append(out))
    with torch.no_grad():
        for _ in range(batches):
            output = model(next())
            norms.append(kept[-1].norm().item())
    handle.remove()
    end()

def activations_answer(model, layer, next, batches, end):
    norms = []
    kept = []
    handle = layer.register_forward_hook(lambda module, args, out: kept.append(out))
    with torch.no_grad():
        for _ in range(batches):
            output = model(next())
            norms.append(kept[-1].norm().item())
            kept.clear()
    handle.remove()
    end()

def activations(rounds, batch, width):
    def run(r, f):
        layer = watched_for(batch, width)
        model = nn.Sequential(layer, nn.GELU(), last_layer_for(batch, width)).cuda()
        r.measure(f, model, layer, batches(batch, width), rounds)
    return f"{rounds} batches of {batch} x {width}", run


TASKS = {
    "accumulate": Task([accumulate(8, 8192, 1024), accumulate(8, 32, 32), accumulate(12, 16, 48), accumulate(5, 32, 24)], starter=accumulate_starter, answer=accumulate_answer),
    "hook": Task([hook(16, 4096, 1024), hook(12, 32, 128), hook(15, 20, 240)], starter=hook_starter, answer=hook_answer),
    "activations": Task([activations(12, 4096, 1024), activations(10, 32, 128), activations(12, 20, 240)], starter=activations_starter, answer=activations_answer),
}
