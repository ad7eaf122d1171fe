#!/usr/bin/env python3
"""Draws networks at random, of timm's modules and transformers' types that gpu_runs.py and
gpu_unseen.py have none of, looks for the largest batch of each below a limit of its own, and
measures peaks at two batches.

    UNTIL=SECONDS HARD=SECONDS gpu_drawn.py FOLDER SEED

Wants what gpu_runs.py wants. No network is begun after the time UNTIL, none is waited for after
HARD (as `date +%s` gives them). Writes logs.txt (rows of gpu/largest.tsv as JSON), peaks.txt (rows as
of gpu_unseen.py), NAME.oom.log, and the descriptions that gpu_unseen.py writes."""

import contextlib
import io
import json
import multiprocessing
import os
import random
import sys
import time
import traceback
import torch
import transformers
import timm
import gpu_runs
import gpu_unseen
import tables
from gpu_nets import Trained

OUT = sys.argv[1]
SEEN = """resnet vgg efficientnet mobilenetv3 densenet convnext vision_transformer swin_transformer regnet
maxxvit mlp_mixer convmixer nfnet crossvit pit volo cait xcit levit metaformer mobilevit
edgenext hrnet dpn vovnet res2net byobnet sequencer twins nest ghostnet inception_v3 davit beit
resnest""".split()
HUG = {"gptj": ("causal", {"n_embd": 1024, "n_layer": 12, "n_head": 16, "rotary_dim": 64}),
 "codegen": ("causal", {"n_embd": 1024, "n_layer": 16, "n_head": 16, "rotary_dim": 32}),
 "gpt_neo": ("causal",
             {"hidden_size": 768,
              "num_layers": 12,
              "num_heads": 12,
              "attention_types": [[["global", "local"], 6]]}),
 "falcon": ("causal", {"hidden_size": 1024, "num_hidden_layers": 12, "num_attention_heads": 16}),
 "mpt": ("causal", {"d_model": 1024, "n_layers": 12, "n_heads": 16}),
 "gemma": ("causal",
           {"hidden_size": 1024,
            "num_hidden_layers": 12,
            "num_attention_heads": 16,
            "intermediate_size": 3072,
            "num_key_value_heads": 4,
            "head_dim": 64,
            "vocab_size": 64000}),
 "stablelm": ("causal",
              {"hidden_size": 1024,
               "num_hidden_layers": 12,
               "num_attention_heads": 16,
               "intermediate_size": 3072,
               "num_key_value_heads": 16}),
 "olmo": ("causal",
          {"hidden_size": 1024,
           "num_hidden_layers": 12,
           "num_attention_heads": 16,
           "intermediate_size": 3072}),
 "olmo2": ("causal",
           {"hidden_size": 1024,
            "num_hidden_layers": 12,
            "num_attention_heads": 16,
            "intermediate_size": 3072}),
 "granite": ("causal",
             {"hidden_size": 1024,
              "num_hidden_layers": 12,
              "num_attention_heads": 16,
              "intermediate_size": 3072}),
 "cohere": ("causal",
            {"hidden_size": 1024,
             "num_hidden_layers": 12,
             "num_attention_heads": 16,
             "intermediate_size": 3072,
             "vocab_size": 64000}),
 "starcoder2": ("causal",
                {"hidden_size": 1024,
                 "num_hidden_layers": 12,
                 "num_attention_heads": 16,
                 "intermediate_size": 3072,
                 "num_key_value_heads": 4}),
 "persimmon": ("causal",
               {"hidden_size": 1024,
                "num_hidden_layers": 12,
                "num_attention_heads": 16,
                "intermediate_size": 3072,
                "vocab_size": 64000}),
 "gpt_bigcode": ("causal", {"n_embd": 1024, "n_layer": 16, "n_head": 16}),
 "biogpt": ("causal",
            {"hidden_size": 1024,
             "num_hidden_layers": 12,
             "num_attention_heads": 16,
             "intermediate_size": 4096}),
 "xglm": ("causal",
          {"d_model": 1024,
           "ffn_dim": 4096,
           "num_layers": 12,
           "attention_heads": 16,
           "vocab_size": 50000}),
 "ctrl": ("causal", {"n_embd": 1024, "dff": 4096, "n_layer": 12, "n_head": 16}),
 "smollm3": ("causal",
             {"hidden_size": 1024,
              "num_hidden_layers": 12,
              "num_attention_heads": 16,
              "intermediate_size": 3072,
              "num_key_value_heads": 4}),
 "nemotron": ("causal",
              {"hidden_size": 1024,
               "num_hidden_layers": 12,
               "num_attention_heads": 16,
               "intermediate_size": 4096,
               "num_key_value_heads": 16,
               "vocab_size": 64000}),
 "phi3": ("causal",
          {"hidden_size": 1024,
           "num_hidden_layers": 12,
           "num_attention_heads": 16,
           "intermediate_size": 3072,
           "pad_token_id": 0}),
 "olmoe": ("causal",
           {"hidden_size": 1024,
            "num_hidden_layers": 12,
            "num_attention_heads": 16,
            "intermediate_size": 512,
            "num_experts": 16,
            "num_experts_per_tok": 4}),
 "helium": ("causal",
            {"hidden_size": 1024,
             "num_hidden_layers": 12,
             "num_attention_heads": 16,
             "intermediate_size": 3072,
             "head_dim": 64}),
 "glm": ("causal",
         {"hidden_size": 1024,
          "num_hidden_layers": 12,
          "num_attention_heads": 16,
          "intermediate_size": 3072,
          "num_key_value_heads": 4,
          "head_dim": 64,
          "vocab_size": 64000,
          "pad_token_id": 0}),
 "qwen2_moe": ("causal",
               {"hidden_size": 1024,
                "num_hidden_layers": 12,
                "num_attention_heads": 16,
                "intermediate_size": 2048,
                "moe_intermediate_size": 512,
                "shared_expert_intermediate_size": 1024,
                "num_experts": 16,
                "num_experts_per_tok": 4,
                "vocab_size": 64000}),
 "convbert": ("class", {}),
 "mobilebert": ("class", {}),
 "squeezebert": ("class", {}),
 "mpnet": ("class", {}),
 "xlnet": ("class", {"d_model": 768, "n_layer": 12, "n_head": 12, "d_inner": 3072}),
 "camembert": ("class", {}),
 "ernie": ("class", {}),
 "nystromformer": ("class", {}),
 "fnet": ("class", {}),
 "funnel": ("class", {}),
 "modernbert": ("class", {}),
 "rembert": ("class", {}),
 "megatron-bert": ("masked", {}),
 "layoutlm": ("class", {}),
 "ibert": ("class", {}),
 "xlm-roberta": ("masked", {}),
 "dinov2": ("image", {}),
 "deit": ("image", {}),
 "segformer": ("image", {}),
 "swinv2": ("image", {}),
 "convnextv2": ("image", {}),
 "pvt_v2": ("image", {}),
 "mobilevitv2": ("image", {}),
 "focalnet": ("image", {}),
 "regnet": ("image", {}),
 "levit": ("image", {}),
 "resnet": ("image", {}),
 "cvt": ("image", {}),
 "dinat": ("image", {}),
 "pegasus": ("seq2seq",
             {"d_model": 768,
              "encoder_layers": 6,
              "decoder_layers": 6,
              "encoder_ffn_dim": 3072,
              "decoder_ffn_dim": 3072,
              "encoder_attention_heads": 12,
              "decoder_attention_heads": 12}),
 "mbart": ("seq2seq",
           {"d_model": 768,
            "encoder_layers": 6,
            "decoder_layers": 6,
            "encoder_ffn_dim": 3072,
            "decoder_ffn_dim": 3072,
            "vocab_size": 64000}),
 "marian": ("seq2seq",
            {"d_model": 512,
             "encoder_layers": 6,
             "decoder_layers": 6,
             "encoder_ffn_dim": 2048,
             "decoder_ffn_dim": 2048,
             "encoder_attention_heads": 8,
             "decoder_attention_heads": 8}),
 "mt5": ("seq2seq", {"vocab_size": 64000, "decoder_start_token_id": 0}),
 "umt5": ("seq2seq", {"vocab_size": 64000, "decoder_start_token_id": 0}),
 "wav2vec2": ("sound", {}),
 "hubert": ("sound", {}),
 "wavlm": ("sound", {}),
 "audio-spectrogram-transformer": ("spectrogram", {})}
