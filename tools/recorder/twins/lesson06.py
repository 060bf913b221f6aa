"""The exercises of lesson 06."""
import torch
from torch import nn
from . import Task
from .sizes import last_layer_for, layer_for


def outputs_starter(model, next, rounds, end):
    outs = []
    for _ in range(rounds):
        x = next()
        outs.append(model(x))
    end()

def outputs_answer(model, next, rounds, end):
    outs = []
    for _ in range(rounds):
        x = next()
        outs.append(model(x).detach())
    end()

def outputs(rounds, batch, width):
    def run(r, f):
        model = nn.Sequential(layer_for(batch, width), nn.GELU(), last_layer_for(batch, width)).cuda()
        r.measure(f, model, batches(batch, width), rounds)
    return f"{rounds} batches of {batch} x {width}", run

def batches(batch, width):
    return lambda: torch.randn(batch, width, device="cuda")


def total_starter(model, next, rounds, end):
    total = torch.tensor(0.0)
    for _ in range(rounds):
        x = next()
        loss = model(x).pow(2).mean()
        total = total + loss
    end()

def total_answer(model, next, rounds, end):
    total = torch.tensor(0.0)
    for _ in range(rounds):
        x = next()
        loss = model(x).pow(2).mean()
        total = total + loss.item()
    end()

def total(rounds, batch, width):
    def run(r, f):
        model = nn.Sequential(nn.LayerNorm(width), nn.GELU()).cuda()
        r.measure(f, model, batches(batch, width), rounds)
    return f"{rounds} batches of {batch} x {width}", run


def hidden_starter(cell, sequence, window, end):
    h = torch.full(sequence[0].shape, 0.0, device="cuda")
    for step in range(len(sequence)):
        h = (cell(h) + sequence[step]).tanh()
        if (step + 1) % window == 0:
            loss = h.pow(2).mean()
            loss.backward(retain_graph=True)
    end()

def hidden_answer(cell, sequence, window, end):
    h = torch.full(sequence[0].shape, 0.0, device="cuda")
    for step in range(len(sequence)):
        h = (cell(h) + sequence[step]).tanh()
        if (step + 1) % window == 0:
            loss = h.pow(2).mean()
            loss.backward()
            h = h.detach()
    end()

def hidden(steps, window, batch, width):
    def run(r, f):
        cell = layer_for(batch, width).cuda()
        sequence = []
        for _ in range(steps):
            sequence.append(torch.randn(batch, width, device="cuda"))
        r.measure(f, cell, sequence, window)
    return f"{steps} steps of {batch} x {width}, windows of {window}", run


TASKS = {
    "outputs": Task([outputs(12, 4096, 1024), outputs(5, 32, 128), outputs(8, 20, 240)], starter=outputs_starter, answer=outputs_answer),
    "total": Task([total(12, 8192, 1024), total(20, 64, 32), total(30, 48, 64), total(6, 32, 48)], starter=total_starter, answer=total_answer),
    "hidden": Task([hidden(32, 8, 2048, 1024), hidden(20, 10, 32, 128), hidden(24, 12, 20, 240)], starter=hidden_starter, answer=hidden_answer),
}
