#!/usr/bin/env bash
# Runs a command with a PATH that has only what a Debian has with Swift on it: no ffmpeg, no recorder, no Node.js, no Python, no
# OpenSSL. So it shows what a newcomer sees, on a machine where all of these are installed.
#
#     Tools/ci/bare_machine.sh COMMAND [ARGUMENT …]
#
# PATH becomes a folder of links to the programs of Debian's essential packages, of those that Swift's instructions for Debian
# install, and of make, and to the Swift toolchain. Programs that a test names with their whole path are still found.
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: Tools/ci/bare_machine.sh COMMAND [ARGUMENT …]" >&2; exit 64; }
command -v dpkg-query > /dev/null || { echo "bare_machine: only Debian's package manager says which programs belong to which package" >&2; exit 69; }

# swift.org/install/linux, for Debian, and make. Packages of headers have no programs; the compiler's have versions in their names.
swift_needs='binutils gcc gcc-[0-9]+ git gnupg2? gpg pkg-config pkgconf unzip make'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
packages=$(dpkg-query -W -f '${Package} ${Essential} ${Priority} ${db:Status-Status}\n' |
    awk -v more="^(${swift_needs// /|})\$" '$4 == "installed" && ($2 == "yes" || $3 == "required" || $1 ~ more) { print $1 }')
for package in $packages; do
    dpkg-query -L "$package" | grep -E '^(/usr)?/s?bin/[^/]+$' || true
done | while read -r program; do
    [ ! -x "$program" ] || ln -sf "$program" "$folder/${program##*/}"
done
# Names that alternatives or shells' packages make: awk, sh.
for name in awk sh which; do [ ! -x "/usr/bin/$name" ] || ln -sf "/usr/bin/$name" "$folder/$name"; done
# The toolchain may be anywhere, and its programs look for their libraries beside themselves.
toolchain=$(dirname "$(readlink -f "$(command -v swift)")")
for absent in ffmpeg parec pw-record arecord node python3 openssl curl; do
    ! PATH="$folder:$toolchain" command -v "$absent" > /dev/null || { echo "bare_machine: $absent is still there" >&2; exit 70; }
done
echo "bare_machine: $(find "$folder" -type l | wc -l) programs of $(wc -w <<< "$packages") packages, and $toolchain" >&2
PATH="$folder:$toolchain" "$@"
