"""Small TensorFlow programs; the name of the way in which each runs out of memory is its first argument."""
import sys
import numpy as np
import tensorflow as tf

kind, count, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
layers = tf.keras.layers


def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 2**20


def network(channels=16):
    return tf.keras.Sequential([
        layers.Input((size, size, 3)), layers.Conv2D(channels, 3, padding="same", activation="relu"),
        layers.Conv2D(channels, 3, padding="same", activation="relu"), layers.GlobalAveragePooling2D(), layers.Dense(10)])


def train(model, batch, steps):
    optimizer = tf.keras.optimizers.SGD(0.01)
    for step in range(1, steps + 1):
        images, labels = tf.random.uniform([batch, size, size, 3]), tf.zeros([batch], tf.int32)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(labels, model(images), from_logits=True))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        print(f"step {step} loss {float(loss):.4f}", flush=True)


if kind == "dataset":
    x_train = np.zeros((count, size, size, 3), "uint8")
    print("x_train", x_train.shape, flush=True)
    images = tf.cast(x_train, tf.float32) / 255.0
    train(network(), 8, 10)
elif kind == "resize":
    x_train = np.zeros((count, 32, 32, 3), "uint8")
    print("x_train", x_train.shape, flush=True)
    images = tf.image.resize(x_train, (size, size))
    dataset = tf.data.Dataset.from_tensor_slices(images).batch(32)
    train(network(), 8, 10)
elif kind == "onehot":
    labels = np.random.randint(size, size=count)
    print("labels", labels.shape, "vocabulary", size, flush=True)
    targets = tf.one_hot(labels, size)
    print(targets.shape)
elif kind == "pieces":
    print(f"filling {count} buffers of {size} MiB", flush=True)
    buffers = [tf.zeros([size << 18]) for _ in range(count)]
    del buffers[::2]
    print(f"released {count - len(buffers)} of them", flush=True)
    for step in range(1, 6):
        merged = tf.zeros([2 * step * size << 18])
        print(f"step {step}: merged buffer of {2 * step * size} MiB", flush=True)
elif kind == "lengths":
    cache = []
    for step in range(1, 400):
        length = 64 * step
        scratch = tf.zeros([length, 1024])
        cache.append(tf.zeros([16, 1024]) + tf.reduce_sum(scratch))
        if step % 10 == 0:
            print(f"step {step} sequence length {length}", flush=True)
elif kind == "batch":
    print(f"batch_size={count} image_size={size}", flush=True)
    train(network(32), count, 10)
elif kind == "language":
    vocabulary, length = 32000, 256
    embed, head = layers.Embedding(vocabulary, size), layers.Dense(vocabulary)
    print(f"vocab_size={vocabulary} seq_len={length} batch_size={count} hidden={size}", flush=True)
    for step in range(1, 10):
        tokens = tf.random.uniform([count, length], 0, vocabulary, tf.int32)
        with tf.GradientTape() as tape:
            logits = head(embed(tokens))
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(tokens, logits))
        tape.gradient(loss, embed.trainable_variables + head.trainable_variables)
        print(f"step {step} loss {float(loss):.4f}", flush=True)
elif kind == "folds":
    models = []
    for fold in range(1, 100):
        model = tf.keras.Sequential([layers.Input((1024,)), layers.Dense(size, name=f"dense_{2 * fold}"), layers.Dense(10)])
        model(tf.zeros([4, 1024]))
        models.append(model)
        print(f"fold {fold}: built {model.name} with {model.count_params()} parameters", flush=True)
elif kind == "folds_host":
    models = []
    for fold in range(1, 200):
        model = tf.keras.Sequential([layers.Input((1024,)), layers.Dense(size, name=f"dense_{2 * fold}"), layers.Dense(10)])
        models.append(model)
        if fold % 5 == 0:
            print(f"fold {fold}: built {model.name}, {len(models)} models so far, rss {resident():.0f} MB", flush=True)
elif kind == "retrace":
    @tf.function
    def scaled(x, n):
        return tf.reduce_sum(x * np.full(size << 18, n, "float32"))
    for step in range(1, count):
        value = scaled(tf.ones([size << 18]), step)
        print(f"step {step} value {float(value):.1f} graphs {scaled.experimental_get_tracing_count()} rss {resident():.0f} MB", flush=True)
elif kind == "predict":
    model, outputs = layers.Dense(size), []
    for epoch in range(1, 3):
        print(f"epoch {epoch} training done", flush=True)
        for batch in range(1, 2000):
            outputs.append(model(tf.random.uniform([count, 64])))
            if batch % 20 == 0:
                print(f"evaluating batch {batch}/2000", flush=True)
elif kind == "history":
    losses, weights = [], tf.Variable(tf.random.normal([256, size]))
    for step in range(1, 5000):
        hidden = tf.random.normal([count, 256]) @ weights
        losses.append(hidden * hidden)
        if step % 10 == 0:
            print(f"step {step} loss {float(tf.reduce_mean(losses[-1])):.3f}", flush=True)
elif kind == "weights":
    optimizer = tf.keras.optimizers.Adam()
    parts = [tf.Variable(tf.zeros([size, size]), name=f"kernel_{i}") for i in range(count)]
    print(f"model with {count * size * size} parameters, optimizer Adam", flush=True)
    for step in range(1, 5):
        optimizer.apply_gradients([(tf.ones([size, size]), part) for part in parts])
        print(f"step {step} done", flush=True)
