"""The exercises of lesson 05."""
import math
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential
from . import Task
from .sizes import head_for, layer_for


def segments_starter(chain, x, end):
    layers = len(chain)
    segments = layers
    loss = checkpoint_sequential(chain, round(segments), x, use_reentrant=False).sum()
    loss.backward()
    end()

def segments_answer(chain, x, end):
    layers = len(chain)
    segments = layers
    segments = math.sqrt(segments)
    loss = checkpoint_sequential(chain, round(segments), x, use_reentrant=False).sum()
    loss.backward()
    end()

def segments(layers, batch, width):
    def run(r, f):
        chain = nn.Sequential()
        for _ in range(layers):
            chain.append(nn.Sequential(layer_for(batch, width), nn.ReLU()))
        chain.cuda()
        r.count_calls(*chain)
        x = torch.randn(batch, width, device="cuda").requires_grad_()
        r.measure(f, chain, x)
    return f"{layers} layers on {batch} x {width}", run


def dropout_starter(blocks, x, end):
    h = x
    for block in blocks:
        h = block(h)
    loss = h.sum()
    loss.backward()
    end()

def dropout_answer(blocks, x, end):
    h = x
    for block in blocks:
        h = checkpoint(block, h, use_reentrant=False)
    loss = h.sum()
    loss.backward()
    end()

def dropout(blocks, batch, width):
    def run(r, f):
        chain = nn.Sequential()
        for _ in range(blocks):
            chain.append(nn.Sequential(
                layer_for(batch, width), nn.GELU(), nn.Dropout(0.5),
                layer_for(batch, width), nn.GELU(), nn.Dropout(0.5)))
        chain.cuda()
        x = torch.randn(batch, width, device="cuda")
        r.measure(f, chain, x)
    return f"{blocks} blocks on {batch} x {width}", run


def frozen_starter(body, head, x, end):
    h = x
    for block in body:
        h = checkpoint(block, h, use_reentrant=True)
    loss = head(h).sum()
    loss.backward()
    end()

def frozen_answer(body, head, x, end):
    h = x
    for block in body:
        h = checkpoint(block, h, use_reentrant=False)
    loss = head(h).sum()
    loss.backward()
    end()

def frozen(blocks, batch, width):
    def run(r, f):
        body, head = nn.Sequential(), head_for(batch, width)
        for _ in range(blocks):
            body.append(nn.Sequential(layer_for(batch, width), nn.GELU(), layer_for(batch, width), nn.GELU()))
        body.cuda()
        x = torch.randn(batch, width, device="cuda")
        r.measure(f, body, head, x)
    return f"{blocks} blocks on {batch} x {width}", run


TASKS = {
    "segments": Task([segments(16, 4096, 512), segments(64, 4096, 512), segments(49, 32, 100), segments(16, 20, 240)], starter=segments_starter, answer=segments_answer),
    "dropout": Task([dropout(8, 4096, 1024), dropout(5, 32, 128), dropout(8, 20, 240)], starter=dropout_starter, answer=dropout_answer),
    "frozen": Task([frozen(8, 4096, 1024), frozen(5, 32, 128), frozen(8, 20, 240)], starter=frozen_starter, answer=frozen_answer),
}
