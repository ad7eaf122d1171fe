#!/usr/bin/env python3
"""Writes the sample logs: make.py DIRECTORY. The same bytes every time.

All of it is made up: networks, machines, paths, dates. The allocator is not: see bfc.py.
"""

import sys

import short
from bfc import Allocator, human
from dump import Clock, Printer
from net import (FLOAT, HALF, Trainer, conv, dense, elements, pool, unet, vgg)

MIB = 1 << 20


def device_line(printer, mb, gpu, index=0, bus="0000:3b:00.0", capability="7.5"):
    path = "tensorflow/core/common_runtime/gpu/gpu_device.cc"
    task = f"/job:localhost/replica:0/task:0/device:GPU:{index}"
    if printer.era in ("1.13", "1.15"):
        printer.log("I", f"{path}:1304", f"Created TensorFlow device ({task} with {mb} MB memory) -> "
                    f"physical GPU (device: {index}, name: {gpu}, pci bus id: {bus}, "
                    f"compute capability: {capability})")
    else:
        printer.log("I", f"{path}:1613", f"Created device {task} with {mb} MB memory:  -> device: "
                    f"{index}, name: {gpu}, pci bus id: {bus}, compute capability: {capability}")


def oom_text(failure, index=0):
    shape = ",".join(str(d) for d in failure.shape)
    return (f"OOM when allocating tensor with shape[{shape}] and type {failure.dtype} on "
            f"/job:localhost/replica:0/task:0/device:GPU:{index} by allocator GPU_{index}_bfc")


def op_requires(printer, where, failure, index=0, new=True):
    status = "RESOURCE_EXHAUSTED" if new else "Resource exhausted"
    printer.log("W", "tensorflow/core/framework/op_kernel.cc:1780",
                f"OP_REQUIRES failed at {where} : {status}: {oom_text(failure, index)}")


# ---------------------------------------------------------------------------------------------


def pasted_vgg():
    """Half-precision activations, one float32 copy of a whole feature map; pasted from the end."""
    clock = Clock("2023-03-11", 21, 46, 9)
    p = Printer("2.12", clock)
    alloc = Allocator("GPU_0_bfc", 7146 * MIB, 0x7fd2a8000000)
    net = vgg(224, 224, 1000)
    train = Trainer(alloc, net, slots=1, prefix="vgg16/")
    batch = 180

    def run():
        train.keep((batch, 3, 224, 224), HALF, "IteratorGetNext")
        for name in ("block1_conv1", "block1_bn1", "block1_conv2", "block1_bn2"):
            train.keep((batch, 64, 224, 224), HALF, name)
        alloc.free(alloc.alloc(301 * MIB))
        train.keep((batch, 64, 224, 224), FLOAT, "block1_conv2/activity_regularizer/Cast")

    failure = train.until_failure(run)
    assert alloc.verdict(failure.requested) == "exhausted"
    size = elements((batch, 64, 224, 224)) * HALF
    assert size == 1156055040 and failure.requested == 2 * size
    p.dump(alloc, failure.requested, failure.op, retyped={size: 2})
    begin = next(i for i, t in enumerate(p.lines) if "Summary of in-use" in t)
    row = next(t for t in p.lines if f"Chunks of size {size} " in t)
    assert row.endswith(f"2 Chunks of size {size} totalling 4.31GiB")
    p.lines = p.lines[begin:]
    op_requires(p, "cast_op.cc:122", failure)
    p.raw(f"""Traceback (most recent call last):
  File "/home/mira/plants/train.py", line 88, in <module>
    main()
  File "/home/mira/plants/train.py", line 81, in main
    model.fit(train_ds, validation_data=val_ds, epochs=args.epochs)
tensorflow.python.framework.errors_impl.ResourceExhaustedError: Graph execution error:

{oom_text(failure)}
\t [[{{{{node vgg16/{failure.op.split("/", 1)[1]}}}}}]]
Hint: If you want to see a list of allocated tensors when OOM happens, add report_tensor_allocations_upon_oom to RunOptions for current allocation info. This isn't available when running in Eager mode.
 [Op:__inference_train_function_10382]""")
    return p.lines


