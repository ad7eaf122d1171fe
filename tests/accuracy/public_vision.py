#!/usr/bin/env python3
"""Measures public models of images and sound and writes src/models/public_vision.tsv.

    public_vision.py [-j N] [NAME...] > ../../src/models/public_vision.tsv

Wants current PyTorch, torchvision, timm and transformers; neither a GPU nor memory for a model: all of it runs on
the meta device, whose tensors have shapes and no bytes. Saved bytes are what autograd keeps of one
training forward and cross-entropy, each storage once (known by its own address: the addresses of
data are all alike there), parameters and buffers not among them, of one sample: by way of
two batches. About a second a model.

Attention is measured as one fused kernel computes it, and as written out. Autocast is done here as
PyTorch does it on a GPU, by its documented lists of operations: the meta device has none."""

import argparse
import multiprocessing
import os
import sys
import warnings
import weakref

warnings.filterwarnings("ignore")
import timm
import torch
import torch.utils.checkpoint
import torchvision
import transformers
import transformers.modeling_utils
from torch.autograd.graph import saved_tensors_hooks
from torch.nn import functional
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from live import Live, storages

FIELDS = ["name", "library", "parameters", "buffers", "side", "fused32", "eager32", "fused16",
          "eager16", "square_fused", "square_eager", "unfolded", "activations", "checkpointed",
          "printed"]
LIBRARIES = {"timm": f"timm-{timm.__version__}",
             "torchvision": f"torchvision-{torchvision.__version__.split('+')[0]}",
             "transformers": f"transformers-{transformers.__version__}"}

# Of transformers, by the configurations of their pages: the class, what its configuration says other than the
# library's default, and the sample: an image, a pair of an image and a text, a film, ten seconds of sound, or its
# spectrum. Settings that leave out layers or hide parts at random are off.
LARGE = dict(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096)
HUGE = dict(hidden_size=1280, num_hidden_layers=48, num_attention_heads=16, intermediate_size=5120)
NORMED = dict(feat_extract_norm="layer", do_stable_layer_norm=True, conv_bias=True)
SOUND, IMAGE = [1, 160000], [3, 224, 224]
SO400M = dict(hidden_size=1152, num_hidden_layers=27, num_attention_heads=16, intermediate_size=4304)


def two(text, vision, **more):
    return dict(text_config=text, vision_config=vision, **more)


def segformer(depths, wide=True):
    sizes = [64, 128, 320, 512] if wide else [32, 64, 160, 256]
    return dict(depths=depths, hidden_sizes=sizes, decoder_hidden_size=768 if depths[2] > 2 else 256, num_labels=150)


