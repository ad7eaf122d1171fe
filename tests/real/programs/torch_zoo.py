"""A network's name: what autograd keeps of it on a CPU is printed as JSON; then the script on
standard input, which records a step on the meta device, runs with the network as `model`."""

import json
import os
import sys

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../accuracy"))
import zoo  # the models whose tables are planned

WIDTH, HEADS, WORDS, BATCH = 64, 4, 1000, 4


class Block(nn.Module):
    """Attention written out, with a mask and dropout."""

    def __init__(self):
        super().__init__()
        self.before, self.between = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.read, self.write = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.drop = nn.Dropout(.1)

    def forward(self, x):
        n, steps, _ = x.shape
        q, k, v = [t.view(n, steps, HEADS, -1).transpose(1, 2)
                   for t in self.read(self.before(x)).chunk(3, -1)]
        later = torch.ones(steps, steps, device=x.device).tril() == 0
        scores = (q @ k.transpose(-1, -2) / 4).masked_fill(later, float("-inf")).softmax(-1)
        y = (self.drop(scores) @ v).transpose(1, 2).reshape(n, steps, WIDTH)
        x = x + self.drop(self.write(y))
        return x + self.drop(self.narrow(F.gelu(self.wide(self.between(x)))))


class Decoder(nn.Module):
    def __init__(self, again=False, frozen=0):
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, WIDTH), nn.Embedding(128, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(3))
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, WORDS, bias=False)
        self.head.weight, self.again = self.words.weight, again
        for block in self.blocks[:frozen]:
            block.requires_grad_(False)

    def forward(self, x):
        y = self.words(x) + self.places(torch.arange(x.shape[1], device=x.device))
        for block in self.blocks:
            y = checkpoint(block, y, use_reentrant=True) if self.again else block(y)
        return self.head(self.norm(y))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 256, batch_first=True)
        self.words, self.layers = nn.Embedding(WORDS, WIDTH), nn.TransformerEncoder(layer, 2)
        self.head = nn.Linear(WIDTH, 5)

    def forward(self, x):
        return self.head(self.layers(self.words(x)).mean(1))


def maps(reads, makes):
    return nn.Sequential(nn.Conv2d(reads, makes, 3, padding=1), nn.BatchNorm2d(makes),
                         nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.middle, self.deep = maps(3, 16), maps(16, 32), maps(32, 64)
        self.up, self.joined = nn.ConvTranspose2d(64, 32, 2, 2), maps(64, 32)
        self.larger, self.last = nn.Upsample(scale_factor=2), maps(48, 16)
        self.head = nn.Conv2d(16, 1, 1)

    def forward(self, x):
        a = self.down(x)
        b = self.middle(F.max_pool2d(a, 2))
        y = self.joined(torch.cat([self.up(self.deep(F.max_pool2d(b, 2))), b], 1))
        return self.head(self.last(torch.cat([self.larger(y), a], 1)))


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem, self.head = nn.Conv2d(3, 16, 3, padding=1), nn.Linear(16, 10)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.Conv2d(16, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16),
                          nn.SiLU(inplace=True)) for _ in range(3))

    def forward(self, x):
        y = self.stem(x)
        for block in self.blocks:
            y = y + block(y)
        return self.head(y.mean((2, 3)))


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.steps = nn.Embedding(WORDS, 32), nn.LSTM(32, 48, 2, batch_first=True)
        self.head = nn.Linear(48, 7)

    def forward(self, x):
        return self.head(self.steps(self.words(x))[0][:, -1])


def dense():
    return nn.Sequential(nn.Flatten(), nn.Linear(3 * 32 * 32, 200), nn.Tanh(), nn.Dropout(.2),
                         nn.Linear(200, 10))


IMAGES, TOKENS = (3, 32, 32), (40,)
ZOO = {"decoder": (Decoder, TOKENS), "checkpointed": (lambda: Decoder(again=True), TOKENS),
       "frozen": (lambda: Decoder(frozen=2), TOKENS), "encoder": (Encoder, TOKENS),
       "unet": (UNet, IMAGES), "residual": (Residual, IMAGES), "recurrent": (Recurrent, TOKENS),
       "dense": (dense, IMAGES)}
ZOO.update((entry.name, (entry.make, entry.example())) for entry in zoo.ENTRIES)
# PyTorch 2 computes these on a CPU by kernels that keep other things.
OTHER_KERNELS = (nn.LSTM, nn.MultiheadAttention)


def inputs(shape, n, device):
    if torch.is_tensor(shape):
        return (shape.repeat(n, *[1] * (shape.dim() - 1)).to(device),)
    of = torch.float32 if len(shape) == 3 else torch.long
    return (torch.zeros(n, *shape, dtype=of, device=device),)


def storage(tensor):
    return tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage()


def kept(model, x):
    """Bytes of what autograd keeps, each storage once, and of dropout a byte an element, as on a
    GPU; numbers that a kernel is given are none of the device's."""
    F.dropout = lambda x, p=.5, training=True, inplace=False: (
        torch.native_dropout(x, p, True)[0] if p > 0 else x)
    own = {storage(t).data_ptr() for t in (*model.parameters(), *model.buffers())}
    seen = {}

    def pack(tensor):
        if tensor.dim() > 0 and storage(tensor).data_ptr() not in own:
            seen[storage(tensor).data_ptr()] = tensor
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        out = model.train()(*x)
    return sum(storage(t).nbytes() for t in seen.values())


def built(make, shape):
    """Lazy layers have their sizes from a first pass."""
    model = make()
    model.eval()(*inputs(shape, 1, "cpu"))
    return model


def main():
    make, shape = ZOO[sys.argv[1]]
    model, said = built(make, shape), {"version": torch.__version__, "file": "model.graph.jsonl", "batch": BATCH}
    said["parameters"] = sum(p.numel() for p in model.parameters())
    other = any(isinstance(m, OTHER_KERNELS) for m in model.modules())
    if not other or torch.__version__.startswith("1."):
        dropout = F.dropout
        said["kept"] = kept(built(make, shape), inputs(shape, BATCH, "cpu"))
        F.dropout = dropout
    print(json.dumps(said))
    script = sys.stdin.read().splitlines()
    script[:2] = ["INPUTS = lambda n: inputs(shape, n, 'meta')", "LOSS = lambda out: out.sum()"]
    exec("\n".join(script), {"model": model, "shape": shape, "inputs": inputs})  # as pasted


if __name__ == "__main__":
    if len(sys.argv) == 1:
        print("\n".join(ZOO))
    else:
        main()
