"""A LightningModule on made up images."""

import argparse

import lightning
import torch
from torch import nn

from card import cap

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=64)
parser.add_argument("--image_size", type=int, default=128)
parser.add_argument("--width", type=int, default=64)
parser.add_argument("--steps", type=int, default=6)
parser.add_argument("--precision", default="32-true")
parser.add_argument("--accumulate_grad_batches", type=int, default=1)
parser.add_argument("--keep", action="store_true", help="remembers what each step gave")
args = parser.parse_args()
print(args, flush=True)
cap()


class Images(torch.utils.data.Dataset):
    def __len__(self):
        return args.steps * args.batch_size

    def __getitem__(self, index):
        return torch.zeros(3, args.image_size, args.image_size), index % 10


class Classifier(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        w = args.width
        self.net = nn.Sequential(nn.Conv2d(3, w, 3, padding=1), nn.BatchNorm2d(w), nn.ReLU(),
                                 nn.Conv2d(w, w, 3, padding=1), nn.BatchNorm2d(w), nn.ReLU(),
                                 nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(w, 10))
        self.seen = []

    def training_step(self, batch, number):
        x, y = batch
        loss = nn.functional.cross_entropy(self.net(x), y)
        if args.keep:
            self.seen.append(x)
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-3)


trainer = lightning.Trainer(max_epochs=1, accelerator="auto", devices=1, logger=False, precision=args.precision,
                            enable_checkpointing=False, accumulate_grad_batches=args.accumulate_grad_batches)
trainer.fit(Classifier(), torch.utils.data.DataLoader(Images(), args.batch_size))
print("done", flush=True)
