"""What depends on the size of a case, as in solutions/tasks/sizes.go.

Where batches are large, a model has the layers that its story has. Where they are small, a LayerNorm stands in for a
Linear, which has a workspace that would hide all else."""
from torch import nn


def large(rows, columns):
    return rows * columns > 1 << 20

def layer_for(batch, width):
    return nn.Linear(width, width, bias=False) if large(batch, width) else nn.LayerNorm(width)

def biased_layer_for(batch, width):
    return nn.Linear(width, width) if large(batch, width) else nn.LayerNorm(width)

def last_layer_for(batch, width):
    return nn.Linear(width, width // 4, bias=False) if large(batch, width) else nn.LayerNorm(width)

def watched_for(batch, width):
    return layer_for(batch, width) if large(batch, width) else nn.Sequential(nn.LayerNorm(width), nn.GELU())

def head_for(batch, width):
    if large(batch, width):
        return nn.Linear(width, 8, bias=False).cuda()
    return nn.Sequential(nn.LayerNorm(width), nn.GELU()).cuda()

def block_for(batch, width):
    if large(batch, width):
        return nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 4 * width, bias=False), nn.GELU(), nn.Linear(4 * width, width, bias=False))
    return nn.Sequential(nn.LayerNorm(width), nn.GELU(), nn.LayerNorm(width), nn.GELU())
