#!/usr/bin/env python3
"""Counts the parts of public pipelines for src/models/public_models.tsv and measures what training keeps.

    pipelines.py [--eager] [NAME...]

Wants PyTorch, diffusers and transformers; nothing is loaded: all runs on the meta device, whose tensors have shapes
and no bytes. A line is a name, the denoiser's parameters, the inputs and outputs of its attention's matrices, and in
MiB of one sample in 16 bit, beside parameters and their gradients: a pass of the denoiser that makes an image, the
decoder's pass, and the peak of a forward and a backward pass: all trained, adapters of attention alone, and the same
with checkpointing; the last four are differences of two batches. Attention is one fused kernel, or written out as
releases for PyTorch before 2.0 have it (--eager). The sizes are those of the published configurations. Minutes a model."""

import sys

import torch
from diffusers import (AutoencoderKL, AutoencoderKLCogVideoX, AutoencoderKLFlux2, AutoencoderKLHunyuanVideo,
                       AutoencoderKLWan, CogVideoXTransformer3DModel, CogView4Transformer2DModel,
                       Flux2Transformer2DModel, FluxTransformer2DModel, HunyuanVideoTransformer3DModel,
                       PixArtTransformer2DModel, QwenImageTransformer2DModel, SD3Transformer2DModel,
                       UNet2DConditionModel, WanTransformer3DModel)
from torch.nn import functional
from transformers import (CLIPTextConfig, CLIPTextModel, CLIPTextModelWithProjection, T5Config, T5EncoderModel,
                          UMT5Config, UMT5EncoderModel)

from live import Live, storages

TARGETS = (".to_q.", ".to_k.", ".to_v.", ".to_out.0.")


def written_out(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, **_):
    scores = (query * (scale or query.shape[-1] ** -0.5)) @ key.transpose(-2, -1)
    return (scores if attn_mask is None else scores + attn_mask).softmax(-1) @ value


def attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False, **_):
    lead = query.shape[:-3]
    query, key, value = (x.reshape(-1, *x.shape[-3:]) for x in (query, key, value))
    out = torch.ops.aten._scaled_dot_product_efficient_attention(query, key, value, None, True, 0.0, is_causal,
                                                                 scale=scale)[0]
    return out.reshape(*lead, *out.shape[-3:])


def empty(*shape):
    return torch.empty(shape, device="meta")


