"""Networks as programs write them: those that everybody uses, and others that nobody has seen."""

from layers import Net, Out


def vgg(n, chance, depth=16, size=224, classes=1000, units=4096, frozen=False):
    blocks = {11: (1, 1, 2, 2, 2), 13: (2, 2, 2, 2, 2), 16: (2, 2, 3, 3, 3), 19: (2, 2, 4, 4, 4)}
    x = n.input((size, size, 3))
    n.frozen = frozen
    for b, count in enumerate(blocks[depth]):
        for i in range(count):
            x = n.conv(x, min(64 << b, 512), act="relu", name=f"block{b + 1}_conv{i + 1}")
        x = n.pool(x, name=f"block{b + 1}_pool")
    n.frozen = False
    x = n.flatten(x, name="flatten")
    if frozen:
        x = n.dropout(n.dense(x, units, "relu"))
        n.loss(n.dense(x, classes, "softmax" if n.width == 4 else None))
        return
    x = n.dense(x, units, "relu", name="fc1")
    x = n.dense(x, units, "relu", name="fc2")
    n.loss(n.dense(x, classes, name="predictions"))


def resnet(n, chance, depth=50, size=224, classes=1000):
    x = n.pad(n.input((size, size, 3)), 3, name="conv1_pad")
    x = n.conv(x, 64, 7, 2, same=False, name="conv1_conv")
    x = n.activation(n.norm(x, name="conv1_bn"), "relu", "Activation", "conv1_relu")
    x = n.pool(n.pad(x, 1, name="pool1_pad"), 3, 2, name="pool1_pool")
    counts = {50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 26: (2, 2, 2, 2)}[depth]
    for s, count in enumerate(counts):
        f = 64 << s
        for b in range(count):
            p = f"conv{s + 2}_block{b + 1}"
            stride = 2 if b == 0 and s else 1
            short = x
            if b == 0:
                short = n.norm(n.conv(x, 4 * f, 1, stride, name=p + "_0_conv"), name=p + "_0_bn")
            y = n.activation(n.norm(n.conv(x, f, 1, stride, name=p + "_1_conv"), name=p + "_1_bn"), "relu", "Activation", p + "_1_relu")
            y = n.activation(n.norm(n.conv(y, f, 3, name=p + "_2_conv"), name=p + "_2_bn"), "relu", "Activation", p + "_2_relu")
            y = n.norm(n.conv(y, 4 * f, 1, name=p + "_3_conv"), name=p + "_3_bn")
            x = n.activation(n.add(short, y, name=p + "_add"), "relu", "Activation", p + "_out")
    n.loss(n.dense(n.mean(x, name="avg_pool"), classes, name="predictions"))


def resnet_basic(n, chance, counts=(2, 2, 2, 2), size=224, base=64, classes=100):
    """Of basic blocks, without biases, under names that Keras makes up."""
    x = n.input((size, size, 3))
    if size > 64:
        x = n.pool(n.activation(n.norm(n.conv(x, base, 7, 2, bias=False)), "relu"), 3, 2, same=True)
    else:
        x = n.activation(n.norm(n.conv(x, base, 3, bias=False)), "relu")
    for s, count in enumerate(counts):
        for b in range(count):
            stride = 2 if b == 0 and s else 1
            y = n.activation(n.norm(n.conv(x, base << s, 3, stride, bias=False)), "relu")
            y = n.norm(n.conv(y, base << s, 3, bias=False))
            if stride > 1:
                x = n.norm(n.conv(x, base << s, 1, 2, bias=False))
            x = n.activation(n.add(x, y), "relu")
    n.loss(n.dense(n.mean(x), classes))


def unet(n, chance, size=256, base=64, depth=4, norm=False, drop=True, transposed=False, classes=1):
    x = n.input((size, size, 3 if classes > 1 else 1))
    kept = []

    def two(x, f):
        for _ in range(2):
            if norm:
                x = n.activation(n.norm(n.conv(x, f)), "relu", "Activation")
            else:
                x = n.conv(x, f, act="relu")
        return x

    for d in range(depth):
        x = two(x, base << d)
        kept.append(x)
        x = n.pool(x)
    x = two(x, base << depth)
    if drop:
        x = n.dropout(x)
    for d in reversed(range(depth)):
        up = n.conv(x, base << d, 2, 2, transposed=True) if transposed else n.conv(n.up(x), base << d, 2, act="relu")
        x = two(n.concat(kept[d], up), base << d)
    n.loss(n.conv(x, classes, 1, act="sigmoid" if classes == 1 else None), binary=classes == 1)


