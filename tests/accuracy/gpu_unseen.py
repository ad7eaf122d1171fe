#!/usr/bin/env python3
"""Measures families of networks that gpu_runs.py has none of: the planner was not changed by them
before their errors were taken down.

    gpu_unseen.py FOLDER [RUN...]

Wants what gpu_runs.py wants. Each run at two batches, in a process of its own that is forked
behind the imports; writes unseen.tsv (rows as in runs.tsv), NAME.json, tables (NAME.*.txt), graphs,
and logs of the same networks that ran out of memory below a limit, with the largest batch."""

import contextlib
import io
import json
import multiprocessing
import os
import sys
import time
import traceback

import torch
import transformers
from torch import nn
from torch.nn.functional import cross_entropy, mse_loss

import gpu_runs
import tables
from gpu_nets import Trained

# name: family, batches, precision, optimizer, more
VISION = {
    "alexnet": ((128, 512), "float32", "momentum"),
    "squeezenet1_1": ((64, 192), "float32", "adam"),
    "shufflenet_v2_x1_0": ((64, 256), "amp_bf16", "adamw"),
    "mnasnet1_0": ((32, 96), "float32", "momentum"),
    "wide_resnet50_2": ((32, 96), "amp_fp16", "momentum"),
    "mobilenet_v3_large": ((64, 192), "float32", "adamw"),
    "swin_v2_t": ((16, 48), "float32", "adamw"),
    "s3d": ((4, 12), "float32", "momentum"),
    "lraspp_mobilenet_v3_large": ((4, 16), "float32", "sgd"),
    "timm:mixer_b16_224": ((32, 96), "amp_bf16", "adamw"),
    "timm:convmixer_768_32": ((8, 24), "float32", "adamw"),
    "timm:dm_nfnet_f0": ((16, 64), "amp_bf16", "momentum"),
    "timm:crossvit_15_240": ((32, 96), "amp_fp16", "momentum"),
    "timm:pit_s_224": ((32, 128), "amp_fp16", "momentum"),
    "timm:volo_d1_224": ((16, 48), "float32", "adamw"),
    "timm:cait_xxs24_224": ((16, 48), "amp_bf16", "adamw"),
    "timm:xcit_tiny_12_p16_224": ((32, 128), "amp_bf16", "adamw"),
    "timm:levit_256": ((64, 256), "float32", "adamw"),
    "timm:poolformer_s24": ((16, 64), "float32", "adamw"),
    "timm:mobilevit_s": ((16, 64), "amp_bf16", "adamw"),
    "timm:edgenext_small": ((32, 96), "float32", "adamw"),
    "timm:hrnet_w18": ((16, 48), "float32", "momentum"),
    "timm:dpn68": ((32, 96), "float32", "momentum"),
    "timm:ese_vovnet39b": ((32, 96), "amp_fp16", "momentum"),
    "timm:res2net50_26w_4s": ((16, 64), "float32", "momentum"),
    "timm:repvgg_b0": ((32, 96), "float32", "momentum"),
    "timm:sequencer2d_s": ((16, 48), "amp_fp16", "momentum"),
    "timm:gcresnet50t": ((32, 96), "amp_fp16", "momentum"),
    "timm:twins_svt_small": ((32, 96), "float32", "adamw"),
    "timm:nest_tiny": ((16, 64), "amp_fp16", "momentum"),
    "timm:coatnet_0_rw_224": ((16, 64), "amp_bf16", "adamw"),
    "timm:ghostnet_100": ((64, 192), "float32", "momentum"),
    "timm:inception_v3": ((16, 64), "float32", "momentum"),
    "timm:davit_tiny": ((16, 64), "amp_bf16", "adamw"),
    "timm:beit_base_patch16_224": ((16, 64), "float32", "adamw"),
    "timm:resnest50d": ((16, 48), "amp_bf16", "momentum"),
}
C = transformers
LANGUAGE = {
    "opt": (C.OPTConfig(), "causal", (2, 6), "float32", "adamw", {"seq": 1024}),
    "bloom": (C.BloomConfig(hidden_size=1024, n_layer=24, n_head=16, vocab_size=50000), "causal",
              (2, 6), "amp_bf16", "adamw", {"seq": 512}),
    "neox": (C.GPTNeoXConfig(hidden_size=768, num_hidden_layers=12, num_attention_heads=12,
                             intermediate_size=3072), "causal", (2, 8), "float32", "adamw-fused",
             {"seq": 1024}),
    "mistral": (C.MistralConfig(hidden_size=2048, intermediate_size=7168, num_hidden_layers=16,
                                num_attention_heads=16, num_key_value_heads=4), "causal", (1, 4),
                "bf16_true", "adamw", {"seq": 2048}),
    "mistral-ckpt": (C.MistralConfig(hidden_size=2048, intermediate_size=7168, num_hidden_layers=16,
                                     num_attention_heads=16, num_key_value_heads=4), "causal",
                     (2, 8), "amp_bf16", "adamw", {"seq": 2048, "ckpt": 1}),
    "gemma2": (C.Gemma2Config(hidden_size=1152, intermediate_size=6912, num_hidden_layers=12,
                              num_attention_heads=4, num_key_value_heads=1, head_dim=256,
                              vocab_size=64000), "causal", (1, 4), "bf16_true", "adamw",
               {"seq": 1024}),
    "phi": (C.PhiConfig(hidden_size=2048, intermediate_size=8192, num_hidden_layers=12,
                        num_attention_heads=32), "causal", (1, 4), "bf16_true", "adamw-fused",
            {"seq": 1024}),
    "qwen3": (C.Qwen3Config(hidden_size=1024, intermediate_size=3072, num_hidden_layers=28,
                            num_attention_heads=16, num_key_value_heads=8, head_dim=128,
                            vocab_size=151936, tie_word_embeddings=True), "causal", (1, 3),
              "amp_bf16", "adamw", {"seq": 1024}),
    "mixtral": (C.MixtralConfig(hidden_size=1024, intermediate_size=3584, num_hidden_layers=8,
                                num_attention_heads=16, num_key_value_heads=4), "causal", (1, 4),
                "bf16_true", "adamw", {"seq": 1024}),
    "mistral-lora": (C.MistralConfig(hidden_size=2048, intermediate_size=7168, num_hidden_layers=16,
                                     num_attention_heads=16, num_key_value_heads=4), "causal",
                     (2, 8), "bf16_true", "adamw", {"seq": 1024, "lora": "all", "p": 0.0}),
    "neox-lora": (C.GPTNeoXConfig(hidden_size=2048, num_hidden_layers=16, num_attention_heads=16,
                                  intermediate_size=8192), "causal", (2, 6), "bf16_true", "adamw",
                  {"seq": 1024, "lora": "all", "p": 0.1}),
    "distilbert": (C.DistilBertConfig(), "class", (16, 64), "float32", "adamw", {"seq": 256}),
    "roberta": (C.RobertaConfig(), "masked", (8, 24), "amp_fp16", "adamw", {"seq": 512}),
    "albert": (C.AlbertConfig(hidden_size=768, intermediate_size=3072, num_attention_heads=12),
               "class", (8, 32), "float32", "adamw", {"seq": 256}),
    "electra": (C.ElectraConfig(), "class", (32, 128), "amp_bf16", "adamw", {"seq": 128}),
    "bart": (C.BartConfig(d_model=768, encoder_layers=6, decoder_layers=6, encoder_ffn_dim=3072,
                          decoder_ffn_dim=3072, encoder_attention_heads=12,
                          decoder_attention_heads=12), "seq2seq", (4, 16), "float32", "adamw",
             {"seq": 256}),
    "deberta": (C.DebertaV2Config(hidden_size=768, num_hidden_layers=12, num_attention_heads=12,
                                  intermediate_size=3072, vocab_size=128100, relative_attention=True,
                                  pos_att_type=["p2c", "c2p"], max_relative_positions=-1,
                                  position_buckets=256, share_att_key=True), "class", (4, 16),
                "float32", "adamw", {"seq": 256}),
    "vit": (C.ViTConfig(), "image", (16, 64), "amp_bf16", "adamw", {"seq": 197}),
}
KINDS = {"causal": C.AutoModelForCausalLM, "class": C.AutoModelForSequenceClassification,
         "masked": C.AutoModelForMaskedLM, "seq2seq": C.AutoModelForSeq2SeqLM,
         "image": C.AutoModelForImageClassification}


