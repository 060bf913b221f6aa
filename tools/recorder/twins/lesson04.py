"""The exercises of lesson 04."""
import torch
from torch import nn
from . import Task
from .lesson02 import reader
from .sizes import biased_layer_for


def inference_starter(model, batches, read, end):
    model.eval()
    scores = []
    for i in range(batches):
        x = read(i)
        y = model(x)
        scores.append(y.mean(1))
    end()

def inference_answer(model, batches, read, end):
    model.eval()
    scores = []
    for i in range(batches):
        x = read(i)
        with torch.no_grad():
            y = model(x)
        scores.append(y.mean(1))
    end()

def inference(layers, batches, batch, width):
    def run(r, f):
        model = perceptron(layers, batch, width)
        model.append(nn.Dropout(0.5))
        r.measure(f, model, batches, reader(batch, width))
    return f"{layers} layers on {batches} batches of {batch} x {width}", run

def perceptron(layers, batch, width):
    chain = nn.Sequential()
    for _ in range(layers):
        chain.append(biased_layer_for(batch, width))
        chain.append(nn.ReLU())
    return chain.cuda()


def holdout_starter(model, x, held, end):
    loss = model(x).mean()
    loss.backward()
    score = model(held).mean()
    end()

def holdout_answer(model, x, held, end):
    loss = model(x).mean()
    loss.backward()
    with torch.no_grad():
        score = model(held).mean()
    end()

def holdout(layers, batch, width):
    def run(r, f):
        model = perceptron(layers, batch, width)
        x = torch.randn(batch, width, device="cuda")
        held = torch.randn(2 * batch, width, device="cuda")
        r.measure(f, model, x, held)
    return f"{layers} layers on {batch} x {width}", run


def backbone_starter(backbone, head, x, end):
    features = backbone(x)
    loss = head(features).mean()
    loss.backward()
    end()

def backbone_answer(backbone, head, x, end):
    with torch.no_grad():
        features = backbone(x)
    loss = head(features).mean()
    loss.backward()
    end()

def backbone(layers, batch, width):
    def run(r, f):
        model, head = perceptron(layers, batch, width), perceptron(2, batch, width)
        x = torch.randn(batch, width, device="cuda")
        r.measure(f, model, head, x)
    return f"{layers} layers on {batch} x {width}", run


TASKS = {
    "inference": Task([inference(12, 5, 8192, 512), inference(6, 3, 32, 128), inference(8, 4, 20, 240)], starter=inference_starter, answer=inference_answer),
    "holdout": Task([holdout(16, 8192, 512), holdout(10, 32, 128), holdout(14, 20, 240)], starter=holdout_starter, answer=holdout_answer),
    "backbone": Task([backbone(16, 8192, 512), backbone(10, 32, 128), backbone(14, 20, 240)], starter=backbone_starter, answer=backbone_answer),
}