def plain_cnn(n, chance, size=150, filters=(32, 64, 128, 128), units=512, classes=1, same=False, drop=True, norm=False, kernel=3):
    n.prefix = "sequential"
    x = Out(n.input((size, size, 3)).t, "", (size, size, 3))
    n.rows.clear()
    for f in filters:
        x = n.conv(x, f, kernel, same=same, act="relu")
        if norm:
            x = n.norm(x)
        x = n.pool(x)
    x = n.flatten(x)
    if drop:
        x = n.dropout(x)
    x = n.dense(x, units, "relu")
    n.loss(n.dense(x, classes, "sigmoid" if classes == 1 else None), binary=classes == 1)


def mobilenet(n, chance, size=224, classes=1000):
    def block(x, out, stride, grow, i):
        cin, y = x.shape[-1], x
        if grow > 1:
            y = n.activation(n.norm(n.conv(y, cin * grow, 1, bias=False, name=f"block_{i}_expand"), name=f"block_{i}_expand_BN"), "relu6", name=f"block_{i}_expand_relu")
        y = n.activation(n.norm(n.conv(y, 0, 3, stride, bias=False, depthwise=True, name=f"block_{i}_depthwise"), name=f"block_{i}_depthwise_BN"), "relu6", name=f"block_{i}_depthwise_relu")
        y = n.norm(n.conv(y, out, 1, bias=False, name=f"block_{i}_project"), name=f"block_{i}_project_BN")
        return n.add(x, y, name=f"block_{i}_add") if stride == 1 and cin == out else y

    x = n.input((size, size, 3))
    x = n.activation(n.norm(n.conv(x, 32, 3, 2, bias=False, name="Conv1"), name="bn_Conv1"), "relu6", name="Conv1_relu")
    i = 0
    for grow, out, count, stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)):
        for k in range(count):
            x = block(x, out, stride if k == 0 else 1, grow, i)
            i += 1
    x = n.activation(n.norm(n.conv(x, 1280, 1, bias=False, name="Conv_1"), name="Conv_1_bn"), "relu6", name="out_relu")
    n.loss(n.dense(n.mean(x), classes))


def autoencoder(n, chance, size=256, filters=(64, 128, 256), channels=3, pooled=True, norm=False):
    x = n.input((size, size, channels))
    for f in filters:
        if pooled:
            x = n.pool(n.conv(x, f, act="relu"), same=True)
        else:
            x = n.conv(x, f, 3, 2, act="relu")
        if norm:
            x = n.norm(x)
    for f in reversed(filters):
        if pooled:
            x = n.up(n.conv(x, f, act="relu"))
        else:
            x = n.conv(x, f, 3, 2, act="relu", transposed=True)
        if norm:
            x = n.norm(x)
    n.loss(n.conv(x, channels, 3, act="sigmoid"), binary=True)


