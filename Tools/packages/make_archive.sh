#!/usr/bin/env bash
# Makes dist/steno-VERSION-linux-ARCH.tar.gz: the programs, their models, manual page and completions, and `install.sh`, which copies
# them to any prefix. The programs also run where the archive was unpacked.
#
# usage: Tools/packages/make_archive.sh STAGE VERSION     STAGE: what `make install PREFIX=/usr DESTDIR=STAGE` installed
set -euo pipefail
[ $# = 2 ] && [ -x "$1/usr/lib/steno/steno" ] || { echo "usage: Tools/packages/make_archive.sh STAGE VERSION, with an installed tree in STAGE" >&2; exit 64; }
cd "$(dirname "$0")/../.."
stage=$1 version=$2
name=steno-$version-linux-$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/$name"
cp -R "$stage/usr/." "$work/$name/"
cp LICENSE CHANGELOG.md Tools/packages/install.sh "$work/$name/"
Tools/packages/notices.sh > "$work/$name/NOTICES"
strip --strip-unneeded "$work/$name"/lib/steno/{steno,steno-download,steno-server}

# The same files give the same archive: no times, owners or order of this machine.
mkdir -p dist
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}" \
    -cf - "$name" | gzip -9n > "dist/$name.tar.gz"
echo "dist/$name.tar.gz: $(du -h "dist/$name.tar.gz" | cut -f1)"