ROWS = {}


def draw():
    r = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 23)
    modules = [m for m in sorted(timm.list_modules()) if m not in SEEN]
    r.shuffle(modules)
    vision = []
    for m in modules:
        names = timm.list_models(module=m)
        r.shuffle(names)
        for n in names[:6]:
            cfg = timm.get_pretrained_cfg(n)
            size = cfg.input_size if cfg else (3, 224, 224)
            if size[-1] > 400:
                continue
            try:
                with torch.device('meta'):
                    p = sum((q.numel() for q in timm.create_model(n).parameters()))
            except Exception:
                continue
            if p > 130000000.0:
                continue
            vision.append((n, size, p))
            break
        if len(vision) >= 40:
            break
    for n, size, p in vision:
        ROWS['timm:' + n] = ('timm', tuple(size), r.choice(['float32'] * 4 + ['amp_bf16'] * 3 + ['amp_fp16'] * 2), r.choice(['momentum', 'adamw']), {}, r.choice([6, 8, 9, 10, 12, 14]))
    hug = sorted(HUG)
    r.shuffle(hug)
    for n in hug[:22]:
        kind, more = HUG[n]
        prec = r.choice(['float32', 'float32', 'amp_bf16'] + (['bf16_true'] if kind == 'causal' else ['amp_fp16']))
        seq = r.choice([256, 512, 1024]) if kind == 'causal' else r.choice([128, 256, 384]) if kind in ('class', 'masked', 'seq2seq') else None
        ROWS['hf:' + n] = (kind, more, prec, r.choice(['adamw', 'adamw', 'momentum']), {'seq': seq}, r.choice([8, 10, 12, 14, 14]))


