"""TensorFlow programs on the CPU's pool that meet no hole of the size, though enough memory is free; the first argument
names the pattern."""
import sys
import tensorflow as tf

kind, count, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
MIB = 1 << 18  # floats


def buffer(mib):
    return tf.zeros([int(mib * MIB)])


if kind == "experts":
    experts = {i: buffer(size) for i in range(count)}
    print(f"loaded {count} experts of {size} MiB", flush=True)
    for i in range(1, count, 3):
        del experts[i]
    print(f"unloaded {count - len(experts)} experts", flush=True)
    experts["wide"] = buffer(1.5 * size)
    print("loaded the wide expert")
elif kind == "answers":
    answers = []
    for request in range(1, count):
        scratch = buffer(size + request % 7)
        answers.append(buffer(1) + tf.reduce_sum(scratch))
        del scratch
        if request % 4 == 0:
            del answers[0]
            print(f"request {request}: {len(answers)} answers kept", flush=True)
elif kind == "pyramid":
    levels = [buffer(size) for _ in range(count)]
    print(f"{count} tiles of {size} MiB", flush=True)
    levels = [level if i % 4 else None for i, level in enumerate(levels)]
    print("every fourth tile was released", flush=True)
    print(buffer(2 * size).shape)
