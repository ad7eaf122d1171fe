#compdef oomdoctor
# Completion of oomdoctor for zsh; made by 'oomdoctor completion zsh'.
_oomdoctor() {
    local -a found
    local line files
    for line in "${(@f)$("${words[1]}" completion -- "${(@)words[2,CURRENT]}")}"; do
        case $line in
        :files) files=yes ;;
        ?*) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
        esac
    done
    _describe oomdoctor found
    [ -z "$files" ] || _files
}
if [ "$funcstack[1]" = _oomdoctor ]; then
    _oomdoctor "$@"
else
    compdef _oomdoctor oomdoctor
fi
