# Completion of oomdoctor for fish; made by 'oomdoctor completion fish'.
function __oomdoctor
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    for line in ($words[1] completion -- $words[2..-1] "$last")
        if test "$line" = :files
            __fish_complete_path "$last"
        else
            echo $line
        end
    end
end
complete -c oomdoctor -f -a '(__oomdoctor)'