def all_images_at_once():
    """16 283 images as one constant on a 3 GB card; the copy to the device fails."""
    clock = Clock("2024-01-28", 19, 4, 52)
    p = Printer("2.16", clock)
    mb = 2744
    alloc = Allocator("GPU_0_bfc", mb * MIB, 0x7f1c40000000)
    images, shape = 16283, (150, 150, 3)
    net = [conv("conv2d", 148, 148, 3, 32), pool("pool", 148, 148, 32),
           conv("conv2d_1", 72, 72, 32, 64), pool("pool_1", 72, 72, 64),
           conv("conv2d_2", 34, 34, 64, 96), pool("pool_2", 34, 34, 96),
           dense("dense", 17 * 17 * 96, 256), dense("dense_1", 256, 1)]
    params = sum(elements(w) for layer in net for w in layer.weights)
    train = Trainer(alloc, net, slots=2, scalars=31)
    p.log("I", "tensorflow/core/platform/cpu_feature_guard.cc:210",
          "This TensorFlow binary is optimized to use available CPU instructions in "
          "performance-critical operations.")
    p.raw("To enable the following instructions: AVX2 FMA, in other operations, rebuild TensorFlow "
          "with the appropriate compiler flags.")
    clock.wait(2.1)
    device_line(p, mb, "NVIDIA GeForce GTX 1060 3GB", bus="0000:0a:00.0", capability="6.1")
    p.raw(f"""reading /data/greenhouse/leaves: train {images}, validation 3489, test 3490 images
X_train ({images}, 150, 150, 3) float32
y_train ({images},) int64
parameters: {params}
batch_size: 64""")
    clock.wait(31.4)
    failure = train.until_failure(
        lambda: alloc.alloc(images * elements(shape) * FLOAT, "_EagerConst", (images,) + shape))
    assert failure.requested == 4396410000 and human(failure.requested) == "4.09GiB"
    assert alloc.verdict(failure.requested) == "exhausted"
    p.dump(alloc, failure.requested, failure.op)
    p.raw("""Traceback (most recent call last):
  File "/home/jonas/leaves/fit_all.py", line 41, in <module>
    history = model.fit(X_train, y_train, batch_size=64, epochs=25, validation_data=(X_val, y_val))
  File "/home/jonas/leaves/venv/lib/python3.11/site-packages/keras/src/utils/traceback_utils.py", line 122, in error_handler
    raise e.with_traceback(filtered_tb) from None
  File "/home/jonas/leaves/venv/lib/python3.11/site-packages/tensorflow/python/framework/constant_op.py", line 108, in convert_to_eager_tensor
    return ops.EagerTensor(value, ctx.device_name, dtype)
tensorflow.python.framework.errors_impl.InternalError: Failed copying input tensor from /job:localhost/replica:0/task:0/device:CPU:0 to /job:localhost/replica:0/task:0/device:GPU:0 in order to run _EagerConst: Dst tensor is not initialized.""")
    return p.lines


def fragmented_unet():
    """Tiles of changing size, and predictions kept between the steps: enough memory, in pieces."""
    clock = Clock("2023-09-05", 2, 17, 30)
    p = Printer("2.12", clock)
    mb = 9630
    alloc = Allocator("GPU_0_bfc", mb * MIB, 0x7f86b0000000)
    net = unet(512, 512, 32, 4, 6)
    train = Trainer(alloc, net, slots=2, prefix="unet/")
    device_line(p, mb, "NVIDIA GeForce RTX 2080 Ti", bus="0000:65:00.0")
    p.raw("tiles of 384 to 768 pixels, batch 6, 6 classes, Adam")
    sizes = [(512, 512), (384, 384), (640, 640), (448, 448), (576, 576), (416, 416), (608, 608),
             (480, 480), (544, 544), (352, 352), (672, 672)]
    step = 0

    def run():
        nonlocal step
        while True:
            h, w = sizes[step % len(sizes)]
            train.layers = unet(h, w, 32, 4, 6)
            train.forward(6, (h, w), work=1.0)
            if step % 2 == 1:  # a mask kept on the device, born among the activations
                train.keep((6, 6, h, w), FLOAT, "unet/kept_mask")
            train.backward(6)
            step += 1
            if step % 4 == 0:
                p.raw(f"step {step:4d}  loss {1.31 / (1 + 0.04 * step):.4f}  tile {h}x{w}")
                clock.wait(3.2)

    failure = train.until_failure(run)
    assert alloc.verdict(failure.requested) == "fragmented", alloc.verdict(failure.requested)
    p.dump(alloc, failure.requested, failure.op)
    op_requires(p, "conv_ops.cc:1068", failure)
    p.raw(f"""Traceback (most recent call last):
  File "/srv/tiles/segment/run.py", line 132, in <module>
    loss = train_step(batch["image"], batch["mask"])
  File "/srv/tiles/env/lib/python3.10/site-packages/tensorflow/python/util/traceback_utils.py", line 153, in error_handler
    raise e.with_traceback(filtered_tb) from None
  File "/srv/tiles/env/lib/python3.10/site-packages/tensorflow/python/eager/execute.py", line 52, in quick_execute
    tensors = pywrap_tfe.TFE_Py_Execute(ctx._handle, device_name, op_name,
tensorflow.python.framework.errors_impl.ResourceExhaustedError: Graph execution error:

Detected at node '{failure.op}' defined at (most recent call last):
    File "/srv/tiles/segment/run.py", line 132, in <module>
      loss = train_step(batch["image"], batch["mask"])
    File "/srv/tiles/segment/model.py", line 57, in call
      x = self.blocks[i](x)
Node: '{failure.op}'
{oom_text(failure)}
\t [[{{{{node {failure.op}}}}}]]
Hint: If you want to see a list of allocated tensors when OOM happens, add report_tensor_allocations_upon_oom to RunOptions for current allocation info. This isn't available when running in Eager mode.
 [Op:__inference_train_step_18417]""")
    return p.lines


