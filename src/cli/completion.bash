# Completion of oomdoctor for bash; made by 'oomdoctor completion bash'.
_oomdoctor() {
    local cur=${COMP_WORDS[COMP_CWORD]}
    # --format=json comes as three words, html:FILE too
    case $cur in = | :) cur= ;; esac
    mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" completion -- \
        "${COMP_WORDS[@]:1:COMP_CWORD}" | cut -f 1)
    if [ "${COMPREPLY[*]}" = :files ]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    fi
}
complete -F _oomdoctor oomdoctor
