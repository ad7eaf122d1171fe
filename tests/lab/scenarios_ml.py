"""Programs of machine learning on the CPU, in current versions. `above: "torch"` says that group and
address are MiB above what importing that module takes. The models and limits of those that are held
were chosen before anything was mended on what the open ones showed."""

from scenarios import GROUP, HOST, MEMORY, OTHER, Scenario
from scenarios_gpu import HAND

NOT_MEMORY = ("not_memory",)
LEAK = ("host_leak", "group_limit")
BATCH = ("batch_too_large", "capped")
INPUT = ("input_too_large", "batch_too_large", "capped")
WORKERS = ("workers_host_memory", "group_limit")
# What following a remedy means for the flags of these programs, besides what it means on a card.
ON_CPU = {
    "raise_limit": {"group": "*2", "address": "*2", "limit": 20000},  # an allocator's is removed "raise_named": {"limit": "*2"},
    "smaller_input": {"image": "*0.5", "length": "*0.5"}, "smaller_model": {"units": "*0.5", "dim": "*0.5", "width": "*0.5"},
    "smaller_optimizer": {"optimizer": "sgd"}, "fix_shape": {"pairs": "", "squeeze": "--squeeze"},
    "clear_session": {"clear": "--clear-session", "free": "--free-models"},
    "process_each": {"keep": "", "clear": "--clear-session", "free": "--free-models"},
    "fix_leak": {"keep": "", "clear": "--clear-session", "free": "--free-models"},
    "drop_results": {"keep": "", "clear": "--clear-session", "free": "--free-models"},
    "narrow_scopes": {"keep": "", "clear": "--clear-session", "free": "--free-models"},
    "stream_dataset": {"samples": 0, "rows": 100000}, "use_part": {"rows": "*0.2", "samples": "*0.2"},
    "less_at_once": {"batch": "*0.5", "samples": "*0.2"}, "lower_prefetch": {"prefetch": 1},
    "arrays_not_lists": {"records": 10}, "memory_map": {"records": 10}, "shorter_sequences": {"length": "*0.5"},
}


def row(name, needs, command, causes, base, hand=None, outcome=MEMORY, held=False, **knobs):
    return Scenario(name, needs, command, causes, {**base, **knobs}, {}, {**HAND, **ON_CPU, **(hand or {})}, outcome,
                    blind=held)


def held(*args, **more):
    return row(*args, held=True, **more)


KERAS = "python3 ml_keras.py --model {model} --batch-size {batch} --image-size {image} --seq-len {length} --units {units} " \
        "--optimizer {optimizer} "
NET = {"model": "cnn", "batch": 32, "image": 32, "length": 32, "units": 32, "optimizer": "sgd", "limit": 200, "onednn": 0,
       "env": "TF_CPU_ALLOCATOR_USE_BFC=1 TF_CPU_BFC_MEM_LIMIT_IN_MB={limit} TF_ENABLE_ONEDNN_OPTS={onednn}"}
HERE = {**NET, "env": "TF_ENABLE_ONEDNN_OPTS={onednn}", "above": "tensorflow"}
TENSORFLOW = [
    row("keras-residual", "tensorflow", KERAS, BATCH, NET, model="residual", units=16, image=64, batch=128, limit=250,
        plan="--framework tensorflow --optimizer sgd"),
    row("keras-onednn", "tensorflow", KERAS, BATCH, NET, units=32, image=64, batch=192, onednn=1),
    row("keras-attention", "tensorflow", KERAS, INPUT, NET, model="transformer", length=1024, batch=8, units=64, limit=220),
    row("keras-evaluation", "tensorflow", KERAS + "--predict 60 {keep}", ("evaluation_accumulates",), NET,
        model="residual", units=16, image=64, limit=280, keep="--keep-predictions"),
    row("keras-group", "tensorflow", KERAS, GROUP, HERE, image=64, batch=768, group=900),
    row("keras-wide", "tensorflow", KERAS, ("model_too_large", "capped"), NET, model="mlp", units=8000, limit=300),
    held("keras-unet", "tensorflow", KERAS, BATCH, NET, model="unet", units=16, image=64, batch=192, limit=180,
         plan="--framework tensorflow --optimizer sgd"),
    held("keras-lstm", "tensorflow", KERAS, INPUT, NET, model="lstm", length=400, batch=64, units=128, limit=180),
    held("keras-adam", "tensorflow", KERAS, ("model_too_large", "capped"), NET, model="mlp", units=6000, limit=350,
         optimizer="adam"),
    held("keras-models", "tensorflow", KERAS + "--models 14 {clear}", ("graph_growth", "device_leak", "host_leak"), NET,
         units=128, image=16, batch=8, optimizer="adam", limit=160, clear=""),
    held("keras-data", "tensorflow", KERAS + "--samples {samples}", ("dataset_on_device", "dataset_in_host_memory"), NET,
         image=64, batch=16, samples=3500, limit=200),
    held("keras-pairs", "tensorflow", KERAS + "{pairs}", ("accidental_shape",), NET, model="mlp", units=64, batch=4096,
         limit=200, pairs="--pairs"),
    held("keras-channels", "tensorflow", KERAS + "--channels 1", NOT_MEMORY, NET, outcome=OTHER),
]
# Open siblings of held ones: other models, sizes and limits.
KERAS_SIBLINGS = [
    row("keras-models-2", "tensorflow", KERAS + "--models 12 {clear}", ("graph_growth", "device_leak", "host_leak"), NET,
        model="mlp", units=900, batch=8, optimizer="adam", limit=120, clear=""),
    row("keras-data-2", "tensorflow", KERAS + "--samples {samples}", ("dataset_on_device", "dataset_in_host_memory"), NET,
        image=96, batch=8, samples=2400, limit=220),
    row("keras-pairs-2", "tensorflow", KERAS + "{pairs}", ("accidental_shape",), NET, model="mlp", units=32, batch=6000,
        limit=300, pairs="--pairs"),
    row("keras-channels-2", "tensorflow", KERAS + "--channels 4", NOT_MEMORY, NET, model="residual", outcome=OTHER),
    row("keras-unet-2", "tensorflow", KERAS, BATCH, NET, model="unet", units=12, image=96, batch=160, limit=250),
    row("keras-lstm-2", "tensorflow", KERAS, INPUT, NET, model="lstm", length=600, batch=48, units=96, limit=160),
    row("keras-adam-2", "tensorflow", KERAS, ("model_too_large", "capped"), NET, model="mlp", units=5000, limit=260,
        optimizer="adam"),
]

