"""A small language model in JAX with optax on the CPU; the first argument names how it runs out of memory."""
import sys
import jax
import jax.numpy as jnp
import optax

kind, batch, length, width = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
VOCABULARY = 50257 if kind == "batch" else 1000
LAYERS = 2 if kind == "batch" else 8


def parameters(key):
    keys = jax.random.split(key, LAYERS + 1)
    blocks = [{"qkv": jax.random.normal(k, (width, 3 * width)) * 0.02, "up": jax.random.normal(k, (width, 4 * width)) * 0.02,
               "down": jax.random.normal(k, (4 * width, width)) * 0.02} for k in keys[1:]]
    return {"embed": jax.random.normal(keys[0], (VOCABULARY, width)) * 0.02, "blocks": blocks}


def logits(p, tokens):
    x = p["embed"][tokens]
    for block in p["blocks"]:
        q, k, v = jnp.split(x @ block["qkv"], 3, axis=-1)
        scores = jnp.einsum("bqd,bkd->bqk", q, k) / width**0.5
        x = x + jax.nn.softmax(scores) @ v
        x = x + jax.nn.gelu(x @ block["up"]) @ block["down"]
    return x @ p["embed"].T


def loss_of(p, tokens):
    return optax.softmax_cross_entropy_with_integer_labels(logits(p, tokens)[:, :-1], tokens[:, 1:]).mean()


params = parameters(jax.random.PRNGKey(0))
print(f"{sum(x.size for x in jax.tree.leaves(params)):,} parameters, batch_size={batch} seq_len={length}", flush=True)
optimizer = optax.adamw(1e-4)
state = optimizer.init(params)
print("optimizer ready", flush=True)


@jax.jit
def train_step(params, state, tokens):
    loss, grads = jax.value_and_grad(loss_of)(params, tokens)
    updates, state = optimizer.update(grads, state, params)
    return optax.apply_updates(params, updates), state, loss


for step in range(1, 4):
    tokens = jax.random.randint(jax.random.PRNGKey(step), (batch, length), 0, VOCABULARY)
    params, state, loss = train_step(params, state, tokens)
    print(f"step {step} loss {float(loss):.3f}", flush=True)