class Gan(nn.Module):
    def __init__(self, z=100, f=64):
        super().__init__()
        parts, c = [], z
        for i, n in enumerate((8 * f, 4 * f, 2 * f, f)):
            parts += [nn.ConvTranspose2d(c, n, 4, 2 if i else 1, 1 if i else 0, bias=False),
                      nn.BatchNorm2d(n), nn.ReLU(True)]
            c = n
        self.main = nn.Sequential(*parts, nn.ConvTranspose2d(f, 3, 4, 2, 1, bias=False), nn.Tanh())

    def forward(self, x):
        return self.main(x)


class Vae(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv2d(3, 32, 4, 2, 1), nn.LeakyReLU(0.2),
                                     nn.Conv2d(32, 64, 4, 2, 1), nn.LeakyReLU(0.2),
                                     nn.Conv2d(64, 128, 4, 2, 1), nn.LeakyReLU(0.2), nn.Flatten())
        self.mean, self.spread = nn.Linear(128 * 256, 128), nn.Linear(128 * 256, 128)
        self.back = nn.Linear(128, 128 * 256)
        self.decoder = nn.Sequential(nn.Unflatten(1, (128, 16, 16)),
                                     nn.ConvTranspose2d(128, 64, 4, 2, 1), nn.ReLU(),
                                     nn.ConvTranspose2d(64, 32, 4, 2, 1), nn.ReLU(),
                                     nn.ConvTranspose2d(32, 3, 4, 2, 1), nn.Sigmoid())

    def forward(self, x):
        h = self.encoder(x)
        m, s = self.mean(h), self.spread(h)
        return self.decoder(self.back(m + torch.exp(0.5 * s) * torch.randn_like(s)))


