# Adds the options and subcommands of steno-server's commands to a manual page or completion script generated from steno,
# which only lists those commands. Works on the output of swift-argument-parser, and fails if its format has changed.
#
# usage: awk -v commands="serve captions history" -f merge_commands.awk SERVER-FILE STENO-FILE > MERGED-FILE
#        for a manual page in mdoc, or a script for bash, zsh or fish: both of the same kind

BEGIN {
    count = split(commands, names, " ")
    for (i = 1; i <= count; i++) isCommand[names[i]] = 1
}

FNR == 1 { file++; key = ""; depth = 0; hidden = 0 }

# The part that a line begins: "function NAME", "case NAME", "complete NAME" or "item NAME".
function part(line,    words, name) {
    if (line ~ /^_steno_[a-z]+[a-z_-]*\(\) \{$/) {
        split(substr(line, 8), words, /[_(]/)
        return "function " words[1]
    }
    if (line ~ /^        case '[a-z-]+'$/) {
        split(line, words, "'")
        return "case " words[2]
    }
    if (line ~ /^complete .*_offer_completions_for_[a-z_]+ "steno [a-z]/) {
        name = line
        sub(/^[^"]*"steno /, "", name)
        sub(/[ "].*$/, "", name)
        return "complete " name
    }
    if (line ~ /^\.It Em / && depth == 1) return "item " substr(line, 8)
    return ""
}

# Whether the part that `key` names ends before this line.
function endsBefore(line) {
    if (key ~ /^complete/) return part(line) != key
    if (key ~ /^case/) return line ~ /^        (case |end$)/
    return isOver
}

{
    if (key != "" && endsBefore($0)) key = ""
    if (key == "") {
        key = part($0)
        name = key
        sub(/^[^ ]* /, "", name)
        if (!(name in isCommand)) key = ""
        isOver = 0
    }
    if (key ~ /^function/ && $0 == "}") isOver = 1
    if ($0 ~ /^\.Bl/) depth++
    if ($0 ~ /^\.El/) depth--
    if (key ~ /^item/) {
        if ($0 ~ /^\.El/ && depth == 1) isOver = 1
        # `steno live` calls it; the generator of manual pages lists hidden commands too.
        if ($0 == ".It Em record") hidden = depth
        isHidden = hidden > 0
        if (hidden > 0 && $0 ~ /^\.El/ && depth == hidden) hidden = 0
        if (isHidden) next
    }
    if (file == 1) {
        if (key != "") { text[key] = text[key] $0 "\n"; if (key ~ /^function/ && isOver) text[key] = text[key] "\n" }
        next
    }
    if (key == "") { print; next }
    if (key in text && !(key in printed)) {
        printed[key] = 1
        printf "%s", text[key]
    }
}

END {
    for (key in text) if (!(key in printed)) {
        print "merge_commands.awk: the second file has no place for " key > "/dev/stderr"
        failed = 1
    }
    found = 0
    for (key in printed) found++
    if (found < count) {
        print "merge_commands.awk: not every one of " commands " was found; has the generator changed?" > "/dev/stderr"
        failed = 1
    }
    exit failed
}