def device_refused():
    """allow_growth on a card that somebody else has almost filled."""
    clock = Clock("2020-02-19", 14, 33, 1)
    p = Printer("1.15", clock)
    mb = 10312
    alloc = Allocator("GPU_0_bfc", mb * MIB, 0x7fa312000000, growth=True, first=MIB,
                      physical=2390 * MIB)
    net = vgg(128, 128, 200, convs=(2, 2, 2, 2), widths=(64, 128, 256, 512), units=1024)
    device_line(p, mb, "GeForce GTX 1080 Ti", bus="0000:17:00.0", capability="6.1")
    p.raw("INFO:tensorflow:Create CheckpointSaverHook.\nINFO:tensorflow:Graph was finalized.\n"
          "INFO:tensorflow:Running local_init_op.\nINFO:tensorflow:Done running local_init_op.")
    clock.wait(4.9)
    where = "tensorflow/stream_executor/cuda/cuda_driver.cc:828"
    train = Trainer(alloc, net, slots=1, prefix="net/")
    p.log("I", "tensorflow/stream_executor/platform/default/dso_loader.cc:44",
          "Successfully opened dynamic library libcudnn.so.7")
    failure = train.until_failure(lambda: train.step(208, (128, 128)))
    assert alloc.verdict(failure.requested) == "device_refused"
    assert len(alloc.refused) > 3, alloc.refused
    p.refusals(alloc, where)
    for n in train.soft[:10]:
        p.soft(alloc, n)
    clock.wait(10)
    try:
        alloc.alloc(failure.requested)
    except Exception:
        p.refusals(alloc, where)
    p.dump(alloc, failure.requested, failure.op)
    op_requires(p, "conv_ops.cc:486", failure, new=False)
    p.raw(f"""Traceback (most recent call last):
  File "/opt/conda/lib/python3.7/site-packages/tensorflow_core/python/client/session.py", line 1365, in _do_call
    return fn(*args)
  File "/opt/conda/lib/python3.7/site-packages/tensorflow_core/python/client/session.py", line 1350, in _run_fn
    target_list, run_metadata)
tensorflow.python.framework.errors_impl.ResourceExhaustedError: {oom_text(failure)}
\t [[{{{{node {failure.op}}}}}]]
Hint: If you want to see a list of allocated tensors when OOM happens, add report_tensor_allocations_upon_oom to RunOptions for current allocation info.

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "classify.py", line 214, in <module>
    estimator.train(input_fn, max_steps=FLAGS.max_steps)
tensorflow.python.framework.errors_impl.ResourceExhaustedError: {oom_text(failure)}
\t [[node {failure.op} (defined at /opt/conda/lib/python3.7/site-packages/tensorflow_core/python/framework/ops.py:1748) ]]""")
    return p.lines


