"""Convolutional networks in plain torch, after the plans of well-known families."""

import torch
from torch import nn


def relu(inplace):
    return nn.ReLU(inplace=inplace)


def conv_norm(c_in, c_out, k=3, stride=1, groups=1, act=None, norm=True):
    layers = [nn.Conv2d(c_in, c_out, k, stride, k // 2, groups=groups, bias=not norm)]
    if norm:
        layers.append(nn.BatchNorm2d(c_out))
    if act is not None:
        layers.append(act)
    return nn.Sequential(*layers)


class PlainNet(nn.Module):
    """Three convolutions and pools, two dense layers; functional hides the activations."""

    def __init__(self, width, side, classes, dropout=0.0, functional=False):
        super().__init__()
        self.conv1 = nn.Conv2d(3, width, 3)
        self.conv2 = nn.Conv2d(width, width, 3)
        self.conv3 = nn.Conv2d(width, 2 * width, 3)
        self.pool = nn.MaxPool2d(2)
        self.act = nn.Identity() if functional else nn.ReLU()
        self.functional = functional
        for _ in range(3):
            side = (side - 2) // 2
        self.flatten = nn.Flatten()
        self.fc1 = nn.Linear(2 * width * side * side, 64)
        self.drop = nn.Dropout(dropout)
        self.fc2 = nn.Linear(64, classes)

    def _act(self, x):
        return torch.relu(x) if self.functional else self.act(x)

    def forward(self, x):
        x = self.pool(self._act(self.conv1(x)))
        x = self.pool(self._act(self.conv2(x)))
        x = self.pool(self._act(self.conv3(x)))
        x = self._act(self.fc1(self.flatten(x)))
        return self.fc2(self.drop(x))


class FunctionalNet(PlainNet):
    """The same with torch.relu called in forward and no module for it."""

    def __init__(self, width, side, classes):
        super().__init__(width, side, classes, functional=True)
        del self.act, self.drop

    def forward(self, x):
        x = self.pool(torch.relu(self.conv1(x)))
        x = self.pool(torch.relu(self.conv2(x)))
        x = self.pool(torch.relu(self.conv3(x)))
        return self.fc2(torch.relu(self.fc1(self.flatten(x))))


class VGG(nn.Module):
    def __init__(self, plan, norm, inplace, dropout, hidden=512, classes=100, side=7):
        super().__init__()
        layers, c = [], 3
        for item in plan:
            if item == "M":
                layers.append(nn.MaxPool2d(2, 2))
                continue
            layers.append(nn.Conv2d(c, item, 3, padding=1))
            if norm:
                layers.append(nn.BatchNorm2d(item))
            layers.append(relu(inplace))
            c = item
        self.features = nn.Sequential(*layers)
        self.pool = nn.AdaptiveAvgPool2d((side, side))
        self.classifier = nn.Sequential(
            nn.Linear(c * side * side, hidden), relu(inplace), nn.Dropout(dropout),
            nn.Linear(hidden, hidden), relu(inplace), nn.Dropout(dropout),
            nn.Linear(hidden, classes))

    def forward(self, x):
        return self.classifier(torch.flatten(self.pool(self.features(x)), 1))


class BasicBlock(nn.Module):
    def __init__(self, c_in, c_out, stride, inplace):
        super().__init__()
        self.conv1 = nn.Conv2d(c_in, c_out, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(c_out)
        self.relu = relu(inplace)
        self.conv2 = nn.Conv2d(c_out, c_out, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(c_out)
        self.shortcut = None
        if stride != 1 or c_in != c_out:
            self.shortcut = conv_norm(c_in, c_out, 1, stride)

    def forward(self, x):
        skip = x if self.shortcut is None else self.shortcut(x)
        x = self.relu(self.bn1(self.conv1(x)))
        return self.relu(self.bn2(self.conv2(x)) + skip)


class Bottleneck(nn.Module):
    def __init__(self, c_in, width, stride, inplace, groups=1, expansion=4):
        super().__init__()
        c_out = width * expansion
        self.conv1 = nn.Conv2d(c_in, width, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride, 1, groups=groups, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, c_out, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(c_out)
        self.relu = relu(inplace)
        self.downsample = None
        if stride != 1 or c_in != c_out:
            self.downsample = conv_norm(c_in, c_out, 1, stride)

    def forward(self, x):
        skip = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        return self.relu(self.bn3(self.conv3(out)) + skip)


class ResNet(nn.Module):
    def __init__(self, block, counts, width=64, inplace=True, expansion=1, classes=100, **extra):
        super().__init__()
        self.conv1 = nn.Conv2d(3, width, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.relu = relu(inplace)
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        c, stages = width, []
        if expansion > 1:
            extra["expansion"] = expansion
        for i, count in enumerate(counts):
            w, blocks = width * 2 ** i, []
            for j in range(count):
                blocks.append(block(c, w, 2 if i > 0 and j == 0 else 1, inplace, **extra))
                c = w * expansion
            stages.append(nn.Sequential(*blocks))
        self.layer1, self.layer2, self.layer3, self.layer4 = stages
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(c, classes)

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(torch.flatten(self.avgpool(x), 1))


class PreactBlock(nn.Module):
    """Norm and activation before each convolution."""

    def __init__(self, c_in, c_out, stride, inplace):
        super().__init__()
        self.bn1 = nn.BatchNorm2d(c_in)
        self.relu1 = relu(inplace)
        self.conv1 = nn.Conv2d(c_in, c_out, 3, stride, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(c_out)
        self.relu2 = relu(inplace)
        self.conv2 = nn.Conv2d(c_out, c_out, 3, 1, 1, bias=False)
        self.shortcut = None
        if stride != 1 or c_in != c_out:
            self.shortcut = nn.Conv2d(c_in, c_out, 1, stride, bias=False)

    def forward(self, x):
        out = self.relu1(self.bn1(x))
        skip = x if self.shortcut is None else self.shortcut(out)
        return self.conv2(self.relu2(self.bn2(self.conv1(out)))) + skip


class SqueezeExcite(nn.Module):
    def __init__(self, c, squeezed, act, gate):
        super().__init__()
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc1 = nn.Conv2d(c, squeezed, 1)
        self.act = act
        self.fc2 = nn.Conv2d(squeezed, c, 1)
        self.gate = gate

    def forward(self, x):
        return x * self.gate(self.fc2(self.act(self.fc1(self.pool(x)))))


class InvertedResidual(nn.Module):
    def __init__(self, c_in, c_out, k, stride, expand, act, squeeze=None):
        super().__init__()
        mid, layers = c_in * expand, []
        if expand != 1:
            layers.append(conv_norm(c_in, mid, 1, act=act()))
        layers.append(conv_norm(mid, mid, k, stride, mid, act()))
        if squeeze is not None:
            layers.append(squeeze(mid, c_in))
        layers.append(conv_norm(mid, c_out, 1))
        self.conv = nn.Sequential(*layers)
        self.same = stride == 1 and c_in == c_out

    def forward(self, x):
        return x + self.conv(x) if self.same else self.conv(x)


class MobileNet(nn.Module):
    """plan: (kernel, stride, expansion, channels, count)."""

    def __init__(self, plan, act, squeeze=None, stem=16, last=512, dropout=0.2, classes=100):
        super().__init__()
        layers, c = [conv_norm(3, stem, 3, 2, act=act())], stem
        for k, stride, expand, c_out, count in plan:
            for i in range(count):
                layers.append(
                    InvertedResidual(c, c_out, k, stride if i == 0 else 1, expand, act, squeeze))
                c = c_out
        layers.append(conv_norm(c, last, 1, act=act()))
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(nn.Dropout(dropout), nn.Linear(last, classes))

    def forward(self, x):
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))


class DepthwiseNet(nn.Module):
    """Depthwise and pointwise convolutions, each with norm and ReLU."""

    def __init__(self, plan, stem=16, inplace=True, classes=100):
        super().__init__()
        layers, c = [conv_norm(3, stem, 3, 2, act=relu(inplace))], stem
        for c_out, stride in plan:
            layers.append(conv_norm(c, c, 3, stride, c, relu(inplace)))
            layers.append(conv_norm(c, c_out, 1, act=relu(inplace)))
            c = c_out
        self.model = nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.fc = nn.Linear(c, classes)

    def forward(self, x):
        return self.fc(self.model(x))


class DenseLayer(nn.Module):
    def __init__(self, c_in, growth, dropout, inplace):
        super().__init__()
        self.norm1 = nn.BatchNorm2d(c_in)
        self.relu1 = relu(inplace)
        self.conv1 = nn.Conv2d(c_in, 4 * growth, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(4 * growth)
        self.relu2 = relu(inplace)
        self.conv2 = nn.Conv2d(4 * growth, growth, 3, padding=1, bias=False)
        self.drop = nn.Dropout(dropout) if dropout else None

    def forward(self, x):
        out = self.conv2(self.relu2(self.norm2(self.conv1(self.relu1(self.norm1(x))))))
        if self.drop is not None:
            out = self.drop(out)
        return torch.cat([x, out], 1)


class DenseNet(nn.Module):
    def __init__(self, counts, growth, stem, dropout=0.0, inplace=True, classes=100):
        super().__init__()
        layers = [conv_norm(3, stem, 7, 2, act=relu(inplace)), nn.MaxPool2d(3, 2, 1)]
        c = stem
        for i, count in enumerate(counts):
            for _ in range(count):
                layers.append(DenseLayer(c, growth, dropout, inplace))
                c += growth
            if i + 1 < len(counts):
                layers.append(nn.Sequential(nn.BatchNorm2d(c), relu(inplace),
                                            nn.Conv2d(c, c // 2, 1, bias=False),
                                            nn.AvgPool2d(2, 2)))
                c //= 2
        layers += [nn.BatchNorm2d(c), relu(inplace), nn.AdaptiveAvgPool2d(1), nn.Flatten()]
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Linear(c, classes)

    def forward(self, x):
        return self.classifier(self.features(x))


class DoubleConv(nn.Module):
    def __init__(self, c_in, c_out, norm, inplace):
        super().__init__()
        self.body = nn.Sequential(conv_norm(c_in, c_out, act=relu(inplace), norm=norm),
                                  conv_norm(c_out, c_out, act=relu(inplace), norm=norm))

    def forward(self, x):
        return self.body(x)


class UNet(nn.Module):
    def __init__(self, width, depth, norm=True, bilinear=False, inplace=True, classes=2):
        super().__init__()
        widths = [width * 2 ** i for i in range(depth + 1)]
        self.down = nn.ModuleList()
        c = 3
        for w in widths[:-1]:
            self.down.append(DoubleConv(c, w, norm, inplace))
            c = w
        self.pool = nn.MaxPool2d(2)
        self.middle = DoubleConv(c, widths[-1], norm, inplace)
        self.up, self.merge = nn.ModuleList(), nn.ModuleList()
        for w in reversed(widths[:-1]):
            if bilinear:
                self.up.append(nn.Sequential(
                    nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True),
                    nn.Conv2d(2 * w, w, 1)))
            else:
                self.up.append(nn.ConvTranspose2d(2 * w, w, 2, 2))
            self.merge.append(DoubleConv(2 * w, w, norm, inplace))
        self.head = nn.Conv2d(width, classes, 1)

    def forward(self, x):
        skips = []
        for block in self.down:
            x = block(x)
            skips.append(x)
            x = self.pool(x)
        x = self.middle(x)
        for up, merge in zip(self.up, self.merge):
            x = merge(torch.cat([skips.pop(), up(x)], 1))
        return self.head(x)


class Branches(nn.Module):
    def __init__(self, c_in, a, b, c, d, norm, inplace):
        super().__init__()
        self.one = conv_norm(c_in, a, 1, act=relu(inplace), norm=norm)
        self.three = nn.Sequential(conv_norm(c_in, b // 2, 1, act=relu(inplace), norm=norm),
                                   conv_norm(b // 2, b, 3, act=relu(inplace), norm=norm))
        self.five = nn.Sequential(conv_norm(c_in, c // 2, 1, act=relu(inplace), norm=norm),
                                  conv_norm(c // 2, c, 5, act=relu(inplace), norm=norm))
        self.pool = nn.Sequential(nn.MaxPool2d(3, 1, 1),
                                  conv_norm(c_in, d, 1, act=relu(inplace), norm=norm))

    def forward(self, x):
        return torch.cat([self.one(x), self.three(x), self.five(x), self.pool(x)], 1)


class InceptionNet(nn.Module):
    def __init__(self, width, blocks, norm=True, inplace=True, classes=100):
        super().__init__()
        w = width
        self.stem = nn.Sequential(conv_norm(3, w, 7, 2, act=relu(inplace), norm=norm),
                                  nn.MaxPool2d(3, 2, 1))
        body, c = [], w
        for i in range(blocks):
            if i == blocks // 2:
                body.append(nn.MaxPool2d(3, 2, 1))
            body.append(Branches(c, w, 2 * w, w // 2, w // 2, norm, inplace))
            c = 4 * w
        self.body = nn.Sequential(*body)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.drop = nn.Dropout(0.4)
        self.fc = nn.Linear(c, classes)

    def forward(self, x):
        x = self.pool(self.body(self.stem(x)))
        return self.fc(self.drop(torch.flatten(x, 1)))


class Fire(nn.Module):
    def __init__(self, c_in, squeeze, expand, inplace):
        super().__init__()
        self.squeeze = nn.Conv2d(c_in, squeeze, 1)
        self.act = relu(inplace)
        self.expand1 = nn.Conv2d(squeeze, expand, 1)
        self.act1 = relu(inplace)
        self.expand3 = nn.Conv2d(squeeze, expand, 3, padding=1)
        self.act3 = relu(inplace)

    def forward(self, x):
        x = self.act(self.squeeze(x))
        return torch.cat([self.act1(self.expand1(x)), self.act3(self.expand3(x))], 1)


class FireNet(nn.Module):
    def __init__(self, width, inplace, classes=100):
        super().__init__()
        w = width
        self.features = nn.Sequential(
            nn.Conv2d(3, w, 3, 2), relu(inplace), nn.MaxPool2d(3, 2),
            Fire(w, 16, 64, inplace), Fire(128, 16, 64, inplace), nn.MaxPool2d(3, 2),
            Fire(128, 32, 128, inplace), Fire(256, 32, 128, inplace))
        self.classifier = nn.Sequential(nn.Dropout(0.5), nn.Conv2d(256, classes, 1),
                                        relu(inplace), nn.AdaptiveAvgPool2d(1))

    def forward(self, x):
        return torch.flatten(self.classifier(self.features(x)), 1)


class Stack(nn.Module):
    """A sequence with an act after each convolution: discriminators, audio, video."""

    def __init__(self, conv, norm, act, channels, k, stride, classes):
        super().__init__()
        layers = []
        for c_in, c_out in zip(channels, channels[1:]):
            layers.append(conv(c_in, c_out, k, stride, k // 2))
            if norm is not None:
                layers.append(norm(c_out))
            layers.append(act())
        self.body = nn.Sequential(*layers)
        self.flatten = nn.Flatten()
        self.head = nn.LazyLinear(classes)

    def forward(self, x):
        return self.head(self.flatten(self.body(x)))


class ConvNextBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.dwconv = nn.Conv2d(c, c, 7, padding=3, groups=c)
        self.norm = nn.LayerNorm(c)
        self.pwconv1 = nn.Linear(c, 4 * c)
        self.act = nn.GELU()
        self.pwconv2 = nn.Linear(4 * c, c)

    def forward(self, x):
        out = self.dwconv(x).permute(0, 2, 3, 1)
        out = self.pwconv2(self.act(self.pwconv1(self.norm(out))))
        return x + out.permute(0, 3, 1, 2)


class ConvNext(nn.Module):
    def __init__(self, widths, counts, classes=100):
        super().__init__()
        layers, c = [nn.Conv2d(3, widths[0], 4, 4)], widths[0]
        for i, (w, count) in enumerate(zip(widths, counts)):
            if i > 0:
                layers += [nn.GroupNorm(1, c), nn.Conv2d(c, w, 2, 2)]
                c = w
            layers += [ConvNextBlock(c) for _ in range(count)]
        self.features = nn.Sequential(*layers)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.norm = nn.LayerNorm(c)
        self.head = nn.Linear(c, classes)

    def forward(self, x):
        x = torch.flatten(self.pool(self.features(x)), 1)
        return self.head(self.norm(x))
