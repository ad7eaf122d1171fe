INPUTS = lambda n: (jax.ShapeDtypeStruct((n, 224, 224, 3), "float32"),)  # paste where `params` is known;
LOSS = lambda params, x: jax.nn.logsumexp(model.apply(params, x), -1).mean()  # edit these two. Nothing is computed
import jax, json
ALIAS, INNER = ("reshape", "squeeze", "expand_dims", "stop_gradient", "copy"), ("jaxpr", "call_jaxpr", "fun_jaxpr")
def number(v, ids, **more):  # of the tensor behind a variable; a literal has none
    if hasattr(v, "val"): return None
    if v not in ids:
        ids[v] = len(rows)
        rows.append({"tensor": ids[v], "shape": [*v.aval.shape], "dtype": str(v.aval.dtype).replace("key<fry>", "uint64")})
    return rows[ids[v]].update(more) or ids[v]
def walk(jaxpr, ids):
    for e in jaxpr.eqns:
        name, given = e.primitive.name, [number(v, ids) for v in e.invars]
        inner = next((e.params[k] for k in INNER if k in e.params and name not in ("scan", "while")), None)
        if inner is None:
            if name in ALIAS and given[0] is not None: ids[e.outvars[0]] = given[0]
            lines.append({"op": name, "inputs": [i for i in given if i is not None], "outputs": [number(v, ids) for v in e.outvars]})
            continue
        inner = getattr(inner, "jaxpr", inner)  # a function called: its operations are the step's
        own = {v: i for v, i in zip(inner.invars, given[-len(inner.invars):]) if i is not None}
        ids.update({v: number(w, own) for v, w in zip(e.outvars, walk(inner, own) or inner.outvars) if not hasattr(w, "val")})
for n in (2, 3):
    rows, ids, lines = [], {}, [{"schema": "oomdoctor.graph/1", "framework": "jax", "batch": n}]
    step = jax.make_jaxpr(lambda p, x: jax.vjp(lambda p: LOSS(p, *x), p), return_shape=True)
    (forward, (loss, pull)), paths = step(params, INPUTS(n)), jax.tree_util.tree_flatten_with_path(params)[0]
    [number(v, ids, parameter=jax.tree_util.keystr(k)) for v, (k, _) in zip(forward.jaxpr.invars, paths)]
    kept, back = walk(forward.jaxpr, ids) or forward.jaxpr.outvars[1:], jax.make_jaxpr(lambda f, g: f(g))(pull, loss).jaxpr
    own = {w: i for w, i in zip(back.invars, [number(v, ids, kept=True) for v in kept]) if i is not None}
    lines.append({"phase": "backward"}), walk(back, own), [number(v, own, gradient=True) for v in back.outvars]
    open("model.graph.jsonl", "wa"[n - 2]).writelines(json.dumps(r) + "\n" for r in lines + [{"phase": "end"}] + rows)
