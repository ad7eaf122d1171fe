"""Small JAX programs on the CPU; the first argument names how each runs out of memory."""
import sys
import numpy as np
import jax
import jax.numpy as jnp

kind, count, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 2**20


if kind == "dataset":
    print(f"moving {count} images of {size}x{size}x3 to the device", flush=True)
    images = jax.random.uniform(jax.random.PRNGKey(0), (count, size, size, 3))
    print("epoch 1", float(images.mean()))
elif kind == "attention":
    @jax.jit
    def attend(q, k):
        return jax.nn.softmax(jnp.einsum("bhqd,bhkd->bhqk", q, k)).sum(-1)
    print(f"attention: batch_size={count} heads=8 seq_len={size}", flush=True)
    q = jnp.ones((count, 8, size, 64))
    print(attend(q, q).shape)
elif kind == "pairs":
    x = jnp.arange(float(count))
    print(f"distances of {count} points", flush=True)
    print(float(jnp.sqrt((x[:, None] - x[None, :]) ** 2 + 1.0).mean()))
elif kind == "retrace":
    compiled = {}
    for step in range(1, count):
        table = np.full(size << 18, step, "float32")
        compiled[step] = jax.jit(lambda x, table=table: (x * table).sum())
        value = compiled[step](jnp.ones(size << 18))
        print(f"step {step}: compiled again, value {float(value):.1f}, rss {resident():.0f} MB", flush=True)
elif kind == "evaluate":
    kept, weights = [], jnp.ones((256, size))
    for epoch in range(1, 3):
        for step in range(1, 101):
            loss = float((jnp.ones((32, 256)) @ weights).mean())
            if step % 50 == 0:
                print(f"epoch {epoch} train step {step}/100 loss {loss:.3f} rss {resident():.0f} MB", flush=True)
        for step in range(1, 4000):
            kept.append(jnp.ones((count, 256)) @ weights)
            if step % 20 == 0:
                print(f"epoch {epoch} eval step {step}/4000 rss {resident():.0f} MB", flush=True)
elif kind == "keep":
    kept, weights = [], jnp.ones((256, size))
    for step in range(1, 5000):
        kept.append(jnp.ones((count, 256)) @ weights)
        if step % 20 == 0:
            print(f"train step {step}/5000 loss {float(kept[-1].mean()):.3f} rss {resident():.0f} MB", flush=True)
