"""Labelled failures, made up in the wording of their producers: (family, cause, text).

A family is one way to fail of one producer; its members differ in numbers and in what stands around
the message. The cause "none" is that of a log that does not show it. Labels were set when the text
was written, before any weight was fitted.
"""


def torch(ask, cap, alloc, free, reserved, gpu=0, name="torch.cuda.OutOfMemoryError", after=""):
    return (f"{name}: CUDA out of memory. Tried to allocate {ask} (GPU {gpu}; {cap} total capacity; "
            f"{alloc} already allocated; {free} free; {reserved} reserved in total by PyTorch){after}\n")


def torch2(ask, cap, free, held, alloc, rest, gpu=0, others=()):
    named = "".join(f"Process {pid} has {size} memory in use. " for pid, size in others)
    return (f"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {ask}. GPU {gpu} has a total "
            f"capacity of {cap} of which {free} is free. {named}Including non-PyTorch memory, this process "
            f"has {held} memory in use. Of the allocated memory {alloc} is allocated by PyTorch, and {rest} "
            f"is reserved by PyTorch but unallocated.\n")


def trace(*frames):
    out = "Traceback (most recent call last):\n"
    for file, line, function in frames:
        out += f'  File "{file}", line {line}, in {function}\n    ...\n'
    return out


STEP = trace(("/home/kim/code/train.py", 88, "main"), ("/home/kim/code/train.py", 61, "train_one_epoch"),
             ("/opt/venv/lib/python3.10/site-packages/torch/nn/modules/conv.py", 459, "forward"))
EVAL = trace(("/home/kim/code/train.py", 90, "main"), ("/home/kim/code/train.py", 70, "train"),
             ("/home/kim/code/train.py", 44, "validate"))
LOAD = trace(("/home/kim/code/run.py", 12, "<module>"),
             ("/opt/venv/lib/python3.10/site-packages/torch/nn/modules/module.py", 1145, "to"),
             ("/opt/venv/lib/python3.10/site-packages/torch/nn/modules/module.py", 820, "_apply"),
             ("/opt/venv/lib/python3.10/site-packages/torch/nn/modules/module.py", 1143, "convert"))
OPTIM = trace(("/home/kim/code/train.py", 40, "<module>"),
              ("/opt/venv/lib/python3.10/site-packages/torch/optim/adamw.py", 161, "step"),
              ("/opt/venv/lib/python3.10/site-packages/torch/optim/adamw.py", 120, "_init_group"))


ATTENTION = ('Traceback (most recent call last):\n  File "/home/kim/code/run.py", line 40, in <module>\n    out = net(x)\n'
             '  File "/home/kim/code/layers/attention.py", line 31, in forward\n'
             '    attn = (q @ k.transpose(-2, -1)) * self.scale\n')
SOFTMAX = ('Traceback (most recent call last):\n  File "/home/kim/code/sample.py", line 40, in <module>\n    main()\n'
           '  File "/home/kim/code/model.py", line 212, in forward\n'
           '    attn_weights = nn.functional.softmax(attn_weights, dim=-1, dtype=torch.float32)\n'
           '  File "/opt/venv/lib/python3.10/site-packages/torch/nn/functional.py", line 1858, in softmax\n'
           '    ret = input.softmax(dim, dtype=dtype)\n')


def steps(n, every=10, loss=2.3):
    return "".join(f"Epoch 1 step {i * every} loss {loss - 0.01 * i:.4f}\n" for i in range(1, n + 1))


def grows(n, first, by):
    return "".join(f"step {i * 50}: loss {2 - 0.02 * i:.3f} gpu memory allocated: {first + by * i:.2f} GiB\n"
                   for i in range(n))


def rss(n, first, by):
    return "".join(f"step {i * 50}: loss {2 - 0.02 * i:.3f} rss: {first + by * i:.2f} GiB\n" for i in range(n))


def group(name, pid, kb, others=()):
    table = "[88123.150] Tasks state (memory values in pages):\n[88123.151] [  pid  ]   uid  tgid total_vm      rss " \
            "pgtables_bytes swapents oom_score_adj name\n" if others else ""
    for task, number, size in others:
        table += f"[88123.152] [{number:7}]  1000 {number:5} {size // 2:8} {size // 4:8}   733184        0             0 {task}\n"
    return table + kernel(name, pid, kb, "constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/job,"
                  "task_memcg=/job").replace("Out of memory: Killed", "Memory cgroup out of memory: Killed")


def tf(shape, kind="float", op="model/conv2d_3/Conv2D", gpu=0):
    return (f"tensorflow.python.framework.errors_impl.ResourceExhaustedError: OOM when allocating tensor with "
            f"shape{shape} and type {kind} on /job:localhost/replica:0/task:0/device:GPU:{gpu} by allocator "
            f"GPU_{gpu}_bfc [Op:{op}]\n")


def tf_device(mib, gpu=0, name="Tesla T4"):
    return (f"I tensorflow/core/common_runtime/gpu/gpu_device.cc:1613] Created device /job:localhost/replica:0/"
            f"task:0/device:GPU:{gpu} with {mib} MB memory:  -> device: {gpu}, name: {name}, pci bus id: "
            f"0000:00:04.0, compute capability: 7.5\n")


def kernel(task, pid, rss_kb, where="constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom"):
    return (f"[88123.100] {task} invoked oom-killer: gfp_mask=0x140cca(GFP_HIGHUSER_MOVABLE|__GFP_COMP), order=0, "
            f"oom_score_adj=0\n[88123.200] oom-kill:{where},task_memcg=/user.slice,task={task},pid={pid},uid=1000\n"
            f"[88123.300] Out of memory: Killed process {pid} ({task}) total-vm:{rss_kb * 2}kB, anon-rss:{rss_kb}kB, "
            f"file-rss:1200kB, shmem-rss:0kB, UID:1000 pgtables:90000kB oom_score_adj:0\n")


