"""Logs of a described model and a failure: each dialect of descriptions at any number of rows."""

import json

TORCH = ("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 888.00 MiB. GPU 0 has a total capacity of 79.32 GiB of which "
         "386.12 MiB is free. Including non-PyTorch memory, this process has 78.22 GiB memory in use. Of the allocated memory 74.20 GiB is "
         "allocated by PyTorch, and 417.62 MiB is reserved by PyTorch but unallocated.\n")
TENSORFLOW = ("2020-01-01 00:00:00.000000: W tensorflow/core/framework/op_kernel.cc:1753] OP_REQUIRES failed at conv_ops.cc:684 : Resource "
              "exhausted: OOM when allocating tensor with shape[32,64,224,224] and type float on "
              "/job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc\n")
NUMPY = ("numpy.core._exceptions.MemoryError: Unable to allocate 23.0 GiB for an array with shape (16283, 150, 150, 3) and data type "
         "float64\n")
BFC = "2020-01-01 00:00:00.000000: {} tensorflow/core/common_runtime/bfc_allocator.cc:{}] {}\n".format


def dump():
    lines = [BFC("W", 419, "Allocator (GPU_0_bfc) ran out of memory trying to allocate 392.00MiB (rounded to 411041792).  Current "
                 "allocation summary follows."),
             BFC("I", 900, "BFCAllocator dump for GPU_0_bfc"), BFC("I", 925, "Next region of size 1048576000")]
    address = 0x7f3a20000000
    for i in range(200):
        size = (147456, 16384, 51380224, 1048576)[i % 4]
        lines.append(BFC("I", 945, f"InUse at {address:x} of size {size} next {i + 2}"))
        address += size
    lines.append(BFC("I", 1000, "Stats: \nLimit:                  1048576000\nInUse:                  948576000\n"
                     "MaxInUse:                1048576000\nNumAllocs:                 1000\nMaxAllocSize:           411041792"))
    return "".join(lines) + TENSORFLOW


FAILURES = {"torch": TORCH, "tensorflow": TENSORFLOW, "numpy": NUMPY, "dump": dump()}
CONV = "Conv2d(64, 64, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1), bias=False)"
LINEAR = "Linear(in_features=64, out_features=64, bias=True)"


def tree(name, rows):
    return "\n".join([f"{name}(", *rows, ")"]) + "\n"


def flat(n):
    return tree("Net", ["  (layers): Sequential(", *(f"    ({i}): {LINEAR}" for i in range(n)), "  )"])


def blocks(n):
    return tree("Net", (row for i in range(n // 6) for row in (
        f"  (block{i}): Block(", f"    (conv): {CONV}", "    (bn1): BatchNorm2d(64)", "    (bn2): BatchNorm2d(64)",
        "    (act): ReLU(inplace=True)", "  )")))


def gated(n):
    stem = "  (stem): Conv2d(3, 64, kernel_size=(3, 3), stride=(2, 2), padding=(1, 1))"
    return tree("Net", [stem, *(row for i in range(n // 8) for row in (
        f"  (block{i}): Block(", f"    (conv): {CONV}", "    (gate): Gate(", "      (pool): AdaptiveAvgPool2d(output_size=1)",
        "      (down): Conv2d(64, 16, kernel_size=(1, 1), stride=(1, 1))", "      (up): Conv2d(16, 64, kernel_size=(1, 1), stride=(1, 1))",
        "    )", "  )"))])


def unet(n):
    rows = ["  (pool): MaxPool2d(kernel_size=2, stride=2, padding=0)", "  (stem): Conv2d(3, 64, kernel_size=(3, 3), padding=(1, 1))"]
    rows += [f"  (down{i}): Conv2d({64 << i % 4}, {128 << i % 4}, kernel_size=(3, 3), padding=(1, 1))" for i in range(n)]
    return tree("UNet", rows + [f"  (up{i}): ConvTranspose2d(64, 64, kernel_size=(2, 2), stride=(2, 2))" for i in range(2)])