class Sound(nn.Module):
    def __init__(self, width=96, layers=20):
        super().__init__()
        self.first = nn.Conv1d(1, width, 1)
        self.filter = nn.ModuleList(nn.Conv1d(width, 2 * width, 3, padding=2 ** (i % 10),
                                              dilation=2 ** (i % 10)) for i in range(layers))
        self.out = nn.ModuleList(nn.Conv1d(width, width, 1) for _ in range(layers))
        self.last = nn.Sequential(nn.ReLU(), nn.Conv1d(width, 256, 1))

    def forward(self, x):
        x, skips = self.first(x), 0
        for f, o in zip(self.filter, self.out):
            a, b = f(x).chunk(2, 1)
            y = o(torch.tanh(a) * torch.sigmoid(b))
            x, skips = x + y, skips + y
        return self.last(skips)


class Points(nn.Module):
    def __init__(self):
        super().__init__()
        parts, c = [], 3
        for n in (64, 64, 128, 1024):
            parts += [nn.Conv1d(c, n, 1), nn.BatchNorm1d(n), nn.ReLU()]
            c = n
        self.each = nn.Sequential(*parts)
        self.head = nn.Sequential(nn.Linear(1024, 512), nn.ReLU(), nn.Dropout(0.3),
                                  nn.Linear(512, 40))

    def forward(self, x):
        return self.head(self.each(x).max(2)[0])


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(30000, 512)
        self.place = nn.Parameter(torch.zeros(1, 512, 512))
        layer = nn.TransformerEncoderLayer(512, 8, 2048, 0.1, batch_first=True)
        self.body = nn.TransformerEncoder(layer, 6)
        self.head = nn.Linear(512, 30000)

    def forward(self, x):
        return self.head(self.body(self.table(x) + self.place[:, :x.shape[1]]))


class Volume(nn.Module):
    def __init__(self, w=16):
        super().__init__()

        def twice(a, b):
            return nn.Sequential(nn.Conv3d(a, b, 3, padding=1), nn.InstanceNorm3d(b, affine=True),
                                 nn.LeakyReLU(0.01, True), nn.Conv3d(b, b, 3, padding=1),
                                 nn.InstanceNorm3d(b, affine=True), nn.LeakyReLU(0.01, True))

        self.a, self.b, self.c = twice(1, w), twice(w, 2 * w), twice(2 * w, 4 * w)
        self.down = nn.MaxPool3d(2)
        self.up2, self.up1 = (nn.ConvTranspose3d(4 * w, 2 * w, 2, 2),
                              nn.ConvTranspose3d(2 * w, w, 2, 2))
        self.d2, self.d1, self.head = twice(4 * w, 2 * w), twice(2 * w, w), nn.Conv3d(w, 4, 1)

    def forward(self, x):
        a = self.a(x)
        b = self.b(self.down(a))
        y = self.d2(torch.cat([b, self.up2(self.c(self.down(b)))], 1))
        return self.head(self.d1(torch.cat([a, self.up1(y)], 1)))


