"""A training step as TensorFlow runs it: operations that make and read tensors, their gradients,
an order by chance, and buffers that live from their making to their last reader. Nothing here is
taken from the estimator that it is held against."""

import heapq
import random


class Tensor:
    __slots__ = ("fixed", "each", "shape", "readers", "root", "trained", "dtype")

    def __init__(self, fixed, each, shape=None, dtype="float"):
        self.fixed, self.each, self.shape, self.dtype = fixed, each, shape, dtype
        self.readers = 0
        self.root = self
        self.trained = False


class Op:
    __slots__ = ("name", "ins", "outs", "over", "scratch", "rank")

    def __init__(self, name, ins, outs, over, scratch):
        self.name, self.ins, self.outs, self.over, self.scratch = name, ins, outs, over, scratch
        self.rank = None  # its place in the order; None = that of its making


class Step:
    """habits: slots, update ("fused", "new"), held, dropout, width (of activations), workspace."""

    def __init__(self, **habits):
        self.habits = habits
        self.ops, self.tape, self.variables, self.state = [], [], [], []
        self.gradients = []
        self.width = habits.get("width", 4)

    # ---- forward ----

    def op(self, name, ins, shape, over=False, scratch=0, dtype=None, width=None):
        """shape: without the batch; (None, ...) in front where it has none."""
        width = self.width if width is None else width
        n = width
        for d in shape:
            n *= d or 1
        alone = bool(shape) and shape[0] is None
        dtype = dtype or ("half" if width == 2 else "float")
        out = Tensor(n if alone else 0, 0 if alone else n, shape, dtype)
        self.ops.append(Op(name, [t for t in ins if t], [out], over, scratch))
        out.trained = any(t.trained for t in ins if t)
        return out

    def more(self, shape, width=4):
        out = self.op("", [], shape, width=width)
        self.ops.pop()
        self.ops[-1].outs.append(out)
        return out

    def variable(self, name, n, trained=True):
        held = Tensor(n * 4, 0)
        held.trained = trained
        self.variables.append((name, n * 4))
        if trained:
            self.state.append((name, n * 4))
        value = held
        if self.width == 2 and trained and n > 1:
            value = self.op(name + "/Cast", [held], (None, n))
            value.trained = True
        return value, held, n * 4

    def note(self, name, out, ins, grad):
        """grad(dy) gives the gradients of ins."""
        self.tape.append((name, out, ins, grad))

    # ---- backward ----

    def backward(self, loss_grads):
        sums = {}
        for tensor, grad in loss_grads:
            sums.setdefault(id(tensor), []).append(grad)
        for name, out, ins, grad in reversed(self.tape):
            parts = sums.pop(id(out), None)
            if not parts or not out.trained:
                continue
            dy = parts[0]
            if len(parts) > 1:
                dy = self.op(f"gradient_tape/{name}/AddN", parts, (), over=True)
                dy.each, dy.fixed, dy.shape = parts[0].each, parts[0].fixed, parts[0].shape
            for tensor, dx in zip(ins, grad(dy)):
                if dx is not None and tensor is not None:
                    sums.setdefault(id(tensor), []).append(dx)

    def gradient(self, name, bytes_, ins, scratch=0):
        """Of a variable; its update follows."""
        out = self.op(f"gradient_tape/{name}", ins, (None, bytes_ // 4), scratch=scratch, width=4)
        self.gradients.append((name, out, bytes_))

    def updates(self):
        barrier = [g for _, g, _ in self.gradients] if self.habits.get("held") else []
        made = {id(t): i for i, op in enumerate(self.ops) for t in op.outs}
        for name, grad, size in self.gradients:
            n, first = (None, size // 4), len(self.ops)
            if self.habits.get("update") == "new" and self.habits["slots"]:
                one = self.op(f"Adam/{name}/sub", [grad] + barrier, n, width=4)
                two = self.op(f"Adam/{name}/mul", [one, grad], n, width=4)
                three = self.op(f"Adam/{name}/sqrt", [two], n, width=4)
                four = self.op(f"Adam/{name}/truediv", [two, three], n, over=True, width=4)
                self.ops.append(Op(f"Adam/{name}/AssignSub", [four, grad], [], False, 0))
            else:
                self.ops.append(Op(f"Adam/{name}/Apply", [grad] + barrier, [], False, 0))
            for op in self.ops[first:]:
                op.rank = made[id(grad)]

    # ---- order and buffers ----

    def trace(self, jitter, seed):
        """[(take|try|release, buffer, op)], buffers: [(fixed, each)]. Buffer of an output that
        writes over an input is the input's."""
        chance = random.Random(seed)
        maker, waiting, readers = {}, [], {}
        for i, op in enumerate(self.ops):
            for t in op.outs:
                maker[id(t)] = i
        nexts = [[] for _ in self.ops]
        for i, op in enumerate(self.ops):
            made = {maker[id(t)] for t in op.ins if id(t) in maker}
            waiting.append(len(made))
            for m in made:
                nexts[m].append(i)
            for t in op.ins:
                readers[id(t)] = readers.get(id(t), 0) + 1

        def place(i):
            rank = self.ops[i].rank
            return (i if rank is None else rank) + chance.random() * jitter, i

        ready = [place(i) for i in range(len(self.ops)) if not waiting[i]]
        heapq.heapify(ready)
        events, buffers, where, users = [], [], {}, {}

        def let_go(buffer):
            users[buffer] -= 1
            if not users[buffer]:
                events.append(("release", buffer, None))

        while ready:
            _, i = heapq.heappop(ready)
            op = self.ops[i]
            taken = None
            if op.over and op.outs:
                for t in op.ins:
                    b = where.get(id(t))
                    if b is not None and users[b] == 1 and readers[id(t)] == 1 \
                            and buffers[b] == (op.outs[0].fixed, op.outs[0].each):
                        taken = b
                        break
            for k, t in enumerate(op.outs):
                if k == 0 and taken is not None:
                    where[id(t)] = taken
                    users[taken] += 1
                    continue
                buffers.append((t.fixed, t.each))
                where[id(t)] = len(buffers) - 1
                users[len(buffers) - 1] = 1
                events.append(("take", len(buffers) - 1, i))
            if op.scratch:
                buffers.append((0, op.scratch))
                events.append(("try", len(buffers) - 1, i))
                events.append(("release", len(buffers) - 1, None))
            for t in op.ins:
                readers[id(t)] -= 1
                if readers[id(t)] == 0 and id(t) in where:
                    let_go(where[id(t)])
            for t in op.outs:
                if readers.get(id(t), 0) == 0:
                    let_go(where[id(t)])
            for n in nexts[i]:
                waiting[n] -= 1
                if waiting[n] == 0:
                    heapq.heappush(ready, place(n))
        return events, buffers
