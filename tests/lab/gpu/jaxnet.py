"""Trains a network in JAX; every way to run out of the memory that XLA may take."""

import argparse

import jax
import jax.numpy as jnp

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=128)
parser.add_argument("--dim", type=int, default=1024)
parser.add_argument("--layers", type=int, default=4)
parser.add_argument("--steps", type=int, default=5)
parser.add_argument("--samples", type=int, default=0)
parser.add_argument("--keep", action="store_true")
parser.add_argument("--remat", action="store_true")
parser.add_argument("--eager", action="store_true")
parser.add_argument("--pairwise", type=int, default=0)
args = parser.parse_args()
print(args, jax.devices(), flush=True)


def forward(weights, x):
    def layer(w, x):
        return jnp.tanh(jax.nn.gelu(x @ w))
    for w in weights:
        x = (jax.checkpoint(layer) if args.remat else layer)(w, x)
    return (x ** 2).mean()


def step(weights, x):
    loss, grads = jax.value_and_grad(forward)(weights, x)
    return loss, [w - 0.1 * g for w, g in zip(weights, grads)]


def main():
    key = jax.random.PRNGKey(0)
    if args.pairwise:
        points = jax.random.normal(key, (args.pairwise, 64))
        print(float(jnp.sqrt(((points[:, None] - points[None, :]) ** 2).sum(-1)).max()), "done", flush=True)
        return
    weights = [jax.random.normal(key, (args.dim, args.dim)) * 0.02 for _ in range(args.layers)]
    data = None
    if args.samples:
        print(f"moving {args.samples} samples to the device", flush=True)
        data = jax.device_put(jnp.ones((args.samples, args.dim)))
    kept = []
    update = step if args.eager else jax.jit(step)
    for i in range(args.steps):
        x = jax.random.normal(key, (args.batch_size, args.dim)) if data is None else data[:args.batch_size]
        loss, weights = update(weights, x)
        if args.keep:
            kept.append((x, weights))
        print(f"step {i + 1}/{args.steps} loss {float(loss):.5f}", flush=True)
    print("done", flush=True)


main()
