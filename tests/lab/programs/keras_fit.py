"""A Keras training step within the limit of TensorFlow's own allocator."""

import argparse
import os

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=32)
parser.add_argument("--image-size", type=int, default=64)
parser.add_argument("--steps", type=int, default=3)
args = parser.parse_args()
print(args, flush=True)
os.environ.setdefault("TF_NUM_INTRAOP_THREADS", "1")
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([
    tf.keras.layers.Input((args.image_size, args.image_size, 3)),
    tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(4)])
model.compile("sgd", "mse")
count = args.batch_size * args.steps
images = np.zeros((count, args.image_size, args.image_size, 3), dtype=np.uint8)
data = tf.data.Dataset.from_tensor_slices((images, np.zeros((count, 4)))).batch(args.batch_size)
model.fit(data.map(lambda x, y: (tf.cast(x, tf.float32), y)), epochs=1, verbose=2)
print("done")