HUGGING_FACE = {
    "openai/clip-vit-base-patch32": ("CLIPModel", {}, IMAGE),
    "openai/clip-vit-base-patch16": ("CLIPModel", two({}, dict(patch_size=16)), IMAGE),
    "openai/clip-vit-large-patch14": ("CLIPModel", two(
        dict(hidden_size=768, intermediate_size=3072, num_attention_heads=12), dict(patch_size=14, **LARGE),
        projection_dim=768), IMAGE),
    "openai/clip-vit-large-patch14-336": ("CLIPModel", two(
        dict(hidden_size=768, intermediate_size=3072, num_attention_heads=12),
        dict(patch_size=14, image_size=336, **LARGE), projection_dim=768), [3, 336, 336]),
    "laion/CLIP-ViT-H-14-laion2B-s32B-b79K": ("CLIPModel", two(
        LARGE, dict(HUGE, num_hidden_layers=32, patch_size=14), projection_dim=1024), IMAGE),
    "google/siglip-base-patch16-224": ("SiglipModel", {}, IMAGE),
    "google/siglip-so400m-patch14-384": ("SiglipModel", two(
        SO400M, dict(SO400M, image_size=384, patch_size=14)), [3, 384, 384]),
    "facebook/wav2vec2-base": ("Wav2Vec2ForCTC", {}, SOUND),
    "facebook/wav2vec2-large": ("Wav2Vec2ForCTC", LARGE, SOUND),
    "facebook/wav2vec2-large-xlsr-53": ("Wav2Vec2ForCTC", dict(LARGE, **NORMED), SOUND),
    "facebook/wav2vec2-xls-r-1b": ("Wav2Vec2ForCTC", dict(HUGE, **NORMED), SOUND),
    "facebook/hubert-base-ls960": ("HubertForCTC", {}, SOUND),
    "facebook/hubert-large-ll60k": ("HubertForCTC", dict(LARGE, **NORMED), SOUND),
    "facebook/hubert-xlarge-ll60k": ("HubertForCTC", dict(HUGE, **NORMED), SOUND),
    "microsoft/wavlm-base": ("WavLMForCTC", {}, SOUND),
    "microsoft/wavlm-large": ("WavLMForCTC", dict(LARGE, **NORMED), SOUND),
    "MIT/ast-finetuned-audioset-10-10-0.4593": ("ASTForAudioClassification", dict(num_labels=527), [1024, 128]),
    "MCG-NJU/videomae-base": ("VideoMAEForVideoClassification", {}, [16, 3, 224, 224]),
    "MCG-NJU/videomae-large": ("VideoMAEForVideoClassification", LARGE, [16, 3, 224, 224]),
    "facebook/timesformer-base-finetuned-k400": ("TimesformerForVideoClassification", {}, [8, 3, 224, 224]),
    "google/vivit-b-16x2-kinetics400": ("VivitForVideoClassification", {}, [32, 3, 224, 224]),
    "facebook/sam-vit-base": ("SamModel", {}, [3, 1024, 1024]),
    "facebook/sam-vit-large": ("SamModel", dict(vision_config=dict(
        hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, mlp_dim=4096,
        global_attn_indexes=[5, 11, 17, 23])), [3, 1024, 1024]),
    "facebook/sam-vit-huge": ("SamModel", dict(vision_config=dict(
        hidden_size=1280, num_hidden_layers=32, num_attention_heads=16, mlp_dim=5120,
        global_attn_indexes=[7, 15, 23, 31])), [3, 1024, 1024]),
    "nvidia/segformer-b0-finetuned-ade-512-512": ("SegformerForSemanticSegmentation",
                                                  segformer([2, 2, 2, 2], False), [3, 512, 512]),
    "nvidia/segformer-b1-finetuned-ade-512-512": ("SegformerForSemanticSegmentation",
                                                  segformer([2, 2, 2, 2]), [3, 512, 512]),
    "nvidia/segformer-b2-finetuned-ade-512-512": ("SegformerForSemanticSegmentation",
                                                  segformer([3, 4, 6, 3]), [3, 512, 512]),
    "nvidia/segformer-b3-finetuned-ade-512-512": ("SegformerForSemanticSegmentation",
                                                  segformer([3, 4, 18, 3]), [3, 512, 512]),
    "nvidia/segformer-b4-finetuned-ade-512-512": ("SegformerForSemanticSegmentation",
                                                  segformer([3, 8, 27, 3]), [3, 512, 512]),
    "nvidia/segformer-b5-finetuned-ade-640-640": ("SegformerForSemanticSegmentation",
                                                  segformer([3, 6, 40, 3]), [3, 640, 640]),
    "hustvl/yolos-base": ("YolosModel", {}, [3, 512, 864]),
}
OTHERS = {  # other names of the same network
    **{f"resnet{n}": [f"microsoft/resnet-{n}"] for n in (18, 34, 50, 101, 152)},
    **{f"swin_{s}_patch4_window7_224": [f"microsoft/swin-{s}-patch4-window7-224"] for s in ("tiny", "small", "base")},
    **{f"convnext_{s}": [f"facebook/convnext-{s}-224"] for s in ("tiny", "small", "base", "large")},
    "beit_base_patch16_224": ["microsoft/beit-base-patch16-224"],
    "mobilenetv2_100": ["google/mobilenet_v2_1.0_224"],
    "facebook/wav2vec2-base": ["facebook/wav2vec2-base-960h"],
    "facebook/wav2vec2-large": ["facebook/wav2vec2-large-960h"],
    "facebook/wav2vec2-large-xlsr-53": ["facebook/wav2vec2-xls-r-300m", "facebook/wav2vec2-large-960h-lv60-self"],
    "facebook/hubert-large-ll60k": ["facebook/hubert-large-ls960-ft"],
    "microsoft/wavlm-base": ["microsoft/wavlm-base-plus"],
    "laion/CLIP-ViT-H-14-laion2B-s32B-b79K": ["clip-vit-h-14"],
    "MCG-NJU/videomae-base": ["MCG-NJU/videomae-base-finetuned-kinetics"],
}
QUIET = dict(layerdrop=0.0, apply_spec_augment=False)