def of_unet(side, width, **more):
    return lambda b: dict(sample=empty(b, 4, side // 8, side // 8), timestep=empty(b),
                          encoder_hidden_states=empty(b, 77, width),
                          **{k: v(b) for k, v in more.items()})


def of_sd3(b):
    return dict(hidden_states=empty(b, 16, 128, 128), encoder_hidden_states=empty(b, 333, 4096),
                pooled_projections=empty(b, 2048), timestep=empty(b))


def of_pixart(words, sized):
    return lambda b: dict(hidden_states=empty(b, 4, 128, 128), encoder_hidden_states=empty(b, words, 4096),
                          timestep=empty(b), added_cond_kwargs={"resolution": empty(b, 2) if sized else None,
                                                                "aspect_ratio": empty(b, 1) if sized else None})


def of_flux(b):
    return dict(hidden_states=empty(b, 4096, 64), encoder_hidden_states=empty(b, 512, 4096),
                pooled_projections=empty(b, 768), timestep=empty(b), guidance=empty(b), img_ids=empty(4096, 3),
                txt_ids=empty(512, 3))


def of_cog(rotary):
    angles = (empty(13 * 30 * 45, 64), empty(13 * 30 * 45, 64))
    return lambda b: dict(hidden_states=empty(b, 13, 16, 60, 90), encoder_hidden_states=empty(b, 226, 4096),
                          timestep=empty(b), **({"image_rotary_emb": angles} if rotary else {}))


def of_wan(b):
    return dict(hidden_states=empty(b, 16, 21, 60, 104), encoder_hidden_states=empty(b, 512, 4096), timestep=empty(b))


def of_qwen(images, words):
    return lambda b: dict(hidden_states=empty(b, 4096 * images, 64), encoder_hidden_states=empty(b, words, 3584),
                          encoder_hidden_states_mask=None, timestep=empty(b), img_shapes=[[(1, 64, 64)] * images] * b)


def of_cogview(b):
    return dict(hidden_states=empty(b, 16, 128, 128), encoder_hidden_states=empty(b, 224, 4096), timestep=empty(b),
                original_size=empty(b, 2), target_size=empty(b, 2), crop_coords=empty(b, 2))


def of_flux2(words, width):
    return lambda b: dict(hidden_states=empty(b, 4096, 128), encoder_hidden_states=empty(b, words, width),
                          timestep=empty(b), img_ids=empty(4096, 4), txt_ids=empty(words, 4))


def of_hunyuan(b):
    return dict(hidden_states=empty(b, 16, 33, 90, 160), encoder_hidden_states=empty(b, 256, 4096), timestep=empty(b),
                encoder_attention_mask=empty(b, 256), pooled_projections=empty(b, 768), guidance=empty(b))


def sd3(layers, heads, **more):
    return lambda: SD3Transformer2DModel(
        sample_size=128, patch_size=2, in_channels=16, out_channels=16, num_layers=layers, num_attention_heads=heads,
        attention_head_dim=64, joint_attention_dim=4096, caption_projection_dim=heads * 64,
        pooled_projection_dim=2048, **more)


def sdxl():
    return UNet2DConditionModel(
        sample_size=128, block_out_channels=(320, 640, 1280),
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"),
        transformer_layers_per_block=(1, 2, 10), attention_head_dim=(5, 10, 20), cross_attention_dim=2048,
        addition_embed_type="text_time", addition_time_embed_dim=256, projection_class_embeddings_input_dim=2816,
        use_linear_projection=True)


def ssd():
    return UNet2DConditionModel(
        sample_size=128, block_out_channels=(320, 640, 1280), mid_block_type=None,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"),
        transformer_layers_per_block=[[], [2, 2], [4, 4]], attention_head_dim=(5, 10, 20), cross_attention_dim=2048,
        reverse_transformer_layers_per_block=[[4, 4, 10], [2, 1, 1], 1], use_linear_projection=True,
        addition_embed_type="text_time", addition_time_embed_dim=256, projection_class_embeddings_input_dim=2816)


def pixart(sized):
    return lambda: PixArtTransformer2DModel(
        sample_size=128, num_layers=28, attention_head_dim=72, in_channels=4, out_channels=8, patch_size=2,
        num_attention_heads=16, cross_attention_dim=1152, caption_channels=4096, use_additional_conditions=sized)


def cog(layers, heads, rotary):
    return lambda: CogVideoXTransformer3DModel(num_attention_heads=heads, num_layers=layers,
                                               use_rotary_positional_embeddings=rotary)


DENOISERS = {
    "stable-diffusion-1.5": (lambda: UNet2DConditionModel(cross_attention_dim=768, attention_head_dim=8,
                                                          sample_size=64), of_unet(512, 768)),
    "stable-diffusion-2.1": (lambda: UNet2DConditionModel(cross_attention_dim=1024, attention_head_dim=(5, 10, 20, 20),
                                                          use_linear_projection=True, sample_size=96),
                             of_unet(768, 1024)),
    "sdxl": (sdxl, of_unet(1024, 2048, added_cond_kwargs=lambda b: dict(text_embeds=empty(b, 1280),
                                                                        time_ids=empty(b, 6)))),
    "SSD-1B": (ssd, of_unet(1024, 2048, added_cond_kwargs=lambda b: dict(text_embeds=empty(b, 1280),
                                                                         time_ids=empty(b, 6)))),
    "sd3-medium": (sd3(24, 24, pos_embed_max_size=192), of_sd3),
    "sd3.5-medium": (sd3(24, 24, pos_embed_max_size=384, qk_norm="rms_norm",
                         dual_attention_layers=tuple(range(13))), of_sd3),
    "sd3.5-large": (sd3(38, 38, pos_embed_max_size=192, qk_norm="rms_norm"), of_sd3),
    "pixart-alpha": (pixart(True), of_pixart(120, True)),
    "pixart-sigma": (pixart(False), of_pixart(300, False)),
    "flux.1": (lambda: FluxTransformer2DModel(guidance_embeds=True), of_flux),
    "CogVideoX-2b": (cog(30, 30, False), of_cog(False)),
    "CogVideoX-5b": (cog(42, 48, True), of_cog(True)),
    "Wan2.1-T2V-1.3B": (lambda: WanTransformer3DModel(num_attention_heads=12, num_layers=30, ffn_dim=8960), of_wan),
    "Wan2.1-T2V-14B": (lambda: WanTransformer3DModel(num_attention_heads=40, num_layers=40, ffn_dim=13824), of_wan),
    "Qwen-Image": (QwenImageTransformer2DModel, of_qwen(1, 512)),
    "Qwen-Image-Edit": (QwenImageTransformer2DModel, of_qwen(2, 1369 + 64)),  # of the image to edit: 1024 / 28 squared
    "CogView4-6B": (lambda: CogView4Transformer2DModel(num_layers=28, attention_head_dim=128, num_attention_heads=32,
                                                       text_embed_dim=4096), of_cogview),
    "FLUX.2-klein-4B": (lambda: Flux2Transformer2DModel(num_layers=5, num_single_layers=20, num_attention_heads=24,
                                                        joint_attention_dim=7680, guidance_embeds=False),
                        of_flux2(512, 7680)),
    "HunyuanVideo": (HunyuanVideoTransformer3DModel, of_hunyuan),
}

CLIP_G = dict(hidden_size=1280, intermediate_size=5120, num_hidden_layers=32, num_attention_heads=20,
              projection_dim=1280)
CLIP_L = dict(hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12,
              projection_dim=768)
CLIP_H = dict(hidden_size=1024, intermediate_size=4096, num_hidden_layers=23, num_attention_heads=16)
XXL = dict(d_model=4096, d_kv=64, d_ff=10240, num_layers=24, num_heads=64, feed_forward_proj="gated-gelu")
BLOCKS = dict(block_out_channels=(128, 256, 512, 512), down_block_types=("DownEncoderBlock2D",) * 4,
              up_block_types=("UpDecoderBlock2D",) * 4, layers_per_block=2)
PARTS = {
    "CLIP L": lambda: CLIPTextModel(CLIPTextConfig(**CLIP_L)),
    "CLIP L, projected": lambda: CLIPTextModelWithProjection(CLIPTextConfig(**CLIP_L)),
    "CLIP G, projected": lambda: CLIPTextModelWithProjection(CLIPTextConfig(**CLIP_G)),
    "CLIP H": lambda: CLIPTextModel(CLIPTextConfig(**CLIP_H)),
    "T5 XXL": lambda: T5EncoderModel(T5Config(vocab_size=32128, **XXL)),
    "UMT5 XXL": lambda: UMT5EncoderModel(UMT5Config(vocab_size=256384, **XXL)),
    "decoder of 4 channels": lambda: AutoencoderKL(**BLOCKS),
    "decoder of 16 channels": lambda: AutoencoderKL(latent_channels=16, use_quant_conv=False,
                                                    use_post_quant_conv=False, **BLOCKS),
    "decoder of CogVideoX": AutoencoderKLCogVideoX,
    "decoder of Wan": AutoencoderKLWan,
    "decoder of FLUX.2": AutoencoderKLFlux2,
    "decoder of HunyuanVideo": AutoencoderKLHunyuanVideo,
}
# The decoder of each, and the latents of one image or video.
DECODED = {
    "stable-diffusion-1.5": ("decoder of 4 channels", (4, 64, 64)),
    "stable-diffusion-2.1": ("decoder of 4 channels", (4, 96, 96)),
    "sdxl": ("decoder of 4 channels", (4, 128, 128)),
    "SSD-1B": ("decoder of 4 channels", (4, 128, 128)),
    "pixart-alpha": ("decoder of 4 channels", (4, 128, 128)),
    "pixart-sigma": ("decoder of 4 channels", (4, 128, 128)),
    "CogVideoX-2b": ("decoder of CogVideoX", (16, 13, 60, 90)),
    "CogVideoX-5b": ("decoder of CogVideoX", (16, 13, 60, 90)),
    "Wan2.1-T2V-1.3B": ("decoder of Wan", (16, 21, 60, 104)),
    "Wan2.1-T2V-14B": ("decoder of Wan", (16, 21, 60, 104)),
    "Qwen-Image": ("decoder of Wan", (16, 1, 128, 128)),
    "Qwen-Image-Edit": ("decoder of Wan", (16, 1, 128, 128)),
    "FLUX.2-klein-4B": ("decoder of FLUX.2", (32, 128, 128)),
    "HunyuanVideo": ("decoder of HunyuanVideo", (16, 33, 90, 160)),
}
TILED = {"HunyuanVideo"}  # its own program decodes in tiles
# Samples at once; else two.
GUIDED = {"flux.1": 1, "Qwen-Image": 1, "Qwen-Image-Edit": 1, "Wan2.1-T2V-1.3B": 1, "Wan2.1-T2V-14B": 1,
          "HunyuanVideo": 1}


def halved(value):
    if isinstance(value, torch.Tensor):
        return value.bfloat16()
    if isinstance(value, dict):
        return {k: halved(v) for k, v in value.items()}
    return tuple(halved(v) for v in value) if isinstance(value, tuple) else value


def is_adapted(name, tensor):
    return any(t in name for t in TARGETS) and tensor.dim() == 2


def peak(make, inputs, batch, again, adapters):
    with torch.device("meta"):
        model = make()
    model = model.to(torch.bfloat16).train()
    if adapters:  # the matrices themselves keep what their adapters would
        for name, p in model.named_parameters():
            p.requires_grad_(is_adapted(name, p))
    if again:
        model.enable_gradient_checkpointing()
    own = storages(model.parameters(), model.buffers())
    for p in model.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(lambda p: setattr(p, "grad", None))
    with Live(own) as live:
        out = model(**halved(inputs(batch)), return_dict=False)[0]
        loss = functional.mse_loss(out.float(), torch.empty_like(out, dtype=torch.float32))
        del out
        loss.backward()
    return live.most


def meta16(make):
    with torch.device("meta"):
        model = make()
    return model.to(torch.bfloat16).eval()


def without_training(model, run):
    with torch.no_grad(), Live(storages(model.parameters(), model.buffers())) as live:
        run(model)
    return live.most


def passed(name):
    make, inputs = DENOISERS[name]
    return without_training(meta16(make), lambda m: m(**halved(inputs(GUIDED.get(name, 2))), return_dict=False))


def decoded(name):
    part, shape = DECODED.get(name, ("decoder of 16 channels", (16, 128, 128)))
    latents = torch.empty(1, *shape, device="meta", dtype=torch.bfloat16)
    model = meta16(PARTS[part])
    if name in TILED:
        model.enable_tiling()
    return without_training(model, lambda m: m.decode(latents, return_dict=False))


def main():
    eager = "--eager" in sys.argv
    names = [word for word in sys.argv[1:] if word != "--eager"]
    functional.scaled_dot_product_attention = written_out if eager else attention
    with torch.device("meta"):
        for name, make in PARTS.items() if not names else ():
            print(f"{name}\t{sum(p.numel() for p in make().parameters())}", flush=True)
    for name in names or DENOISERS:
        make, inputs = DENOISERS[name]
        with torch.device("meta"):
            named = list(make().named_parameters())
        kept = [passed(name), decoded(name)]
        kept += [peak(make, inputs, 3, again, adapters) - peak(make, inputs, 2, again, adapters)
                for again in (False, True) for adapters in (False, True)]
        print(f"{name}\t{sum(p.numel() for _, p in named)}\t{sum(sum(p.shape) for n, p in named if is_adapted(n, p))}",
              [round(k / 2**20) for k in kept], sep="\t", flush=True)


main()