def build(name):
    torch.manual_seed(0)
    kind, more, prec, how, extra, _ = ROWS[name]
    if kind == 'timm':
        model = timm.create_model(name[5:])

        def loss(out, x):
            out = out[0] if isinstance(out, (tuple, list)) else out
            return gpu_unseen.per_class(out, x)
        return (model, lambda n, d: (gpu_unseen.real(n, *more, device=d),), loss, None)
    config = transformers.AutoConfig.for_model(name[3:], **more)
    config.use_cache = False
    auto = {**gpu_unseen.KINDS, 'sound': transformers.AutoModelForAudioClassification, 'spectrogram': transformers.AutoModelForAudioClassification}[kind]
    model = auto.from_config(config)
    if prec == 'bf16_true':
        model = model.bfloat16()
    text = config.to_json_string(use_diff=False)
    if kind in ('image', 'sound', 'spectrogram'):
        side = getattr(config, 'image_size', 224)
        side = side if isinstance(side, int) else 224
        shape = {'image': (3, side, side), 'sound': (16000 * 5,), 'spectrogram': (1024, 128)}[kind]
        return (model, lambda n, d: (gpu_unseen.real(n, *shape, device=d),), lambda out, x: gpu_unseen.per_class(out.logits, x), text)

    def inputs(n, device):
        rows = (gpu_unseen.ids(n, extra['seq'], device),)
        return rows + (torch.zeros(n, dtype=torch.long, device=device),) * (kind == 'class')
    return (Trained(model), inputs, lambda out, x: out, text)


def prepared(name):
    kind, _, prec, how, extra, _ = ROWS[name]
    return (build(name), None, prec, how, {})


def measure(name, batch):
    run = prepared(name)
    parameters = sum((p.numel() for p in run[0][0].parameters()))
    gpu_runs.train(run, batch, False)
    reserved = torch.cuda.max_memory_reserved()
    device = reserved + gpu_runs.of_process() - torch.cuda.memory_reserved()
    return '\t'.join(map(str, (name, batch, ROWS[name][2], ROWS[name][3], parameters, torch.cuda.max_memory_allocated(), reserved, device, ROWS[name][4].get('seq'))))


def plain(name):
    return name.replace(':', '-')