def all_failures():
    out = []

    def put(family, cause, *texts):
        out.extend((family, cause, text) for text in texts)

    # --- the batch ---
    put("torch-step", "batch_too_large",
        "batch_size: 64\n" + STEP + torch("1.50 GiB", "15.78 GiB", "13.90 GiB", "312.00 MiB", "14.20 GiB"),
        "Namespace(batch_size=256, lr=0.1, epochs=90)\n" + STEP +
        torch("784.00 MiB", "10.76 GiB", "9.31 GiB", "201.56 MiB", "9.66 GiB"),
        "batch size: 128\nimage size: 224\n" + STEP + torch2("392.00 MiB", "23.69 GiB", "180.00 MiB", "23.50 GiB",
                                                            "22.61 GiB", "410.12 MiB"),
        "train_batch_size = 48\n" + STEP + torch("296.00 MiB", "7.79 GiB", "6.42 GiB", "150.31 MiB", "6.61 GiB"))
    put("torch-attention", "input_too_large",
        ATTENTION + torch("8.00 GiB", "23.69 GiB", "14.10 GiB", "3.10 GiB", "20.01 GiB"),
        "image size: 1024\n" + ATTENTION + torch("16.00 GiB", "39.39 GiB", "20.22 GiB", "12.10 GiB", "21.90 GiB"),
        SOFTMAX + torch("4.50 GiB", "15.78 GiB", "11.61 GiB", "2.31 GiB", "12.30 GiB"),
        "max_length: 8192\n" + SOFTMAX + torch2("8.00 GiB", "23.69 GiB", "2.10 GiB", "21.50 GiB", "20.20 GiB",
                                              "910.12 MiB"))
    put("torch-attention-batch", "batch_too_large",
        "batch_size: 256\nmax_length: 128\n" + SOFTMAX + torch("192.00 MiB", "15.78 GiB", "14.61 GiB", "31.00 MiB",
                                                            "14.90 GiB"),
        "Namespace(batch_size=128, epochs=30)\n" + ATTENTION + torch("150.00 MiB", "10.76 GiB", "9.91 GiB", "91.00 MiB",
                                                                "10.10 GiB"))
    put("torch-smaller-worked", "batch_too_large",
        "batch_size: 16\n" + steps(6) + "Training finished.\n\nbatch_size: 32\n" + STEP +
        torch("512.00 MiB", "15.78 GiB", "14.60 GiB", "96.00 MiB", "14.90 GiB"),
        "It works with a batch size of 8 but 16 fails:\n\nbatch_size: 16\n" + STEP +
        torch("256.00 MiB", "11.17 GiB", "10.41 GiB", "58.00 MiB", "10.60 GiB"))
    put("tf-activation", "batch_too_large",
        "Epoch 1/10\n" + tf("[256,64,112,112]") + "\n", tf("[128,128,56,56]", op="model/block2/Conv2D"),
        "batch_size = 96\nEpoch 1/50\n" + tf("[96,256,128,128]", op="unet/up3/Conv2D"),
        "batch_size = 512\n" + tf("[512,512,768]", op="bert/encoder/layer_._3/intermediate/dense/BiasAdd"))
    put("jax-step", "batch_too_large",
        "batch_size: 512\nEpoch 0\njaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while "
        "trying to allocate 9663676416 bytes.\n")
    # --- the model ---
    put("torch-load", "model_too_large",
        LOAD + torch("224.00 MiB", "7.79 GiB", "7.51 GiB", "40.19 MiB", "7.51 GiB"),
        "Loading meta-llama checkpoint\n" + LOAD + torch2("500.00 MiB", "23.69 GiB", "120.00 MiB", "23.56 GiB",
                                                       "23.20 GiB", "1.20 MiB"),
        LOAD + torch("1.96 GiB", "14.76 GiB", "13.40 GiB", "900.00 MiB", "13.41 GiB"))
    put("told-loading", "model_too_large",
        "I am not able to load the 13B model on this card:\n\n" + torch("100.00 MiB", "15.78 GiB", "15.40 GiB",
                                                                    "20.00 MiB", "15.50 GiB"),
        "It goes out of memory while loading the checkpoint.\n\nRuntimeError: Resource exhausted: Failed to allocate "
        "request for 128.00MiB (134217728B) on device ordinal 0\n",
        "The model downloads, but then it fails. I get CUDA out of memory when loading the pipeline:\n\n" +
        torch("50.00 MiB", "7.79 GiB", "7.50 GiB", "9.00 MiB", "7.60 GiB"))
    put("torch-optimizer", "model_too_large",
        "batch_size: 1\n" + OPTIM + torch("136.00 MiB", "23.69 GiB", "22.90 GiB", "60.00 MiB", "23.01 GiB"),
        OPTIM + torch2("64.00 MiB", "39.39 GiB", "28.00 MiB", "39.35 GiB", "38.70 GiB", "110.00 MiB"),
        "per_device_train_batch_size: 1\n" + OPTIM + torch("86.00 MiB", "15.78 GiB", "14.80 GiB", "26.00 MiB",
                                                        "14.92 GiB"))
    put("tf-variable", "model_too_large",
        tf("[25088,65536]", op="dense/kernel/Initializer/random_uniform/RandomUniform"),
        tf("[800000,1024]", op="embedding/embeddings/Initializer/random_uniform"),
        tf("[50000,16384]", op="dense_1/kernel/Adam/m/Initializer/zeros"))
    put("llamacpp-load", "model_too_large",
        "llm_load_print_meta: model size = 38.58 GiB (4.80 BPW)\n"
        "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 37100.00 MiB on device 0: cudaMalloc failed: out of "
        "memory\nllama_model_load: error loading model: unable to allocate CUDA0 buffer\n"
        "llama_load_model_from_file: failed to load model\n",
        "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 14200.50 MiB on device 0: cudaMalloc failed: out of "
        "memory\nllama_model_load: error loading model: unable to allocate CUDA0 buffer\n")
    put("torch-batch-of-one", "model_too_large",
        "batch_size: 1\n" + STEP + torch("20.00 MiB", "7.79 GiB", "7.40 GiB", "12.00 MiB", "7.46 GiB"),
        "batch_size: 1\n" + STEP + torch2("32.00 MiB", "15.70 GiB", "20.00 MiB", "15.60 GiB", "15.10 GiB", "80.00 MiB"))
    # --- the input ---
    put("torch-long", "input_too_large",
        "batch_size: 1\nmax_seq_length: 16384\n" + STEP + torch("8.00 GiB", "39.39 GiB", "30.10 GiB", "5.10 GiB",
                                                               "33.00 GiB"),
        "batch_size: 1\nimage_size: 2048\n" + STEP + torch("4.00 GiB", "23.69 GiB", "18.40 GiB", "2.10 GiB", "20.00 GiB"))
    put("tf-picture", "input_too_large",
        tf("[1,64,4096,4096]", op="model/conv2d/Conv2D"), tf("[1,128,2048,3072]", op="model/conv2d_1/Conv2D"))
    # --- pieces ---
    put("torch-pieces", "fragmented",
        steps(40) + STEP + torch("512.00 MiB", "15.78 GiB", "8.90 GiB", "300.00 MiB", "14.60 GiB",
                                after=" If reserved memory is >> allocated memory try setting max_split_size_mb to "
                                      "avoid fragmentation."),
        steps(60) + STEP + torch2("1.10 GiB", "23.69 GiB", "400.00 MiB", "23.10 GiB", "14.20 GiB", "8.30 GiB"),
        steps(25) + STEP + torch("256.00 MiB", "10.76 GiB", "5.60 GiB", "120.00 MiB", "9.80 GiB",
                                after=" If reserved memory is >> allocated memory try setting max_split_size_mb to "
                                      "avoid fragmentation."))
    # --- others ---
    put("torch-others", "other_tenant",
        STEP + torch2("200.00 MiB", "23.69 GiB", "90.00 MiB", "3.10 GiB", "2.40 GiB", "120.00 MiB",
                      others=((4711, "20.20 GiB"),)),
        STEP + torch2("1.00 GiB", "39.39 GiB", "320.00 MiB", "9.10 GiB", "8.10 GiB", "300.00 MiB",
                      others=((881, "14.80 GiB"), (990, "15.00 GiB"))),
        STEP + torch("128.00 MiB", "15.78 GiB", "2.10 GiB", "64.00 MiB", "2.30 GiB"),
        STEP + torch("64.00 MiB", "10.76 GiB", "1.10 GiB", "31.00 MiB", "1.20 GiB"))
    put("tf-others", "other_tenant",
        "I tensorflow/core/common_runtime/gpu/gpu_device.cc:1433] Found device 0 with properties:\nname: Tesla "
        "V100-SXM2-16GB major: 7 minor: 0 memoryClockRate(GHz): 1.53\ntotalMemory: 15.77GiB freeMemory: 1.05GiB\n" +
        tf("[64,64,56,56]"),
        "I tensorflow/core/common_runtime/gpu/gpu_device.cc:1433] Found device 0 with properties:\nname: GeForce GTX "
        "1080 Ti major: 6 minor: 1 memoryClockRate(GHz): 1.58\ntotalMemory: 10.92GiB freeMemory: 620.12MiB\n" +
        tf("[32,128,28,28]"))
    put("cuda-context", "other_tenant",
        trace(("/home/kim/code/train.py", 9, "<module>"),
              ("/opt/venv/lib/python3.10/site-packages/torch/cuda/__init__.py", 247, "_lazy_init")) +
        "RuntimeError: CUDA error: out of memory\n",
        "E tensorflow/stream_executor/cuda/cuda_driver.cc:328] failed call to cuDevicePrimaryCtxRetain: "
        "CUDA_ERROR_OUT_OF_MEMORY: out of memory\nRuntimeError: CUDA runtime implicit initialization on GPU:0 failed. "
        "Status: out of memory\n")
    put("vllm-start", "other_tenant",
        "ValueError: Free memory on device (3.31/23.64 GiB) on startup is less than desired GPU memory utilization (0.9, "
        "21.28 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.\n",
        "ValueError: Free memory on device (30.10/79.20 GiB) on startup is less than desired GPU memory utilization "
        "(0.92, 72.86 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.\n")
    put("encoder-session", "other_tenant",
        "[hevc_nvenc @ 0x5601c0] OpenEncodeSessionEx failed: out of memory (10): (no details)\n",
        "[av1_nvenc @ 0x7f10] OpenEncodeSessionEx failed: out of memory (10)\nError initializing output stream 0:0\n",
        "render: error: vkCreateDevice: VK_ERROR_OUT_OF_DEVICE_MEMORY: out of device memory\n")
    # --- a cap ---
    put("torch-fraction", "capped",
        STEP + "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB (GPU 0; 23.69 GiB total "
        "capacity; 5.60 GiB already allocated; 17.20 GiB free; 5.92 GiB allowed; 5.80 GiB reserved in total by PyTorch)\n",
        STEP + "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 GiB (GPU 0; 15.78 GiB total "
        "capacity; 7.20 GiB already allocated; 8.00 GiB free; 7.89 GiB allowed; 7.40 GiB reserved in total by PyTorch)\n")
    put("tf-fraction", "capped",
        "per_process_gpu_memory_fraction: 0.2\n" + tf_device(3200) + tf("[64,256,56,56]"),
        "per_process_gpu_memory_fraction: 0.3\n" + tf_device(4800) + tf("[128,128,56,56]"))
    # --- growth ---
    put("torch-growth", "device_leak",
        grows(14, 4.1, 0.8) + STEP + torch("128.00 MiB", "15.78 GiB", "15.10 GiB", "20.00 MiB", "15.30 GiB"),
        grows(20, 2.0, 0.45) + STEP + torch("64.00 MiB", "10.76 GiB", "10.30 GiB", "10.00 MiB", "10.40 GiB"),
        grows(10, 6.0, 1.8) + STEP + torch2("96.00 MiB", "23.69 GiB", "22.00 MiB", "23.60 GiB", "23.10 GiB", "90.00 MiB"))
    put("told-growth", "device_leak",
        "GPU memory keeps increasing after every iteration until it crashes.\n\n" + STEP +
        torch("64.00 MiB", "11.17 GiB", "10.60 GiB", "20.00 MiB", "10.80 GiB"),
        "The memory usage grows with each epoch, and then:\n\n" + STEP +
        torch("32.00 MiB", "7.79 GiB", "7.30 GiB", "14.00 MiB", "7.40 GiB"),
        "The model seems to accumulate memory each time that I call it, five calls and it is over.\n\n" +
        torch("40.00 MiB", "8.00 GiB", "7.10 GiB", "0 bytes", "7.30 GiB"))
    put("host-growth", "host_leak",
        rss(16, 3.0, 3.6) + kernel("python3", 4411, 60000000),
        rss(12, 2.0, 2.4) + kernel("python", 902, 30100000),
        rss(20, 1.0, 0.7) + "MemoryError: Unable to allocate 12.0 MiB for an array with shape (1024, 1536) and data type "
        "float64\n")
    put("told-leak", "host_leak",
        "# Memory leak: RSS grows over days\n\nThe daemon is killed each week:\n\n" + kernel("relayd", 812, 7900000),
        "# Memory leak in the collector\n\n" + group("collector", 33, 4150000),
        "# RAM usage keeps growing until the kernel kills it\n\n" + kernel("gateway", 99, 15000000),
        "# Memory usage grows until the pod is OOMKilled\n\n    Last State:     Terminated\n      Reason:       OOMKilled\n"
        "      Exit Code:    137\n")
    put("torch-validation", "evaluation_accumulates",
        steps(30) + "Epoch 1 done, validating\n" + EVAL + torch("512.00 MiB", "15.78 GiB", "14.70 GiB", "60.00 MiB",
                                                             "15.00 GiB"),
        steps(12) + trace(("/opt/venv/lib/python3.10/site-packages/transformers/trainer.py", 1900, "train"),
                          ("/opt/venv/lib/python3.10/site-packages/transformers/trainer.py", 2900, "evaluation_loop"),
                          ("/opt/venv/lib/python3.10/site-packages/transformers/trainer_pt_utils.py", 104,
                           "nested_concat")) +
        torch("2.10 GiB", "15.78 GiB", "13.20 GiB", "700.00 MiB", "14.00 GiB"),
        steps(22) + EVAL + torch2("1.00 GiB", "23.69 GiB", "110.00 MiB", "23.50 GiB", "21.80 GiB", "700.00 MiB"))
    put("keras-models", "graph_growth",
        "".join(f'Model: "sequential_{i}"\n_________________________________________________________________\n'
                f'Layer (type)                 Output Shape              Param #   \n'
                f'=================================================================\n'
                f'dense_{2 * i} (Dense)             (None, 512)               401920    \n'
                f'=================================================================\n'
                f'Total params: 401,920\nTrainable params: 401,920\nNon-trainable params: 0\n'
                f'_________________________________________________________________\n' for i in range(1, 6)) +
        tf("[512,512]", op="sequential_5/dense_10/MatMul"),
        tf("[64,1024]", op="sequential_31/dense_62/MatMul"), tf("[128,2048]", op="model_22/dense/MatMul"))
    put("torch-reload", "model_reload",
        steps(20) + trace(("/home/kim/code/train.py", 70, "resume"), ("/home/kim/code/train.py", 31, "load_checkpoint"),
                          ("/opt/venv/lib/python3.10/site-packages/torch/serialization.py", 1172, "restore_location")) +
        torch("96.00 MiB", "15.78 GiB", "15.00 GiB", "30.00 MiB", "15.10 GiB"),
        steps(8) + trace(("/home/kim/code/eval.py", 20, "main"),
                         ("/opt/venv/lib/python3.10/site-packages/torch/serialization.py", 287, "_cuda_deserialize")) +
        torch("128.00 MiB", "23.69 GiB", "23.00 GiB", "51.00 MiB", "23.10 GiB"))
    loads = ("/home/kim/code/demo.py", 12, "<module>")
    put("restored-in-place", "model_reload",
        trace(loads, ("/opt/venv/lib/python3.8/site-packages/torch/serialization.py", 787, "persistent_load"),
              ("/opt/venv/lib/python3.8/site-packages/torch/serialization.py", 175, "default_restore_location"),
              ("/opt/venv/lib/python3.8/site-packages/torch/serialization.py", 157, "_cuda_deserialize")) +
        torch("40.00 MiB", "7.79 GiB", "7.01 GiB", "12.00 MiB", "7.10 GiB"),
        "ckpt = torch.load('epoch_9.pt')\n\n" + torch("72.00 MiB", "15.78 GiB", "14.90 GiB", "33.00 MiB", "15.02 GiB"))
    put("told-resume", "model_reload",
        "I am unable to resume training from a checkpoint, although it trains from scratch.\n\n" +
        torch("36.00 MiB", "7.79 GiB", "7.02 GiB", "0 bytes", "7.11 GiB"),
        "OOM when resuming from epoch 12\n\nbatch_size: 8\n" + STEP +
        torch("512.00 MiB", "23.69 GiB", "22.40 GiB", "300.00 MiB", "22.80 GiB"))
    # --- data ---
    put("tf-set", "dataset_on_device",
        tf_device(14000) + "tensorflow.python.framework.errors_impl.InternalError: Failed copying input tensor from "
        "/job:localhost/replica:0/task:0/device:CPU:0 to /job:localhost/replica:0/task:0/device:GPU:0 in order to run "
        "_EagerConst: Dst tensor is not initialized.\n",
        tf("[60000,224,224,3]", op="_EagerConst"), tf("[25000,128,128,3]", op="Const"))
    put("cupy-array", "dataset_on_device",
        "cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 17,179,869,184 bytes (allocated so far: 0 bytes).\n",
        "MemoryError: std::bad_alloc: out_of_memory: CUDA error at: /opt/rmm/include/rmm/mr/device/"
        "cuda_memory_resource.hpp:70: cudaErrorMemoryAllocation out of memory\n")
    put("cupy-plain", "dataset_on_device",
        "cupy/cuda/memory.pyx in cupy.cuda.memory.MemoryPool.malloc()\n\nOutOfMemoryError: out of memory to allocate "
        "2684354560 bytes (total 5368709120 bytes)\n",
        "  File \"cupy/cuda/memory.pyx\", line 544, in cupy.cuda.memory.alloc\ncupy.cuda.memory.OutOfMemoryError: out of "
        "memory to allocate 8000000000 bytes (total 12000000000 bytes)\n")
    put("julia-array", "dataset_on_device",
        "ERROR: LoadError: CUDA error: out of memory (code #2, ERROR_OUT_OF_MEMORY)\nStacktrace:\n [1] alloc at "
        "/home/kim/.julia/packages/CUDAdrv/aBcD1/src/memory.jl:150 [inlined]\n [2] CuArrays.CuArray{Float64,2}(::Tuple"
        "{Int64,Int64}) at /home/kim/.julia/packages/CuArrays/x1Y2z/src/array.jl:40\n",
        "ERROR: CUDA error: out of memory (code #2, ERROR_OUT_OF_MEMORY)\nStacktrace:\n [1] similar at "
        "/home/kim/.julia/packages/CuArrays/x1Y2z/src/array.jl:61\n")
    put("numpy-set", "dataset_in_host_memory",
        "numpy.core._exceptions._ArrayMemoryError: Unable to allocate 67.4 GiB for an array with shape (60000, 224, 224, "
        "3) and data type float64\n",
        "numpy.core._exceptions.MemoryError: Unable to allocate 22.5 GiB for an array with shape (50000, 200, 201, 3) and "
        "data type float32\n",
        trace(("/home/kim/code/train.py", 14, "<module>"), ("/home/kim/code/data.py", 31, "load_data")) +
        "MemoryError: Unable to allocate 30.0 GiB for an array with shape (4026531840,) and data type float64\n")
    put("shape", "accidental_shape",
        "numpy.core._exceptions._ArrayMemoryError: Unable to allocate 74.5 GiB for an array with shape (100000, 100000) "
        "and data type float64\n",
        "RuntimeError: CUDA out of memory. Tried to allocate 1073741.82 GiB (GPU 0; 15.78 GiB total capacity; 1.20 GiB "
        "already allocated; 13.90 GiB free; 1.30 GiB reserved in total by PyTorch)\n",
        "numpy.core._exceptions.MemoryError: Unable to allocate 1.82 PiB for an array with shape (16000000, 16000000) and "
        "data type float64\n",
        "RuntimeError: CUDA out of memory. Tried to allocate 931.32 GiB (GPU 0; 10.76 GiB total capacity; 800.00 MiB "
        "already allocated; 9.10 GiB free; 900.00 MiB reserved in total by PyTorch)\n")
    limited = ("Total size in pool: 34.00MiB memory_limit_: 300.00MiB available size: 266.00MiB "
               "curr_region_allocation_bytes_: 64.00MiB\nStats: \nLimit:                       300.00MiB\n")
    put("pairs", "accidental_shape",
        "Namespace(batch_size=5000, steps=40)\nRESOURCE_EXHAUSTED: OOM when allocating tensor with shape[5000,5000,4] and type "
        "float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc\n\t [[{{node compile_loss/loss/sub}}]]\n",
        limited + "OOM when allocating tensor with shape[9000,9000,2] and type float on /job:localhost/replica:0/task:0/device:CPU:0 by "
        "allocator bfc_cpu_allocator_for_gpu\n\t [[{{node loss_fn/loss/Square}}]]\n",
        "--batch-size 8000\n" + limited + "OOM when allocating tensor with shape[8000,8000,3] and type float on "
        "/job:localhost/replica:0/task:0/device:CPU:0 by allocator bfc_cpu_allocator_for_gpu\n\t [[{{node loss/mse/sub}}]]\n")
    # --- the host ---
    put("workers", "workers_host_memory",
        "num_workers: 16\nRuntimeError: DataLoader worker (pid 3121) is killed by signal: Killed. \n" +
        kernel("python", 3121, 9000000),
        "num_workers: 12\nRuntimeError: DataLoader worker (pid(s) 811, 812) exited unexpectedly\nRuntimeError: DataLoader "
        "worker (pid 811) is killed by signal: Killed. \n",
        "num_workers: 8\nOSError: [WinError 1455] The paging file is too small for this operation to complete. Error "
        "loading \"C:\\venv\\lib\\site-packages\\torch\\lib\\cudnn_cnn_infer64_8.dll\" or one of its dependencies.\n")
    put("shm", "shm_too_small",
        "ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm).\n"
        "RuntimeError: DataLoader worker (pid 210) is killed by signal: Bus error. It is possible that dataloader's "
        "workers are out of shared memory. Please try to raise your shared memory limit.\n",
        "RuntimeError: unable to write to file </torch_9912_1203>: No space left on device (28)\nERROR: Unexpected bus "
        "error encountered in worker. This might be caused by insufficient shared memory (shm).\n")
    put("group", "group_limit",
        kernel("python", 77, 8000000, "constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=job_881,mems_allowed=0,oom_memcg="
               "/slurm/uid_1000/job_881").replace("Out of memory: Killed", "Memory cgroup out of memory: Killed"),
        "slurmstepd: error: Detected 1 oom_kill event in StepId=88123.batch. Some of the step tasks have been OOM "
        "Killed.\n",
        "    State:          Terminated\n      Reason:       OOMKilled\n      Exit Code:    137\n",
        "slurmstepd: error: Step 7712.0 exceeded memory limit (33931204 > 33554432), being killed\n")
    put("exhausted", "host_exhausted",
        kernel("python3", 4410, 62000000) + "Killed\n", kernel("java", 912, 29000000),
        "MemoryError: Unable to allocate 512. MiB for an array with shape (67108864,) and data type float64\n",
        "RuntimeError: [enforce fail at alloc_cpu.cpp:114] err == 0. DefaultCPUAllocator: can't allocate memory: you tried "
        "to allocate 4294967296 bytes. Error code 12 (Cannot allocate memory)\n",
        "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\nAborted (core dumped)\n")
    put("host-evaluation", "evaluation_accumulates",
        steps(12) + "".join(f"validation {i}/400 rss: {3.1 + 0.21 * i:.2f} GiB\n" for i in range(1, 60)) + "Killed\n" +
        group("python", 5120, 15600000),
        steps(30) + "Evaluating: 100 batches\nEvaluating: 200 batches\n" + kernel("python3", 7001, 60100000),
        steps(20) + "Running validation on 20000 samples\n./run.sh: line 4: 4410 Killed python3 train.py\n" +
        group("python3", 4410, 30600000))
    put("host-reload", "model_reload",
        steps(20) + "resuming from checkpoint runs/last.pt\n" + group("python", 811, 31200000),
        "=> loading checkpoint 'out/epoch_12.pth'\n./train.sh: line 9: 2210 Killed python train.py --resume out/epoch_12.pth\n" +
        group("python", 2210, 15800000))
    put("host-data", "dataset_in_host_memory",
        "Loading dataset train.npy ...\nKilled\n" + group("python", 1201, 63900000),
        "reading 120000 images from /data/train\n" + kernel("python3", 871, 60900000),
        trace(("/home/kim/code/prep.py", 14, "<module>"),
              ("/opt/venv/lib/python3.10/site-packages/pandas/io/parsers/readers.py", 912, "read_csv"),
              ("/opt/venv/lib/python3.10/site-packages/pandas/io/parsers/c_parser_wrapper.py", 234, "read")) +
        "MemoryError: Unable to allocate 412. MiB for an array with shape (27, 2000000) and data type float64\n")
    put("host-growth-group", "host_leak",
        rss(18, 2.0, 0.8) + "./run.sh: line 3: 9120 Killed python train.py\n" + group("python", 9120, 16700000),
        rss(25, 1.0, 0.28) + group("python3", 4120, 8300000))
    put("group-step", "group_limit",
        steps(1) + "Killed\n" + group("python", 77, 8300000), "epochs: 3\nlr: 0.1\n" + group("sort", 912, 4150000))
    put("beside", "host_other_tenant",
        group("python3", 512, 1100000, [("postgres", 77, 6100000), ("bash", 80, 3000)]).replace(
            "oom_score_adj:0\n", "oom_score_adj:0\n[88123.310] memory: usage 8388608kB, limit 8388608kB, failcnt 12\n"),
        "[88122.000] memory: usage 4194304kB, limit 4194304kB, failcnt 9\n" +
        group("sort", 912, 600000, [("java", 912, 3300000)]))
    put("late", "host_leak",
        steps(60) + "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n",
        "".join(f"batch {i}/9000\n" for i in range(1, 240)) + "Killed\n" + group("import", 912, 8300000))
    put("heap-late", "host_leak",
        "+ java -Xmx2g -jar import.jar\n" + "".join(f"batch {i}/400\n" for i in range(1, 60)) +
        "Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space\n\tat com.acme.Import.run(Import.java:40)\n",
        "".join(f"Processing step {i}/9000\n" for i in range(1, 140)) +
        "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n")
    put("pool", "workers_host_memory",
        group("python3", 512, 3100000, [("python3", n, 2900000 + 1000 * n) for n in range(500, 505)]),
        group("ruby", 912, 1500000, [("ruby", n, 1440000) for n in range(900, 908)]) + "Killed\n")
    put("heap", "runtime_limit",
        "+ java -Xmx512m -jar report.jar\nException in thread \"main\" java.lang.OutOfMemoryError: Java heap space\n"
        "\tat com.acme.Report.load(Report.java:88)\n",
        "java.lang.OutOfMemoryError: GC overhead limit exceeded\n\tat java.util.Arrays.copyOf(Arrays.java:3332)\n",
        "<--- Last few GCs --->\n\n[811:0x55d0]    61204 ms: Mark-sweep 2041.2 (2078.6) -> 2040.8 (2079.1) MB, 1300.0 / 0.0 ms  "
        "allocation failure scavenge might not succeed\n\nFATAL ERROR: Ineffective mark-compacts near heap limit Allocation "
        "failed - JavaScript heap out of memory\n",
        "Error: vector memory exhausted (limit reached?)\n",
        "PHP Fatal error:  Allowed memory size of 134217728 bytes exhausted (tried to allocate 20480 bytes) in "
        "/srv/www/import.php on line 77\n")
    # --- servers, libraries, compilers ---
    put("vllm-cache", "kv_cache",
        "ValueError: To serve at least one request with the models's max seq len (32768), (4.00 GiB KV cache is needed, "
        "which is larger than the available KV cache memory (1.42 GiB). Based on the available memory, the estimated "
        "maximum model length is 11600.\n",
        "ValueError: The model's max seq len (131072) is larger than the maximum number of tokens that can be stored in KV "
        "cache (45200). Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the "
        "engine.\n",
        "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing "
        "the engine.\n",
        "llama_kv_cache_init: failed to allocate buffer for kv cache\nllama_new_context_with_model: llama_kv_cache_init() "
        "failed for self-attention cache\nggml_backend_cuda_buffer_type_alloc_buffer: allocating 16384.00 MiB on device 0: "
        "cudaMalloc failed: out of memory\n")
    put("handles", "workspace",
        "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`\n",
        "RuntimeError: cuDNN error: CUDNN_STATUS_ALLOC_FAILED\n",
        "E tensorflow/stream_executor/cuda/cuda_dnn.cc:329] Could not create cudnn handle: CUDNN_STATUS_ALLOC_FAILED\n")
    put("compiler", "compile_plan",
        "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in "
        "memory space hbm. Used 21.30G of 15.48G hbm. Exceeded hbm capacity by 5.82G.\n",
        "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in "
        "memory space hbm. Used 40.10G of 31.25G hbm. Exceeded hbm capacity by 8.85G.\n")
    put("driver-epoch", "driver_refused",
        tf_device(11000) + "batch_size: 48\nEpoch 1/10\nE tensorflow/stream_executor/cuda/cuda_driver.cc:825] failed to "
        "allocate 2.20G (2362232064 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory\n" + tf("[48,256,56,56]"),
        tf_device(30000, name="Tesla V100") + "E tensorflow/stream_executor/cuda/cuda_driver.cc:825] failed to allocate "
        "8.00G (8589934592 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory\n" + tf("[32,128,112,112]"))
    put("driver", "driver_refused",
        tf_device(14000) + "E tensorflow/stream_executor/cuda/cuda_driver.cc:825] failed to allocate 3.00G (3221225472 "
        "bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory\n" + tf("[64,512,56,56]"),
        STEP + torch("20.00 MiB", "23.69 GiB", "4.10 GiB", "17.90 GiB", "4.30 GiB"),
        STEP + torch("512.00 MiB", "39.39 GiB", "6.00 GiB", "32.10 GiB", "6.10 GiB"))
    # --- one sample ---
    gui = ("Error occurred when executing KSampler:\n  File \"D:\\ComfyUI\\execution.py\", line 152, in recursive_execute\n"
           "  File \"D:\\ComfyUI\\comfy\\samplers.py\", line 300, in sample\n")
    put("gui-picture", "input_too_large",
        gui + torch("9.00 GiB", "11.99 GiB", "5.30 GiB", "4.90 GiB", "6.00 GiB"),
        gui + torch2("4.50 GiB", "15.70 GiB", "2.10 GiB", "13.20 GiB", "11.80 GiB", "300.00 MiB"),
        "# ComfyUI Error Report\n- **Node Type:** VAEDecode\n- **Exception Message:** Allocation on device\n" + gui +
        "torch.OutOfMemoryError: Allocation on device\n",
        "txt2img: 1 picture, 2048x1536\n  File \"/srv/stable-diffusion-webui/modules/txt2img.py\", line 56, in txt2img\n" +
        torch("24.00 GiB", "23.69 GiB", "4.20 GiB", "17.10 GiB", "5.30 GiB"))
    put("gui-model", "model_too_large",
        gui + torch2("44.00 MiB", "7.79 GiB", "12.00 MiB", "7.70 GiB", "7.30 GiB", "90.00 MiB"),
        gui + torch("26.00 MiB", "11.99 GiB", "11.20 GiB", "0 bytes", "11.40 GiB"),
        gui + torch("18.00 MiB", "5.80 GiB", "5.30 GiB", "3.10 MiB", "5.40 GiB"))
    generates = trace(("/home/kim/talk.py", 30, "<module>"),
                      ("/opt/venv/lib/python3.10/site-packages/torch/utils/_contextlib.py", 115, "decorate_context"),
                      ("/opt/venv/lib/python3.10/site-packages/transformers/generation/utils.py", 1544, "generate"))
    put("generate-long", "input_too_large",
        generates + torch("6.40 GiB", "23.69 GiB", "16.20 GiB", "4.80 GiB", "17.00 GiB"),
        generates + torch2("12.10 GiB", "39.39 GiB", "7.30 GiB", "31.90 GiB", "30.10 GiB", "900.00 MiB"),
        "I only translate one document at a time.\n" + generates + torch("3.90 GiB", "15.78 GiB", "11.40 GiB", "3.10 GiB",
                                                                       "11.90 GiB"))
    put("generate-full", "model_too_large",
        generates + torch("20.00 MiB", "15.78 GiB", "15.20 GiB", "9.00 MiB", "15.30 GiB"),
        generates + torch2("34.00 MiB", "23.69 GiB", "21.00 MiB", "23.60 GiB", "23.20 GiB", "80.00 MiB"))
    put("splats", "input_too_large",
        "  File \"train.py\", line 114, in training\n  File \"/home/kim/gaussian-splatting/gaussian_renderer/__init__.py\", line "
        "90, in render\n" + torch("3.20 GiB", "23.69 GiB", "18.10 GiB", "2.20 GiB", "20.30 GiB"),
        "$ ns-train splatfacto --data plaza\n" + torch2("2.90 GiB", "15.70 GiB", "1.90 GiB", "13.60 GiB", "12.80 GiB",
                                                       "400.00 MiB"))
    put("splats-absurd", "accidental_shape",
        "  File \"/home/kim/gaussian-splatting/gaussian_renderer/__init__.py\", line 90, in render\n" +
        torch("61.10 GiB", "23.69 GiB", "1.10 GiB", "21.30 GiB", "1.30 GiB"),
        "  File \"/home/kim/gsplat/rendering.py\", line 290, in rasterization\n" +
        torch("118.00 GiB", "39.39 GiB", "2.60 GiB", "35.20 GiB", "3.10 GiB"))
    put("vain", "input_too_large",
        "I reduced the batch size to 1 but still the same error.\n" + torch("2.60 GiB", "10.76 GiB", "7.30 GiB", "1.90 GiB",
                                                                        "8.10 GiB"),
        "It fails even with batch size 1, on slides of 30000 x 20000 pixels.\n" + STEP +
        torch("4.10 GiB", "23.69 GiB", "18.30 GiB", "3.20 GiB", "19.20 GiB"),
        "I lowered the batch size from 8 to 2, but I still get it.\nOut of memory error on GPU 0. Cannot allocate 2.1GB memory "
        "on GPU 0, 13.2GB memory has been allocated and available memory is only 1.5GB.\n")
    put("vain-model", "model_too_large",
        "Even at batch size 1 it is the same error. Is there a way to fit it in 16 GB?\n" +
        "I tried reducing the batch size to 1, but it still fails.\n" + torch("14.00 MiB", "15.78 GiB", "15.10 GiB", "4.00 MiB",
                                                                       "15.20 GiB"),
        "my batch size is 1 already\n" + torch2("112.00 MiB", "23.69 GiB", "60.00 MiB", "23.60 GiB", "23.10 GiB", "90.00 MiB"))
    put("beyond", "input_too_large",
        trace(("/home/kim/fields.py", 33, "<module>")) + torch("30.52 GiB", "23.69 GiB", "6.90 GiB", "15.80 GiB", "7.20 GiB"),
        trace(("/home/kim/align.py", 12, "<module>")) + torch2("98.10 GiB", "79.20 GiB", "60.10 GiB", "19.00 GiB",
                                                             "18.40 GiB", "120.00 MiB"))
    put("beyond-training", "batch_too_large",
        "batch_size: 128\n" + STEP + torch("24.50 GiB", "23.69 GiB", "1.90 GiB", "20.60 GiB", "2.10 GiB"),
        "Namespace(batch_size=64, epochs=3)\n" + STEP + torch("18.37 GiB", "15.78 GiB", "4.90 GiB", "9.90 GiB", "5.00 GiB"))
    put("pairs", "accidental_shape",
        "The graph has 14000 nodes.\n" + torch("5.84 GiB", "10.76 GiB", "6.20 GiB", "3.10 GiB", "6.40 GiB"),
        "cloud of 52000 points\n" + torch("10.07 GiB", "23.69 GiB", "14.20 GiB", "8.10 GiB", "14.40 GiB"))
    put("shown-loading", "model_too_large",
        "```python\nmodel = AutoModel.from_pretrained('acme/nimbus-30b')\n\nRESOURCE_EXHAUSTED: Error allocating device buffer: "
        "Attempting to allocate 1.20G. That was not possible. There are 512.10M free.; (0x0x0_HBM0)\n```\n",
        "model = load_model('big.keras')\nResourceExhaustedError: failed to allocate memory [Op:AddV2]\n",
        "pipe = Pipeline.from_pretrained('acme/painter').to('cuda')\n" + torch("58.00 MiB", "7.79 GiB", "7.20 GiB", "20.00 MiB",
                                                                        "7.30 GiB"))
    put("told-input", "input_too_large",
        "I fold a complex of 3100 residues.\n" + "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 41274034352 bytes.\n"
        "user1: the sequence is too long for this card\n",
        torch("1.10 GiB", "7.79 GiB", "5.30 GiB", "700.00 MiB", "6.10 GiB") + "\nI think your images are too large for it.\n")
    put("one-already", "input_too_large",
        "batch_size=1\n" + torch("1.40 GiB", "10.76 GiB", "8.30 GiB", "0.90 GiB", "9.00 GiB"),
        "samples_per_gpu=1\nimg_scale=(1333, 800)\n" + STEP + torch2("310.00 MiB", "7.79 GiB", "120.00 MiB", "7.60 GiB",
                                                                   "6.90 GiB", "200.00 MiB"))
    put("runtime-bare", "other_tenant",
        STEP + "RuntimeError: CUDA error: out of memory\n",
        trace(("/home/kim/code/test.py", 20, "<module>")) + "RuntimeError: CUDA error: out of memory\nCUDA kernel errors might be "
        "asynchronously reported at some other API call.\n",
        "batch_size: 8\nRuntimeError: cuda runtime error (2) : out of memory at /tmp/THC/THCTensor.cu:12\n")
    put("server-traffic", "kv_cache",
        "The server dies when many concurrent requests come.\n[TM][ERROR] CUDA runtime error: out of memory "
        "/lmdeploy/src/turbomind/utils/allocator.h:231\n")
    put("server-cache-made", "kv_cache",
        "python -m sglang.launch_server --model-path acme/nimbus-32b --mem-fraction-static 0.9\n"
        "[2025-05-06 11:44:20 TP0] KV Cache is allocated. #tokens: 92834, K size: 11.33 GB, V size: 11.33 GB\n" +
        torch2("2.25 GiB", "47.40 GiB", "1.10 GiB", "46.20 GiB", "45.00 GiB", "512.00 MiB"),
        "trtllm-serve acme/nimbus-7b --max_batch_size 2048\n[TensorRT-LLM][INFO] [MemUsageChange] Allocated 4.25 GiB for "
        "max tokens in paged KV cache (76608).\n[TensorRT-LLM][ERROR] CUDA runtime error in ::cudaMallocAsync(ptr, n, "
        "mCudaStream->get()): out of memory (/src/tensorrt_llm/runtime/tllmBuffers.h:125)\n")
    put("shown-twice", "model_reload",
        "model = load_model('a.h5')\nprint(model.predict(x))\ndel model\nmodel = load_model('b.h5')\n" +
        tf("[4096,4096]", op="AddV2"),
        "a = AutoModel.from_pretrained('acme/one')\nb = AutoModel.from_pretrained('acme/two')\n" +
        torch("90.00 MiB", "15.78 GiB", "15.10 GiB", "12.00 MiB", "15.20 GiB"))
    put("slow-growth", "device_leak",
        grows(14, 21.0, 0.12) + STEP + torch("20.00 MiB", "23.69 GiB", "22.90 GiB", "9.00 MiB", "23.10 GiB"),
        "batch_size: 16\n" + grows(20, 13.8, 0.07) + STEP + torch("34.00 MiB", "15.78 GiB", "15.20 GiB", "4.00 MiB",
                                                               "15.30 GiB"))
    put("copies", "other_tenant",
        "The service runs with 6 gunicorn workers on one GPU.\nOut of memory error on GPU 0. Cannot allocate 30.1MB memory on "
        "GPU 0, available memory is only 12.0MB.\n",
        "We are running 5 processes on the same card.\n" + "RuntimeError: CUDA out of memory. Tried to allocate 64.00 MiB\n")
    put("mps", "capped",
        "MPS backend out of memory (MPS allocated: 8.10 GB, other allocations: 9.90 GB, max allowed: 18.13 GB). Tried to allocate "
        "256.00 MB on private pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable upper limit for memory allocations (may "
        "cause system failure).\n")
    put("mps-picture", "input_too_large",
        gui + "MPS backend out of memory (MPS allocated: 12.10 GB, other allocations: 1.90 GB, max allowed: 18.13 GB). Tried to "
        "allocate 6.25 GB on private pool.\n")
    put("whatever-batch", "other_tenant",
        "args: batch_size=16\n" + STEP + torch("3.10 GiB", "7.79 GiB", "120.00 MiB", "2.90 GiB", "160.00 MiB") +
        "args: batch_size=2\n" + STEP + torch("3.10 GiB", "7.79 GiB", "120.00 MiB", "2.90 GiB", "160.00 MiB"))
    # --- nothing tells ---
    put("torch-bare", "none",
        "RuntimeError: CUDA out of memory.\n", "RuntimeError: CUDA error: out of memory\n",
        "torch.cuda.OutOfMemoryError: Allocation on device \n",
        "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\n")
    put("torch-full", "none",
        torch("256.00 MiB", "15.78 GiB", "14.70 GiB", "60.00 MiB", "14.90 GiB"),
        "RuntimeError: HIP out of memory. Tried to allocate 96.00 MiB (GPU 0; 15.98 GiB total capacity; 15.10 GiB already "
        "allocated; 40.00 MiB free; 15.40 GiB reserved in total by PyTorch)\n",
        torch("1.20 GiB", "23.69 GiB", "21.90 GiB", "900.00 MiB", "22.10 GiB"))
    put("simulator", "none",
        "cudaMalloc failed: out of memory (2) at particles.cu:118\n",
        "CUDA error 2: out of memory at src/solver/field.cu:402\n",
        "terminate called after throwing an instance of 'thrust::system::system_error'\n  what():  "
        "cudaErrorMemoryAllocation: out of memory\n")
    put("jax-bare", "none",
        "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 268435456 bytes.\n",
        "XlaRuntimeError: RESOURCE_EXHAUSTED: Failed to allocate request for 1.50GiB (1610612736B) on device ordinal 0\n")
    put("compute", "none",
        "clEnqueueNDRange(0): CL_MEM_OBJECT_ALLOCATION_FAILURE\nDevice: Radeon RX 580\n",
        "Error: clCreateBuffer(): CL_MEM_OBJECT_ALLOCATION_FAILURE\n",
        "terminate called after throwing an instance of 'thrust::system::detail::bad_alloc'\n  what():  std::bad_alloc: "
        "cudaErrorMemoryAllocation: out of memory\n",
        "miner: CUDA error in func alloc_dag at line 211: out of memory\n")
    put("compute-size", "input_too_large",
        "solver: error: cudaMalloc failed: out of memory, requested 96.0 GiB, capacity 8.0 GiB\n",
        "Error: could not allocate 4000 GiB on the GPU: out of memory\n")
    put("compute-held", "other_tenant",
        "render: error: cuMemAlloc failed: CUDA_ERROR_OUT_OF_MEMORY: out of memory, requested 12.0 MiB\n")
    put("tf-bare", "none", tf("[4096]", op="AddV2"), tf("[1000,4096]", op="MatMul"))
    return out + with_settings(out)


# What a run prints of its settings says nothing of most causes: half of the failures have it.
SETTINGS = ("batch_size: 32\nlearning_rate: 0.001\n", "Namespace(batch_size=64, epochs=20, lr=0.01)\n",
            "batch_size: 16\nnum_workers: 4\n")
WITH_SETTINGS = {
    "torch-load", "torch-optimizer", "tf-variable", "torch-pieces", "torch-others", "tf-others", "cuda-context",
    "torch-fraction", "tf-fraction", "torch-growth", "told-growth", "torch-validation", "keras-models", "torch-reload",
    "tf-set", "handles", "driver", "exhausted", "host-growth", "shape",
}


def with_settings(failures):
    """A member of each of those families, and again with settings printed in front of it."""
    chosen = [f for f in failures if f[0] in WITH_SETTINGS and "batch" not in f[2]]
    return [(family, cause, SETTINGS[i % len(SETTINGS)] + text) for i, (family, cause, text) in enumerate(chosen)]
