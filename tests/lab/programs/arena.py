"""A network in ONNX Runtime within the limit of its arena. Arguments: --batch-size N, --limit MiB."""

import argparse

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=64)
parser.add_argument("--image-size", type=int, default=128)
parser.add_argument("--limit", type=int, default=0, help="MiB")
args = parser.parse_args()
print(args, flush=True)
weight = helper.make_tensor("w", TensorProto.FLOAT, [16, 3, 3, 3], np.zeros(16 * 27, dtype=np.float32))
graph = helper.make_graph(
    [helper.make_node("Conv", ["x", "w"], ["a"], name="/conv1/Conv", pads=[1, 1, 1, 1]),
     helper.make_node("Relu", ["a"], ["b"], name="/relu/Relu"),
     helper.make_node("GlobalAveragePool", ["b"], ["y"], name="/pool/GlobalAveragePool")], "net",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3, args.image_size, args.image_size])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 16, 1, 1])], [weight])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
options = ort.SessionOptions()
options.intra_op_num_threads = 1
if args.limit:
    options.add_session_config_entry("session.use_env_allocators", "1")
    ort.create_and_register_allocator(
        ort.OrtMemoryInfo("Cpu", ort.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, ort.OrtMemType.DEFAULT),
        ort.OrtArenaCfg(args.limit << 20, 1, -1, -1))
session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
x = np.zeros((args.batch_size, 3, args.image_size, args.image_size), dtype=np.float32)
print(session.run(None, {"x": x})[0].shape, "done")
