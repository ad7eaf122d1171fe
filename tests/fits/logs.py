"""A run that fails, as a program under TensorFlow 2.11 prints it: its summary, its batch, the dump,
the error."""

import bfc as allocator

STAMP = "2031-02-03 04:05:06.{:06d}"
SETUP = 40  # constants and scalars of the runtime


def fits(step, trace, limit, growth, batch, steps=3, others=()):
    """None, or what failed: (allocator, bytes, op, buffer, number of the step). others: traces of
    the steps in front, of the same variables."""
    bfc = allocator.Bfc(limit, growth)
    for what, size in setup(step):
        if not bfc.take(size):
            return bfc, size, what, None, -1
    for number, (events, buffers) in enumerate(list(others) + [trace] * steps):
        held = {}
        for kind, buffer, op in events:
            if kind == "release":
                if held[buffer]:
                    bfc.release(held[buffer])
                continue
            size = buffers[buffer][0] + buffers[buffer][1] * batch
            beyond = kind == "try" and size > 1 << 30
            held[buffer] = None if beyond else bfc.take(size, buffers[buffer][1] > 0)
            if held[buffer] is None and kind == "take":
                return bfc, size, op, buffer, number
    return None


def setup(step):
    yield "runtime", 1028
    for _ in range(SETUP):
        yield "const", 4
    for name, size in step.variables:
        yield name, size
    slots = step.habits["slots"]
    if step.habits.get("beside"):
        for name, size in step.state:
            for _ in range(slots):
                yield name, size
    else:
        for _ in range(slots):
            for name, size in step.state:
                yield name, size
    for _ in range(4):
        yield "metric", 4


def largest(step, trace, limit, growth):
    def good(n):
        return fits(step, trace, limit, growth, n) is None

    low, high = 0, 1
    while high < 1 << 20 and good(high):
        low, high = high, high * 2
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if good(middle) else (low, middle)
    for more in range(1, 7):
        if good(low + more * (low // 128 + 1)):
            low += more * (low // 128 + 1)
            break
    return low


# ---- words ----

def shape_text(shape):
    return "(None, " + ", ".join(str(d) for d in shape) + ")" if len(shape) > 1 else f"(None, {shape[0]})"


def wrapped(cells, widths):
    """Cells in columns, broken where they are full."""
    lines = []
    while any(cells):
        line, rest = "", []
        for cell, (start, end) in zip(cells, widths):
            line = line.ljust(start)[:start] + cell[:end - start - 1]
            rest.append(cell[end - start - 1:])
        lines.append(" " + line.ljust(widths[-1][1] - 1)[:widths[-1][1] - 1])
        cells = rest
    return lines


def summary(step):
    branches = any(len(r[4]) > 1 for r in step.rows)
    name = step.prefix
    if branches:
        widths, width = [(0, 31), (31, 48), (48, 60), (60, 98)], 98
    else:
        widths, width = [(0, 28), (28, 54), (54, 65)], 65
    heads = ["Layer (type)", "Output Shape", "Param #"] + (["Connected to"] if branches else [])
    lines = [f'Model: "{name}"', "_" * width] + wrapped(heads, widths) + ["=" * width]
    for title, kind, shape, parameters, ins in step.rows:
        shape = shape_text(shape)
        if kind == "InputLayer":
            shape = f"[{shape}]"
        refs = ["[" + ", ".join(f"'{i}[0][0]'" for i in ins) + "]"] if branches else []
        lines += wrapped([f"{title} ({kind})", shape, str(parameters)] + refs, widths)
        lines.append("")
    total = sum(r[3] for r in step.rows)
    fixed = sum(s for n, s in step.variables if "/moving_" in n) // 4
    trained = sum(s for n, s in step.state) // 4
    lines[-1] = "=" * width
    lines += [f"Total params: {total:,}", f"Trainable params: {trained:,}",
              f"Non-trainable params: {max(fixed, total - trained):,}", "_" * width]
    return lines


def log(step, trace, limit, growth, batch, told, with_summary, others=()):
    """The text of the run at a batch that fails, and of each size in use the bytes that do not grow
    with the batch and those that do; None when it does not fail. others: (step, trace) in front."""
    failed = fits(step, trace, limit, growth, batch, 3, [t for _, t in others])
    if not failed or failed[4] < 0:
        return None
    bfc, size, at, buffer, number = failed
    if number < len(others):
        step, trace = others[number]
    op = step.ops[at]
    tensor = next((t for t in op.outs if (t.fixed, t.each) == trace[1][buffer]), None)
    shape = tensor.shape if tensor and tensor.shape else (size // 4,)
    dims = shape[1:] if shape and shape[0] is None else (batch,) + tuple(shape)
    kind = tensor.dtype if tensor else "float"
    text, clock = [], [0]

    def say(level, number, words):
        clock[0] += 7
        text.append(f"{STAMP.format(clock[0])}: {level} tensorflow/tsl/framework/bfc_allocator.cc:"
                    f"{number}] {words}")

    text.append(f"{STAMP.format(1)}: I tensorflow/core/common_runtime/gpu/gpu_device.cc:1613] "
                f"Created device /job:localhost/replica:0/task:0/device:GPU:0 with {limit >> 20} "
                "MB memory:  -> device: 0, name: NVIDIA Test GPU, pci bus id: 0000:01:00.0, "
                "compute capability: 7.5")
    if with_summary and step.rows:
        text += summary(step)
    if told:
        text.append(f"batch_size: {batch}")
    text.append("Epoch 1/20")
    text += [f"step {n} | loss 0.{871 - n}" for n in range(10, number, 10)]
    allocator.dump(bfc, size, op.name, say)
    words = (f"OOM when allocating tensor with shape[{','.join(str(d) for d in dims)}] and type "
             f"{kind} on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc")
    text += [f"{STAMP.format(90000)}: W tensorflow/core/framework/op_kernel.cc:1818] OP_REQUIRES "
             f"failed at conv_ops.cc:684 : RESOURCE_EXHAUSTED: {words}",
             "Traceback (most recent call last):", '  File "train.py", line 12, in <module>',
             "    model.fit(data, epochs=20)",
             "tensorflow.python.framework.errors_impl.ResourceExhaustedError: Graph execution "
             "error:", "", f"Detected at node '{op.name}' defined at (most recent call last):",
             f"Node: '{op.name}'", words, f"\t [[{{{{node {op.name}}}}}]]", ""]
    sizes = {}
    for _, _, chunk in bfc.chunks():
        if chunk and chunk.used:
            sizes.setdefault(chunk.size, [0, 0])[chunk.grows] += chunk.size
    return "\n".join(text), sizes
