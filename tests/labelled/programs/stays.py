"""Small TensorFlow programs whose data set stays on the device, or whose graph grows; the first argument says how."""
import sys
import numpy as np
import tensorflow as tf

kind, count, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
v1 = tf.compat.v1


def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 2**20


def fit(inputs, targets, batch=32):
    weights = tf.Variable(tf.zeros([inputs.shape[-1], 1]))
    for step in range(len(inputs) // batch):
        rows = slice(step * batch, (step + 1) * batch)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((inputs[rows] @ weights - targets[rows]) ** 2)
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        if step % 100 == 0:
            print(f"step {step} loss {float(loss):.4f}", flush=True)


if kind == "table":
    features = np.random.rand(count, size).astype("float32")
    print(f"features {features.shape} {features.dtype} {features.nbytes / 1e6:.0f} MB, batch size 32", flush=True)
    fit(tf.constant(features), tf.zeros([count, 1]))
elif kind == "years":
    years = {}
    for year in range(2000, 2000 + count):
        table = np.zeros((size, 256), "float32")
        years[year] = tf.constant(table)
        print(f"{year}: {table.shape[0]} samples of training data are on the device", flush=True)
    fit(tf.concat(list(years.values()), 0), tf.zeros([count * size, 1]))
elif kind == "windows":
    series = np.random.rand(count).astype("float32")
    print(f"series of {count} values, windows of {size}", flush=True)
    windows = tf.signal.frame(series, size, 1)
    print(f"x_train: {windows.shape}", flush=True)
    fit(windows, tf.zeros([windows.shape[0], 1]))
elif kind == "standardize":
    x_train = np.random.randint(0, 255, (count, size, size, 3), "uint8")
    print("x_train", x_train.shape, x_train.dtype, flush=True)
    images = tf.cast(tf.constant(x_train), tf.float16)
    print("mean", float(tf.reduce_mean(images[:100])), flush=True)
    images = (images - 127) / 64
    fit(tf.reshape(images, [count, -1]), tf.zeros([count, 1], tf.float16))
elif kind == "assign":
    v1.disable_eager_execution()
    state = v1.get_variable("state", [size, 1024], initializer=v1.zeros_initializer())
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        for step in range(1, count):
            session.run(v1.assign(state, state + np.full((size, 1024), step, "float32")))
            if step % 5 == 0:
                operations = len(v1.get_default_graph().get_operations())
                print(f"step {step} operations in the graph {operations} rss {resident():.0f} MB", flush=True)
elif kind == "episodes":
    @tf.function
    def returns(rewards, table):
        return tf.reduce_sum(rewards * tf.constant(np.random.rand(size, rewards.shape[0]).astype("float32"))) + table
    for episode in range(1, count):
        value = returns(tf.zeros([1000 + episode]), 0.0 + episode)
        if episode % 10 == 0:
            print(f"episode {episode} return {float(value):.2f} rss {resident():.0f} MB", flush=True)
elif kind == "search":
    layers, results = tf.keras.layers, {}
    for trial in range(1, count):
        model = tf.keras.Sequential([layers.Input((512,)), layers.Dense(size + trial), layers.Dense(1)])
        model.compile("adam", "mse")
        history = model.fit(np.zeros((64, 512)), np.zeros((64, 1)), verbose=0)
        results[trial] = history
        print(f"trial {trial} units {size + trial} loss {history.history['loss'][0]:.4f} rss {resident():.0f} MB", flush=True)
elif kind == "placeholders":
    v1.disable_eager_execution()
    for run in range(1, count):
        images = v1.placeholder(tf.float32, [None, size])
        weights = v1.Variable(np.zeros((size, 1024), "float32"), name=f"weights_{run}")
        logits = images @ weights
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            session.run(logits, {images: np.zeros((4, size))})
        print(f"run {run}: {logits.name} of {len(v1.global_variables())} variables, rss {resident():.0f} MB", flush=True)
