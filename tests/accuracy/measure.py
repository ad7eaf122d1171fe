#!/usr/bin/python3
"""Measures the models of tests/accuracy with PyTorch on a CPU and writes what plan is held against:
tables/NAME.KIND.txt as torchsummary and torchinfo print them, tables/NAME.tree.txt as print(model)
does, and truth.tsv. Wants python3-torch (measured with 1.13); minutes of work. No GPU is used.

Saved bytes: storages that autograd keeps for backward, each once, of one sample (the difference of
two batches). Dropout runs as the fused kernel does, whose mask has one byte an element."""

import os
import sys

import torch
from torch import nn
from torch.autograd.graph import saved_tensors_hooks
from torch.nn import functional

import tables
import zoo

HERE = os.path.dirname(os.path.abspath(__file__))
FIELDS = ["model", "kind", "table", "optimizer", "saved_bytes", "parameters", "gradient_bytes",
          "state_bytes"]


def fused_dropout(x, p=0.5, training=True, inplace=False):
    return torch.native_dropout(x, p, True)[0] if training and p > 0 else x


def loss_of(output):
    classes = output.shape[1]
    target = torch.zeros([output.shape[0]] + list(output.shape[2:]), dtype=torch.long)
    return functional.cross_entropy(output, target % classes)


def saved_bytes(model, example):
    held, storages = [], {}

    def pack(tensor):
        held.append(tensor)
        storage = tensor.storage()
        storages[storage.data_ptr()] = storage.nbytes()
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        loss = loss_of(model(example))
    return sum(storages.values()), loss


def batch_of(example, n):
    return example.repeat(n, *[1] * (example.dim() - 1))


OPTIMIZERS = {
    "sgd": lambda p: torch.optim.SGD(p, 1e-9),
    "momentum": lambda p: torch.optim.SGD(p, 1e-9, momentum=0.9),
    "nesterov": lambda p: torch.optim.SGD(p, 1e-9, momentum=0.9, nesterov=True),
    "adam": lambda p: torch.optim.Adam(p, 1e-9),
    "adamw": lambda p: torch.optim.AdamW(p, 1e-9),
    "amsgrad": lambda p: torch.optim.Adam(p, 1e-9, amsgrad=True),
    "rmsprop": lambda p: torch.optim.RMSprop(p, 1e-9),
    "adagrad": lambda p: torch.optim.Adagrad(p, 1e-9),
}


def states(model, optimizer):
    """Bytes of gradients and of the optimizer's tensors after one step."""
    made = OPTIMIZERS[optimizer](model.parameters())
    made.step()
    gradients = sum(p.grad.numel() * p.grad.element_size() for p in model.parameters()
                    if p.grad is not None)
    kept = sum(v.numel() * v.element_size() for s in made.state.values() for v in s.values()
               if isinstance(v, torch.Tensor))
    return gradients, kept


def measure(model, example, optimizer):
    model.train()
    two, _ = saved_bytes(model, batch_of(example, 2))
    three, loss = saved_bytes(model, batch_of(example, 3))
    loss.backward()
    gradients, kept = states(model, optimizer)
    parameters = sum(p.numel() for p in model.parameters())
    return {"saved_bytes": three - two, "parameters": parameters, "gradient_bytes": gradients,
            "state_bytes": kept, "optimizer": optimizer}


PRINTERS = {
    "torchsummary": tables.torchsummary,
    "torchinfo": tables.torchinfo,
    "torchinfo_full": lambda model, example: tables.torchinfo(model, example, 10),
    "tree": lambda model, example: f"{model}\n",
}


def take(entry, number):
    """One model of the zoo: its rows of truth, its tables written."""
    torch.manual_seed(0)
    model, example = entry.make(), entry.example()
    model.eval()
    model(example)
    truth = measure(model, example, list(OPTIMIZERS)[number % len(OPTIMIZERS)])
    rows = []
    for kind in entry.tables:
        text = PRINTERS[kind](model, example)
        name = f"{entry.name}.{kind}.txt"
        with open(os.path.join(HERE, "tables", name), "w", encoding="utf-8") as file:
            file.write(text)
        rows.append(dict(truth, model=entry.name, kind=entry.kind, table=kind))
    return rows


def main():
    functional.dropout = fused_dropout
    os.makedirs(os.path.join(HERE, "tables"), exist_ok=True)
    rows = []
    for number, entry in enumerate(zoo.ENTRIES):
        print(f"{number + 1}/{len(zoo.ENTRIES)} {entry.name}", file=sys.stderr)
        rows += take(entry, number)
    with open(os.path.join(HERE, "truth.tsv"), "w", encoding="utf-8") as file:
        file.write("\t".join(FIELDS) + "\n")
        for row in rows:
            file.write("\t".join(str(row[field]) for field in FIELDS) + "\n")


if __name__ == "__main__":
    main()