def describe(name):
    folder = OUT
    gpu_runs.RUNS[plain(name)] = ('own', (), '', '', {})
    gpu_runs.build = lambda *_: build(name)
    with contextlib.suppress(Exception):
        gpu_runs.record(plain(name), folder)
    model, inputs, _, config = build(name)
    with open(f'{folder}/{plain(name)}.print.txt', 'w') as f:
        print(getattr(model, 'model', model) if config else model, file=f)
    if config:
        with open(f'{folder}/{plain(name)}.json', 'w') as f:
            f.write(config)
    if ROWS[name][0] != 'timm':
        return
    model = model.eval()
    for kind, write in {'torchsummary': tables.torchsummary, 'torchinfo': tables.torchinfo, 'torchinfo10': lambda m, e: tables.torchinfo(m, e, depth=10)}.items():
        with contextlib.suppress(Exception):
            text = write(model, inputs(1, 'cpu')[0])
            with open(f'{folder}/{plain(name)}.{kind}.txt', 'w') as f:
                f.write(text)


def largest(name):
    kind, _, prec, how, extra, limit = ROWS[name]
    torch.cuda.set_per_process_memory_fraction(limit * 2 ** 30 / torch.cuda.get_device_properties(0).total_memory)
    tried = {}

    def ask(n):
        if n not in tried:
            torch.cuda.empty_cache()
            try:
                gpu_runs.train(prepared(name), n, False)
                tried[n] = None
            except torch.OutOfMemoryError:
                tried[n] = traceback.format_exc()
            torch.cuda.synchronize()
            torch.cuda.empty_cache()
        return tried[n] is None
    r = random.Random(name)
    lo, hi, batch = (0, None, 8 if kind in ('timm', 'image', 'class', 'masked') else 2)
    while hi is None or hi - lo > max(1, lo // 33):
        n = batch if lo == 0 and hi is None else (4 if lo < 33 else 2) * lo if hi is None else (lo + hi) // 2
        lo, hi = (n, hi) if ask(n) else (lo, n)
        if hi == 0 or n > 6000:
            return None
        if hi == 1:
            return None
    failed = [n for n in sorted(tried) if tried[n] and n >= 1.15 * hi] or [hi]
    chosen = r.choice(failed)
    with open(f'{OUT}/{plain(name)}.oom.log', 'w') as f:
        f.write(tried[chosen])
    return json.dumps({'name': name, 'limit_gib': limit, 'lo': lo, 'hi': hi, 'tried': chosen, 'seq': extra.get('seq'), 'precision': prec, 'optimizer': how})


def whole(name):
    """One network, in children of its own."""
    out = []

    def fork(what, *a):
        q, w = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    got = what(*a)
                got = json.dumps(got)
            except Exception as e:
                print(name, what.__name__, type(e).__name__, str(e)[:150], file=sys.stderr, flush=True)
                got = 'null'
            os.write(w, got.encode())
            os._exit(0)
        os.close(w)
        data = b''
        while (d := os.read(q, 65536)):
            data += d
        os.close(q)
        os.waitpid(pid, 0)
        return json.loads(data or b'null')
    started = time.time()
    got = fork(largest, name)
    if got:
        out.append(('log', got))
        lo = json.loads(got)['lo']
        r = random.Random('b' + name)
        for b in sorted({max(1, int(lo * r.uniform(0.15, 0.45))), max(1, int(lo * r.uniform(0.5, 0.95)))}):
            m = fork(measure, name, b)
            if m:
                out.append(('peak', m))
        fork(describe, name)
    print(f'{name} {time.time() - started:.0f} s', file=sys.stderr, flush=True)
    return out


def loop(i, queue, lock):
    while True:
        with lock:
            if queue.empty() or time.time() > float(os.environ['UNTIL']):
                return
            name = queue.get()
        for what, line in whole(name):
            with lock, open(f'{OUT}/{what}s.txt', 'a') as f:
                f.write(line + '\n')


def main():
    os.makedirs(OUT, exist_ok=True)
    draw()
    torch.set_num_threads(3)
    names = list(ROWS)
    random.Random(5).shuffle(names)
    print(len(names), file=sys.stderr)
    ctx = multiprocessing.get_context('fork')
    queue, lock = (ctx.Queue(), ctx.Lock())
    for n in names:
        queue.put(n)
    time.sleep(1)
    ps = [ctx.Process(target=loop, args=(i, queue, lock)) for i in range(5)]
    for p in ps:
        p.start()
    for p in ps:
        p.join(max(1, float(os.environ['HARD']) - time.time()))
    os._exit(0)


if __name__ == "__main__":
    main()
