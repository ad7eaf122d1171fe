"""Dense, recurrent and attention networks in plain torch."""

import math

import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, widths, act, norm=None, dropout=0.0):
        super().__init__()
        layers = []
        for a, b in zip(widths[:-2], widths[1:-1]):
            layers.append(nn.Linear(a, b))
            if norm is not None:
                layers.append(norm(b))
            layers.append(act())
            if dropout:
                layers.append(nn.Dropout(dropout))
        layers.append(nn.Linear(widths[-2], widths[-1]))
        self.net = nn.Sequential(*layers)

    def forward(self, x):
        return self.net(x)


class Recurrent(nn.Module):
    """Words to classes through an LSTM or a GRU."""

    def __init__(self, kind, vocab, width, hidden, layers=1, both=False, classes=10):
        super().__init__()
        self.embedding = nn.Embedding(vocab, width)
        self.rnn = kind(width, hidden, layers, batch_first=True, bidirectional=both)
        self.fc = nn.Linear(hidden * (2 if both else 1), classes)

    def forward(self, x):
        x, _ = self.rnn(self.embedding(x))
        return self.fc(x[:, -1])


class Tagger(nn.Module):
    """A label for every step of a series of numbers."""

    def __init__(self, kind, features, hidden, layers, classes):
        super().__init__()
        self.rnn = kind(features, hidden, layers, batch_first=True)
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(hidden, classes)

    def forward(self, x):
        x, _ = self.rnn(x)
        return self.fc(self.drop(x)).transpose(1, 2)


class Encoder(nn.Module):
    """nn.TransformerEncoder over words, as tutorials build it."""

    def __init__(self, vocab, width, heads, hidden, layers, length, dropout, classes=10):
        super().__init__()
        self.embedding = nn.Embedding(vocab, width)
        self.positions = nn.Embedding(length, width)
        layer = nn.TransformerEncoderLayer(width, heads, hidden, dropout, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers)
        self.fc = nn.Linear(width, classes)

    def forward(self, x):
        at = torch.arange(x.shape[1], device=x.device)
        x = self.encoder(self.embedding(x) + self.positions(at))
        return self.fc(x.mean(1))


class SelfAttention(nn.Module):
    def __init__(self, width, heads, dropout, causal):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)
        self.attn_drop = nn.Dropout(dropout)
        self.resid_drop = nn.Dropout(dropout)

    def forward(self, x):
        b, s, h = x.shape
        q, k, v = self.qkv(x).split(h, 2)
        q, k, v = (t.view(b, s, self.heads, h // self.heads).transpose(1, 2) for t in (q, k, v))
        scores = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(h // self.heads))
        if self.causal:
            mask = torch.ones(s, s, dtype=torch.bool, device=x.device).tril().logical_not()
            scores = scores.masked_fill(mask, float("-inf"))
        scores = self.attn_drop(scores.softmax(-1))
        out = (scores @ v).transpose(1, 2).contiguous().view(b, s, h)
        return self.resid_drop(self.proj(out))


class Block(nn.Module):
    """Norms before attention and before the MLP."""

    def __init__(self, width, heads, dropout, causal):
        super().__init__()
        self.ln1 = nn.LayerNorm(width)
        self.attn = SelfAttention(width, heads, dropout, causal)
        self.ln2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(),
                                 nn.Linear(4 * width, width), nn.Dropout(dropout))

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class GPT(nn.Module):
    def __init__(self, vocab, width, heads, layers, length, dropout, tied=True):
        super().__init__()
        self.wte = nn.Embedding(vocab, width)
        self.wpe = nn.Embedding(length, width)
        self.drop = nn.Dropout(dropout)
        self.blocks = nn.ModuleList(Block(width, heads, dropout, True) for _ in range(layers))
        self.ln_f = nn.LayerNorm(width)
        self.lm_head = nn.Linear(width, vocab, bias=False)
        if tied:
            self.lm_head.weight = self.wte.weight

    def forward(self, x):
        x = self.drop(self.wte(x) + self.wpe(torch.arange(x.shape[1], device=x.device)))
        for block in self.blocks:
            x = block(x)
        return self.lm_head(self.ln_f(x)).transpose(1, 2)


class ViT(nn.Module):
    def __init__(self, side, patch, width, heads, layers, dropout=0.0, classes=100):
        super().__init__()
        self.patch_embed = nn.Conv2d(3, width, patch, patch)
        self.cls_token = nn.Parameter(torch.zeros(1, 1, width))
        self.pos_embed = nn.Parameter(torch.zeros(1, (side // patch) ** 2 + 1, width))
        self.drop = nn.Dropout(dropout)
        self.blocks = nn.Sequential(*(Block(width, heads, dropout, False) for _ in range(layers)))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        x = self.patch_embed(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls_token.expand(x.shape[0], -1, -1), x], 1) + self.pos_embed
        x = self.norm(self.blocks(self.drop(x)))
        return self.head(x[:, 0])