TORCH = "python3 gpu/net.py --batch-size {batch} --image-size {image} --width {width} --steps {steps} {checkpoint} "
IMAGES = {"batch": 16, "image": 64, "width": 16, "steps": 3, "checkpoint": "", "above": "torch"}
GPT = "python3 gpu/gpt.py --batch-size {batch} --seq-len {length} --dim {dim} --layers 4 --steps {steps} --optimizer {optimizer} " \
      "{checkpoint} "
TEXT = {"batch": 4, "length": 128, "dim": 128, "steps": 3, "optimizer": "adamw", "checkpoint": "", "above": "torch"}
LIGHTNING = "python3 gpu/module.py --batch_size {batch} --image_size {image} --width 16 --steps {steps} {keep}"
MODULE = {"batch": 32, "image": 32, "steps": 3, "keep": "", "above": "lightning"}
HF = "python3 gpu/trainer.py --per_device_train_batch_size {batch} --max_length {length} --layers 2 --hidden 128 " \
     "--vocab 5000 --max_steps 2 {evalacc} "
TRAINER = {"batch": 4, "length": 128, "evalacc": "", "above": "transformers.trainer"}
LOADER = "python3 ml_loaders.py --batch-size {batch} --num-workers {workers} --prefetch-factor {prefetch} " \
         "--records {records} --length {length} --steps {steps}"