class Sampled(torch.nn.Module):
    """A model of transformers as a function of one tensor."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x):
        config = self.model.config
        if hasattr(config, "feat_extract_norm") or "AST" in type(self.model).__name__:
            return self.model(input_values=x.flatten(1) if hasattr(config, "conv_dim") else x).logits.flatten(0, -2)
        if "Sam" in type(self.model).__name__:
            points = torch.zeros(x.shape[0], 1, 1, 2, device="meta")
            return self.model(pixel_values=x, input_points=points, multimask_output=False).pred_masks.flatten(0, -2)
        if hasattr(config, "text_config"):
            words = torch.zeros(x.shape[0], config.text_config.max_position_embeddings, dtype=torch.long,
                                device="meta")
            return self.model(pixel_values=x, input_ids=words).logits_per_image
        out = self.model(pixel_values=x)
        out = out.logits if hasattr(out, "logits") else out.last_hidden_state
        return out.flatten(2).transpose(1, 2).flatten(0, 1) if out.dim() == 4 else out

    def set_grad_checkpointing(self, enable):
        self.model._set_gradient_checkpointing(enable, run_again)

# https://docs.pytorch.org/docs/stable/amp.html, CUDA ops
HALF = set("""__matmul__ __rmatmul__ addbmm addmm addmv addr baddbmm bmm chain_matmul multi_dot conv1d
conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d linear matmul mm mv prelu einsum
_convolution""".split())
FULL = set("""__pow__ __rdiv__ __rpow__ __rtruediv__ acos asin cosh cosine_embedding_loss cdist
cosine_similarity cross_entropy cross_entropy_loss cumprod cumsum dist erfinv exp expm1 group_norm
kl_div l1_loss layer_norm log log10 log_softmax log1p log2 mse_loss nll_loss norm linalg_vector_norm
pow prod reciprocal rsqrt sinh smooth_l1_loss softmax softmin softplus sum tan rms_norm
normalize""".split())


def cast_tree(value, cast):
    if isinstance(value, torch.Tensor):
        return cast(value)
    if isinstance(value, (list, tuple)):
        return type(value)(cast_tree(v, cast) for v in value)
    return value


class Watch(TorchFunctionMode):
    """Sees each operation: what convolutions make, and under autocast the casts."""

    def __init__(self, half, own):
        super().__init__()
        self.half, self.copies, self.own = half, {}, own
        self.unfolded, self.attends = 0, False

    def to_half(self, x):
        if x.dtype != torch.float32:
            return x
        if not x.is_leaf or not x.requires_grad:
            return x.half()
        if id(x) not in self.copies:  # of parameters, which do not count
            self.copies[id(x)] = x.half()
            self.own.add(self.copies[id(x)].untyped_storage()._cdata)
        return self.copies[id(x)]

    @staticmethod
    def to_full(x):
        return x.float() if x.dtype == torch.float16 else x

    def look(self, args, kwargs, out):
        weight = kwargs["weight"] if "weight" in kwargs else args[1]
        kernel = weight[0, 0].numel() if weight.dim() > 2 else 1
        if kernel > 1:
            rows = weight.shape[1] * kernel * out[0, 0].numel()
            self.unfolded = max(self.unfolded, rows)

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if self.half:
            cast = self.to_half if name in HALF else self.to_full if name in FULL else None
            if cast:
                args, kwargs = cast_tree(args, cast), {k: cast_tree(v, cast)
                                                       for k, v in kwargs.items()}
        out = func(*args, **kwargs)
        self.attends = self.attends or name in ("softmax", "matmul", "__matmul__", "bmm", "einsum")
        if name.startswith("conv") and "transpose" not in name and isinstance(out, torch.Tensor):
            self.look(args, kwargs, out)
        return out


STATE = {"fused": True, "half": False}
CHECKPOINT = torch.utils.checkpoint.checkpoint
MANY = 32  # samples, beside which what stands whatever their number does not count


def attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None,
              enable_gqa=False):
    """As CUDA's kernels keep it; written out where the model is asked to."""
    if STATE["half"]:
        q, k, v = q.half(), k.half(), v.half()
    if enable_gqa and k.shape[-3] != q.shape[-3]:
        times = q.shape[-3] // k.shape[-3]
        k, v = k.repeat_interleave(times, -3), v.repeat_interleave(times, -3)
    if not STATE["fused"]:
        scores = (q * (scale or q.shape[-1] ** -0.5)) @ k.transpose(-2, -1)
        if attn_mask is not None and attn_mask.dtype != torch.bool:
            scores = scores + attn_mask
        return scores.softmax(-1) @ v
    mask = None
    if attn_mask is not None and attn_mask.dtype != torch.bool:
        mask = attn_mask.to(q.dtype).expand(*q.shape[:-1], k.shape[-2])
    lead = q.shape[:-3]
    q, k, v = (x.reshape(-1, *x.shape[-3:]) for x in (q, k, v))
    mask = mask.reshape(-1, *mask.shape[-3:]) if mask is not None else None
    out = torch.ops.aten._scaled_dot_product_efficient_attention(
        q, k, v, mask, True, 0.0, is_causal, scale=scale)[0]
    return out.reshape(*lead, *out.shape[-3:])


