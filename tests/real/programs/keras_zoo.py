"""A network's name: its numbers as Keras counts them are printed as JSON; then the script on
standard input, which describes it, runs with it as `model`."""

import json
import sys

import keras
from keras import layers


def images():
    return keras.Sequential([
        layers.Conv2D(32, 3, activation="relu"), layers.MaxPooling2D(2),
        layers.SeparableConv2D(64, 3, padding="same", activation="swish"),
        layers.BatchNormalization(), layers.Dropout(.3),
        layers.Conv2DTranspose(16, 3, strides=2, padding="same"), layers.LeakyReLU(),
        layers.ZeroPadding2D(((0, 1), (2, 3))), layers.DepthwiseConv2D(3, depth_multiplier=2),
        layers.UpSampling2D(2), layers.Cropping2D(3), layers.Flatten(), layers.Dense(10)])


def words():
    given = keras.Input((40,), dtype="int32")
    x = layers.Embedding(1000, 64)(given)
    for _ in range(2):
        y = layers.LayerNormalization()(x)
        x = layers.Add()([x, layers.MultiHeadAttention(4, 16, dropout=.1)(y, y)])
        y = layers.Dense(256, activation="gelu")(layers.LayerNormalization()(x))
        x = layers.add([x, layers.Dense(64)(layers.Dropout(.1)(y))])
    return keras.Model(given, layers.Dense(5)(layers.GlobalAveragePooling1D()(x)))


def steps():
    return keras.Sequential([
        layers.Embedding(1000, 64), layers.Bidirectional(layers.LSTM(32, return_sequences=True)),
        layers.TimeDistributed(layers.Dense(20, activation="tanh")), layers.GRU(16),
        layers.Dense(1, activation="sigmoid")])


def frozen():
    inner = images()
    inner.build((None, 32, 32, 3))
    inner.trainable = False
    given = keras.Input((32, 32, 3))
    return keras.Model(given, layers.Dense(3)(inner(layers.Rescaling(1 / 255)(given))))


class Own(keras.Model):
    """Nothing but its layers is known to Keras."""

    def __init__(self):
        super().__init__()
        self.first, self.second = layers.Dense(50, activation="relu"), layers.Dense(7)

    def call(self, x):
        return self.second(layers.concatenate([x, self.first(x)]))


ZOO = {"images": (images, (32, 32, 3), "float32"), "words": (words, (40,), "int32"),
       "steps": (steps, (40,), "int32"), "frozen": (frozen, (32, 32, 3), "float32"),
       "own": (Own, (30,), "float32")}


def main():
    make, shape, dtype = ZOO[sys.argv[1]]
    model = make()
    script = sys.stdin.read().splitlines()
    script[1] = f"INPUTS = [keras.Input({shape}, dtype='{dtype}')]"
    exec("\n".join(script), {"model": model})  # as pasted
    model.build((None, *shape))
    print(json.dumps({"version": keras.__version__, "file": "model.json", "batch": 4,
                      "parameters": model.count_params()}))


if __name__ == "__main__":
    if len(sys.argv) == 1:
        print("\n".join(ZOO))
    else:
        main()
