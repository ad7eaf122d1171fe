"""Networks of gpu_runs.py that no library has."""

import torch
from torch import nn


class Twice(nn.Sequential):
    def __init__(self, a, b):
        super().__init__(
            nn.Conv2d(a, b, 3, padding=1, bias=False),
            nn.BatchNorm2d(b),
            nn.ReLU(inplace=True),
            nn.Conv2d(b, b, 3, padding=1, bias=False),
            nn.BatchNorm2d(b),
            nn.ReLU(inplace=True),
        )


class UNet(nn.Module):
    def __init__(self, width=64, depth=4, classes=2):
        super().__init__()
        c = [width << i for i in range(depth + 1)]
        self.first = Twice(3, c[0])
        self.down = nn.ModuleList(
            nn.Sequential(nn.MaxPool2d(2), Twice(a, b)) for a, b in zip(c, c[1:])
        )
        self.up = nn.ModuleList(nn.ConvTranspose2d(b, a, 2, stride=2) for a, b in zip(c, c[1:]))
        self.join = nn.ModuleList(Twice(2 * a, a) for a in c[:-1])
        self.head = nn.Conv2d(width, classes, 1)

    def forward(self, x):
        kept = [self.first(x)]
        for down in self.down:
            kept.append(down(kept[-1]))
        x = kept.pop()
        for up, join in zip(reversed(self.up), reversed(self.join)):
            x = join(torch.cat([kept.pop(), up(x)], 1))
        return self.head(x)


class Res(nn.Module):
    def __init__(self, a, b, t):
        super().__init__()
        self.norm1, self.conv1 = nn.GroupNorm(32, a), nn.Conv2d(a, b, 3, padding=1)
        self.time, self.act = nn.Linear(t, b), nn.SiLU()
        self.norm2, self.drop, self.conv2 = (
            nn.GroupNorm(32, b),
            nn.Dropout(0.1),
            nn.Conv2d(b, b, 3, padding=1),
        )
        self.skip = nn.Conv2d(a, b, 1) if a != b else nn.Identity()

    def forward(self, x, t):
        h = self.conv1(self.act(self.norm1(x))) + self.time(self.act(t))[:, :, None, None]
        return self.skip(x) + self.conv2(self.drop(self.act(self.norm2(h))))


class Attend(nn.Module):
    def __init__(self, c, heads=8):
        super().__init__()
        self.norm, self.qkv, self.out, self.heads = (
            nn.GroupNorm(32, c),
            nn.Linear(c, 3 * c),
            nn.Linear(c, c),
            heads,
        )

    def forward(self, x):
        n, c, h, w = x.shape
        y = self.norm(x).flatten(2).transpose(1, 2)
        q, k, v = self.qkv(y).chunk(3, -1)
        q, k, v = (z.view(n, h * w, self.heads, c // self.heads).transpose(1, 2) for z in (q, k, v))
        y = nn.functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(n, h * w, c)
        return x + self.out(y).transpose(1, 2).reshape(n, c, h, w)


class Diffusion(nn.Module):
    def __init__(self, width=128, marks=(1, 2, 2, 4), attend=(2, 3), channels=4):
        super().__init__()
        t = 4 * width
        self.width = width
        self.time = nn.Sequential(nn.Linear(width, t), nn.SiLU(), nn.Linear(t, t))
        self.first = nn.Conv2d(channels, width, 3, padding=1)
        self.downs, self.ups, kept, c = nn.ModuleList(), nn.ModuleList(), [width], width
        for i, m in enumerate(marks):
            for _ in range(2):
                self.downs.append(
                    nn.ModuleList(
                        [Res(c, m * width, t), Attend(m * width) if i in attend else nn.Identity()]
                    )
                )
                c = m * width
                kept.append(c)
            if i + 1 < len(marks):
                self.downs.append(nn.ModuleList([nn.Conv2d(c, c, 3, stride=2, padding=1)]))
                kept.append(c)
        self.mid = nn.ModuleList([Res(c, c, t), Attend(c), Res(c, c, t)])
        for i, m in reversed(list(enumerate(marks))):
            for _ in range(3):
                self.ups.append(
                    nn.ModuleList(
                        [
                            Res(c + kept.pop(), m * width, t),
                            Attend(m * width) if i in attend else nn.Identity(),
                        ]
                    )
                )
                c = m * width
            if i:
                self.ups.append(
                    nn.ModuleList([nn.Upsample(scale_factor=2), nn.Conv2d(c, c, 3, padding=1)])
                )
        self.last = nn.Sequential(
            nn.GroupNorm(32, c), nn.SiLU(), nn.Conv2d(c, channels, 3, padding=1)
        )

    def forward(self, x, t):
        f = torch.exp(-torch.arange(self.width // 2, device=x.device) / 8.0)
        t = t[:, None].float() * f[None]
        t = self.time(torch.cat([t.sin(), t.cos()], -1))
        x = self.first(x)
        kept = [x]
        for block in self.downs:
            x = block[0](x) if len(block) == 1 else block[1](block[0](x, t))
            kept.append(x)
        x = self.mid[2](self.mid[1](self.mid[0](x, t)), t)
        for block in self.ups:
            if isinstance(block[0], nn.Upsample):
                x = block[1](block[0](x))
            else:
                x = block[1](block[0](torch.cat([x, kept.pop()], 1), t))
        return self.last(x)


class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(20000, 256)
        self.lstm = nn.LSTM(
            256, 512, num_layers=2, bidirectional=True, dropout=0.3, batch_first=True
        )
        self.head = nn.Linear(1024, 10)

    def forward(self, x):
        return self.head(self.lstm(self.table(x))[0][:, -1])


class Series(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(32, 512, num_layers=3, batch_first=True)
        self.head = nn.Linear(512, 32)

    def forward(self, x):
        return self.head(self.gru(x)[0])


class Trained(nn.Module):  # a language model with its loss
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, *x):
        if len(x) == 2:
            return self.model(input_ids=x[0], labels=x[1]).loss
        return self.model(input_ids=x[0], labels=x[0]).loss
