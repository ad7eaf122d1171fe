#!/bin/bash -eu
# OSS-Fuzz calls this with CC, CFLAGS, LIB_FUZZING_ENGINE, SRC, WORK and OUT. One program holds all
# harnesses; a copy picks its own by its name (<harness>_fuzzer).
[ -x configure ] || autoreconf -fi
mkdir -p "$WORK/build"
source=$PWD
cd "$WORK/build"
"$source/configure" --without-hs --disable-dependency-tracking
make -j"$(nproc)" fuzz-build FUZZ_ENGINE="$LIB_FUZZING_ENGINE"
for folder in "$source"/tests/fuzz/corpus/*; do
    name=$(basename "$folder")
    cp tests/fuzz/libfuzzer "$OUT/${name}_fuzzer"
    tests/fuzz/replay --dictionary "$name" >"$OUT/${name}_fuzzer.dict"
    (cd "$folder" && zip -q "$OUT/${name}_fuzzer_seed_corpus.zip" ./*)
done
# The images that run fuzzers have none of our libraries.
mkdir -p "$OUT/lib"
ldd tests/fuzz/libfuzzer | awk '$3 ~ /^\// { print $3 }' |
    grep -Ev '/lib(c|m|pthread|dl|rt|gcc_s)\.so' | xargs -r -I{} cp {} "$OUT/lib/"
for program in "$OUT"/*_fuzzer; do
    # shellcheck disable=SC2016
    patchelf --set-rpath '$ORIGIN/lib' "$program"
done