LOADED = {"batch": 16, "workers": 2, "prefetch": 2, "records": 1000, "length": 1000, "steps": 40, "above": "torch"}
PYTORCH = [
    row("torch-net-batch", "torch", TORCH, GROUP, IMAGES, batch=256, group=450),
    row("torch-models", "torch", TORCH + "--models 14 {free}", ("graph_growth", "host_leak"), IMAGES, batch=8, image=32,
        width=128, steps=1, free="", group=800),
    row("torch-labels", "torch", TORCH + "--classes 5", NOT_MEMORY, IMAGES, outcome=OTHER),
    row("torch-records", "torch", LOADER, WORKERS, LOADED, workers=4, records=150000, group=700),
    row("lightning-kept", "lightning", LIGHTNING, LEAK, MODULE, batch=256, image=64, steps=60, keep="--keep", group=420),
    row("hf-group", "transformers", HF, GROUP, TRAINER, batch=128, group=750),
    row("hf-address", "transformers", HF, HOST + ("input_too_large",), TRAINER, batch=2, length=8192, address=1500),
    row("torch-tiles", "torch", "python3 processor.py tiles {grad}", ("evaluation_accumulates", "host_leak"), {"above": "torch"},
        {name: {"grad": "--no-grad"} for name in ("inference_mode", "drop_results", "fix_leak")}, grad="", address=700),
    row("torch-towers", "torch", "python3 processor.py towers --users {rows} --optimizer {optimizer}", HOST + ("model_too_large",),
        {"above": "torch"}, {"stateless_optimizer": {"optimizer": "sgd"}}, rows=1500000, optimizer="adam", address=1500),
    row("torch-volumes", "torch", "python3 processor.py volumes --batch-size {batch} --num-workers {workers}", WORKERS,
        {"above": "torch"}, batch=4, workers=8, group=520),
    held("torch-net-address", "torch", TORCH, HOST, IMAGES, batch=900, image=48, width=24, address=1100),
    held("torch-gpt-batch", "torch", GPT, GROUP, TEXT, batch=32, group=400),
    held("torch-gpt-kept", "torch", GPT + "{keep}", ("host_leak",), TEXT, steps=60, keep="--growing-memory", group=420),
    held("torch-inputs-kept", "torch", TORCH + "{keep}", ("host_leak",), IMAGES, batch=64, steps=120,
         keep="--keep-outputs", group=300),
    held("torch-predictions", "torch", TORCH + "--eval-batches 120 {keep}", ("evaluation_accumulates",), IMAGES,
         batch=64, width=24, keep="--keep-predictions", group=430),
    held("torch-broadcast", "torch", "python3 gpu/net.py --regression 14000 --steps 3 {squeeze}", ("accidental_shape",),
         {"above": "torch"}, squeeze="", address=1000),
    held("torch-finds-batch", "torch", TORCH + "--find-batch", ("survived",), IMAGES, batch=1200, address=1200,
         outcome=("survived",)),
    held("torch-shm-length", "torch", LOADER, ("shm_too_small",), LOADED, length=400000, batch=64, steps=20, shm=64),
    held("torch-loader-text", "torch", LOADER, WORKERS, LOADED, workers=6, records=90000, group=600),
    held("timm-batch", "timm", "python3 gpu/vision.py --model resnet18 -b {batch} --img-size {image} --steps 2", GROUP,
         {"above": "timm"}, batch=192, image=64, group=480),
    held("lightning-batch", "lightning", LIGHTNING, GROUP, MODULE, batch=1200, group=500),
    held("hf-evaluation", "transformers", HF + "--eval_samples 240", ("evaluation_accumulates",), TRAINER, group=500),
]
PYTORCH_SIBLINGS = [
    row("torch-gpt-kept-2", "torch", GPT + "{keep}", ("host_leak",), TEXT, dim=192, batch=6, steps=50, keep="--growing-memory", group=560),
    row("torch-inputs-kept-2", "torch", TORCH + "{keep}", ("host_leak",), IMAGES, batch=48, image=80, steps=120,
        keep="--keep-outputs", group=340),
    row("torch-predictions-2", "torch", TORCH + "--eval-batches 100 {keep}", ("evaluation_accumulates",), IMAGES,
        batch=96, width=20, keep="--keep-predictions", group=560),
    row("torch-broadcast-2", "torch", "python3 gpu/net.py --regression 16000 --steps 3 {squeeze}", ("accidental_shape",),
        {"above": "torch"}, squeeze="", address=1300),
    row("torch-shm-length-2", "torch", LOADER, ("shm_too_small",), LOADED, length=250000, batch=96, steps=20, workers=3, shm=80),
    row("torch-finds-batch-2", "torch", TORCH + "--find-batch", ("survived",), IMAGES, batch=1600, address=1500,
        outcome=("survived",)),
    row("hf-evaluation-2", "transformers", HF + "--eval_samples 200", ("evaluation_accumulates",), TRAINER, batch=2, group=450),
]

JAX = "python3 gpu/jaxnet.py --dim 512 --layers 3 --batch-size {batch} --steps 3 "
RAY = "python3 ml_ray.py 80 {batch} {tasks} {how}"
OTHERS = [
    row("jax-data", "jax", JAX + "--samples {samples}", ("dataset_in_host_memory", "group_limit"), {"above": "jax"},
        batch=128, samples=250000, group=380),
    row("ray-task", "ray", RAY, ("group_limit", "host_exhausted", "workers_host_memory"), {}, batch=1500, tasks=2,
        how="sum", group=1500),
    held("jax-pairs", "jax", "python3 gpu/jaxnet.py --pairwise {rows}", ("accidental_shape", "host_exhausted",
         "input_too_large", "batch_too_large"), {"above": "jax"}, {name: {"rows": "*0.3"} for name in (
             "fix_shape", "smaller_input", "less_at_once", "smaller_pieces")}, rows=3000, address=1900),
    held("xgboost-address", "xgboost", "python3 trees.py --rows {rows} --batch-size {batch}",
         ("host_exhausted", "dataset_in_host_memory"), {"above": "xgboost"},
         {name: {"batch": 100000} for name in ("stream_dataset", "less_at_once", "use_part")}, rows=3000000, batch=0, address=1100),
    held("joblib-more", "joblib", "python3 forest.py {jobs} {table}", WORKERS, {},
         {"fewer_workers": {"jobs": "*0.25"}, "fewer_jobs": {"jobs": 1}}, jobs=8, table=40, group=240),
    held("dask-gather", "dask", "python3 cluster.py {limit} {batch} 3", WORKERS + ("runtime_limit",), {},
         {"less_at_once": {"batch": "*0.2"}}, limit=260, batch=300),
]
ML_SCENARIOS = TENSORFLOW + KERAS_SIBLINGS + PYTORCH + PYTORCH_SIBLINGS + OTHERS
