"""A network's name: what JAX itself says that its derivative keeps, and how many single numbers are
among it, is printed as JSON; then the script on standard input, which records a step, runs with its `params`."""

import json
import sys

import jax
import jax.numpy as jnp
from jax._src.ad_checkpoint import saved_residuals

WIDTH, HEADS, WORDS, BATCH = 64, 4, 1000, 4


def normal(*shape):
    return jnp.ones(shape)


def norm(x):
    return (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5)


def attention(p, x):
    n, steps, _ = x.shape
    q, k, v = jnp.split((norm(x) @ p["read"]).reshape(n, steps, HEADS, -1), 3, -1)
    scores = jax.nn.softmax(jnp.einsum("nqhd,nkhd->nhqk", q, k) / 4, -1)
    return jnp.einsum("nhqk,nkhd->nqhd", scores, v).reshape(n, steps, WIDTH) @ p["write"]


def block(p, x):
    x = x + attention(p, x)
    return x + jax.nn.gelu(norm(x) @ p["wide"]) @ p["narrow"]


def blocks(again):
    p = {"words": normal(WORDS, WIDTH), "head": normal(WIDTH, 7), "blocks": [
        {"read": normal(WIDTH, 3 * WIDTH), "write": normal(WIDTH, WIDTH),
         "wide": normal(WIDTH, 4 * WIDTH), "narrow": normal(4 * WIDTH, WIDTH)} for _ in range(2)]}

    def run(params, x):
        y = params["words"][x]
        for each in params["blocks"]:
            y = (jax.checkpoint(block) if again else block)(each, y)
        return y.mean(1) @ params["head"]
    return p, run


def convolutions():
    p = {"first": normal(3, 3, 3, 16), "second": normal(3, 3, 16, 32), "head": normal(32, 10)}

    def run(params, x):
        for name in ("first", "second"):
            x = jax.nn.relu(jax.lax.conv_general_dilated(
                x, params[name], (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")))
        return x.mean((1, 2)) @ params["head"]
    return p, run


def recurrence():
    p = {"words": normal(WORDS, WIDTH), "state": normal(WIDTH, WIDTH), "head": normal(WIDTH, 7)}

    def run(params, x):
        def step(state, word):
            state = jnp.tanh(state @ params["state"] + word)
            return state, None
        start = jnp.zeros((x.shape[0], WIDTH))
        return jax.lax.scan(step, start, params["words"][x].swapaxes(0, 1))[0] @ params["head"]
    return p, run


TOKENS, IMAGES = ((40,), "int32"), ((32, 32, 3), "float32")
ZOO = {"blocks": (lambda: blocks(False), TOKENS), "again": (lambda: blocks(True), TOKENS),
       "convolutions": (convolutions, IMAGES), "recurrence": (recurrence, TOKENS)}


def main():
    make, (shape, dtype) = ZOO[sys.argv[1]]
    params, run = make()
    x = jnp.zeros((BATCH, *shape), dtype)
    kept = saved_residuals(lambda p, x: jax.nn.logsumexp(run(p, x), -1).mean(), params, x)
    print(json.dumps({
        "version": jax.__version__, "file": "model.graph.jsonl", "batch": BATCH,
        "parameters": sum(p.size for p in jax.tree_util.tree_leaves(params)),
        "numbers": sum(not a.shape for a, why in kept),
        "kept": sum(a.size * a.dtype.itemsize for a, why in kept
                    if not why.startswith("from the argument p"))}))
    script = sys.stdin.read().splitlines()
    script[:2] = [f"INPUTS = lambda n: (jax.ShapeDtypeStruct((n, *{shape}), '{dtype}'),)",
                  "LOSS = lambda params, x: jax.nn.logsumexp(run(params, x), -1).mean()"]
    exec("\n".join(script), {"params": params, "run": run})  # as pasted


if __name__ == "__main__":
    if len(sys.argv) == 1:
        print("\n".join(ZOO))
    else:
        main()
