# shellcheck shell=sh
# changed_since STAMP RULES FILE...: those of the files that differ from when all of them passed by the same rules (words,
# and files that are read). all_passed STAMP: now they do.
changed_since() {
    stamp=$1
    { printf '%s\n' "$2"; sha256sum $2; } 2>/dev/null | sha256sum > "$stamp.rules"
    shift 2
    mkdir -p "${stamp%/*}"
    sha256sum "$@" | LC_ALL=C sort > "$stamp.now"
    cmp -s "$stamp.rules" "$stamp.by" || : > "$stamp"
    [ -e "$stamp" ] || : > "$stamp"
    LC_ALL=C comm -13 "$stamp" "$stamp.now" | cut -c 67-
}

all_passed() {
    mv "$1.now" "$1"
    mv "$1.rules" "$1.by"
}
