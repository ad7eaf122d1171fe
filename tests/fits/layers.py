"""Keras' layers as TensorFlow's operations, with the rows that model.summary() prints of them."""

from steps import Step


class Net(Step):
    def __init__(self, name="model", **habits):
        super().__init__(**habits)
        self.rows, self.counts, self.prefix = [], {}, name
        self.frozen = False
        self.layout = habits.get("layout", "NCHW")

    # ---- rows ----

    def named(self, kind, name=None):
        if name:
            return name
        n = self.counts.get(kind, 0)
        self.counts[kind] = n + 1
        return kind if n == 0 else f"{kind}_{n}"

    def row(self, name, kind, shape, parameters, ins):
        self.rows.append((name, kind, shape, parameters, [t.layer for t in ins if t]))

    def done(self, out, name, kind, shape, parameters, ins):
        self.row(name, kind, shape, parameters, ins)
        copy = Out(out, name, shape)
        return copy

    def path(self, name):
        return f"{self.prefix}/{name}"

    def weight(self, name, n):
        return self.variable(name, n, not self.frozen)

    # ---- layers; x is an Out ----

    def input(self, shape, width=4):
        name = self.named("input", f"input_{len([r for r in self.rows if r[1] == 'InputLayer']) + 1}")
        tensor = self.op("IteratorGetNext", [], shape, width=width, dtype="float" if width == 4 else "int64")
        self.row(name, "InputLayer", shape, 0, [])
        if len(shape) == 3 and self.layout == "NCHW":
            tensor = self.op(self.path("transpose"), [tensor], shape)
        elif self.width == 2 and width == 4:
            tensor = self.op(self.path("Cast"), [tensor], shape)
        return Out(tensor, name, shape)

    def map_shape(self, shape):
        return (shape[2], shape[0], shape[1]) if self.layout == "NCHW" and len(shape) == 3 else shape

    def conv(self, x, filters, kernel=3, stride=1, same=True, act=None, bias=True, name=None,
             depthwise=False, transposed=False, dims=2):
        kind = "conv2d_transpose" if transposed else "depthwise_conv2d" if depthwise else f"conv{dims}d"
        name = self.named(kind, name)
        *sides, cin = x.shape
        k = kernel if isinstance(kernel, tuple) else (kernel,) * dims
        if transposed:
            out = [s * stride for s in sides]
        elif same:
            out = [-(-s // stride) for s in sides]
        else:
            out = [(s - e) // stride + 1 for s, e in zip(sides, k)]
        area = 1
        for e in k:
            area *= e
        cout = cin if depthwise else filters
        n = area * cin if depthwise else area * cin * cout
        shape = tuple(out) + (cout,)
        w, _, wb = self.weight(name + "/kernel", n)
        b = self.weight(name + "/bias", cout) if bias else None
        path, real = self.path(name), self.map_shape(shape)
        op = "DepthwiseConv2dNative" if depthwise else "Conv2D"
        work = 0
        if self.habits.get("workspace") and not depthwise and area > 1:
            work = int(self.elements(shape) * self.width * self.habits["workspace"])
        y = self.op(f"{path}/{op}", [x.t, w], real, scratch=work)
        xs, raw = self.map_shape(x.shape), y

        def grad(dy, x=x.t, w=w):
            dx = None
            if x.trained:
                dx = self.op(f"gradient_tape/{path}/{op}/{op}BackpropInput", [dy, w], xs, scratch=work)
            if w.trained:
                self.gradient_of(f"{path}/{op}/{op}BackpropFilter", wb, [x, dy], work)
            return [dx]

        self.note(path, y, [x.t], grad)
        if b:
            y = self.bias(path, y, b, real)
        y = self.act(path, y, act, real)
        total = n + (cout if bias else 0)
        kind = "Conv2DTranspose" if transposed else "DepthwiseConv2D" if depthwise else f"Conv{dims}D"
        return self.done(y, name, kind, shape, total, [x])

    def gradient_of(self, name, size, ins, scratch=0):
        """In half precision it is made so and cast after."""
        if self.width == 2:
            half = self.op(f"gradient_tape/{name}", ins, (None, size // 4), scratch=scratch)
            self.gradient(name + "/Cast", size, [half])
        else:
            self.gradient(name, size, ins, scratch)

    def bias(self, path, x, b, shape):
        y = self.op(path + "/BiasAdd", [x, b[0]], shape, over=True)

        def grad(dy):
            if b[0].trained:
                self.gradient_of(path + "/BiasAdd/BiasAddGrad", b[2], [dy])
            return [dy]

        self.note(path + "/BiasAdd", y, [x], grad)
        return y

    def act(self, path, x, act, shape):
        if act is None:
            return x
        word = {"relu": "Relu", "relu6": "Relu6", "sigmoid": "Sigmoid", "tanh": "Tanh",
                "softmax": "Softmax", "elu": "Elu", "leaky": "LeakyRelu", "swish": "Sigmoid",
                "gelu": "Gelu"}[act]
        if act == "swish":
            s = self.op(path + "/Sigmoid", [x], shape)
            y = self.op(path + "/mul", [x, s], shape, over=True)

            def grad(dy):
                g = self.op(f"gradient_tape/{path}/Sigmoid", [x], shape)
                return [self.op(f"gradient_tape/{path}/mul", [dy, g, x], shape, over=True)]
        elif act == "gelu":
            e = self.op(path + "/Gelu/Erf", [x], shape)
            h = self.op(path + "/Gelu/mul", [x], shape)
            a = self.op(path + "/Gelu/add", [e], shape)
            y = self.op(path + "/Gelu/mul_1", [h, a], shape)

            def grad(dy):
                one = self.op(f"gradient_tape/{path}/Gelu/mul_1", [dy, a], shape)
                two = self.op(f"gradient_tape/{path}/Gelu/mul_2", [dy, h], shape, over=True)
                three = self.op(f"gradient_tape/{path}/Gelu/Exp", [x], shape)
                four = self.op(f"gradient_tape/{path}/Gelu/mul_3", [two, three], shape, over=True)
                return [self.op(f"gradient_tape/{path}/Gelu/AddN", [one, four], shape, over=True)]
        elif act == "softmax":
            y = self.op(path + "/Softmax", [x], shape, over=True)

            def grad(dy):
                m = self.op(f"gradient_tape/{path}/mul", [dy, y], shape)
                return [self.op(f"gradient_tape/{path}/sub", [dy, m, y], shape, over=True)]
        else:
            y = self.op(f"{path}/{word}", [x], shape, over=True)
            kept = x if act == "leaky" else y

            def grad(dy):
                return [self.op(f"gradient_tape/{path}/{word}Grad", [dy, kept], shape, over=True)]

        self.note(path + "/" + word, y, [x], grad)
        return y

    def activation(self, x, act, kind=None, name=None):
        kind = kind or ("ReLU" if act in ("relu", "relu6") else "LeakyReLU" if act == "leaky" else "Activation")
        name = self.named({"ReLU": "re_lu", "LeakyReLU": "leaky_re_lu"}.get(kind, "activation"), name)
        y = self.act(self.path(name), x.t, act, self.map_shape(x.shape))
        return self.done(y, name, kind, x.shape, 0, [x])

    def norm(self, x, name=None):
        name = self.named("batch_normalization", name)
        path, c, shape = self.path(name), x.shape[-1], self.map_shape(x.shape)
        gamma, _, cb = self.weight(name + "/gamma", c)
        beta = self.weight(name + "/beta", c)[0]
        self.variables += [(name + "/moving_mean", c * 4), (name + "/moving_variance", c * 4)]
        if self.frozen:
            y = self.op(path + "/FusedBatchNormV3", [x.t], shape)
            self.note(path, y, [x.t], lambda dy: [self.op(f"gradient_tape/{path}/mul", [dy], shape, over=True)])
            return self.done(y, name, "BatchNormalization", x.shape, 4 * c, [x])
        y = self.op(path + "/FusedBatchNormV3", [x.t, gamma, beta], shape)
        for _ in range(2):
            self.more((None, c))
        kept = [self.more((None, c)) for _ in range(2)]

        def grad(dy):
            dx = self.op(f"gradient_tape/{path}/FusedBatchNormGradV3", [dy, x.t, gamma] + kept, shape)
            self.gradients.append((path + "/gamma", self.more((None, c)), cb))
            self.gradients.append((path + "/beta", self.more((None, c)), cb))
            return [dx]

        self.note(path, y, [x.t], grad)
        return self.done(y, name, "BatchNormalization", x.shape, 4 * c, [x])

    def pool(self, x, size=2, stride=None, same=False, average=False, name=None):
        name = self.named("average_pooling2d" if average else "max_pooling2d", name)
        stride = stride or size
        *sides, c = x.shape
        out = tuple(-(-s // stride) if same else (s - size) // stride + 1 for s in sides) + (c,)
        path, shape, xs = self.path(name), self.map_shape(out), self.map_shape(x.shape)
        word = "AvgPool" if average else "MaxPool"
        y = self.op(f"{path}/{word}", [x.t], shape)
        kept = [] if average else [x.t, y]
        self.note(path, y, [x.t], lambda dy: [
            self.op(f"gradient_tape/{path}/{word}Grad", [dy] + kept, xs)])
        return self.done(y, name, "AveragePooling2D" if average else "MaxPooling2D", out, 0, [x])

    def up(self, x, size=2, name=None):
        name = self.named("up_sampling2d", name)
        *sides, c = x.shape
        out = tuple(s * size for s in sides) + (c,)
        path, xs = self.path(name), self.map_shape(x.shape)
        y = self.op(path + "/resize/ResizeNearestNeighbor", [x.t], self.map_shape(out))
        self.note(path, y, [x.t], lambda dy: [
            self.op(f"gradient_tape/{path}/resize/ResizeNearestNeighborGrad", [dy], xs)])
        return self.done(y, name, "UpSampling2D", out, 0, [x])

    def pad(self, x, by, name=None):
        name = self.named("zero_padding2d", name)
        *sides, c = x.shape
        out = tuple(s + 2 * by for s in sides) + (c,)
        path, xs = self.path(name), self.map_shape(x.shape)
        y = self.op(path + "/Pad", [x.t], self.map_shape(out))
        self.note(path, y, [x.t], lambda dy: [self.op(f"gradient_tape/{path}/Slice", [dy], xs)])
        return self.done(y, name, "ZeroPadding2D", out, 0, [x])

    def add(self, *ins, name=None):
        name = self.named("add", name)
        shape = self.map_shape(ins[0].shape)
        y = ins[0].t
        for other in ins[1:]:
            left = y
            y = self.op(self.path(name) + "/add", [left, other.t], shape, over=True)
            self.note(self.path(name), y, [left, other.t], lambda dy: [dy, dy])
        return self.done(y, name, "Add", ins[0].shape, 0, ins)

    def mul(self, x, s, name=None):
        """A map by one number for each of its channels."""
        name = self.named("multiply", name)
        path, shape = self.path(name), self.map_shape(x.shape)
        y = self.op(path + "/mul", [x.t, s.t], shape)
        c = self.map_shape((1, 1, x.shape[-1]))

        def grad(dy):
            dx = self.op(f"gradient_tape/{path}/Mul", [dy, s.t], shape)
            all_ = self.op(f"gradient_tape/{path}/Mul_1", [dy, x.t], shape)
            return [dx, self.op(f"gradient_tape/{path}/Sum", [all_], c)]

        self.note(path, y, [x.t, s.t], grad)
        return self.done(y, name, "Multiply", x.shape, 0, [x, s])

    def concat(self, *ins, name=None):
        name = self.named("concatenate", name)
        path = self.path(name)
        out = ins[0].shape[:-1] + (sum(x.shape[-1] for x in ins),)
        y = self.op(path + "/concat", [x.t for x in ins], self.map_shape(out))
        self.note(path, y, [x.t for x in ins], lambda dy: [
            self.op(f"gradient_tape/{path}/Slice", [dy], self.map_shape(x.shape)) for x in ins])
        return self.done(y, name, "Concatenate", out, 0, ins)

    def dropout(self, x, name=None):
        name = self.named("dropout", name)
        path, shape = self.path(name) + "/dropout", self.map_shape(x.shape)
        uniform = self.op(path + "/random_uniform/RandomUniform", [], shape)
        mask = self.op(path + "/GreaterEqual", [uniform], shape, width=1, dtype="bool")
        scaled = self.op(path + "/Mul", [x.t], shape, over=True)
        if self.habits.get("dropout") == "cast":
            keep = self.op(path + "/Cast", [mask], shape)
        else:
            keep = mask
        y = self.op(path + "/Mul_1", [scaled, keep], shape, over=True)
        self.note(path, y, [x.t], lambda dy: [
            self.op(f"gradient_tape/{path}/Mul_1", [dy, keep], shape, over=True)])
        return self.done(y, name, "Dropout", x.shape, 0, [x])

    def flatten(self, x, name=None):
        name = self.named("flatten", name)
        n = 1
        for d in x.shape:
            n *= d
        t = x.t
        if self.layout == "NCHW" and len(x.shape) == 3:
            t = self.op(self.path(name) + "/transpose", [x.t], x.shape)
            xs = self.map_shape(x.shape)
            self.note(self.path(name), t, [x.t], lambda dy: [
                self.op(f"gradient_tape/{self.path(name)}/transpose", [dy], xs)])
        return self.done(t, name, "Flatten", (n,), 0, [x])

    def mean(self, x, name=None, keep=False):
        name = self.named("global_average_pooling2d", name)
        path, shape = self.path(name), self.map_shape(x.shape)
        out = (1, 1, x.shape[-1]) if keep else (x.shape[-1],)
        y = self.op(path + "/Mean", [x.t], out)

        def grad(dy):
            t = self.op(f"gradient_tape/{path}/Tile", [dy], shape)
            return [self.op(f"gradient_tape/{path}/truediv", [t], shape, over=True)]

        self.note(path, y, [x.t], grad)
        return self.done(y, name, "GlobalAveragePooling2D", out, 0, [x])

    def dense(self, x, units, act=None, name=None):
        name = self.named("dense", name)
        path, shape = self.path(name), x.shape[:-1] + (units,)
        w, _, wb = self.weight(name + "/kernel", x.shape[-1] * units)
        b = self.weight(name + "/bias", units)
        y = self.op(path + "/MatMul", [x.t, w], shape)

        def grad(dy):
            dx = self.op(f"gradient_tape/{path}/MatMul", [dy, w], x.shape) if x.t.trained else None
            if w.trained:
                self.gradient_of(f"{path}/MatMul/MatMul_1", wb, [x.t, dy])
            return [dx]

        self.note(path, y, [x.t], grad)
        y = self.act(path, self.bias(path, y, b, shape), act, shape)
        return self.done(y, name, "Dense", shape, (x.shape[-1] + 1) * units, [x])

    def embedding(self, x, vocabulary, width):
        name = self.named("embedding")
        path, shape = self.path(name), x.shape + (width,)
        w, _, wb = self.weight(name + "/embeddings", vocabulary * width)
        y = self.op(path + "/embedding_lookup", [w, x.t], shape)

        def grad(dy):
            sums = self.op(f"gradient_tape/{path}/UnsortedSegmentSum", [dy], shape, width=4)
            self.ops.append(type(self.ops[0])(f"Adam/{name}/Scatter", [sums], [], False, 0))
            return [None]

        self.note(path, y, [x.t], grad)
        y.trained = True
        return self.done(y, name, "Embedding", shape, vocabulary * width, [x])

    def recurrent(self, x, units, sequences=True, gates=4, name=None):
        kind = "LSTM" if gates == 4 else "GRU"
        name = self.named(kind.lower(), name)
        path, (length, cin) = self.path(name), x.shape
        biases = 1 if gates == 4 else 2
        n = gates * units * (cin + units + biases)
        sizes = [gates * units * cin, gates * units * units, gates * units * biases]
        vs = [self.weight(f"{name}/{p}", s) for p, s in zip(("kernel", "recurrent_kernel", "bias"), sizes)]
        inner, outer = (length, cin), (length, units)
        t = self.op(path + "/transpose", [x.t], inner)
        weights = self.op(path + "/concat", [v[0] for v in vs], (None, n))
        y = self.op(path + "/CudnnRNNV3", [t, weights], outer)
        self.more((units,)), self.more((units,))
        reserve = self.more((length * units * (gates + 3),))
        self.note(path, t, [x.t], lambda dy: [
            self.op(f"gradient_tape/{path}/transpose", [dy], inner) if x.t.trained else None])

        def grad(dy):
            dx = self.op(f"gradient_tape/{path}/CudnnRNNBackpropV3", [dy, t, y, reserve, weights], inner)
            dw = self.more((None, n))
            for v, s in zip(vs, sizes):
                self.gradient(f"{path}/split", s * 4, [dw])
            return [dx]

        self.note(path + "/rnn", y, [t], grad)
        out = outer if sequences else (units,)
        if sequences:
            z = self.op(path + "/transpose_1", [y], outer)
            self.note(path, z, [y], lambda dy: [self.op(f"gradient_tape/{path}/transpose_1", [dy], outer)])
        else:
            z = self.op(path + "/strided_slice", [y], out)
            self.note(path, z, [y], lambda dy: [self.op(f"gradient_tape/{path}/StridedSliceGrad", [dy], outer)])
        return self.done(z, name, kind, out, n, [x])

    def both_ways(self, x, units, sequences=True, gates=4):
        """Keras' Bidirectional: a kernel each way, their outputs joined, one row."""
        name, rows = self.named("bidirectional"), len(self.rows)
        ways = [self.recurrent(x, units, sequences, gates, f"{name}/{way}_{name}") for way in ("forward", "backward")]
        y = self.concat(*ways, name=name)
        parameters = sum(row[3] for row in self.rows[rows:])
        del self.rows[rows:]
        return self.done(y.t, name, "Bidirectional", y.shape, parameters, [x])

    def layer_norm(self, x, path):
        shape, c = x.shape, x.shape[-1]
        gamma, _, cb = self.weight(path + "/gamma", c)
        beta = self.weight(path + "/beta", c)[0]
        y = self.op(self.path(path) + "/batchnorm/FusedBatchNormV3", [x.t], shape)
        kept = [self.more(shape[:-1]) for _ in range(2)]
        z = self.op(self.path(path) + "/batchnorm/mul_1", [y, gamma], shape)
        a = self.op(self.path(path) + "/batchnorm/add_1", [z, beta], shape, over=True)
        self.note(path, y, [x.t], lambda dy: [
            self.op(f"gradient_tape/{self.path(path)}/FusedBatchNormGradV3", [dy, x.t] + kept, shape)])

        def scale(dy):
            g = self.op(f"gradient_tape/{self.path(path)}/batchnorm/mul_1/Mul", [dy, gamma], shape)
            all_ = self.op(f"gradient_tape/{self.path(path)}/batchnorm/mul_1/Mul_1", [dy, y], shape)
            self.gradient(self.path(path) + "/gamma", cb, [all_])
            self.gradient(self.path(path) + "/beta", cb, [dy])
            return [g]

        self.note(path, z, [y], scale)
        self.note(path, a, [z], lambda dy: [dy])
        return Out(a, path, shape)

    # ---- the end ----

    def elements(self, shape):
        n = 1
        for d in shape:
            n *= d
        return n

    def loss(self, y, binary=False):
        """Labels' cross entropy: a map's by elements, else one kernel that keeps the gradient."""
        shape = y.shape
        if binary:
            labels = self.op("IteratorGetNext:1", [], shape, width=4)
            out = y.t
            if self.layout == "NCHW" and len(shape) == 3:
                out = self.op("binary_crossentropy/transpose", [y.t], shape)
                self.note("bct", out, [y.t], lambda dy: [
                    self.op("gradient_tape/binary_crossentropy/transpose", [dy], shape)])
            clip = self.op("binary_crossentropy/clip_by_value", [out], shape)
            log = self.op("binary_crossentropy/Log", [clip], shape)
            one = self.op("binary_crossentropy/mul", [labels, log], shape, over=True)
            less = self.op("binary_crossentropy/sub", [clip], shape)
            log1 = self.op("binary_crossentropy/Log_1", [less], shape)
            two = self.op("binary_crossentropy/mul_1", [log1, labels], shape, over=True)
            both = self.op("binary_crossentropy/add", [one, two], shape, over=True)
            self.op("binary_crossentropy/Mean", [both], ())
            g1 = self.op("gradient_tape/binary_crossentropy/truediv", [labels, clip], shape)
            g2 = self.op("gradient_tape/binary_crossentropy/truediv_1", [labels, less], shape)
            g = self.op("gradient_tape/binary_crossentropy/AddN", [g1, g2], shape, over=True)
            g = self.op("gradient_tape/binary_crossentropy/SelectV2", [g, out], shape, over=True)
            self.backward([(out, g)])
        else:
            labels = self.op("IteratorGetNext:1", [], (1,), width=4)
            loss = self.op("sparse_categorical_crossentropy/SparseSoftmaxCrossEntropyWithLogits",
                           [y.t, labels], (1,), width=4)
            grad = self.more(shape, self.width)
            self.op("sparse_categorical_crossentropy/Mean", [loss], ())
            self.backward([(y.t, grad)])
        self.updates()


class Out:
    """A layer's output: the tensor, and its row's name and shape."""
    __slots__ = ("t", "layer", "shape")

    def __init__(self, tensor, layer, shape):
        self.t, self.layer, self.shape = tensor, layer, shape
