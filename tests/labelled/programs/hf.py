"""Small language models of Hugging Face transformers with random weights, on the CPU; the first argument names how each
runs out of memory."""
import copy
import os
import sys
import torch
from torch.utils.data import DataLoader, Dataset
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments

torch.set_num_threads(1)
torch.manual_seed(0)
kind, batch, length = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
VOCABULARY = 50257


def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 2**20


def small(positions=1024, **more):
    return GPT2LMHeadModel(GPT2Config(n_embd=128, n_layer=2, n_head=4, n_positions=positions, vocab_size=VOCABULARY, **more))


def tokens():
    return torch.randint(VOCABULARY, (batch, length))


class Texts(Dataset):
    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        row = torch.randint(VOCABULARY, (length,))
        return {"input_ids": row, "labels": row.clone()}


def settings(**more):
    return TrainingArguments(output_dir="/tmp/out", use_cpu=True, report_to="none", logging_steps=1, save_strategy="no",
                             dataloader_pin_memory=False, **more)


if kind == "train":
    arguments = settings(per_device_train_batch_size=batch, num_train_epochs=1)
    print(f"Training GPT-2, {length} tokens per example, per_device_train_batch_size={batch}", flush=True)
    Trainer(model=small(), args=arguments, train_dataset=Texts(4096)).train()
elif kind == "evaluate":
    arguments = settings(per_device_train_batch_size=1, per_device_eval_batch_size=batch, max_steps=5)
    trainer = Trainer(model=small(), args=arguments, train_dataset=Texts(64), eval_dataset=Texts(2000),
                      compute_metrics=lambda p: {"accuracy": float((p.predictions[0].argmax(-1) == p.label_ids).mean())})
    trainer.train()
    print(trainer.evaluate())
elif kind == "long":
    model = small(length, attn_implementation="eager")
    print(f"one document of {length} tokens, batch size {batch}", flush=True)
    out = model(tokens(), labels=tokens())
    out.loss.backward()
elif kind == "generate":
    config = LlamaConfig(hidden_size=256, intermediate_size=512, num_hidden_layers=8, num_attention_heads=8,
                         vocab_size=1000, max_position_embeddings=65536)
    model = LlamaForCausalLM(config).eval()
    prompt = torch.randint(1000, (batch, 1000))
    print(f"Generating up to {length} new tokens for {batch} prompts", flush=True)
    texts = model.generate(prompt, max_new_tokens=length, do_sample=True, eos_token_id=None, pad_token_id=0)
    print(texts.shape)
elif kind == "adamw":
    model = LlamaForCausalLM(LlamaConfig(hidden_size=1024, intermediate_size=4096, num_hidden_layers=batch,
                                         num_attention_heads=16, vocab_size=32000))
    print(f"Number of trainable parameters = {model.num_parameters():,}", flush=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for step in range(1, 4):
        row = torch.randint(32000, (1, length))
        loss = model(row, labels=row).loss
        loss.backward()
        print(f"step {step} loss {loss.item():.3f}", flush=True)
        optimizer.step()
        optimizer.zero_grad()
elif kind == "build":
    config = LlamaConfig()
    print(f"LlamaForCausalLM: {config.num_hidden_layers} layers, hidden size {config.hidden_size}, torch.float32", flush=True)
    model = LlamaForCausalLM(config)
elif kind == "reference":
    policy = LlamaForCausalLM(LlamaConfig(hidden_size=2048, intermediate_size=5504, num_hidden_layers=batch,
                                          num_attention_heads=16, vocab_size=32000))
    print(f"policy model: {policy.num_parameters():,} parameters, float32", flush=True)
    reference = copy.deepcopy(policy).eval()
    print("reference model ready", flush=True)
elif kind == "tokenized":
    from tokenizers import Tokenizer, models, pre_tokenizers
    tokenizer = Tokenizer(models.WordLevel({f"w{i}": i for i in range(1000)}, unk_token="w0"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    encoded = []
    for part in range(1, 1000):
        texts = [" ".join(f"w{(i * 7 + part) % 1000}" for i in range(length)) for _ in range(batch)]
        encoded.extend(tokenizer.encode_batch(texts))
        print(f"Tokenizing: {part * batch} of {1000 * batch} examples, rss {resident():.0f} MB", flush=True)
elif kind == "loader":
    class Corpus(Dataset):
        rows = None

        def __len__(self):
            return 100000

        def __getitem__(self, i):
            if self.rows is None:
                self.rows = [[(i * 31 + k) % VOCABULARY + 1000 for k in range(length)] for i in range(4000)]
            return torch.tensor(self.rows[i % 4000][:64])
    loader = DataLoader(Corpus(), batch_size=4, num_workers=batch)
    model = small()
    optimizer = torch.optim.AdamW(model.parameters())
    print(f"train: batch_size=4 num_workers={batch}", flush=True)
    for step, row in enumerate(loader, 1):
        loss = model(row, labels=row).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        print(f"step {step} loss {loss.item():.3f}", flush=True)
elif kind == "running":
    model, total = small(), 0
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    for step in range(1, 10000):
        row = tokens()
        loss = model(row, labels=row).loss
        loss.backward(retain_graph=True)
        optimizer.zero_grad()
        total = total + loss
        print(f"[train] step {step} avg_loss {float(total) / step:.4f} mem {resident():.0f}MiB", flush=True)
