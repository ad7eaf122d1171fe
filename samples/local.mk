EXTRA_DIST += \
    samples/README.md \
    samples/make/bfc.py \
    samples/make/dump.py \
    samples/make/make.py \
    samples/make/net.py \
    samples/all-images-at-once.log \
    samples/card-held-by-another.log \
    samples/soft-warnings-only.log \
    samples/two-gpu-benchmark-survives.log \
    samples/two-ranks-interleaved.log \
    samples/unet-fragmented.log \
    samples/vgg16-batch180-pasted.txt \
    samples/whole-test-set-2017-cut.log
