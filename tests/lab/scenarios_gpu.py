"""The scenarios of `make lab-gpu`. cap: MiB that PyTorch may take; share: of the card for XLA's pool;
pool: MB of CuPy's; card: MiB of the card that another process leaves. Rows with card, or without a
limit, have the card for themselves."""

from scenarios import MEMORY, OTHER, Scenario

BATCH = ("batch_too_large", "capped")
INPUT = ("input_too_large", "batch_too_large", "capped")
MODEL = ("model_too_large", "capped")

# What following a remedy means for the flags of these programs. Raising a limit is worded as removing
# it, with a fraction of 1 (0.9 in JAX) in the line that is printed.
HAND = {
    "mixed_precision": {"amp": "--amp", "bf16": "--bf16", "precision": "bf16-mixed"},
    "half_precision": {"amp": "--amp", "bf16": "--bf16", "precision": "bf16-mixed"},
    "checkpointing": {"checkpoint": "--checkpointing", "remat": "--remat"},
    "accumulate": {"batch": "*0.25", "accumulate": 4},
    "inference_mode": {"grad": "--no-grad", "evalgrad": ""},
    "smaller_input": {"image": "*0.5", "length": "*0.5"},
    "shorter_context": {"length": "*0.5"}, "shorter_sequences": {"length": "*0.5"},
    "fewer_sequences": {"batch": "*0.5"}, "efficient_attention": {"flash": "--flash"},
    "smaller_model": {"width": "*0.5", "dim": "*0.5"}, "smaller_optimizer": {"optimizer": "sgd", "optim": "adafactor"},
    "adapters": {"lora": "--lora"}, "raise_limit": {"cap": 0, "pool": "*2", "share": 0.9},
    "defragment": {"alloc": "expandable_segments:True"},
    "smaller_evaluation": {"evalbatch": "*0.25", "evalacc": "--eval_accumulation_steps 2"},
    "drop_results": {"keep": "", "evalacc": "--eval_accumulation_steps 2"}, "fix_leak": {"keep": ""},
    "narrow_scopes": {"keep": ""}, "process_each": {"keep": "", "free": "--free-models"},
    "clear_session": {"free": "--free-models"}, "stream_dataset": {"data": "", "batch": 4096},
    "load_into": {"where": "--map-location cpu"}, "place_on_host": {"where": "--map-location cpu"},
    "fix_shape": {"squeeze": "--squeeze"}, "stop_other_tenant": {"card": 0}, "less_at_once": {"batch": "*0.5"},
}

NET = "python3 net.py --batch-size {batch} --image-size {image} --width {width} --steps {steps} " \
      "--accumulate {accumulate} {amp} {checkpoint} {more}"
TORCH = {"batch": 16, "image": 224, "width": 64, "steps": 4, "accumulate": 1, "amp": "", "checkpoint": "",
         "more": "", "alloc": "", "cap": 0, "env": "LAB_CAP={cap} PYTORCH_CUDA_ALLOC_CONF={alloc}"}
GPT = "python3 gpt.py --batch-size {batch} --seq-len {length} --dim {dim} --layers {layers} --steps {steps} " \
      "--optimizer {optimizer} --accumulate {accumulate} {bf16} {checkpoint} {flash} {more}"
TEXT = {"batch": 2, "length": 512, "dim": 512, "layers": 6, "steps": 4, "optimizer": "adamw", "accumulate": 1,
        "bf16": "", "checkpoint": "", "flash": "", "more": "", "alloc": "", "cap": 0, "env": TORCH["env"]}
HF = "python3 trainer.py --model {model} --per_device_train_batch_size {batch} --max_length {length} " \
     "--layers {layers} --hidden {dim} --gradient_accumulation_steps {accumulate} --optim {optim} {bf16} " \
     "{checkpoint} {lora} {evalacc} {more}"
TRAINER = {"model": "gpt2", "batch": 4, "length": 256, "layers": 12, "dim": 768, "accumulate": 1,
           "optim": "adamw_torch", "bf16": "", "checkpoint": "", "lora": "", "evalacc": "", "more": "", "alloc": "",
           "cap": 0, "env": TORCH["env"]}
