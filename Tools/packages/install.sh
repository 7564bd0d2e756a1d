#!/bin/sh
# Installs Steno from the folder of this script, or removes it.
#
#     ./install.sh [PREFIX]               to PREFIX: /usr/local for root, otherwise ~/.local
#     ./install.sh --uninstall [PREFIX]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
action=install
if [ "${1:-}" = --uninstall ]; then
    action=uninstall
    shift
fi
case "${1:-}" in
    -*)
        sed -n 's/^# \{0,1\}//; 2,5p' "$0" >&2
        exit 64
        ;;
esac
if [ $# -gt 0 ]; then
    prefix=$1
elif [ "$(id -u)" = 0 ]; then
    prefix=/usr/local
else
    prefix=$HOME/.local
fi
case "$prefix" in
    /*) ;;
    *) prefix=$PWD/$prefix ;;
esac
if [ "$prefix" = "$here" ]; then
    echo "install.sh: $prefix is the folder of this archive; name another one" >&2
    exit 64
fi

# Everything but the folder lib/steno, which is Steno's alone.
files="share/man/man1/steno.1 share/bash-completion/completions/steno share/zsh/site-functions/_steno
    share/fish/vendor_completions.d/steno.fish"

if [ "$action" = uninstall ]; then
    rm -rf "$prefix/lib/steno"
    rm -f "$prefix/bin/steno"
    for file in $files; do rm -f "$prefix/$file"; done
    echo "Steno is removed from $prefix; downloaded models and histories are kept."
    exit 0
fi

mkdir -p "$prefix/bin" "$prefix/lib"
# The old version stays in use until the new one is complete; running programs keep their files.
rm -rf "$prefix/lib/steno.new"
cp -R "$here/lib/steno" "$prefix/lib/steno.new"
rm -rf "$prefix/lib/steno"
mv "$prefix/lib/steno.new" "$prefix/lib/steno"
ln -sf ../lib/steno/steno "$prefix/bin/steno"
for file in $files; do
    mkdir -p "$(dirname "$prefix/$file")"
    cp "$here/$file" "$prefix/$file"
done
"$prefix/bin/steno" --version > /dev/null || {
    echo "install.sh: the installed program does not run on this system; it needs glibc 2.36 or later on $(uname -m)" >&2
    exit 1
}
echo "Steno is installed: $prefix/bin/steno"
case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) echo "Add $prefix/bin to PATH to call it as \`steno\`." ;;
esac
