"""A small language model: the logits of a batch, or outputs that a generation loop keeps."""
import sys
import torch

torch.set_num_threads(1)
kind, batch, length, vocabulary = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
embed, head = torch.nn.Embedding(vocabulary, 32), torch.nn.Linear(32, vocabulary)
print(f"language model: vocab_size={vocabulary} batch_size={batch} seq_len={length}", flush=True)
kept = []
for step in range(1, 1000):
    tokens = torch.randint(vocabulary, (batch, length))
    logits = head(embed(tokens))
    if kind == "train":
        loss = torch.nn.functional.cross_entropy(logits.view(-1, vocabulary), tokens.view(-1))
        loss.backward()
        print(f"step {step} loss {loss.item():.3f}", flush=True)
    else:
        kept.append(logits if kind == "keep" else logits.detach())
        rss = int(open("/proc/self/statm").read().split()[1]) * 4096 / 2**20
        print(f"eval batch {step} tokens {batch * length} rss {rss:.0f} MB", flush=True)
