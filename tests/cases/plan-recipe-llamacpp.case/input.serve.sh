#!/bin/sh
set -e
# the small card
CUDA_VISIBLE_DEVICES=0 ./llama-server -m ./q.gguf \
    -c 16384 -ngl 20 \
    -ctk q8_0 -ub 256 --host 0.0.0.0
