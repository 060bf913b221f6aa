"""The exercises of lesson 02."""
import torch
from . import Task


def chain_starter(x, end):
    doubled = x * 2
    moved = doubled + 1
    both = torch.cat([x, moved], 1)
    del doubled
    end()

def chain_answer(x, end):
    doubled = x * 2
    moved = doubled + 1
    del doubled
    both = torch.cat([x, moved], 1)
    end()

def chain(rows, columns):
    def run(r, f):
        x = torch.randn(rows, columns, device="cuda")
        r.measure(f, x)
    return f"{rows} x {columns}", run


def rebind_starter(batches, read, end):
    total = torch.full((), 0.0, device="cuda")
    for i in range(batches):
        batch = read(i)
        total += batch.sum()
    end()

def rebind_answer(batches, read, end):
    total = torch.full((), 0.0, device="cuda")
    for i in range(batches):
        batch = read(i)
        total += batch.sum()
        del batch
    end()

def reading_batches(batches, rows, columns):
    def run(r, f):
        r.measure(f, batches, reader(rows, columns))
    return f"{batches} batches of {rows} x {columns}", run

def reader(rows, columns):
    return lambda i: torch.randn(rows, columns, device="cuda")


def view_starter(batches, read, end):
    rows = []
    for i in range(batches):
        batch = read(i)
        rows.append(batch[0])
    end()

def view_answer(batches, read, end):
    rows = []
    for i in range(batches):
        batch = read(i)
        rows.append(batch[0].clone())
    end()


TASKS = {
    "chain": Task([chain(4096, 1024), chain(320, 250), chain(257, 30), chain(24, 16)], starter=chain_starter, answer=chain_answer),
    "rebind": Task([reading_batches(8, 4096, 2048), reading_batches(5, 320, 250), reading_batches(8, 257, 30), reading_batches(9, 7, 300)], starter=rebind_starter, answer=rebind_answer),
    "view": Task([reading_batches(12, 4096, 1024), reading_batches(5, 320, 250), reading_batches(8, 257, 30), reading_batches(6, 7, 300)], starter=view_starter, answer=view_answer),
}