TIMM = "python3 vision.py --model {model} -b {batch} --img-size {image} {amp} {checkpoint} {more}"
VISION = {"model": "resnet50", "batch": 8, "image": 224, "amp": "", "checkpoint": "", "more": "", "alloc": "",
          "cap": 0, "env": TORCH["env"]}
LIGHTNING = "python3 module.py --batch_size {batch} --image_size {image} --width {width} --steps {steps} " \
            "--precision {precision} --accumulate_grad_batches {accumulate} {keep}"
MODULE = {"batch": 32, "image": 128, "width": 64, "steps": 5, "precision": "32-true", "accumulate": 1, "keep": "",
          "alloc": "", "cap": 0, "env": TORCH["env"]}
JAXNET = "python3 jaxnet.py --batch-size {batch} --dim {dim} --layers {layers} --steps {steps} {remat} {more} {keep}"
JAX = {"batch": 128, "dim": 1024, "layers": 4, "steps": 4, "remat": "", "more": "", "keep": "", "share": 0.05,
       "env": "XLA_PYTHON_CLIENT_MEM_FRACTION={share}"}
CUPY = "python3 arrays.py --rows {rows} --batch-size {batch} --steps {steps} {keep}"
ARRAYS = {"rows": 200000, "batch": 0, "steps": 1, "keep": "", "pool": 0, "env": "CUPY_GPU_MEMORY_LIMIT={pool}000000"}
HF_CHECKPOINTS = {"checkpointing": {"checkpoint": "--gradient_checkpointing"}}
TIMM_CHECKPOINTS = {"checkpointing": {"checkpoint": "--grad-checkpointing"}}


def row(name, needs, command, causes, base, knobs, hand=None, outcome=MEMORY, held=False):
    return Scenario(name, needs, command, causes, {**base, **knobs}, {}, {**HAND, **(hand or {})}, outcome,
                    wordings=("plain", "stamped"), blind=held)


def held(*args, **more):
    return row(*args, held=True, **more)


