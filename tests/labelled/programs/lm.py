"""A small language model in PyTorch on the CPU; the first argument names how it runs out of memory."""
import sys
import torch
from torch import nn

torch.set_num_threads(1)
kind, batch, length, vocabulary = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])


def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 2**20


class Model(nn.Module):
    def __init__(self, width=128, depth=2):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.blocks = nn.ModuleList(nn.TransformerEncoderLayer(width, 4, 4 * width, batch_first=True) for _ in range(depth))
        self.head = nn.Linear(width, vocabulary)

    def forward(self, tokens):
        x = self.embed(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def tokens():
    return torch.randint(vocabulary, (batch, length))


print(f"language model: vocab_size={vocabulary} batch_size={batch} seq_len={length}", flush=True)
if kind == "train":
    model = Model(256, 12)
    optimizer = torch.optim.AdamW(model.parameters())
    for step in range(1, 10):
        loss = nn.functional.cross_entropy(model(tokens()).view(-1, vocabulary), tokens().view(-1))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        print(f"step {step} loss {loss.item():.3f} rss {resident():.0f} MB", flush=True)
elif kind == "running":
    model, total = Model(), 0
    for step in range(1, 1000):
        loss = nn.functional.cross_entropy(model(tokens()).view(-1, vocabulary), tokens().view(-1))
        total = total + loss
        print(f"train step {step} running loss {float(total) / step:.3f} rss {resident():.0f} MB", flush=True)
elif kind == "perplexity":
    model, kept = Model(), []
    for epoch in range(1, 3):
        for step in range(1, 6):
            loss = nn.functional.cross_entropy(model(tokens()).view(-1, vocabulary), tokens().view(-1))
            loss.backward()
            print(f"epoch {epoch} train step {step}/5 loss {loss.item():.3f} rss {resident():.0f} MB", flush=True)
        with torch.no_grad():
            for step in range(1, 1000):
                kept.append(model(tokens()))
                print(f"epoch {epoch} eval step {step}/1000 rss {resident():.0f} MB", flush=True)
elif kind == "generate":
    past = []
    with torch.no_grad():
        for token in range(1, 100000):
            past.append(torch.ones(2, 24, batch, 16, 64))
            if token % 20 == 0:
                print(f"generated {token} tokens, past_key_values of {token} positions, rss {resident():.0f} MB", flush=True)
elif kind == "reload":
    models = []
    for turn in range(1, 10):
        models.append(nn.Sequential(*[nn.Linear(length, length) for _ in range(batch)]))
        print(f"loading checkpoint {turn}: {sum(p.numel() for p in models[-1].parameters())} parameters, rss {resident():.0f} MB", flush=True)
elif kind == "big":
    model = nn.Sequential(nn.Embedding(vocabulary, length), *[nn.Linear(length, length) for _ in range(batch)])
    print("model built", flush=True)
elif kind == "adam":
    model = nn.Sequential(*[nn.Linear(length, length) for _ in range(batch)])
    print(f"model of {sum(p.numel() for p in model.parameters())} parameters, optimizer Adam", flush=True)
    optimizer = torch.optim.Adam(model.parameters())
    for step in range(1, 5):
        loss = model(torch.ones(1, length)).mean()
        loss.backward()
        print(f"step {step} loss {loss.item():.3f}", flush=True)
        optimizer.step()
elif kind == "corpus":
    corpus = []
    for shard in range(1, 1000):
        corpus.append([[i % vocabulary + 1000 * shard for i in range(length)] for _ in range(batch)])
        print(f"tokenized shard {shard}/1000: {shard * batch} sequences in memory", flush=True)
elif kind == "workers":
    class Corpus(torch.utils.data.Dataset):
        def __init__(self):
            self.rows = None

        def __len__(self):
            return 10000

        def __getitem__(self, i):
            if self.rows is None:
                self.rows = [torch.randint(vocabulary, (length,)).tolist() for _ in range(2000)]
            return torch.tensor(self.rows[i % 2000])
    loader = torch.utils.data.DataLoader(Corpus(), batch, num_workers=int(sys.argv[5]))
    print(f"DataLoader with num_workers={sys.argv[5]}", flush=True)
    for step, rows in enumerate(loader):
        print(f"step {step} {tuple(rows.shape)}", flush=True)
