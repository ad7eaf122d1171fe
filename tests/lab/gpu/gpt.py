"""Trains a small language model of one's own on made up tokens."""

import argparse

import torch
from torch import nn

from card import DEVICE, cap, used

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=8)
parser.add_argument("--seq-len", type=int, default=512)
parser.add_argument("--dim", type=int, default=512)
parser.add_argument("--layers", type=int, default=6)
parser.add_argument("--vocab", type=int, default=8192)
parser.add_argument("--steps", type=int, default=5)
parser.add_argument("--optimizer", default="adamw", choices=("adamw", "sgd"))
parser.add_argument("--accumulate", type=int, default=1)
parser.add_argument("--bf16", action="store_true")
parser.add_argument("--checkpointing", action="store_true")
parser.add_argument("--flash", action="store_true")
parser.add_argument("--lengths", type=int, default=0, help="the last batch is this long")
parser.add_argument("--growing-memory", action="store_true")
args = parser.parse_args()
print(args, flush=True)
cap()
torch.manual_seed(0)


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.qkv, self.out, self.heads = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim), dim // 64

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, 64).permute(2, 0, 3, 1, 4)
        if args.flash:
            y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            scores = q @ k.transpose(-2, -1) / 8
            mask = torch.ones(n, n, device=x.device, dtype=torch.bool).triu(1)
            y = scores.masked_fill(mask, float("-inf")).softmax(-1) @ v
        return self.out(y.transpose(1, 2).reshape(b, n, d))


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm1, self.norm2, self.attention = nn.LayerNorm(dim), nn.LayerNorm(dim), Attention(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(args.vocab, args.dim)
        self.blocks = nn.ModuleList(Block(args.dim) for _ in range(args.layers))
        self.head = nn.Linear(args.dim, args.vocab, bias=False)

    def forward(self, tokens):
        x = self.embedding(tokens)
        for block in self.blocks:
            if args.checkpointing:
                x = torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)
            else:
                x = block(x)
        return self.head(x)


def main():
    model = Model()
    print(f"{sum(p.numel() for p in model.parameters()) / 1e6:.1f}M parameters", flush=True)
    model = model.to(DEVICE)
    kind = torch.optim.AdamW if args.optimizer == "adamw" else torch.optim.SGD
    optimizer = kind(model.parameters(), lr=1e-4)
    memory = None
    for step in range(args.steps):
        length = args.lengths if args.lengths and step == args.steps - 1 else args.seq_len
        for _ in range(args.accumulate):
            tokens = torch.randint(0, args.vocab, (args.batch_size, length + 1), device=DEVICE)
            with torch.autocast(DEVICE.type, torch.bfloat16, enabled=args.bf16):
                logits = model(tokens[:, :-1])
                loss = nn.functional.cross_entropy(logits.reshape(-1, args.vocab), tokens[:, 1:].reshape(-1))
            if args.growing_memory:
                memory = logits.mean() if memory is None else memory + logits.mean()
            loss.backward(retain_graph=args.growing_memory)
        optimizer.step()
        optimizer.zero_grad()
        print(f"iter {step + 1}: loss {loss.item():.4f}, {used('allocated {}MiB')}", flush=True)
    print("done", flush=True)


main()
