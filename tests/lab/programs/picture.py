"""Thumbnails by way of a larger picture. Arguments: width and height, how many."""

import sys

from PIL import Image

SIZE, COUNT = int(sys.argv[1]), int(sys.argv[2])
for i in range(COUNT):
    picture = Image.new("RGB", (640, 480), "teal").resize((SIZE, SIZE), Image.BICUBIC)
    picture.thumbnail((128, 128))
    print(f"image {i + 1}/{COUNT}", flush=True)
print("done")