def transformer(n):
    rows = ["  (embeddings): Embedding(30522, 64)"]
    for i in range(n // 8):
        rows += [f"  (layer{i}): BertLayer(", "    (attention): BertAttention(",
                 *(f"      ({part}): {LINEAR}" for part in ("query", "key", "value")), "    )", f"    (up): {LINEAR}", "  )"]
    return tree("BertModel", rows)


def repeated(n):
    return tree("Net", (row for i in range(n // 5) for row in (
        f"  ({i}): ModuleList(", "    (0-2): 3 x Block(", f"      (fc): {LINEAR}", "    )", "  )")))


def nested(n):
    return "Net(\n" + "".join("  " * (i % 100 + 1) + f"(m{i}): Sequential(\n" for i in range(n))


def many(n):
    return "".join(tree(f"Net{i}", (f"  (a): Linear(in_features={i + 1}, out_features=64, bias=True)",
                                    f"  (b): Linear(in_features=64, out_features={i + 1}, bias=True)")) for i in range(n // 4))


def totals(n):
    return [f"Total params: {36928 * n:,}", f"Trainable params: {36928 * n:,}", "Non-trainable params: 0"]


def keras(n):
    rows = [f" conv2d_{i} (Conv2D)".ljust(29) + "(None, 224, 224, 64)".ljust(26) + "36928" for i in range(n)]
    return "\n".join(['Model: "sequential"', "_" * 65, " Layer (type)                Output Shape              Param #   ", "=" * 65, *rows,
                      "=" * 65, *totals(n), "_" * 65]) + "\n"


def keras_graph(n):
    rows = [" input_1 (InputLayer)".ljust(32) + "[(None, 224, 224, 64  0          []"]
    rows += [f" conv2d_{i} (Conv2D)".ljust(32) + "(None, 224, 224, 64)".ljust(21) + "36928       " +
             (f"['conv2d_{i - 1}[0][0]']" if i else "['input_1[0][0]']") for i in range(n)]
    return "\n".join(['Model: "functional"', "_" * 98,
                      " Layer (type)                   Output Shape         Param #     Connected to                     ", "=" * 98, *rows,
                      "=" * 98, *totals(n), "_" * 98]) + "\n"


def torchsummary(n):
    rows = [f"{'Conv2d-' + str(i + 1):>20}{'[-1, 64, 56, 56]':>27}{'36,928':>16}" for i in range(n)]
    return "\n".join(["-" * 64, "        Layer (type)               Output Shape         Param #", "=" * 64, *rows, "=" * 64, *totals(n),
                      "-" * 64, "Input size (MB): 0.57", "Forward/backward pass size (MB): 300.0", "Params size (MB): 10.0",
                      "Estimated Total Size (MB): 310.0", "-" * 64]) + "\n"


def torchinfo(n):
    rows = [f"├─Conv2d: 1-{i + 1}".ljust(41) + "[1, 64, 56, 56]".ljust(26) + "36,928" for i in range(n)]
    return "\n".join(["=" * 90, "Layer (type:depth-idx)                   Output Shape              Param #", "=" * 90,
                      "Net                                      [1, 1000]                 --", *rows, "=" * 90, *totals(n),
                      "Total mult-adds (G): 1.81", "=" * 90]) + "\n"


def lightning(n):
    rows = [f"{i} | fc{i} | Linear | 4.2 K " for i in range(n)]
    return "\n".join(["  | Name    | Type   | Params", "-" * 30, *rows, "-" * 30, "4.2 M     Trainable params", "0         Non-trainable params",
                      "4.2 M     Total params"]) + "\n"


def hf_config(n):
    made = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32,
            "num_attention_heads": 32, "intermediate_size": 11008, "vocab_size": 32000, **{f"extra_{i}": i for i in range(n)}}
    return "LlamaConfig " + json.dumps(made, indent=2) + "\n"


def megatron(n):
    rows = [*(f"arg_{i} ............... {i}" for i in range(n)), "hidden_size ............... 4096", "num_attention_heads ....... 32",
            "num_layers ................ 32"]
    return "\n".join([f"{'-' * 24} arguments {'-' * 24}", *(f"  {row}" for row in rows), f"{'-' * 20} end of arguments {'-' * 21}"]) + "\n"


DIALECTS = {"tree": flat, "tree of blocks": blocks, "tree of gates": gated, "U-Net": unet, "tree of a transformer": transformer,
            "repeated blocks": repeated, "nested tree": nested, "many trees": many, "Keras": keras, "Keras graph": keras_graph,
            "torchsummary": torchsummary, "torchinfo": torchinfo, "Lightning": lightning, "config.json": hf_config, "Megatron": megatron}


def logs(n):
    """(name, text) of each dialect with each failure."""
    for dialect, make in DIALECTS.items():
        described = make(n)
        for failure, text in FAILURES.items():
            yield f"{dialect} and {failure}", described + text