def dense_net(n, chance, size=96, growth=24, counts=(6, 12, 12), classes=100):
    x = n.conv(n.input((size, size, 3)), 2 * growth, 3, bias=False)
    for s, count in enumerate(counts):
        for _ in range(count):
            y = n.conv(n.activation(n.norm(x), "relu", "Activation"), 4 * growth, 1, bias=False)
            y = n.conv(n.activation(n.norm(y), "relu", "Activation"), growth, 3, bias=False)
            x = n.concat(x, y)
        if s + 1 < len(counts):
            x = n.conv(n.activation(n.norm(x), "relu", "Activation"), x.shape[-1] // 2, 1, bias=False)
            x = n.pool(x, average=True)
    n.loss(n.dense(n.mean(n.activation(n.norm(x), "relu", "Activation")), classes))


def squeezed(n, chance, size=160, base=32, classes=20):
    """Inverted residuals with squeeze and excite and swish, as EfficientNets are made."""
    x = n.activation(n.norm(n.conv(n.input((size, size, 3)), base, 3, 2, bias=False)), "swish", "Activation")
    for out, count, stride, k in ((16, 1, 1, 3), (24, 2, 2, 3), (40, 2, 2, 5), (80, 3, 2, 3), (112, 3, 1, 5), (192, 4, 2, 5)):
        for i in range(count):
            cin, y = x.shape[-1], x
            s = stride if i == 0 else 1
            y = n.activation(n.norm(n.conv(y, cin * 6, 1, bias=False)), "swish", "Activation")
            y = n.activation(n.norm(n.conv(y, 0, k, s, bias=False, depthwise=True)), "swish", "Activation")
            e = n.conv(n.mean(y, keep=True), max(1, cin // 4), 1, act="swish")
            y = n.mul(y, n.conv(e, cin * 6, 1, act="sigmoid"))
            y = n.norm(n.conv(y, out, 1, bias=False))
            x = n.add(x, y) if s == 1 and cin == out else y
    n.loss(n.dense(n.dropout(n.mean(n.activation(n.norm(n.conv(x, 1280, 1, bias=False)), "swish", "Activation"))), classes))


def inception(n, chance, size=192, classes=50, base=32):
    x = n.pool(n.conv(n.input((size, size, 3)), base, 7, 2, act="relu"), 3, 2, same=True)
    x = n.pool(n.conv(x, 3 * base, 3, act="relu"), 3, 2, same=True)
    for i in range(5):
        a = n.conv(x, base * 2, 1, act="relu")
        b = n.conv(n.conv(x, base * 3, 1, act="relu"), base * 4, 3, act="relu")
        c = n.conv(n.conv(x, base // 2, 1, act="relu"), base, 5, act="relu")
        d = n.conv(n.pool(x, 3, 1, same=True), base, 1, act="relu")
        x = n.concat(a, b, c, d)
        if i == 2:
            x = n.pool(x, 3, 2, same=True)
    n.loss(n.dense(n.dropout(n.mean(x)), classes))


def lstm_text(n, chance, length=400, vocabulary=20000, width=128, units=256, gates=4, two=False, both=False):
    n.prefix = "sequential"
    x = n.embedding(n.input((length,), width=8), vocabulary, width)
    n.rows.pop(0)
    layer = n.both_ways if both else n.recurrent
    if two:
        x = layer(x, units, True, gates)
    x = layer(x, units, False, gates)
    n.loss(n.dense(n.dropout(n.dense(x, 64, "relu")), 1, "sigmoid"), binary=True)


def lstm_series(n, chance, length=168, features=32, units=256, layers=2, out=24, gates=4):
    n.prefix = "sequential"
    x = n.input((length, features))
    n.rows.pop(0)
    for i in range(layers):
        x = n.recurrent(x, units, i + 1 < layers, gates)
    n.loss(n.dense(x, out), binary=True)


def mlp(n, chance, width=2048, units=(4096, 4096), classes=10):
    n.prefix = "sequential"
    x = n.input((width,))
    n.rows.clear()
    for u in units:
        x = n.dropout(n.dense(x, u, "relu"))
    n.loss(n.dense(x, classes))


def bert(n, chance, length=128, hidden=768, blocks=12, vocabulary=30522, head="classifier", causal=False):
    """As Hugging Face's TFBert; causal: as TFGPT2, whose norms come first, with its words' scores."""
    heads, top = hidden // 64, "tf_gpt2lm_head_model" if causal else "tf_bert_for_sequence_classification"
    body = "transformer" if causal else "bert"
    n.prefix = top
    ids = n.input((length,), width=8)
    n.rows.clear()
    e = f"{body}/wte" if causal else f"{body}/embeddings"
    x = n.embedding(ids, vocabulary, hidden)
    n.rows.clear()
    n.variable("positions", (1024 if causal else 512) * hidden)
    if not causal:
        n.variable("types", 2 * hidden)
    wide = (length, hidden)
    tall = (heads, length, hidden // heads)
    square = (heads, length, length)

    def op(path, ins, shape, grad, over=False):
        y = n.op(n.path(path), ins, shape, over=over)
        n.note(n.path(path), y, ins, grad)
        return y

    def turn(path, t, shape, back):
        return op(path, [t], shape, lambda dy: [n.op(f"gradient_tape/{n.path(path)}", [dy], back)])

    def drop(path, t, shape):
        n.prefix, old = n.prefix, n.prefix
        uniform = n.op(n.path(path + "/dropout/random_uniform/RandomUniform"), [], shape)
        mask = n.op(n.path(path + "/dropout/GreaterEqual"), [uniform], shape, width=1)
        scaled = n.op(n.path(path + "/dropout/Mul"), [t], shape, over=True)
        y = n.op(n.path(path + "/dropout/SelectV2"), [scaled, mask], shape, over=True)
        n.note(path, y, [t], lambda dy: [n.op(f"gradient_tape/{n.path(path)}/dropout/SelectV2", [dy, mask], shape, over=True)])
        return y

    def linear(path, t, cin, cout, shape=None):
        w, _, wb = n.weight(path + "/kernel", cin * cout)
        b = n.weight(path + "/bias", cout)
        shape = (length, cout)
        y = n.op(n.path(path + "/MatMul"), [t, w], shape)

        def grad(dy):
            dx = n.op(f"gradient_tape/{n.path(path)}/MatMul", [dy, w], (length, cin))
            n.gradient_of(n.path(path) + "/MatMul_1", wb, [t, dy])
            return [dx]

        n.note(n.path(path), y, [t], grad)
        return n.bias(n.path(path), y, b, shape)

    def add(path, a, b):
        y = n.op(n.path(path + "/add"), [a, b], wide, over=True)
        n.note(path, y, [a, b], lambda dy: [dy, dy])
        return y

    def attention(t, p):
        q, k, v = (turn(f"{p}/self/transpose{s}", linear(f"{p}/self/{w}", t, hidden, hidden), tall, wide)
                   for w, s in (("query", ""), ("key", "_1"), ("value", "_2")))

        def back(dy, q=q, k=k):
            return [n.op(f"gradient_tape/{n.path(p)}/self/MatMul", [dy, k], tall),
                    n.op(f"gradient_tape/{n.path(p)}/self/MatMul_1", [dy, q], tall)]

        s = op(f"{p}/self/MatMul", [q, k], square, back)
        s = op(f"{p}/self/truediv", [s], square, lambda dy: [n.op(f"gradient_tape/{p}/truediv", [dy], square, over=True)], True)
        s = n.act(n.path(f"{p}/self"), s, "softmax", square)
        d = drop(f"{p}/self/dropout", s, square)

        def context(dy, d=d, v=v):
            return [n.op(f"gradient_tape/{n.path(p)}/self/MatMul_1/MatMul", [dy, v], square),
                    n.op(f"gradient_tape/{n.path(p)}/self/MatMul_1/MatMul_1", [dy, d], tall)]

        c = op(f"{p}/self/MatMul_1", [d, v], tall, context)
        return turn(f"{p}/self/transpose_3", c, wide, tall)

    t = x.t
    if not causal:
        t = drop(f"{body}/embeddings/dropout", n.layer_norm(Out(t, "", wide), f"{body}/embeddings/LayerNorm").t, wide)
    for i in range(blocks):
        p = f"{body}/h_._{i}" if causal else f"{body}/encoder/layer_._{i}"
        inner = n.layer_norm(Out(t, "", wide), p + "/ln_1").t if causal else t
        c = attention(inner, p + ("/attn" if causal else "/attention"))
        o = drop(p + "/attention/output/dropout", linear(p + ("/attn/c_proj" if causal else "/attention/output/dense"), c, hidden, hidden), wide)
        t = add(p + "/attention/output", o, t)
        if not causal:
            t = n.layer_norm(Out(t, "", wide), p + "/attention/output/LayerNorm").t
        inner = n.layer_norm(Out(t, "", wide), p + "/ln_2").t if causal else t
        m = linear(p + ("/mlp/c_fc" if causal else "/intermediate/dense"), inner, hidden, 4 * hidden)
        m = n.act(n.path(p + ("/mlp" if causal else "/intermediate")), m, "gelu", (length, 4 * hidden))
        o = drop(p + "/output/dropout", linear(p + ("/mlp/c_proj" if causal else "/output/dense"), m, 4 * hidden, hidden), wide)
        t = add(p + "/output", o, t)
        if not causal:
            t = n.layer_norm(Out(t, "", wide), p + "/output/LayerNorm").t
    if causal:
        t = n.layer_norm(Out(t, "", wide), f"{body}/ln_f").t
        table = n.variable("wte", 1)[0]
        n.variables.pop(), n.state.pop()
        y = op(f"{body}/lm_head/MatMul", [t, table], (length, vocabulary), lambda dy: [
            n.op(f"gradient_tape/{n.path(body)}/lm_head/MatMul", [dy, table], wide)])
        n.loss(Out(y, "", (length, vocabulary)))
        return
    first = turn("strided_slice", t, (hidden,), wide)
    n.loss(n.dense(Out(first, "", (hidden,)), 2, name="classifier"))
    n.rows.clear()


FAMILIES = {
    "vgg": (vgg, lambda c: dict(depth=c.choice((11, 13, 16, 19)), size=c.choice((128, 160, 224, 224, 256)), classes=c.choice((10, 100, 1000)))),
    "vgg transfer": (vgg, lambda c: dict(frozen=True, units=c.choice((128, 256, 512)), size=c.choice((150, 224)), classes=c.choice((2, 5, 10)))),
    "resnet": (resnet, lambda c: dict(depth=c.choice((50, 50, 101)), size=c.choice((160, 224, 224, 256)), classes=c.choice((10, 100, 1000)))),
    "resnet basic": (resnet_basic, lambda c: dict(counts=c.choice(((2, 2, 2, 2), (3, 4, 6, 3), (3, 3, 3))), size=c.choice((32, 96, 160, 224)), base=c.choice((32, 64)))),
    "u-net": (unet, lambda c: dict(size=c.choice((128, 256, 256, 512)), base=c.choice((16, 32, 64)), depth=c.choice((3, 4, 4)), norm=c.random() < .4, drop=c.random() < .5, transposed=c.random() < .5, classes=c.choice((1, 1, 4)))),
    "small cnn": (plain_cnn, lambda c: dict(size=c.choice((64, 128, 150, 150, 200)), filters=c.choice(((32, 64, 128, 128), (32, 64, 128), (16, 32, 64), (32, 32, 64, 64))), units=c.choice((64, 128, 512)), classes=c.choice((1, 5, 10)), same=c.random() < .4, drop=c.random() < .6, norm=c.random() < .3)),
    "mobilenet": (mobilenet, lambda c: dict(size=c.choice((160, 192, 224, 224)), classes=c.choice((10, 1000)))),
    "autoencoder": (autoencoder, lambda c: dict(size=c.choice((128, 256, 256)), filters=c.choice(((64, 128, 256), (32, 64, 128), (32, 64), (64, 64, 32))), channels=c.choice((1, 3)), pooled=c.random() < .6, norm=c.random() < .3)),
    "densenet": (dense_net, lambda c: dict(size=c.choice((32, 64, 96)), growth=c.choice((12, 24)))),
    "squeeze and excite": (squeezed, lambda c: dict(size=c.choice((128, 160, 224)))),
    "inception": (inception, lambda c: dict(size=c.choice((128, 192, 224)), base=c.choice((24, 32)))),
    "lstm text": (lstm_text, lambda c: dict(length=c.choice((100, 200, 400, 500)), vocabulary=c.choice((10000, 20000, 50000)), width=c.choice((64, 100, 128)), units=c.choice((64, 128, 256)), gates=c.choice((4, 4, 3)), two=c.random() < .3)),
    "lstm both ways": (lstm_text, lambda c: dict(length=c.choice((100, 200, 400)), vocabulary=c.choice((10000, 20000, 50000)), width=c.choice((64, 100, 300)), units=c.choice((64, 128, 256)), gates=c.choice((4, 4, 3)), two=c.random() < .5, both=True)),
    "lstm series": (lstm_series, lambda c: dict(length=c.choice((60, 168, 336)), features=c.choice((8, 32, 64)), units=c.choice((128, 256, 512)), layers=c.choice((1, 2, 3)), gates=c.choice((4, 4, 3)))),
    "mlp": (mlp, lambda c: dict(width=c.choice((784, 2048, 4096)), units=c.choice(((4096, 4096), (2048, 1024, 512), (8192, 8192))))),
    "bert": (bert, lambda c: dict(length=c.choice((64, 128, 256, 384, 512)), hidden=c.choice((512, 768, 768, 1024)), blocks=c.choice((6, 12, 12)))),
    "gpt2": (bert, lambda c: dict(length=c.choice((256, 512, 1024)), hidden=768, blocks=c.choice((6, 12, 12)), vocabulary=50257, causal=True)),
}


def make(family, chance, **habits):
    build, pick = FAMILIES[family]
    n = Net(**habits)
    arguments = pick(chance)
    build(n, chance, **arguments)
    return n, arguments