class Translate(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(16000, 256)
        self.read = nn.GRU(256, 512, 2, batch_first=True, bidirectional=True)
        self.write = nn.LSTM(1024, 512, batch_first=True)
        self.head = nn.Linear(512, 16000)

    def forward(self, x):
        return self.head(self.write(self.read(self.table(x))[0])[0])


def ids(n, seq, device):
    return (torch.randint(1, 1000, (n, seq)) if device != "meta" else
            torch.zeros(n, seq, dtype=torch.long)).to(device)


def real(n, *shape, device):
    return torch.zeros(n, *shape, device=device) if device == "meta" else torch.randn(
        n, *shape).to(device)


def classes(out):
    return torch.zeros([out.shape[0]] + list(out.shape[2:]), dtype=torch.long, device=out.device)


def per_class(out, x):
    return cross_entropy(out, classes(out))


def per_token(out, x):
    return cross_entropy(out.flatten(0, 1), x[0].flatten())


def to_input(out, x):
    return mse_loss(out, x[0])


# name: network, shape of a sample (none: ids), loss, batches, precision, optimizer
OWN = {
    "gan": (Gan, (100, 1, 1), lambda o, x: o.mean(), (128, 512), "float32", "adam"),
    "vae": (Vae, (3, 128, 128), to_input, (64, 256), "float32", "adam"),
    "sound": (Sound, (1, 8000), per_class, (8, 32), "float32", "adam"),
    "points": (Points, (3, 1024), per_class, (32, 128), "float32", "adam"),
    "encoder": (Encoder, 256, per_token, (16, 64), "float32", "adam"),
    "encoder-amp": (Encoder, 256, per_token, (16, 64), "amp_fp16", "adamw"),
    "volume": (Volume, (1, 96, 96, 96), per_class, (1, 4), "float32", "adam"),
    "volume-amp": (Volume, (1, 96, 96, 96), per_class, (2, 6), "amp_fp16", "adam"),
    "translate": (Translate, 64, per_token, (32, 96), "float32", "adam"),
}


def language(name):
    config, kind, batches, precision, how, more = LANGUAGE[name]
    config.use_cache = False
    model = KINDS[kind].from_config(config)
    if precision == "bf16_true":
        model = model.bfloat16()
    if more.get("lora"):
        model = gpu_runs.peft.get_peft_model(model, gpu_runs.peft.LoraConfig(
            r=16, lora_alpha=32, lora_dropout=more["p"], target_modules="all-linear",
            task_type="CAUSAL_LM"))
    if more.get("ckpt"):
        model.gradient_checkpointing_enable(
            gradient_checkpointing_kwargs={"use_reentrant": False})

    def inputs(n, device):
        if kind == "image":
            return (real(n, 3, 224, 224, device=device), )
        rows = (ids(n, more["seq"], device),)
        return rows + (torch.zeros(n, dtype=torch.long, device=device),) * (kind == "class")

    if kind == "image":
        return model, inputs, lambda out, x: per_class(out.logits, x), config.to_json_string(False)
    return Trained(model), inputs, lambda out, x: out, config.to_json_string(use_diff=False)


def build(name):
    """(network, inputs, loss, configuration), and the row's batches, precision, optimizer, more."""
    torch.manual_seed(0)
    if name in LANGUAGE:
        return language(name), LANGUAGE[name][2:]
    if name in VISION:
        if name == "s3d":
            model = gpu_runs.torchvision.models.get_model("s3d", weights=None)
            shape = (3, 16, 224, 224)
        elif name.startswith("lraspp"):
            model = gpu_runs.torchvision.models.get_model(name, weights=None, weights_backbone=None,
                                                          num_classes=21)
            shape = (3, 520, 520)
        elif name.startswith("timm:"):
            model = gpu_runs.timm.create_model(name[5:])
            shape = model.pretrained_cfg["input_size"]
        else:
            model, shape = gpu_runs.torchvision.models.get_model(name, weights=None), (3, 224, 224)

        def loss(out, x):
            out = out["out"] if isinstance(out, dict) else out
            out = out[0] if isinstance(out, (tuple, list)) else out
            return per_class(out, x)

        return (model, lambda n, d: (real(n, *shape, device=d),), loss, None), VISION[name] + ({},)
    net, shape, loss, *rest = OWN[name]
    if isinstance(shape, int):
        return (net(), lambda n, d: (ids(n, shape, d),), loss, None), (*rest, {})
    return (net(), lambda n, d: (real(n, *shape, device=d),), loss, None), (*rest, {})


def measure(name, which):
    built, (batches, precision, how, more) = build(name)
    batch = batches[which]
    parameters = sum(p.numel() for p in built[0].parameters())
    gpu_runs.train((built, None, precision, how, more), batch, False)
    reserved = torch.cuda.max_memory_reserved()
    device = reserved + gpu_runs.of_process() - torch.cuda.memory_reserved()
    return "\t".join(str(x) for x in (name, batch, precision, how, parameters,
                                      torch.cuda.max_memory_allocated(), reserved, device))


def describe(name, folder):
    """Graph, configuration, tables."""
    plain = name.replace("timm:", "")
    gpu_runs.RUNS[plain] = ("own", (), "", "", {})
    gpu_runs.build = lambda *_: build(name)[0]
    with contextlib.suppress(Exception):
        gpu_runs.record(plain, folder)
    model, inputs, _, config = build(name)[0]
    with open(f"{folder}/{plain}.print.txt", "w", encoding="utf-8") as file:
        print(getattr(model, "model", model) if config else model, file=file)
    if config and not os.path.exists(f"{folder}/{plain}.json"):
        with open(f"{folder}/{plain}.json", "w", encoding="utf-8") as file:
            file.write(config)
    if name in LANGUAGE:
        return
    model = model.eval()
    kinds = {"torchsummary": tables.torchsummary, "torchinfo": tables.torchinfo,
             "torchinfo10": lambda m, e: tables.torchinfo(m, e, depth=10)}
    for kind, write in kinds.items():
        with contextlib.suppress(Exception):
            text = write(model, inputs(1, "cpu")[0])
            with open(f"{folder}/{plain}.{kind}.txt", "w", encoding="utf-8") as file:
                file.write(text)


def fits(built, row, batch):
    """None, or what was printed when it did not."""
    try:
        gpu_runs.train((built, None, *row[1:4]), batch, False)
        return None
    except torch.OutOfMemoryError:
        return traceback.format_exc()
    finally:
        torch.cuda.synchronize()


def largest(name, folder, limit):
    """A log of a run below a limit that ran out, and the largest batch that does not."""
    torch.cuda.set_per_process_memory_fraction(limit * 2**30 / torch.cuda.get_device_properties(
        0).total_memory)
    found, row = build(name)[0], build(name)[1]
    plain, batch, tried = name.replace("timm:", ""), row[0][0], {}

    def ask(n):
        if n not in tried:
            with contextlib.suppress(Exception):
                found[0].cpu()
            torch.cuda.empty_cache()
            tried[n] = fits(build(name)[0], row, n)
            torch.cuda.empty_cache()
        return tried[n] is None

    lo, hi = 0, None
    while hi is None or hi - lo > max(1, lo // 50):
        batch = batch if lo == 0 and hi is None else 2 * lo if hi is None else (lo + hi) // 2
        lo, hi = (batch, hi) if ask(batch) else (lo, batch)
        if hi == 0 or batch > 20000:
            return None
    chosen = next((n for n in sorted(tried) if tried[n] and n >= 1.15 * hi), hi)
    with open(f"{folder}/{plain}.oom.log", "w", encoding="utf-8") as file:
        file.write(tried[chosen])
    return json.dumps({"name": name, "limit_gib": limit, "lo": lo, "hi": hi, "tried": chosen,
                       "seq": row[3].get("seq"), "precision": row[1], "optimizer": row[2]})


def child(task):
    what, name, *more = task
    started = time.time()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            got = {"measure": measure, "describe": describe, "largest": largest}[what](name, *more)
    except Exception as error:  # the next run tells its own
        got, name = None, f"{name}: {type(error).__name__} {str(error)[:200]}"
    print(f"{what} {name} {more} {time.time() - started:.1f} s", file=sys.stderr, flush=True)
    return what, got


def main():
    folder, names = sys.argv[1], sys.argv[2:]
    names = names or [*VISION, *LANGUAGE, *OWN]
    tasks = [("measure", n, i) for n in names for i in (1, 0)]
    tasks += [("describe", n, folder) for n in names]
    tasks += [("largest", n, folder, 10 + 2 * (i % 5)) for i, n in enumerate(names[::2])]
    torch.set_num_threads(3)
    with multiprocessing.get_context("fork").Pool(4, maxtasksperchild=1) as pool, open(
            f"{folder}/unseen.tsv", "w", encoding="utf-8") as rows, open(
                f"{folder}/largest.jsonl", "w", encoding="utf-8") as logs:
        for what, got in pool.imap_unordered(child, tasks, chunksize=1):
            if got:
                print(got, file=rows if what == "measure" else logs, flush=True)


if __name__ == "__main__":
    main()