GPU_SCENARIOS = [
    # these have the card for themselves
    row("net-whole-card", "cuda torch", NET, BATCH + ("fragmented",), TORCH, {"batch": 1400, "steps": 2}),
    row("net-other-process", "cuda torch", NET, ("other_tenant",), TORCH, {"batch": 64, "card": 3500}),
    # PyTorch, own scripts
    row("net-batch", "cuda torch", NET, BATCH, TORCH, {"batch": 128, "cap": 5000}),
    row("net-batch-amp", "cuda torch", NET, BATCH, TORCH, {"batch": 256, "amp": "--amp", "cap": 6000}),
    row("net-image", "cuda torch", NET, INPUT, TORCH, {"batch": 1, "image": 4096, "cap": 8000}),
    row("net-losses-kept", "cuda torch", NET + " {keep}", ("device_leak",), TORCH,
        {"batch": 64, "image": 64, "steps": 30, "keep": "--keep-losses", "cap": 3000}),
    row("net-inputs-kept", "cuda torch", NET + " {keep}", ("device_leak",), TORCH,
        {"batch": 32, "steps": 80, "keep": "--keep-outputs", "cap": 3200}),
    row("net-evaluation-kept", "cuda torch", NET + " --eval-batches 120 {keep}", ("evaluation_accumulates",), TORCH,
        {"batch": 32, "keep": "--keep-predictions", "cap": 3400}),
    row("net-evaluation-gradients", "cuda torch", NET + " --eval-batches 5 --eval-batch-size {evalbatch} {evalgrad}",
        ("evaluation_accumulates",), TORCH, {"batch": 16, "evalbatch": 64, "evalgrad": "--eval-gradients", "cap": 3200}),
    row("net-evaluation-batch", "cuda torch", NET + " --eval-batches 5 --eval-batch-size {evalbatch}",
        ("evaluation_accumulates",), TORCH, {"batch": 24, "evalbatch": 256, "cap": 4000}),
    row("net-data-on-device", "cuda torch", NET + " --samples 20000 {data}", ("dataset_on_device",), TORCH,
        {"batch": 16, "image": 64, "data": "--data-on-device", "cap": 900}, {"stream_dataset": {"data": ""}}),
    row("net-reload", "cuda torch", NET + " --inference --no-grad --resume {where}", ("model_reload",), TORCH,
        {"batch": 1, "image": 64, "width": 1024, "steps": 1, "where": "", "cap": 2500}),
    row("net-broadcast", "cuda torch", "python3 net.py --regression 40000 --steps 3 {squeeze}", ("accidental_shape",),
        {"env": TORCH["env"], "alloc": ""}, {"squeeze": "", "cap": 4000}),
    row("net-models-kept", "cuda torch", NET + " --models 14 {free}", ("graph_growth", "device_leak"), TORCH,
        {"batch": 8, "image": 128, "width": 256, "steps": 1, "free": "", "cap": 3500},
        {"fix_leak": {"free": "--free-models"}, "narrow_scopes": {"free": "--free-models"}}),
    row("net-inference", "cuda torch", NET + " --inference {grad}", BATCH, TORCH, {"batch": 80, "grad": "", "cap": 4000}),
    row("net-pieces", "cuda torch", "python3 pieces.py --batch-size {batch}", ("fragmented",),
        {"env": TORCH["env"]}, {"batch": 384, "alloc": "", "cap": 3400}),
    row("net-survives", "cuda torch", NET + " --find-batch", ("survived",), TORCH, {"batch": 128, "cap": 5000},
        outcome=("survived",)),
    row("net-channels", "cuda torch", NET, ("not_memory",), TORCH, {"batch": 8, "more": "--channels 1"}, outcome=OTHER),
    row("net-labels", "cuda torch", NET, ("not_memory",), TORCH, {"batch": 32, "more": "--classes 5"}, outcome=OTHER),
    row("gpt-batch", "cuda torch", GPT, BATCH, TEXT, {"batch": 48, "cap": 6000}),
    row("gpt-length", "cuda torch", GPT, INPUT, TEXT, {"batch": 1, "length": 8192, "cap": 7000}),
    row("gpt-last-longer", "cuda torch", GPT + " --lengths 4096", INPUT, TEXT,
        {"batch": 4, "length": 256, "cap": 6000}),
    row("gpt-model", "cuda torch", GPT, MODEL, TEXT, {"dim": 2048, "layers": 12, "batch": 1, "cap": 1500}),
    row("gpt-optimizer", "cuda torch", GPT, MODEL, TEXT,
        {"dim": 1024, "layers": 12, "batch": 1, "length": 128, "cap": 1750}),
    row("gpt-graph-kept", "cuda torch", GPT + " {keep}", ("device_leak",), TEXT,
        {"steps": 30, "keep": "--growing-memory", "cap": 5000}),
    # Hugging Face
    row("hf-batch", "cuda transformers", HF, BATCH, TRAINER, {"batch": 32, "length": 512, "cap": 9000}, HF_CHECKPOINTS),
    row("hf-length", "cuda transformers", HF, INPUT, TRAINER, {"batch": 1, "length": 8192, "cap": 9000}, HF_CHECKPOINTS),
    row("hf-evaluation", "cuda transformers", HF + " --eval_samples 160 --max_steps 1", ("evaluation_accumulates",),
        TRAINER, {"cap": 7000}, HF_CHECKPOINTS),
    row("hf-model", "cuda transformers", HF + " --max_steps 2", MODEL, TRAINER,
        {"model": "llama", "dim": 2048, "batch": 1, "length": 64, "cap": 8000}, HF_CHECKPOINTS),
    row("hf-lora", "cuda transformers", HF, BATCH, TRAINER, {"batch": 48, "length": 512, "lora": "--lora", "cap": 9000},
        HF_CHECKPOINTS),
    row("hf-generate", "cuda transformers", "python3 trainer.py --model llama --hidden 1024 --layers 16 "
        "--per_device_eval_batch_size {batch} --max_length {length} --generate 700",
        ("kv_cache", "batch_too_large", "input_too_large"), TRAINER, {"batch": 64, "cap": 6000}),
    # timm, Lightning
    row("timm-batch", "cuda timm", TIMM, BATCH, VISION, {"batch": 256, "cap": 10000}, TIMM_CHECKPOINTS),
    row("timm-image", "cuda timm", TIMM, INPUT, VISION,
        {"model": "vit_base_patch16_224", "batch": 1, "image": 2048, "cap": 7000}, TIMM_CHECKPOINTS),
    row("timm-validate", "cuda timm", TIMM, BATCH, VISION,
        {"batch": 2048, "more": "--validate-only", "cap": 8000}, TIMM_CHECKPOINTS),
    row("lightning-batch", "cuda lightning", LIGHTNING, BATCH, MODULE, {"batch": 512, "cap": 6000}),
    row("lightning-kept", "cuda lightning", LIGHTNING, ("device_leak",), MODULE,
        {"batch": 64, "steps": 80, "keep": "--keep", "cap": 2400}),
    # JAX
    row("jax-batch", "cuda jax", JAXNET, BATCH + ("compile_plan",), JAX, {"batch": 120000}),
    row("jax-batch-eager", "cuda jax", JAXNET + " --eager", BATCH, JAX, {"batch": 80000}),
    row("jax-model", "cuda jax", JAXNET, MODEL, JAX, {"dim": 16384, "layers": 6, "batch": 16}),
    row("jax-data", "cuda jax", JAXNET + " --samples {samples}", ("dataset_on_device", "capped"), JAX,
        {"samples": 1500000}, {name: {"samples": 0} for name in ("stream_dataset", "use_part")}),
    row("jax-kept", "cuda jax", JAXNET, ("device_leak",), JAX,
        {"dim": 2048, "batch": 4096, "steps": 80, "keep": "--keep"}),
    row("jax-pairs", "cuda jax", "python3 jaxnet.py --pairwise {rows}", ("accidental_shape", "input_too_large",
        "batch_too_large", "capped"), {"env": JAX["env"]}, {"rows": 8000, "share": 0.05},
        {name: {"rows": "*0.3"} for name in ("fix_shape", "smaller_input", "less_at_once", "smaller_pieces")}),
    # CuPy, Numba
    row("cupy-pool", "cuda cupy", CUPY, ("capped", "batch_too_large", "dataset_on_device"), ARRAYS,
        {"rows": 800000, "pool": 2000}, {name: {"batch": 20000} for name in ("stream_dataset", "smaller_pieces",
                                                                            "less_at_once", "use_part")}),
    row("cupy-kept", "cuda cupy", CUPY, ("device_leak", "capped"), ARRAYS,
        {"batch": 20000, "steps": 40, "keep": "--keep", "pool": 3000}),
    row("cupy-all", "cuda cupy", CUPY, ("dataset_on_device", "input_too_large", "batch_too_large"), ARRAYS,
        {"rows": 40000000, "env": ""}, {name: {"batch": 20000, "rows": 2000000} for name in (
            "stream_dataset", "smaller_pieces", "less_at_once", "use_part", "smaller_input")}),
    row("numba-all", "cuda numba", "python3 double.py {mib} {piece}", ("dataset_on_device", "input_too_large",
        "batch_too_large"), {}, {"mib": 120000, "piece": 120000},
        {name: {"piece": 4000} for name in ("stream_dataset", "smaller_pieces", "less_at_once", "use_part",
                                            "smaller_input")}),
]

