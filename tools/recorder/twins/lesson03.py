"""The exercises of lesson 03."""
import torch
from . import Task
from .lesson02 import reading_batches


def handover_starter(batches, read, end):
    total = torch.full((), 0.0, device="cuda")
    for i in range(batches):
        batch = read(i)
        scaled = batch * 0.5
        sample = scaled[0:512].clone()
        total += scaled.sum()
    del batch, scaled
    torch.cuda.empty_cache()
    del sample
    end()

def handover_answer(batches, read, end):
    total = torch.full((), 0.0, device="cuda")
    for i in range(batches):
        batch = read(i)
        scaled = batch * 0.5
        sample = scaled[0:512].clone()
        total += scaled.sum()
    del batch, scaled
    del sample
    torch.cuda.empty_cache()
    end()


def steady_starter(batches, read, end):
    total = torch.full((), 0.0, device="cuda")
    for i in range(batches):
        batch = read(i)
        output = batch.relu()
        total += output.sum()
        del batch, output
        torch.cuda.empty_cache()
    end()

def steady_answer(batches, read, end):
    total = torch.full((), 0.0, device="cuda")
    for i in range(batches):
        batch = read(i)
        output = batch.relu()
        total += output.sum()
        del batch, output
    end()


def recover_starter(x, end):
    wide = squares = sums = None
    def compute(x):
        nonlocal wide, squares, sums
        wide = torch.cat([x, x], 1)
        squares = wide * wide
        sums = squares.sum(1)
        del wide, squares
        return sums
    try:
        result = compute(x)
        return end()
    except torch.OutOfMemoryError:
        pass
    torch.cuda.empty_cache()
    half = x.shape[0] // 2
    top = compute(x[0:half])
    bottom = compute(x[half:2 * half])
    result = torch.cat([top, bottom], 0)
    end()

def recover_answer(x, end):
    wide = squares = sums = None
    def compute(x):
        nonlocal wide, squares, sums
        wide = torch.cat([x, x], 1)
        squares = wide * wide
        sums = squares.sum(1)
        del wide, squares
        return sums
    try:
        result = compute(x)
        return end()
    except torch.OutOfMemoryError:
        pass
    del wide
    half = x.shape[0] // 2
    top = compute(x[0:half])
    bottom = compute(x[half:2 * half])
    result = torch.cat([top, bottom], 0)
    end()

MIB = 1 << 20

def recovered(rows, columns):
    return cramped(rows, columns, matrix(rows, columns) * 7 // 2)

def crowded(rows, columns):
    others = (20 * MIB - matrix(rows, columns) * 7 // 2) // 2
    return cramped(rows, columns, 22 * MIB, others, others)

def cramped(rows, columns, room, *others):
    def run(r, f):
        total = torch.cuda.get_device_properties(0).total_memory
        torch.cuda.set_per_process_memory_fraction(room / total)
        x = torch.randn(rows, columns, device="cuda")
        held = [torch.empty(size, dtype=torch.uint8, device="cuda") for size in others]
        r.measure(f, x)
    return f"{rows} x {columns}, with room for 3.5 of them", run

def matrix(rows, columns):
    return (rows * columns * 4 + 511) // 512 * 512


TASKS = {
    "handover": Task([reading_batches(6, 4096, 1024), reading_batches(3, 520, 520), reading_batches(2, 560, 540)], starter=handover_starter, answer=handover_answer),
    "steady": Task([reading_batches(30, 4096, 1000), reading_batches(5, 520, 510), reading_batches(9, 7, 300)], starter=steady_starter, answer=steady_answer),
    "recover": Task([recovered(4096, 1024), recovered(8192, 3000), crowded(320, 1024), crowded(500, 700)], starter=recover_starter, answer=recover_answer),
}
