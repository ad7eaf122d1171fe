"""Short logs of other failures than those of TensorFlow's allocator. Their sums are computed, so that they close."""

MIB, GIB = 1 << 20, 1 << 30


def torch_batch():
    """ResNet-50 on 48 images of 512x512 in float32: a 16 GB card is full in the third block of layer2."""
    batch, size = 48, 512

    def out(channels, side):
        return batch * channels * side * side * 4

    quarter, eighth = size // 4, size // 8
    kept = 2 * out(64, size // 2) + 3 * out(64, quarter)  # conv1, bn1, the pool and its indices of 8 bytes
    kept += 4 * out(64, quarter) + 4 * out(256, quarter)
    kept += 2 * (4 * out(64, quarter) + 2 * out(256, quarter))
    kept += 2 * out(128, quarter) + 2 * out(128, eighth) + 4 * out(512, eighth)
    kept += 4 * out(128, eighth) + 2 * out(512, eighth)
    kept += 4 * out(128, eighth) + out(512, eighth)
    weights = 25557032 * 4
    allocated, spare, context, total = kept + weights, 212 * MIB, 510 * MIB, 16858 * 10 ** 6
    used = allocated + spare + context
    request = out(512, eighth)
    assert total - used < request
    return f"""$ python train.py /data/shells --arch resnet50 --batch-size {batch} --image-size {size} --workers 8
torch 2.6.0+cu124, torchvision 0.21.0+cu124, NVIDIA RTX A4000
Namespace(data='/data/shells', arch='resnet50', batch_size={batch}, image_size={size}, workers=8, optimizer='adamw', lr=0.001, amp=False, epochs=30)
19776 images, 412 steps an epoch
Epoch 0:   0%|          | 0/412 [00:00<?, ?it/s]
Traceback (most recent call last):
  File "/home/mira/shells/train.py", line 188, in <module>
    main(parser.parse_args())
  File "/home/mira/shells/train.py", line 171, in main
    loss = criterion(model(images), labels)
  File "/home/mira/venv/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1739, in _wrapped_call_impl
    return self._call_impl(*args, **kwargs)
  File "/home/mira/venv/lib/python3.11/site-packages/torchvision/models/resnet.py", line 285, in forward
    return self._forward_impl(x)
  File "/home/mira/venv/lib/python3.11/site-packages/torchvision/models/resnet.py", line 274, in _forward_impl
    x = self.layer2(x)
  File "/home/mira/venv/lib/python3.11/site-packages/torchvision/models/resnet.py", line 155, in forward
    out = self.bn3(out)
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {request / MIB:.2f} MiB. GPU 0 has a total capacity of {total / GIB:.2f} GiB of which {(total - used) / MIB:.2f} MiB is free. Including non-PyTorch memory, this process has {used / GIB:.2f} GiB memory in use. Of the allocated memory {allocated / GIB:.2f} GiB is allocated by PyTorch, and {spare / MIB:.2f} MiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation for Memory Management  (https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)""".split("\n")


def kernel_kill():
    """Eight workers of a loader hold a copy of the data set each; the machine has 32 GB and a little swap."""
    lines = ["$ python train.py --data /data/scans --workers 8 --batch-size 64",
             "reading /data/scans/train.npz", "52000 scans, 8 workers",
             "epoch 1 step 50/812 loss 0.6934", "epoch 1 step 100/812 loss 0.6102"]
    main, worker, pages = 1146880, 786432, 8159232  # of 4 KiB
    swap = 524287
    rows = [(411, 0, 16384, 3211, "systemd-journal"), (702, 0, 4011, 512, "sshd"), (1190, 1000, 78211, 6120, "tmux: server"),
            (4120, 1000, 3104822, main, "python")]
    rows += [(4131 + i, 1000, 2711040 + 17 * i, worker + 1024 * i, "python") for i in range(8)]
    anon = sum(row[3] for row in rows)
    free = 48211
    stamp = 61213.904112

    def kernel(text):
        nonlocal stamp
        stamp += 0.000013
        lines.append(f"[{stamp:12.6f}] {text}")

    kernel("python invoked oom-killer: gfp_mask=0x140cca(GFP_HIGHUSER_MOVABLE|__GFP_COMP), order=0, oom_score_adj=0")
    kernel("CPU: 5 PID: 4138 Comm: python Not tainted 6.1.0-28-amd64 #1  Debian 6.1.119-1")
    kernel("Mem-Info:")
    kernel(f"active_anon:{anon // 8} inactive_anon:{anon - anon // 8} isolated_anon:0")
    kernel(f" active_file:311 inactive_file:402 isolated_file:0 unevictable:0 free:{free}")
    kernel("Free swap  = 0kB")
    kernel(f"Total swap = {swap * 4}kB")
    kernel(f"{pages} pages RAM")
    kernel("Tasks state (memory values in pages):")
    kernel("[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name")
    for pid, uid, virtual, rss, name in rows:
        swapped = swap // 9 if name == "python" else 0
        kernel(f"[{pid:7}] {uid:5} {pid:5} {virtual:8} {rss:8} {rss * 8 // 4096 * 4096 + 61440:8} {swapped:8}             0 {name}")
    kernel("oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,"
           "task_memcg=/user.slice/user-1000.slice/session-3.scope,task=python,pid=4120,uid=1000")
    kernel(f"Out of memory: Killed process 4120 (python) total-vm:{3104822 * 4}kB, anon-rss:{main * 4}kB, file-rss:0kB, "
           "shmem-rss:0kB, UID:1000 pgtables:9240kB oom_score_adj:0")
    return lines + ["Killed"]


def pod_killed():
    """A service with four worker processes, each with a copy of the model, below a container's limit of 8 GiB."""
    lines = ["$ kubectl logs embedder-6c9d7f5b8-x2vqp --previous",
             "[2026-03-04 09:12:01 +0000] [1] [INFO] Starting gunicorn 23.0.0",
             "[2026-03-04 09:12:01 +0000] [1] [INFO] Using worker: uvicorn.workers.UvicornWorker"]
    lines += [f"[2026-03-04 09:12:0{1 + i // 2} +0000] [{8 + i}] [INFO] Booting worker with pid: {8 + i}" for i in range(4)]
    lines += [f"[2026-03-04 09:12:{11 + i} +0000] [{8 + i}] [INFO] model loaded, rss {2148 + 3 * i} MiB" for i in range(3)]
    return lines + """$ kubectl describe pod embedder-6c9d7f5b8-x2vqp
Name:             embedder-6c9d7f5b8-x2vqp
Namespace:        search
Node:             pool-2-node-7/10.20.4.17
Status:           Running
Containers:
  embedder:
    Image:         registry.example.org/search/embedder:4.2.0
    Port:          8000/TCP
    Command:
      gunicorn
      --workers
      4
      --worker-class
      uvicorn.workers.UvicornWorker
      embedder.app:app
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
      Started:      Wed, 04 Mar 2026 09:11:59 +0000
      Finished:     Wed, 04 Mar 2026 09:12:14 +0000
    Ready:          False
    Restart Count:  6
    Limits:
      cpu:     4
      memory:  8Gi
    Requests:
      cpu:     2
      memory:  4Gi
Events:
  Type     Reason   Age                From     Message
  ----     ------   ----               ----     -------
  Warning  BackOff  42s (x21 over 9m)  kubelet  Back-off restarting failed container embedder in pod embedder-6c9d7f5b8-x2vqp_search""".split("\n")


def host_leak():
    """Each step keeps 12 MiB; after 1,180 steps the job has used up its 16 GiB."""
    lines = ["srun: job 88213 has been allocated resources", "#SBATCH --mem=16G --gres=gpu:1",
             "model: 41.2 M parameters, batch size 32"]
    step, rss = 0, 2212.0
    while rss < 16 * 1024 - 12 * 20:
        lines.append(f"step {step:5d}  loss {2.31 / (1 + step / 400):.4f}  rss {rss:.0f} MiB  gpu 6120 MiB")
        step += 20
        rss += 12 * 20 + (step // 20 * 7 % 11 - 5)
    return lines + ["slurmstepd: error: Detected 1 oom_kill event in StepId=88213.0. Some of the step tasks have been OOM Killed.",
                    "srun: error: node17: task 0: Out Of Memory"]
