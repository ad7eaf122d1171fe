"""Networks as lists of layers, and a training step that allocates as a framework would."""

from bfc import OutOfMemory

FLOAT, HALF = 4, 2


class Layer:
    def __init__(self, name, op, out, weights=()):
        self.name, self.op, self.out, self.weights = name, op, tuple(out), list(weights)


def elements(shape):
    n = 1
    for d in shape:
        n *= d
    return n


def conv(name, h, w, cin, cout, k=3, stride=1):
    return Layer(name, "Conv2D", (cout, h // stride, w // stride), [(k, k, cin, cout), (cout,)])


def pool(name, h, w, c):
    return Layer(name, "MaxPool", (c, h // 2, w // 2))


def up(name, h, w, cin, cout):
    return Layer(name, "Conv2DTranspose", (cout, 2 * h, 2 * w), [(2, 2, cout, cin), (cout,)])


def concat(name, h, w, c):
    return Layer(name, "ConcatV2", (c, h, w))


def dense(name, cin, cout):
    return Layer(name, "MatMul", (cout,), [(cin, cout), (cout,)])


def vgg(h, w, classes, convs=(2, 2, 3, 3, 3), widths=(64, 128, 256, 512, 512), units=4096):
    layers, c = [], 3
    for block, (n, width) in enumerate(zip(convs, widths), 1):
        for i in range(1, n + 1):
            layers.append(conv(f"block{block}_conv{i}", h, w, c, width))
            c = width
        layers.append(pool(f"block{block}_pool", h, w, c))
        h, w = h // 2, w // 2
    layers += [dense("fc1", c * h * w, units), dense("fc2", units, units),
               dense("predictions", units, classes)]
    return layers


def unet(h, w, base, depth, classes):
    layers, c, widths = [], 3, [base << i for i in range(depth)]
    for i, width in enumerate(widths):
        layers += [conv(f"down{i}_conv0", h, w, c, width), conv(f"down{i}_conv1", h, w, width, width),
                   pool(f"down{i}_pool", h, w, width)]
        h, w, c = h // 2, w // 2, width
    layers += [conv("mid_conv0", h, w, c, 2 * c), conv("mid_conv1", h, w, 2 * c, 2 * c)]
    c *= 2
    for i, width in reversed(list(enumerate(widths))):
        layers += [up(f"up{i}_deconv", h, w, c, width)]
        h, w = 2 * h, 2 * w
        layers += [concat(f"up{i}_concat", h, w, 2 * width),
                   conv(f"up{i}_conv0", h, w, 2 * width, width),
                   conv(f"up{i}_conv1", h, w, width, width)]
        c = width
    return layers + [conv("mask", h, w, c, classes, k=1)]


class Trainer:
    """Weights, optimizer slots and steps of a network on an allocator."""

    def __init__(self, alloc, layers, slots=1, prefix="", item=FLOAT, scalars=24):
        self.alloc, self.layers, self.slots, self.prefix, self.item = \
            alloc, layers, slots, prefix, item
        self.live, self.soft = [], []
        alloc.alloc(1028)
        for _ in range(scalars):
            alloc.alloc(4)
        for copy in range(1 + slots):
            for layer in layers:
                for shape in layer.weights:
                    self.keep(shape, FLOAT, f"{layer.name}/{'kernel' if len(shape) > 1 else 'bias'}")

    def keep(self, shape, item, op):
        return self.alloc.alloc(elements(shape) * item, self.prefix + op, shape)

    def scratch(self, n):
        """Work space of a convolution: tried large, done without when refused."""
        chunk = self.alloc.try_alloc(n)
        if not chunk:
            self.soft.append(n)
            chunk = self.alloc.try_alloc(n // 8)
        self.alloc.free(chunk)

    def forward(self, batch, image, work=1.5):
        self.live = [self.keep((batch, 3) + image, FLOAT, "IteratorGetNext"),
                     self.keep((batch,), 8, "IteratorGetNext")]
        for layer in self.layers:
            shape = (batch,) + layer.out
            size = elements(shape) * self.item
            if layer.op == "Conv2D" and work:
                self.scratch(int(size * work) + 4096)
            chunk = self.alloc.alloc(size, f"{self.prefix}{layer.name}/{layer.op}", shape)
            self.live.append(chunk)

    def backward(self, batch):
        """Frees activations from the last to the first; gradients come and go."""
        above = None
        for layer in reversed(self.layers):
            grads = [self.keep(s, FLOAT, f"gradients/{layer.name}") for s in layer.weights]
            below = self.alloc.alloc(elements((batch,) + layer.out) * self.item,
                                     f"gradients/{layer.name}", (batch,) + layer.out)
            self.alloc.free(self.live.pop())
            self.alloc.free(above)
            above = below
            for grad in grads:
                self.alloc.free(grad)
        self.alloc.free(above)
        while self.live:
            self.alloc.free(self.live.pop())

    def step(self, batch, image, work=1.5):
        self.forward(batch, image, work)
        self.backward(batch)

    def until_failure(self, run):
        try:
            run()
        except OutOfMemory as failure:
            return failure
        raise AssertionError("the scenario was meant to fail")
