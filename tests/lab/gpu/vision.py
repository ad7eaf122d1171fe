"""Trains a model of timm, without its weights, on made up images."""

import argparse

import timm
import torch

from card import DEVICE, cap

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="resnet50")
parser.add_argument("-b", "--batch-size", type=int, default=64)
parser.add_argument("--img-size", type=int, default=224)
parser.add_argument("--steps", type=int, default=4)
parser.add_argument("--amp", action="store_true")
parser.add_argument("--grad-checkpointing", action="store_true")
parser.add_argument("--validate-only", action="store_true")
args = parser.parse_args()
print(args, flush=True)
cap()
more = {"img_size": args.img_size} if "vit" in args.model else {}
model = timm.create_model(args.model, pretrained=False, num_classes=100, **more)
print(f"Model {args.model} created, param count: {sum(p.numel() for p in model.parameters())}", flush=True)
model = model.to(DEVICE)
if args.grad_checkpointing:
    model.set_grad_checkpointing()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
if args.validate_only:
    model.eval()
for step in range(args.steps):
    x = torch.randn(args.batch_size, 3, args.img_size, args.img_size, device=DEVICE)
    with torch.set_grad_enabled(not args.validate_only), \
            torch.autocast(DEVICE.type, torch.bfloat16, enabled=args.amp):
        loss = torch.nn.functional.cross_entropy(
            model(x), torch.randint(0, 100, (args.batch_size,), device=DEVICE))
    if not args.validate_only:
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    print(f"{'Test' if args.validate_only else 'Train: 0'} [{step:>4d}/{args.steps}]  Loss: {loss.item():.3f}",
          flush=True)
print("done", flush=True)
