INPUTS = lambda n: (torch.zeros(n, 3, 224, 224, device="meta"),)  # paste behind building `model`;
LOSS = lambda out: out.float().logsumexp(-1).mean()  # edit these two. No GPU; the model is spent
import contextlib, json, torch, torch.utils._pytree as tree, torch.utils._python_dispatch as modes
F, aten, hooks = torch.nn.functional, torch.ops.aten, torch.autograd.graph.saved_tensors_hooks
torch.meta, written = getattr(torch, "meta", contextlib), getattr(F, "scaled_dot_product_attention", None)
torch.rand = lambda *a, generator=None, **k: torch.ones(*a, **k)  # no layer is dropped
with contextlib.suppress(Exception): __import__("torch.fx.experimental._config", fromlist="_").meta_nonzero_assume_all_nonzero = True
def fused(q, k, v, attn_mask=None, dropout_p=0., is_causal=False, scale=None, **_):  # as a GPU does
    if q.dim() != 4: return written(q, k, v, attn_mask, dropout_p, is_causal, scale=scale)
    if attn_mask is None: return aten._scaled_dot_product_flash_attention(q, k, v, dropout_p, is_causal, scale=scale)[0]
    return aten._scaled_dot_product_efficient_attention(q, k, v, attn_mask.to(q.dtype).expand(*q.shape[:-1], k.shape[-2]), True, dropout_p, is_causal, scale=scale)[0]
F.scaled_dot_product_attention, F.dropout = fused, lambda x, p=.5, training=True, inplace=False: (
    aten.native_dropout(x, p, True)[0] if training and p > 0 else x)
def tell(t, **more):  # a storage is its own key, and is held: no other gets its place
    s = t.untyped_storage() if hasattr(t, "untyped_storage") else t.storage()
    row = seen.setdefault(s._cdata, ({"tensor": len(seen), "shape": [*t.shape], "dtype": str(t.dtype)[6:], "bytes": s.nbytes()}, s))[0]
    return row.update(more) or row["tensor"]
def ids(x, **more): return [tell(t, **more) for t in tree.tree_flatten(x)[0] if getattr(t, "is_meta", 0)]
class Watch(modes.TorchDispatchMode):
    def __torch_dispatch__(self, f, types, args=(), kw=None):  # item() of what has no numbers: 1
        inputs, reads, out = ids((args, kw)), [t.numel() for t in tree.tree_flatten((args, kw))[0] if getattr(t, "is_meta", 0)], f is aten._local_scalar_dense.default and args[0].is_meta or f(*args, **(kw or {}))
        return (lines.append({"op": str(f), "inputs": inputs, "reads": reads, "outputs": ids(out)}), torch.tensor(out) if f is aten.detach.default and not torch.is_tensor(out) else out)[1]  # 1.13 unwraps scalars
for n in (2, 3):
    x, seen, metas, keep, lines = INPUTS(n), {}, {}, {"kept": True}, [{"schema": "oomdoctor.graph/1", "framework": "pytorch", "name": type(model).__name__, "batch": n}]
    model._apply(lambda t: metas.setdefault(id(t), (t.to("meta"), t))[0]).train().zero_grad(set_to_none=True)
    [tell(t, parameter=k, trainable=t.requires_grad) for k, t in model.named_parameters()], [tell(t, buffer=k) for k, t in model.named_buffers()]
    with contextlib.suppress(NotImplementedError), hooks(lambda t: (t.is_meta and tell(t, **keep), t)[1], lambda t: t), Watch():
        loss, keep = LOSS(out := model(*x)), ids(out, output=True) and {} or lines.append({"phase": "backward"}) or {}  # a loop holds `out`
        loss.backward() or lines.append({"phase": "end"})
    [tell(p.grad, gradient=True) for p in model.parameters() if p.grad is not None]; open("model.graph.jsonl", "wa"[n - 2]).writelines(json.dumps(r) + "\n" for r in lines + [s[0] for s in seen.values()])
