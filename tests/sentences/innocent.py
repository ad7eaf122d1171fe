#!/usr/bin/env python3
"""Lines that speak of memory and are no failure of this run: prose, questions, help, manuals, source
code, warnings and healthy logs.

    innocent.py > innocent.txt

Made from parts, as generate.py makes failures; the same lines each time.
"""
import random

R = random.Random(7)

MEMORY = ["memory", "GPU memory", "device memory", "host memory", "VRAM", "RAM", "CUDA memory",
          "shared memory", "system memory", "pinned memory", "heap memory", "swap space"]
THING = ["the model", "the batch", "a tensor", "the optimizer's state", "a worker", "the cache",
         "the data set", "an index", "a large array", "the KV cache", "the checkpoint"]
WHO = ["PyTorch", "the allocator", "the driver", "TensorFlow", "the kernel", "the scheduler",
       "the runtime", "the loader", "the process", "JAX", "this function", "the server"]
SIZE = ["512 MiB", "4 GB", "2.5 GiB", "24 GB", "1,073,741,824 bytes", "80 GiB", "16 MB", "0 bytes"]
CODE = ["CUDA_ERROR_OUT_OF_MEMORY", "std::bad_alloc", "MemoryError", "ENOMEM", "OutOfMemoryError",
        "RESOURCE_EXHAUSTED", "CUBLAS_STATUS_ALLOC_FAILED", "OOM"]

