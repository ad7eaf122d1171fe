"""JAX programs that are compiled before they run; the buffers that the compiler planned are larger than the machine. The
first argument names the program."""
import sys
import jax
import jax.numpy as jnp

kind, count, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
LIMIT = 8 << 30  # bytes that a job may have
like = jax.ShapeDtypeStruct


def unrolled(x):
    w, states = jnp.ones((size, size)), []
    for _ in range(24):
        x = jnp.tanh(x @ w)
        states.append(jnp.sort(x))
    return sum(state.mean() for state in states)


def scanned(x):
    def step(state, _):
        state = jnp.sin(state) @ jnp.ones((size, size))
        return state, state
    return jax.grad(lambda y: jax.lax.scan(step, y, None, length=400)[1].sum())(x)


def spectrum(x):
    return jnp.abs(jnp.fft.fft2(x)).sum()


def convolution(x):
    def loss(kernels):
        y = x
        for kernel in kernels:
            y = jnp.tanh(jax.lax.conv_general_dilated(y, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")))
        return y.mean()
    return jax.grad(loss)([jnp.ones((3, 3, 16, 16))] * 8)[0]


def perceptron(x):
    def loss(weights):
        y = x
        for w in weights:
            y = jnp.tanh(y @ w)
        return y.mean()
    return jax.grad(loss)([jnp.ones((size, size))] * 16)[0]


def ranked(x):
    return (jnp.argsort(x, axis=0) * jnp.argsort(x, axis=1)).sum()


SHAPES = {"convolution": (count, size, size, 16), "spectrum": (count, size, size)}
function = {f.__name__: f for f in (unrolled, scanned, spectrum, convolution, perceptron, ranked)}[kind]
argument = like(SHAPES.get(kind, (count, size)), jnp.float32)
print(f"jax {jax.__version__}: compiling {kind} for {argument.shape}", flush=True)
compiled = jax.jit(function).lower(argument).compile()
plan = compiled.memory_analysis()
print(f"compiled: arguments {plan.argument_size_in_bytes / 2**30:.2f} GiB, outputs {plan.output_size_in_bytes / 2**30:.2f} GiB, "
      f"temporaries {plan.temp_size_in_bytes / 2**30:.2f} GiB", flush=True)
needs = plan.argument_size_in_bytes + plan.output_size_in_bytes + plan.temp_size_in_bytes
if needs > LIMIT:
    raise MemoryError(f"the compiled program needs {needs} bytes, of which {plan.temp_size_in_bytes} bytes are temporary "
                      f"buffers that XLA planned; the limit is {LIMIT} bytes")
print(compiled(jnp.ones(argument.shape)))