def benchmark_survives():
    """Two cards, one dump each (twice on the second), and a benchmark that goes on."""
    clock = Clock("2021-06-02", 11, 8, 40)
    p = Printer("1.15", clock)
    mb = 5812
    trains = []
    for i, bus in enumerate(("0000:1a:00.0", "0000:68:00.0")):
        device_line(p, mb, "GeForce RTX 2060", index=i, bus=bus)
        alloc = Allocator(f"GPU_{i}_bfc", mb * MIB, (0x7f5a20000000, 0x7f5bf0000000)[i])
        trains.append(Trainer(alloc, vgg(224, 224, 1001, convs=(1, 1, 2, 2)), slots=0,
                              prefix=f"tower_{i}/v0/cg/", scalars=17 + i))
    p.raw("""TensorFlow:  1.15
Model:       vgg11
Dataset:     imagenet (synthetic)
Mode:        forward-only
SingleSess:  False
Batch size:  128 global
             64 per device
Num batches: 60
Num epochs:  0.01
Devices:     ['/gpu:0', '/gpu:1']
Data format: NCHW
Variables:   replicated
==========
Generating forward-only model
Initializing graph
Running warm up""")
    clock.wait(6.3)
    asked = 3355443200
    for i in (1, 0, 1):
        train = trains[i]
        train.forward(64 if len(train.live) == 0 else 1, (224, 224), work=0)
        failure = train.until_failure(lambda t=train: t.alloc.alloc(asked))
        p.dump(train.alloc, failure.requested, "")
        clock.wait(0.004 if i == 1 else 9.97)
    p.raw("""Done warm up
Step\tImg/sec\ttotal_loss
1\timages/sec: 655.1 +/- 0.0 (jitter = 0.0)\t0.000""")
    for step in range(10, 61, 10):
        p.raw(f"{step}\timages/sec: {655.1 + step % 7:.1f} +/- {1.9 - step / 60:.1f} "
              f"(jitter = {3.1 - step / 40:.1f})\t0.000")
    p.raw(f"{'-' * 64}\ntotal images/sec: 656.84\n{'-' * 64}")
    return p.lines


def soft_warnings():
    """Convolutions that wanted more scratch space; the training ends as it should."""
    clock = Clock("2021-11-23", 8, 55, 13)
    p = Printer("2.6", clock)
    mb = 4041
    alloc = Allocator("GPU_0_bfc", mb * MIB, 0x7f0d34000000)
    device_line(p, mb, "Quadro P2000", bus="0000:02:00.0", capability="6.1")
    train = Trainer(alloc, unet(256, 256, 32, 4, 3), slots=2)
    p.raw("Epoch 1/3")
    train.step(24, (256, 256), work=26.0)
    clock.wait(5.5)
    assert len(train.soft) >= 6, len(train.soft)
    for n in train.soft[:10]:
        p.soft(alloc, n)
    for epoch, (loss, accuracy) in enumerate(((0.5127, 0.7711), (0.3320, 0.8614), (0.2691, 0.8893)), 1):
        if epoch > 1:
            p.raw(f"Epoch {epoch}/3")
        p.raw(f"  1/142 [..............................] - ETA: 2:{40 - epoch} - loss: {loss + .1:.4f} "
              f"- accuracy: {accuracy - .05:.4f}")
        p.raw(f"142/142 [==============================] - {49 - epoch}s {331 - epoch}ms/step - loss: "
              f"{loss:.4f} - accuracy: {accuracy:.4f} - val_loss: {loss + .04:.4f} - val_accuracy: "
              f"{accuracy - .02:.4f}")
    p.raw("Saved model to runs/field-07/final\nTest accuracy: 0.8702")
    return p.lines


def interleave(parts, seed=7):
    """Lines of several streams in turn, in runs of a random length; each stream keeps its order."""
    left, out = [list(part) for part in parts], []
    while any(left):
        seed = (seed * 1103515245 + 12345) % (1 << 31)
        stream = left[(seed >> 16) % len(left)]
        for _ in range(1 + (seed >> 8) % 5):
            if stream:
                out.append(stream.pop(0))
    return out


