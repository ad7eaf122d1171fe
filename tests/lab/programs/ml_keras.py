"""Models of Keras 3 on made up data; every way to run out of the memory of TensorFlow's own allocator."""

import argparse
import os

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="cnn", choices=("cnn", "mlp", "unet", "lstm", "transformer", "residual"))
parser.add_argument("--batch-size", type=int, default=32)
parser.add_argument("--image-size", type=int, default=32)
parser.add_argument("--seq-len", type=int, default=64)
parser.add_argument("--units", type=int, default=32)
parser.add_argument("--optimizer", default="sgd")
parser.add_argument("--steps", type=int, default=3)
parser.add_argument("--models", type=int, default=0, help="one after the other")
parser.add_argument("--clear-session", action="store_true")
parser.add_argument("--samples", type=int, default=0, help="of a dataset that is one tensor")
parser.add_argument("--predict", type=int, default=0, help="batches of a validation of one's own")
parser.add_argument("--keep-predictions", action="store_true")
parser.add_argument("--pairs", action="store_true", help="a loss whose shapes broadcast")
parser.add_argument("--channels", type=int, default=3)
args = parser.parse_args()
print(args, flush=True)
os.environ.setdefault("TF_NUM_INTRAOP_THREADS", "1")
import keras
import numpy as np
import tensorflow as tf
from keras import layers

keras.utils.set_random_seed(1)


def images(x):
    return layers.GlobalAveragePooling2D()(x)


def cnn(u):
    x = inputs = layers.Input((args.image_size, args.image_size, 3))
    for i in range(3):
        x = layers.MaxPooling2D()(layers.Conv2D(u << i, 3, padding="same", activation="relu")(x))
    return keras.Model(inputs, layers.Dense(4)(images(x)))


def residual(u):
    inputs = layers.Input((args.image_size, args.image_size, 3))
    x = layers.Conv2D(u, 3, padding="same")(inputs)
    for _ in range(3):
        y = layers.ReLU()(layers.BatchNormalization()(layers.Conv2D(u, 3, padding="same")(x)))
        x = layers.Add()([x, layers.Conv2D(u, 3, padding="same")(y)])
    return keras.Model(inputs, layers.Dense(4)(images(x)))


def unet(u):
    inputs = layers.Input((args.image_size, args.image_size, 3))
    a = layers.Conv2D(u, 3, padding="same", activation="relu")(inputs)
    b = layers.Conv2D(2 * u, 3, padding="same", activation="relu")(layers.MaxPooling2D()(a))
    c = layers.Concatenate()([a, layers.Conv2DTranspose(u, 2, strides=2, padding="same")(b)])
    return keras.Model(inputs, layers.Dense(4)(images(layers.Conv2D(u, 3, padding="same", activation="relu")(c))))


def mlp(u):
    inputs = layers.Input((256,))
    x = layers.Dense(u, activation="relu")(layers.Dense(u, activation="relu")(inputs))
    return keras.Model(inputs, layers.Dense(4)(x))


def lstm(u):
    inputs = layers.Input((args.seq_len, 16))
    return keras.Model(inputs, layers.Dense(4)(layers.LSTM(u)(layers.LSTM(u, return_sequences=True)(inputs))))


def transformer(u):
    inputs = layers.Input((args.seq_len, 16))
    x = layers.Dense(u)(inputs)
    for _ in range(2):
        x = layers.LayerNormalization()(layers.Add()([x, layers.MultiHeadAttention(4, u // 4)(x, x)]))
        x = layers.Add()([x, layers.Dense(u)(layers.Dense(4 * u, activation="relu")(x))])
    return keras.Model(inputs, layers.Dense(4)(layers.GlobalAveragePooling1D()(x)))


def sample():
    return {"mlp": (256,), "lstm": (args.seq_len, 16), "transformer": (args.seq_len, 16)}.get(
        args.model, (args.image_size, args.image_size, args.channels))


def batches(n):
    x, y = np.zeros((1, *sample()), dtype=np.float32), np.zeros((1, 4), dtype=np.float32)
    return tf.data.Dataset.from_tensor_slices((x, y)).repeat(n * args.batch_size).batch(args.batch_size)


def loss(truth, out):
    return tf.reduce_mean(tf.square(out[:, None] - truth[None, :])) if args.pairs else \
        keras.losses.mean_squared_error(truth, out)


def fit(name):
    model = globals()[args.model](args.units)
    model.compile(args.optimizer, loss)
    if not args.models:
        model.summary()
    model.fit(batches(args.steps), epochs=1, verbose=2)
    print(f"{name} done", flush=True)
    return model


def main():
    if args.models:
        kept = []
        for i in range(args.models):
            kept.append(fit(f"model {i + 1}/{args.models}"))
            if args.clear_session:
                kept.clear()
                keras.backend.clear_session()
        return
    if args.samples:
        print(f"dataset of {args.samples} samples", flush=True)
        data = tf.zeros((args.samples, *sample()))
        print(data.shape, flush=True)
    model = fit("training")
    outputs = []
    for i, (x, _) in enumerate(batches(args.predict) if args.predict else ()):
        features = keras.Model(model.inputs, model.layers[-3].output)(x, training=False)
        outputs.append(features if args.keep_predictions else float(tf.reduce_mean(features)))
        print(f"validation batch {i + 1}/{args.predict}", flush=True)


main()
print("done", flush=True)