PROSE = [
    "If {w} runs out of {m}, lower the batch size.",
    "When {w} cannot allocate {m}, it raises an exception.",
    "{W} may run out of {m} while loading {t}.",
    "This can fail with an out of memory error when {t} is larger than {s}.",
    "To avoid running out of {m}, {w} frees {t} after each step.",
    "Why does {w} say out of memory although {s} are free?",
    "How do I find out what needs so much {m}?",
    "What does {c} mean?",
    "I get an out of memory error with {t}, although I have {s}.",
    "Yesterday {w} ran out of {m}, today it does not.",
    "Common errors are: out of memory, not enough {m}, insufficient {m}.",
    "You need at least {s} of {m} to train {t}.",
    "{W} requires {s} of {m} for {t}.",
    "Training {t} needs {s} of {m}, of which {s} can be saved with checkpointing.",
    "If there is not enough {m}, {w} falls back to the CPU.",
    "Possible causes: 1. not enough {m} 2. {t} is too large 3. a leak in {w}.",
    "The message \"out of memory\" is printed if {w} fails to allocate {m}.",
    "A request that exceeds the {m} limit is rejected with {c}.",
    "Please reduce {t} if you run out of {m}.",
    "{c} is thrown when an allocation of {m} fails.",
    "{c}: The API call failed because it was unable to allocate enough {m} to perform the requested operation.",
    "Returns {c} if {m} could not be allocated.",
    "Upon failure, returns NULL and sets errno to {c}: out of memory or over a limit.",
    "Without this option {w} would run out of {m} on cards of {s}.",
    "Fixed a bug by which {w} could not allocate {m} for {t}.",
    "* Fix out of memory in {w} when {t} is empty.",
    "- {w}: handle failure to allocate {m} for {t}.",
    "The previous run failed to allocate {s} of {m}; this one has {s} more.",
    "We simulate that {w} cannot allocate {s} of {m}.",
    "Tests that {w} recovers when it is out of {m}.",
    "It is expected that an allocation of {s} fails on a machine of {s}.",
    "In the worst case {w} needs {s} of {m}, more than the {s} that are available.",
    "Some cards have insufficient {m} for {t}; use a smaller one.",
    "Error handling: if {w} is out of {m}, the step is tried again.",
    "Note: {w} does not fail when {m} is exhausted, it waits.",
    "We had not enough {m} on the old machine, so we bought another with {s}.",
    "Is {s} of {m} not enough for {t}?",
    "An error such as \"failed to allocate {s}\" means that {w} has too little {m}.",
    "# Out of memory when loading {t}",
    "## {W} fails to allocate {s} of {m}",
    "> failed to allocate {m}? try a smaller {t}",
    "Users report that {w} runs out of {m} with {t}.",
    "as long as {w} has enough {m}, nothing happens",
    "see the section on what to do when {w} reports insufficient {m}",
    "如果显存不足，请减小批量大小", "为什么会出现内存不足的错误？", "怎样避免显存不足", "可能的原因：显存不足、模型过大",
    "wenn {w} nicht genug Speicher hat, wird {t} verkleinert",
]
HELP = [
    "  --max-memory SIZE     limit of {m} (default: {s}); fails when it is exceeded",
    "  --swap-space GiB      space to swap to when out of {m}",
    "  --no-oom              do not stop when {w} is out of {m}",
    "  -m, --memory=BYTES    {m} to reserve for {t}, {s} at most",
    "  --retry-on-oom        try again with a smaller batch if {m} cannot be allocated",
    "usage: fit [--memory SIZE] [--on-oom {{stop,skip}}]",
    "max_memory: the most {m} that {w} may allocate; an error is raised if it is exceeded",
]
SOURCE = [
    "if (ptr == NULL) {{ fprintf(stderr, \"out of memory\\n\"); exit(1); }}",
    "    raise MemoryError(\"cannot allocate %d bytes of {m}\" % n)",
    "    except torch.cuda.OutOfMemoryError as e:",
    "// {w} cannot allocate {m} here: out of memory",
    "/* returns {c} when {m} cannot be allocated */",
    " * @return 0, or {c} if there is not enough {m}",
    "#define {c} 2 /* out of memory */",
    "    case {c}: return \"{c}\";",
    "    throw std::runtime_error(\"failed to allocate {s} of {m}\");",
    "    logger.error(\"failed to allocate %s of {m}\", size)",
    "assert size <= limit, \"allocation of {s} exceeds the limit\"",
    "    with pytest.raises(RuntimeError, match=\"out of memory\"):",
    "    self.assertRaises(MemoryError, allocate, n)",
    "def test_out_of_memory_error_is_raised(self):",
    "class OutOfMemoryError(RuntimeError):",
    "    \"\"\"Raised when {w} cannot allocate {m}.\"\"\"",
    "  return Status({c}, \"failed to allocate memory\");",
    "const char *words[] = {{\"out of memory\", \"cannot allocate\", NULL}};",
    "echo 'Error: out of memory' >&2",
    "grep -i 'out of memory' train.log",
    "  {c} = 2,",
]
HEALTHY = [
    "INFO {w} allocated {s} of {m} for {t}",
    "I0101 12:00:00.000000 1 pool.cc:12] reserved {s} of {m}, {s} available",
    "2024-01-02 03:04:05 INFO memory: {s} used, {s} free, {s} total",
    "WARNING: not enough {m} for {t}, falling back to CPU",
    "[W] could not allocate {s} of {m}, retrying with a smaller block",
    "[info] 0 of 12 allocations failed",
    "epoch 3 step 120 loss 0.52 mem {s} free {s}",
    "INFO: no out of memory errors so far",
    "Allocator: limit {s}, in use {s}, peak {s}",
    "DEBUG cache exceeds {s}, evicting {t}",
    "INFO requested {s}, available {s}: ok",
    "no failed allocations, {s} in use",
    "ERROR: could not open port 8080: address already in use",
    "ERROR: failed to allocate port 8080",
    "RuntimeError: index 12 is out of range",
    "ERROR: not enough arguments: 3 required, 2 given",
    "ERROR: disk quota exceeded: {s} used, limit {s}",
    "OSError: [Errno 28] No space left on device: 'ckpt.pt' ({s} needed, 0 bytes free)",
    "ERROR: could not allocate {s} of disk space for {t}",
    "Error: insufficient permissions for /dev/mem",
    "ERROR: request for 3 GPUs cannot be satisfied: 2 available",
    "ERROR: out of time after 3600 s, {s} of {m} used",
    "FATAL: too many open files (limit 1024), memory use {s}",
    "ValueError: not enough values to unpack (expected 3, got 2)",
    "ERROR: shape mismatch: 512 MB and 256 MB do not agree",
    "Error: file is larger than the maximum allowed size of {s}",
    "ERROR: upload of {s} exceeds the limit of {s}",
    "Failed to load module memory_profiler: No module named 'memory_profiler'",
    "Failed to create directory /mnt/memory/cache",
    "ERROR 401: token limit exceeded: 8192 requested, 4096 allowed",
    "usage limit exceeded for user ana: 24 h of GPU time",
    "ERROR: insufficient credits: 12 needed, 3 available",
    "WARN memory usage exceeds 80% of the limit ({s} of {s})",
    "INFO worker 3 finished, memory {s} released",
    "available memory {s} is more than the required {s}",
    "memory limit raised from {s} to {s}",
    "INFO gc: heap {s} -> {s}, limit {s}",
    "INFO OOM score of 812 is 300",
]


def one(kind):
    text = R.choice(kind)
    fields = {"m": R.choice(MEMORY), "t": R.choice(THING), "w": R.choice(WHO),
              "c": R.choice(CODE)}
    fields["W"] = fields["w"][0].upper() + fields["w"][1:]
    while "{s}" in text:
        text = text.replace("{s}", R.choice(SIZE), 1)
    return text.format(**fields)


def main():
    seen = set()
    while len(seen) < 2400:
        text = one(R.choices([PROSE, HELP, SOURCE, HEALTHY], [9, 1, 4, 7])[0])
        if text not in seen:
            seen.add(text)
            print(text)


main()