def dropout(x, p=0.5, training=True, inplace=False):
    return torch.native_dropout(x, p, True)[0] if training and p > 0 else x


class BatchNorm(torch.autograd.Function):
    """Keeps what the kernel keeps; the meta device's own takes most of the time."""

    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight, *torch.empty(2, x.shape[1], device="meta"))
        return torch.empty_like(x)

    @staticmethod
    def backward(ctx, out):
        return tuple(x if x is None else torch.empty_like(x) for x in ctx.saved_tensors[:2])


def batch_norm(x, mean, var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    return BatchNorm.apply(x, weight)


def patch():
    functional.has_torch_function = lambda *a: False
    functional.has_torch_function_unary = lambda *a: False
    functional.has_torch_function_variadic = lambda *a: False
    functional.scaled_dot_product_attention = attention
    functional.dropout = dropout
    functional.batch_norm = batch_norm
    for name in dir(torch.nn.init):
        if name.endswith("_") and not name.startswith("_"):
            setattr(torch.nn.init, name, lambda tensor, *a, **k: tensor)


VIDEO = ("r3d_18", "mc3_18", "r2plus1d_18", "s3d", "swin3d", "mvit")
SEGMENTS = ("fcn", "deeplab", "lraspp")


def shape_of(name):
    """Of one sample, as torchvision's pages give it."""
    if name.startswith(VIDEO):
        return [3, 16] + 2 * [112 if "_18" in name else 224]
    return [3] + 2 * [520 if name.startswith(SEGMENTS) else 299 if name == "inception_v3" else 224]


def make(library, name, side):
    if library == "transformers":
        kind, settings, _ = HUGGING_FACE[name]
        kind = getattr(transformers, kind)
        config = kind.config_class(**settings)
        for key, value in QUIET.items():
            if hasattr(config, key):
                setattr(config, key, value)
        config._attn_implementation = "sdpa" if kind._supports_sdpa else "eager"
        return Sampled(kind(config))
    if library == "timm":
        sized = {"img_size": side} if side else {}
        try:
            return timm.create_model(name, pretrained=False, **sized)
        except TypeError:
            return timm.create_model(name, pretrained=False)
    more = {"image_size": side} if side and name.startswith("vit") else {}
    more.update({"weights_backbone": None} if name.startswith(SEGMENTS) else {})
    return torchvision.models.get_model(name, weights=None, **more)


def build(library, name, side=None):
    """The model on the meta device, at once or, where it computes with its parameters, by way of
    the CPU, and the shape of one sample."""
    try:
        with torch.device("meta"):
            model = make(library, name, side)
    except (RuntimeError, NotImplementedError, ValueError):
        model = make(library, name, side)
    if library == "transformers":
        return model.to("meta").train(), list(HUGGING_FACE[name][2])
    shape = shape_of(name) if library == "torchvision" else list(model.default_cfg["input_size"])
    if side:
        shape[-2:] = [side, side]
    return model.to("meta").train(), shape


def loss_of(out):
    if isinstance(out, dict):
        out = out["out"]
    if hasattr(out, "logits"):
        out = out.logits
    if isinstance(out, (tuple, list)):
        out = out[0]
    if out.dim() == 1:
        out = out.unsqueeze(0)
    target = torch.zeros([out.shape[0]] + list(out.shape[2:]), dtype=torch.long, device="meta")
    return functional.cross_entropy(out, target)


def saved(model, shape, batch, half, fused):
    STATE["half"], STATE["fused"] = half, fused
    own = {t.untyped_storage()._cdata for t in list(model.parameters()) + list(model.buffers())}
    held, sizes = [], {}

    def pack(tensor):
        storage = tensor.untyped_storage()
        if storage._cdata not in own:
            held.append(tensor)
            sizes[storage._cdata] = storage.nbytes()
        return tensor

    watch = Watch(half, own)
    with saved_tensors_hooks(pack, lambda t: t), watch:
        loss = loss_of(model(torch.empty([batch] + shape, device="meta")))
    total = sum(sizes.values())
    del loss
    return total, watch


def run_again(function, *args, **kwargs):
    return CHECKPOINT(function, *args, **{**kwargs, "use_reentrant": False,
                                          "preserve_rng_state": False})


def checkpointed(model, shape, kept):
    """Of what one sample keeps in float32 (kept), in thousandths, the most that lives in a step where the
    library computes segments again; "-" where it has no way to."""
    if not hasattr(model, "set_grad_checkpointing"):
        return "-"
    STATE["half"], STATE["fused"] = False, True
    for m in model.modules():
        if hasattr(m, "fused_attn"):
            m.fused_attn = True
    own = storages(model.parameters(), model.buffers())
    try:
        model.set_grad_checkpointing(True)
        torch.utils.checkpoint.checkpoint = run_again
        with Live(own) as live:
            loss = loss_of(model(live.see(torch.empty([MANY] + shape, device="meta"))))
            for p in model.parameters():  # their gradients are counted elsewhere
                p.register_post_accumulate_grad_hook(lambda p: setattr(p, "grad", None))
            loss.backward()
    except Exception:  # has the method, which refuses
        return "-"
    finally:
        torch.utils.checkpoint.checkpoint = CHECKPOINT
    return round(1000 * live.most / MANY / kept)


def both_ways(model, shape, half, fixed=None):
    """Bytes of one sample with attention fused and written out (some models write it out
    themselves)."""
    flags = [m for m in model.modules() if hasattr(m, "fused_attn")]
    for m in flags:
        m.fused_attn = False
    eager, watch = saved(model, shape, 2, half, False)
    if fixed is None:
        fixed = 3 * eager - 2 * saved(model, shape, 3, half, False)[0]
    if not watch.attends:
        return (eager - fixed) // 2, (eager - fixed) // 2, watch, fixed
    for m in flags:
        m.fused_attn = True
    fused = saved(model, shape, 2, half, True)[0]
    return (fused - fixed) // 2, (eager - fixed) // 2, watch, fixed


class Made(TorchDispatchMode):
    """Counts what convolutions and products of matrices make, as fvcore and timm do: neither sees
    recurrent layers nor convolutions whose padding is a word, aten::_convolution_mode."""

    elements = 0
    unseen = 0  # of those, how many run

    def watch(self, model):
        for m in model.modules():
            if isinstance(m, torch.nn.RNNBase) or isinstance(getattr(m, "padding", None), str):
                yield m.register_forward_pre_hook(lambda *_: self.step(1))
                yield m.register_forward_hook(lambda *_: self.step(-1))

    def step(self, by):
        self.unseen += by

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        aten = torch.ops.aten
        products = (aten.convolution, aten.addmm, aten.mm, aten.bmm, aten.baddbmm)
        if not self.unseen and func.overloadpacket in products:
            self.elements += out.numel()
        return out


def activations(model, shape):
    """Of one sample, attention written out; "-" where the model does not run so."""
    STATE["half"], STATE["fused"] = False, False
    for m in model.modules():
        if hasattr(m, "fused_attn"):
            m.fused_attn = False
    made = Made()
    hooks = list(made.watch(model))
    try:
        with torch.no_grad(), made:
            model.eval()(torch.empty([1] + shape, device="meta"))
        return made.elements
    except Exception:
        return "-"
    finally:
        for hook in hooks:
            hook.remove()
        model.train()


SIZED = (torch.nn.Linear, torch.nn.modules.conv._ConvNd, torch.nn.modules.batchnorm._NormBase,
         torch.nn.GroupNorm, torch.nn.LayerNorm, torch.nn.RMSNorm, torch.nn.Embedding,
         torch.nn.modules.rnn.RNNBase)


def printed(model):
    """Parameters whose sizes print(model) tells, of a module as often as it stands there."""
    return sum(p.numel() for _, m in model.named_modules(remove_duplicate=False)
               if isinstance(m, SIZED) for name, p in m._parameters.items()
               if p is not None and name.startswith(("weight", "bias")))


def square(small, big):
    """Of what one sample keeps, in thousandths, what grows with the square of the area."""
    return min(1000, round(max(0.0, (big - 4 * small) / 12) / small * 1000))


def measure(task):
    library, name = task
    torch.set_num_threads(1)
    problem = None
    try:
        model, shape = build(library, name)
        fused32, eager32, watch, fixed = both_ways(model, shape, False)
        fused16, eager16, _, _ = both_ways(model, shape, True)
        parameters = sum(p.numel() for p in model.parameters())
        buffers = sum(b.numel() * b.element_size() for b in model.buffers())
        whole = library != "transformers"  # its networks are for inputs of any length
        counted = activations(model, shape) if whole else "-"
        again = checkpointed(model, shape, fused32)
    except Exception as why:  # a model that cannot run so is left out, and said
        return None, f"{library} {name}: {type(why).__name__}: {str(why)[:150]}"
    squares = (0, 0) if whole else ("-", "-")
    try:
        if watch.attends and whole:
            big, wide = build(library, name, shape[-1] * 2)
            fused, eager, _, _ = both_ways(big, wide, False, fixed)
            squares = square(fused32, fused), square(eager32, eager)
    except Exception as why:  # says so; the columns are "-"
        squares, problem = ("-", "-"), f"{library} {name} at twice the side: {str(why)[:100]}"
    sides = shape[1:] if len(shape) > 2 else shape
    side = shape[-1] if len(set(sides)) == 1 else "x".join(str(s) for s in sides)
    evaluated = (getattr(model, "default_cfg", None) or {}).get("test_input_size")
    if evaluated and evaluated[-1] == evaluated[-2] != shape[-1]:
        side = f"{side}/{evaluated[-1]}"
    return [name, LIBRARIES[library], parameters, buffers, side, fused32, eager32, fused16, eager16,
            *squares, watch.unfolded, counted, again, printed(model) if whole else "-"], problem


def tasks():
    found = [("timm", name) for name in timm.list_models()]
    vision = torchvision.models.list_models(module=torchvision.models)
    vision += torchvision.models.list_models(module=torchvision.models.segmentation)
    vision += torchvision.models.list_models(module=torchvision.models.video)
    return found + [("torchvision", name) for name in dict.fromkeys(vision)] + [
        ("transformers", name) for name in HUGGING_FACE]


def aliases():
    """Names of timm's earlier versions -> today's."""
    found = {}
    for old in timm.models._registry._module_to_deprecated_models.values():
        for name, now in old.items():
            if now:
                found.setdefault(now.split(".")[0], []).append(name)
    return found


HEAD = """# Public vision models, measured by tests/accuracy/public_vision.py (which tells how) with PyTorch
# {torch}; each library and its version stand in the row. Names: the library's today, then those of its
# earlier versions. side: of the images it is made for, and behind a stroke of those that its library
# evaluates it with, where they are others. fused32 .. eager16: bytes that one sample keeps for backward
# in float32 and under 16-bit autocast, attention by a fused kernel or written out ("=": none can be fused).
# square_*: thousandths of float32's that grow with the square of the images' area; "-" not measured.
# unfolded: elements of the largest convolution's input, unfolded for its kernel. activations: elements
# that convolutions and products of matrices make of one sample, as fvcore counts them.
# checkpointed: thousandths of fused32 that live at the most in a step with the library's own checkpointing
# "-": none there, or not measured. printed: parameters whose sizes print(model) tells. A sample of
# transformers is an image, with a text where the model reads pairs, a film, or ten seconds of sound."""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-j", type=int, default=1)
    parser.add_argument("--part", type=int, nargs=2, default=[0, 1], metavar=("I", "N"),
                        help="every N-th of them, from the I-th on")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    todo = [t for t in tasks() if not args.names or t[1] in args.names]
    todo = todo[args.part[0]::args.part[1]]
    known = aliases()
    print(HEAD.format(torch=torch.__version__.split("+")[0]))
    print("\t".join(FIELDS))
    with multiprocessing.Pool(args.j, initializer=patch, maxtasksperchild=60) as pool:
        for row, problem in pool.imap(measure, todo, chunksize=1):
            if row and row[1] != LIBRARIES["torchvision"]:
                row[0] = " ".join([row[0]] + known.get(row[0], []) + OTHERS.get(row[0], []))
            for at in (6, 8) if row else ():
                row[at] = "=" if row[at] == row[at - 1] else row[at]
            if row:
                print("\t".join(str(x) for x in row), flush=True)
            if problem:
                print(problem, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
