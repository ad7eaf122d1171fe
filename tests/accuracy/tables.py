"""Tables of a model in the formats of torchsummary 1.5 and torchinfo 1.8."""

import math

import numpy
import torch
from torch import nn


def _sizes(output):
    """The shape that a table prints of a module's output."""
    while isinstance(output, (list, tuple)):
        output = output[0]
    return list(output.shape)


def torchsummary(model, example):
    """Rows of all modules but sequences and lists, in the order in which they finish."""
    rows, hooks = [], []

    def watch(module):
        def hook(module, inputs, output):
            if isinstance(output, (list, tuple)):
                raise TypeError("torchsummary fails on modules that return a tuple")
            count, trained = 0, False
            for name in ("weight", "bias"):
                p = getattr(module, name, None)
                if isinstance(p, torch.Tensor):
                    count += p.numel()
                    if name == "weight":
                        trained = p.requires_grad
            rows.append((f"{type(module).__name__}-{len(rows) + 1}",
                         [-1] + _sizes(output)[1:], count, trained))
        if not isinstance(module, (nn.Sequential, nn.ModuleList)) and module is not model:
            hooks.append(module.register_forward_hook(hook))

    model.apply(watch)
    model(example.repeat(2, *[1] * (example.dim() - 1)))
    for hook in hooks:
        hook.remove()
    lines = ["-" * 64,
             "{:>20}  {:>25} {:>15}".format("Layer (type)", "Output Shape", "Param #"), "=" * 64]
    total = trained = output = 0
    for name, shape, count, trains in rows:
        lines.append("{:>20}  {:>25} {:>15}".format(name, str(shape), f"{count:,}"))
        total += count
        output += numpy.prod(shape)
        trained += count if trains else 0
    size_in = abs(float(example.numel()) * 4 / 1024 ** 2)
    size_out = abs(2.0 * output * 4 / 1024 ** 2)
    size_params = total * 4 / 1024 ** 2
    lines += ["=" * 64, f"Total params: {total:,}", f"Trainable params: {trained:,}",
              f"Non-trainable params: {total - trained:,}", "-" * 64,
              "Input size (MB): %0.2f" % size_in,
              "Forward/backward pass size (MB): %0.2f" % size_out,
              "Params size (MB): %0.2f" % size_params,
              "Estimated Total Size (MB): %0.2f" % (size_in + size_out + size_params), "-" * 64]
    return "\n".join(lines) + "\n"


class _Row:
    def __init__(self, module, depth, number):
        self.module, self.depth, self.number = module, depth, number
        self.name = type(module).__name__
        self.count = sum(p.numel() for p in module.parameters())
        self.size, self.again, self.macs = None, False, 0

    def title(self):
        return self.name if self.depth == 0 else f"{self.name}: {self.depth}-{self.number}"

    def finish(self, output):
        self.size = _sizes(output)
        for name, p in self.module.named_parameters(recurse=False):
            if "weight" not in name:
                continue
            places = 1
            if "Conv" in self.name:
                places = math.prod(self.size[2:])
            self.macs += self.size[0] * places * p.numel()


def _tree(model, example):
    """Rows as torchinfo gathers them: by the forward pass, with lists that are never called put
    above their members."""
    numbers, ids, seen, stack, hooks = {}, {}, set(), [], []
    order, path = [], []

    def put(row):
        row.again = id(row.module) in seen
        seen.add(id(row.module))
        order.append(row)
        path[row.depth:] = [row.module]

    def number(module, depth):
        if (id(module), depth) not in ids:
            numbers[depth] = numbers.get(depth, 0) + 1
            ids[id(module), depth] = numbers[depth]
        return ids[id(module), depth]

    def lists_above(parent, module):
        """Lists between a module and the one whose forward called it."""
        for child in parent.children():
            if child is module:
                return []
            if isinstance(child, (nn.ModuleList, nn.ModuleDict)):
                below = lists_above(child, module)
                if below is not None:
                    return [child] + below
        return None

    def before(module, inputs):
        depth = 0
        if stack:
            depth = stack[-1].depth + 1
            for between in lists_above(stack[-1].module, module) or []:
                if len(path) <= depth or path[depth] is not between:
                    put(_Row(between, depth, number(between, depth)))
                depth += 1
        row = _Row(module, depth, number(module, depth))
        put(row)
        stack.append(row)

    def after(module, inputs, output):
        stack.pop().finish(output)

    for module in model.modules():
        if isinstance(module, (nn.ModuleList, nn.ModuleDict)):
            continue
        hooks.append(module.register_forward_pre_hook(before))
        hooks.append(module.register_forward_hook(after))
    model.eval()
    with torch.no_grad():
        model(example)
    model.train()
    for hook in hooks:
        hook.remove()
    return order


def torchinfo(model, example, depth=3):
    order = _tree(model, example)
    shown = [r for r in order if r.depth <= depth]
    width = max(40, *(5 * math.ceil((len(r.title()) + 5 * r.depth + 1) / 5) for r in shown))
    rule = "=" * (width + 50)
    lines = [rule, f"{'Layer (type:depth-idx)':<{width}} {'Output Shape':<25} {'Param #':<25}".rstrip(),
             rule]
    for i, row in enumerate(shown):
        start = "" if row.depth == 0 else "├─" if row.depth == 1 else \
            "│    " * (row.depth - 1) + "└─"
        holds = row.depth < depth and any(True for _ in row.module.children())
        own = sum(p.numel() for p in row.module.parameters(recurse=False))
        if row.count > 0 and row.again:
            params = "(recursive)"
        elif not holds:
            params = f"{row.count:,}" if row.count else "--"
        else:
            params = f"{own:,}" if own else "--"
        size = "--" if row.size is None else str(row.size)
        lines.append(f"{start + row.title():<{width}} {size:<25} {params:<25}".rstrip())
    lines += [rule] + _totals(order, example) + [rule]
    return "\n".join(lines) + "\n"


def _totals(order, example):
    once = [r for r in order if not r.again]
    total = sum(p.numel() for r in once for p in r.module.parameters(recurse=False))
    macs = sum(r.macs for r in order)
    passed = sum(math.prod(r.size) * 4 * 2 for r in order
                 if r.size and r.count and not any(True for _ in r.module.children()))
    unit, by = ("G", 1e9) if macs >= 1e9 else ("M", 1e6)
    size_in = example.numel() * example.element_size()
    divider = None
    sizes = [("Input size", size_in), ("Forward/backward pass size", passed),
             ("Params size", total * 4), ("Estimated Total Size", size_in + passed + total * 4)]
    lines = [f"Total params: {total:,}", f"Trainable params: {total:,}",
             "Non-trainable params: 0", f"Total mult-adds ({unit}): {macs / by:.2f}", divider]
    lines += [f"{what} (MB): {size / 1e6:.2f}" for what, size in sizes]
    width = max(40, *(5 * math.ceil((len(r.title()) + 5 * r.depth + 1) / 5) for r in order))
    return ["=" * (width + 50) if line is None else line for line in lines]