# Written, with their causes, before any of them was run.
GPU_SCENARIOS += [
    held("net-small-images", "cuda torch", NET, BATCH, TORCH, {"batch": 300, "image": 160, "cap": 6000}),
    held("net-wide", "cuda torch", NET, BATCH, TORCH, {"batch": 48, "width": 128, "cap": 3750}),
    held("net-amp", "cuda torch", NET, BATCH, TORCH, {"batch": 400, "image": 192, "amp": "--amp", "cap": 6900}),
    held("net-large-images", "cuda torch", NET, INPUT, TORCH, {"batch": 2, "image": 3000, "cap": 8400}),
    held("net-sum-of-losses", "cuda torch", NET + " {keep}", ("device_leak",), TORCH,
         {"batch": 48, "image": 96, "steps": 40, "keep": "--keep-losses", "cap": 4000}),
    held("net-outputs-kept", "cuda torch", NET + " {keep}", ("device_leak",), TORCH,
         {"batch": 16, "steps": 160, "keep": "--keep-outputs", "cap": 1900}),
    held("net-predictions", "cuda torch", NET + " --eval-batches 160 {keep}", ("evaluation_accumulates",), TORCH,
         {"batch": 24, "keep": "--keep-predictions", "cap": 3100}),
    held("net-validation-graph", "cuda torch", NET + " --eval-batches 5 --eval-batch-size {evalbatch} {evalgrad}",
         ("evaluation_accumulates",), TORCH, {"batch": 12, "evalbatch": 80, "evalgrad": "--eval-gradients", "cap": 3900}),
    held("net-whole-set", "cuda torch", NET + " --samples 9000 {data}", ("dataset_on_device",), TORCH,
         {"batch": 16, "image": 96, "data": "--data-on-device", "cap": 920}, {"stream_dataset": {"data": ""}}),
    held("net-search", "cuda torch", NET + " --models 14 {free}", ("graph_growth", "device_leak"), TORCH,
         {"batch": 8, "image": 128, "width": 320, "steps": 1, "free": "", "cap": 5000},
         {"fix_leak": {"free": "--free-models"}, "narrow_scopes": {"free": "--free-models"}}),
    held("gpt-short", "cuda torch", GPT, BATCH, TEXT, {"batch": 64, "length": 384, "cap": 5400}),
    held("gpt-long", "cuda torch", GPT, INPUT, TEXT, {"batch": 2, "length": 6000, "cap": 7500}),
    held("gpt-states", "cuda torch", GPT, MODEL, TEXT, {"dim": 1280, "layers": 10, "batch": 1, "length": 128, "cap": 2250}),
    held("gpt-memory", "cuda torch", GPT + " {keep}", ("device_leak",), TEXT,
         {"dim": 768, "steps": 30, "keep": "--growing-memory", "cap": 6500}),
    held("hf-long-batch", "cuda transformers", HF, BATCH, TRAINER, {"batch": 24, "length": 768, "cap": 10100}, HF_CHECKPOINTS),
    held("hf-wide", "cuda transformers", HF + " --max_steps 2", MODEL, TRAINER,
         {"model": "llama", "dim": 2560, "batch": 1, "length": 64, "cap": 12000}, HF_CHECKPOINTS),
    held("hf-logits", "cuda transformers", HF + " --eval_samples 240 --max_steps 1", ("evaluation_accumulates",),
         TRAINER, {"length": 192, "cap": 7600}, HF_CHECKPOINTS),
    held("timm-small-images", "cuda timm", TIMM, BATCH, VISION, {"batch": 350, "image": 192, "cap": 10000}, TIMM_CHECKPOINTS),
    held("lightning-small-images", "cuda lightning", LIGHTNING, BATCH, MODULE, {"batch": 800, "image": 96, "cap": 5270}),
    held("lightning-outputs", "cuda lightning", LIGHTNING, ("device_leak",), MODULE,
         {"batch": 48, "steps": 110, "keep": "--keep", "cap": 2200}),
    held("jax-wide", "cuda jax", JAXNET, BATCH + ("compile_plan",), JAX, {"batch": 92000, "dim": 1280}),
    held("jax-history", "cuda jax", JAXNET, ("device_leak",), JAX,
         {"dim": 1536, "batch": 6000, "steps": 80, "keep": "--keep"}),
    held("cupy-table", "cuda cupy", CUPY, ("capped", "batch_too_large", "dataset_on_device"), ARRAYS,
         {"rows": 1000000, "pool": 2500}, {name: {"batch": 20000} for name in ("stream_dataset", "smaller_pieces",
                                                                              "less_at_once", "use_part")}),
]
for scenario in GPU_SCENARIOS:
    scenario.alone = "card" in scenario.knobs or scenario.name == "net-whole-card"
    scenario.card = True