def two_ranks():
    """Both ranks fail in the same step and print at the same time through mpirun."""
    parts = []
    for rank in range(2):
        p = Printer("2.6", Clock("2022-05-14", 16, 20, 3 + rank))
        mb = 14652
        alloc = Allocator("GPU_0_bfc", mb * MIB, 0x14e5f6000000 if rank else 0x147a32000000)
        device_line(p, mb, "Tesla T4", bus=f"0000:{'d8' if rank else '5e'}:00.0")
        net = unet(640, 640, 48, 3, 4)
        train = Trainer(alloc, net, slots=1, prefix="unet_s/", scalars=22 + rank)

        def run(t=train, r=rank):
            t.step(4, (640, 640), work=0.6)
            t.keep((4, 4, 640, 640), FLOAT, "validation/kept")
            t.step(22 + r, (640, 640), work=0.6)

        failure = train.until_failure(run)
        p.clock.wait(77)
        p.dump(alloc, failure.requested, failure.op)
        op_requires(p, "conv_ops.cc:684", failure, new=False)
        p.raw(f"""Traceback (most recent call last):
  File "segment_hvd.py", line 177, in <module>
    train(args)
  File "segment_hvd.py", line 121, in train
    loss = train_step(x, y, first)
tensorflow.python.framework.errors_impl.ResourceExhaustedError:  {oom_text(failure)}
\t [[node {failure.op} (defined at segment_hvd.py:64) ]]
Hint: If you want to see a list of allocated tensors when OOM happens, add report_tensor_allocations_upon_oom to RunOptions for current allocation info. This isn't available when running in Eager mode.
 [Op:__inference_train_step_6120]""")
        parts.append([f"[1,{rank}]<stderr>:{line}" for line in p.lines])
    return ["running 2 processes on gpu-a03 (2 slots)"] + interleave(parts) + ["-" * 74] + [
        "Primary job  terminated normally, but 1 process returned",
        "a non-zero exit code. Per user-direction, the job has been aborted.", "-" * 74,
        "-" * 74, "mpirun detected that one or more processes exited with non-zero status, thus "
        "causing", "the job to be terminated. The first process to do so was:", "",
        "  Process name: [[28417,1],1]", "  Exit code:    1", "-" * 74]


def old_and_cut():
    """A terminal's scroll-back from 2017: the head of the dump is gone, and there are no times."""
    p = Printer("0.12")
    alloc = Allocator("GPU_0_bfc", 3863412736, 0x503b60000, growth=False)
    train = Trainer(alloc, vgg(32, 32, 10, convs=(2, 2, 2), widths=(64, 128, 256), units=1024),
                    slots=1, prefix="")

    def run():
        train.step(128, (32, 32), work=1.0)
        train.forward(10000, (32, 32), work=0.2)  # the whole test set in one go

    failure = train.until_failure(run)
    assert alloc.verdict(failure.requested) == "exhausted"
    p.dump(alloc, failure.requested, failure.op)
    begin = [i for i, t in enumerate(p.lines) if "] Chunk at" in t][31]
    p.lines = p.lines[begin:]
    shape = ",".join(str(d) for d in failure.shape)
    p.log("W", "tensorflow/core/framework/op_kernel.cc:975",
          f"Resource exhausted: OOM when allocating tensor with shape[{shape}]")
    p.raw(f"""Traceback (most recent call last):
  File "cifar.py", line 143, in <module>
    print("test accuracy %g" % accuracy.eval(feed_dict={{x: test_x, y_: test_y, keep: 1.0}}))
  File "/usr/local/lib/python2.7/dist-packages/tensorflow/python/framework/ops.py", line 575, in eval
    return _eval_using_default_session(self, feed_dict, self.graph, session)
  File "/usr/local/lib/python2.7/dist-packages/tensorflow/python/client/session.py", line 1028, in _do_call
    raise type(e)(node_def, op, message)
tensorflow.python.framework.errors_impl.ResourceExhaustedError: OOM when allocating tensor with shape[{shape}]
\t [[Node: {failure.op} = Conv2D[T=DT_FLOAT, data_format="NCHW", padding="SAME", strides=[1, 1, 1, 1], use_cudnn_on_gpu=true, _device="/job:localhost/replica:0/task:0/gpu:0"](Relu, Variable_2/read)]]

Caused by op u'{failure.op}', defined at:
  File "cifar.py", line 61, in <module>
    h = tf.nn.relu(conv2d(h, w) + b)""")
    return p.lines


SAMPLES = {
    "vgg16-batch180-pasted.txt": pasted_vgg,
    "all-images-at-once.log": all_images_at_once,
    "unet-fragmented.log": fragmented_unet,
    "card-held-by-another.log": device_refused,
    "two-gpu-benchmark-survives.log": benchmark_survives,
    "soft-warnings-only.log": soft_warnings,
    "two-ranks-interleaved.log": two_ranks,
    "whole-test-set-2017-cut.log": old_and_cut,
    "torch-batch-too-large.log": short.torch_batch,
    "workers-fill-the-machine.log": short.kernel_kill,
    "pod-killed.txt": short.pod_killed,
    "leak-killed-by-slurm.log": short.host_leak,
}


def main():
    for name, make in SAMPLES.items():
        with open(f"{sys.argv[1]}/{name}", "w", encoding="utf-8", newline="\n") as out:
            out.write("\n".join(make()) + "\n")


if __name__ == "__main__":
    main()
