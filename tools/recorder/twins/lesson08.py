"""The exercises of lesson 08."""
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint
from . import Task
from .lesson06 import batches
from .sizes import block_for, head_for, large


def loop_starter(next, tensors, end):
    ts = []
    for _ in range(tensors):
        ts.append(next())
    ts.clear()
    table = torch.cuda.memory_summary()
    end()

def loop_answer(next, tensors, end):
    ts = []
    for _ in range(tensors):
        t = next()
        del t
    ts.clear()
    table = torch.cuda.memory_summary()
    end()

def loop(tensors, rows, columns):
    def run(r, f):
        r.measure(f, batches(rows, columns), tensors)
    return f"{tensors} tensors of {rows} x {columns}", run


def largemodel_starter(blocks, head, x, end):
    h = x
    for block in blocks:
        for layer in block:
            h = checkpoint(layer, h, use_reentrant=False)
    loss = head(h).sum()
    loss.backward()
    end()

def largemodel_answer(blocks, head, x, end):
    h = x
    for block in blocks:
        h = checkpoint(block, h, use_reentrant=False)
    loss = head(h).sum()
    loss.backward()
    end()

def largemodel(blocks, batch, width):
    def run(r, f):
        chain, head = nn.Sequential(), head_for(batch, width)
        for _ in range(blocks):
            block = block_for(batch, width)
            r.count_calls(*block)
            chain.append(block)
        chain.cuda()
        x = torch.randn(batch, width, device="cuda")
        r.measure(f, chain, head, x)
    return f"{blocks} {'blocks' if large(batch, width) else 'narrow blocks'} on {batch} x {width}", run


def fits_step(layers, batch, width, end):
    """The training step whose peak is predicted. The prediction itself makes no tensor."""
    chain = nn.Sequential()
    for _ in range(layers):
        chain.append(nn.Linear(width, width, bias=False))
        chain.append(nn.ReLU())
    chain.cuda()
    x = torch.randn(batch, width, device="cuda")
    chain(x).sum().backward()
    end()

def fits(layers, batch, width):
    def run(r, f):
        r.measure(f, layers, batch, width)
    return f"{layers} layers of {width} x {width} on {batch} x {width}", run


TASKS = {
    "loop": Task([loop(100, 1000, 1000), loop(300, 500, 700), loop(40, 3000, 1000)], starter=loop_starter, answer=loop_answer),
    "largemodel": Task([largemodel(12, 4096, 512), largemodel(8, 32, 128), largemodel(10, 20, 240)], starter=largemodel_starter, answer=largemodel_answer),
    "fits": Task([fits(64, 4096, 256), fits(64, 64, 1024), fits(100, 512, 512), fits(80, 128, 128)], step=fits_step),
}
