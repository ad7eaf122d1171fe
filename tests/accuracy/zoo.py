"""The models that measure.py measures: of each family several sizes and habits."""

from collections import namedtuple

import torch
from torch import nn

import cnns
import others

Entry = namedtuple("Entry", "name kind make example tables")
ENTRIES = []

CNN = ("torchsummary", "torchinfo_full")
SHORT = ("torchinfo", "torchsummary")
DEEP = ("torchinfo", "torchinfo_full")


def image(side, channels=3):
    return lambda: torch.rand(1, channels, side, side)


def numbers(*shape):
    return lambda: torch.rand(1, *shape)


def words(length, vocab):
    return lambda: torch.arange(length).remainder(vocab).unsqueeze(0)


# Printed modules have no sizes: their parameters are what is held against the truth.
TREES = ("vgg11_64", "resnet18_128", "mobilenetv2_128", "unet16_96", "densenet_small_96",
         "mlp_relu", "lstm_words", "gru_series", "encoder_small", "gpt_small", "gpt_untied",
         "vit_96")


def add(kind, name, make, example, tables=CNN):
    more = ("tree",) if name in TREES else ()
    ENTRIES.append(Entry(name, kind, make, example, tables + more))


VGG11 = [64, "M", 128, "M", 256, 256, "M", 512, 512, "M", 512, 512, "M"]
VGG16 = [64, 64, "M", 128, 128, "M", 256, 256, 256, "M", 512, 512, 512, "M", 512, 512, 512, "M"]
HALF16 = [c if c == "M" else c // 2 for c in VGG16]

add("plain", "plain32_150", lambda: cnns.PlainNet(32, 150, 10), image(150))
add("plain", "plain64_96_drop", lambda: cnns.PlainNet(64, 96, 6, 0.5), image(96))
add("plain", "functional32_150", lambda: cnns.FunctionalNet(32, 150, 10), image(150))
add("vgg", "vgg11_64", lambda: cnns.VGG(VGG11, False, True, 0.5, side=2), image(64))
add("vgg", "vgg11_bn_96", lambda: cnns.VGG(VGG11, True, True, 0.5, side=3), image(96))
add("vgg", "vgg16_half_128", lambda: cnns.VGG(HALF16, False, False, 0.3, side=4), image(128))
add("vgg", "vgg16_bn_112", lambda: cnns.VGG(VGG16, True, False, 0.0, side=3), image(112))
add("resnet", "resnet18_128", lambda: cnns.ResNet(cnns.BasicBlock, (2, 2, 2, 2)), image(128))
add("resnet", "resnet34_narrow_96",
    lambda: cnns.ResNet(cnns.BasicBlock, (3, 4, 6, 3), 32, False), image(96), SHORT)
add("resnet", "resnet50_128",
    lambda: cnns.ResNet(cnns.Bottleneck, (3, 4, 6, 3), 64, True, 4), image(128))
add("resnet", "resnet50_narrow_160",
    lambda: cnns.ResNet(cnns.Bottleneck, (3, 4, 6, 3), 32, False, 4), image(160))
add("resnet", "resnext50_128",
    lambda: cnns.ResNet(cnns.Bottleneck, (3, 4, 6, 3), 64, True, 4, groups=32), image(128))
add("resnet", "wideresnet_64",
    lambda: cnns.ResNet(cnns.Bottleneck, (2, 2, 2, 2), 96, True, 2), image(64))
add("resnet", "preact18_96",
    lambda: cnns.ResNet(cnns.PreactBlock, (2, 2, 2, 2), 48), image(96))

V2 = [(3, 1, 1, 16, 1), (3, 2, 6, 24, 2), (3, 2, 6, 32, 3), (3, 2, 6, 64, 4), (3, 1, 6, 96, 3),
      (3, 2, 6, 160, 3), (3, 1, 6, 320, 1)]
V3 = [(3, 1, 1, 16, 1), (3, 2, 4, 24, 2), (5, 2, 3, 40, 3), (3, 2, 6, 80, 2), (5, 2, 6, 112, 2)]


def squeeze_hard(c, c_in):
    return cnns.SqueezeExcite(c, max(8, c // 4), nn.ReLU(inplace=True), nn.Hardsigmoid())


def squeeze_silu(c, c_in):
    return cnns.SqueezeExcite(c, max(1, c_in // 4), nn.SiLU(inplace=True), nn.Sigmoid())


add("mobile", "mobilenetv2_128",
    lambda: cnns.MobileNet(V2, lambda: nn.ReLU6(inplace=True), stem=32, last=1280), image(128))
add("mobile", "mobilenetv2_relu_96", lambda: cnns.MobileNet(V2, nn.ReLU, dropout=0.0), image(96))
add("mobile", "mobilenetv3_160",
    lambda: cnns.MobileNet(V3, lambda: nn.Hardswish(inplace=True), squeeze_hard), image(160))
add("mobile", "efficientnet_128",
    lambda: cnns.MobileNet(V3, lambda: nn.SiLU(inplace=True), squeeze_silu, 32, 640), image(128))
add("mobile", "efficientnet_plain_96",
    lambda: cnns.MobileNet(V3, nn.SiLU, squeeze_silu, 24, 480, 0.3), image(96))
add("mobile", "mobilenetv1_128",
    lambda: cnns.DepthwiseNet([(32, 1), (64, 2), (64, 1), (128, 2), (128, 1), (256, 2)]),
    image(128))
add("densenet", "densenet_small_96", lambda: cnns.DenseNet((4, 6, 8), 12, 24), image(96))
add("densenet", "densenet_wide_128",
    lambda: cnns.DenseNet((3, 4, 6, 4), 32, 64, inplace=False), image(128))
add("densenet", "densenet_drop_64", lambda: cnns.DenseNet((4, 4), 24, 48, 0.2), image(64))
add("unet", "unet16_96", lambda: cnns.UNet(16, 4), image(96))
add("unet", "unet32_128_bilinear", lambda: cnns.UNet(32, 3, bilinear=True), image(128))
add("unet", "unet24_64_plain", lambda: cnns.UNet(24, 3, norm=False, inplace=False, classes=21),
    image(64))
add("inception", "inception32_128", lambda: cnns.InceptionNet(32, 4), image(128))
add("inception", "inception64_96_plain", lambda: cnns.InceptionNet(64, 6, False, False), image(96))
add("squeezenet", "fire_160", lambda: cnns.FireNet(64, True), image(160))
add("squeezenet", "fire_96_copy", lambda: cnns.FireNet(48, False), image(96))
add("stack", "discriminator_64",
    lambda: cnns.Stack(nn.Conv2d, nn.BatchNorm2d, lambda: nn.LeakyReLU(0.2, inplace=True),
                       (3, 64, 128, 256), 5, 2, 2), image(64))
add("stack", "elu_48", lambda: cnns.Stack(nn.Conv2d, None, nn.ELU, (3, 32, 64, 64), 3, 2, 10),
    image(48))
add("stack", "gelu_group_48",
    lambda: cnns.Stack(nn.Conv2d, lambda c: nn.GroupNorm(4, c), nn.GELU, (3, 32, 64), 3, 1, 10),
    image(48))
add("stack", "tanh_instance_64",
    lambda: cnns.Stack(nn.Conv2d, nn.InstanceNorm2d, nn.Tanh, (3, 32, 64), 3, 2, 10), image(64))
add("stack", "audio_4000",
    lambda: cnns.Stack(nn.Conv1d, nn.BatchNorm1d, nn.ReLU, (1, 32, 64, 128), 9, 4, 12),
    numbers(1, 4000))
add("stack", "video_16x48",
    lambda: cnns.Stack(nn.Conv3d, nn.BatchNorm3d, nn.ReLU, (3, 16, 32), 3, 2, 8),
    numbers(3, 16, 48, 48))
add("convnext", "convnext_96", lambda: cnns.ConvNext((48, 96, 192), (2, 2, 4)), image(96))
add("convnext", "convnext_wide_64", lambda: cnns.ConvNext((96, 192), (3, 3)), image(64))

add("mlp", "mlp_relu", lambda: others.MLP((784, 512, 256, 10), nn.ReLU), numbers(784))
add("mlp", "mlp_gelu_drop", lambda: others.MLP((1024, 4096, 4096, 100), nn.GELU, None, 0.1),
    numbers(1024))
add("mlp", "mlp_norm_drop",
    lambda: others.MLP((300, 1000, 1000, 1000, 5), nn.ReLU, nn.BatchNorm1d, 0.5), numbers(300))
add("mlp", "mlp_tanh", lambda: others.MLP((64, 64, 64, 2), nn.Tanh), numbers(64))

add("recurrent", "lstm_words", lambda: others.Recurrent(nn.LSTM, 5000, 128, 256),
    words(80, 5000), DEEP)
add("recurrent", "lstm_both_ways", lambda: others.Recurrent(nn.LSTM, 5000, 100, 128, 2, True),
    words(60, 5000), DEEP)
add("recurrent", "gru_words", lambda: others.Recurrent(nn.GRU, 8000, 128, 192, 2),
    words(100, 8000), DEEP)
add("recurrent", "lstm_series", lambda: others.Tagger(nn.LSTM, 24, 96, 3, 7), numbers(128, 24),
    DEEP)
add("recurrent", "gru_series", lambda: others.Tagger(nn.GRU, 16, 64, 1, 4), numbers(200, 16),
    DEEP)

add("transformer", "encoder_small",
    lambda: others.Encoder(6000, 256, 4, 1024, 4, 128, 0.1), words(128, 6000), DEEP)
add("transformer", "encoder_long",
    lambda: others.Encoder(6000, 128, 8, 512, 3, 512, 0.0), words(512, 6000), DEEP)
add("transformer", "gpt_small",
    lambda: others.GPT(3000, 192, 6, 6, 256, 0.1), words(256, 3000), DEEP)
add("transformer", "gpt_untied",
    lambda: others.GPT(5000, 256, 8, 4, 128, 0.0, False), words(128, 5000), DEEP)
add("transformer", "gpt_long",
    lambda: others.GPT(1000, 128, 4, 3, 512, 0.2), words(512, 1000), DEEP)
add("transformer", "vit_96", lambda: others.ViT(96, 8, 192, 3, 6), image(96),
    ("torchsummary", "torchinfo", "torchinfo_full"))
add("transformer", "vit_64_drop", lambda: others.ViT(64, 16, 256, 4, 4, 0.1), image(64),
    ("torchsummary", "torchinfo", "torchinfo_full"))
