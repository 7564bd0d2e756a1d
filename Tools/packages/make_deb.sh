#!/usr/bin/env bash
# Makes dist/steno_VERSION_ARCH.deb: the programs and their models, a systemd unit for the server and a user service for the captions
# page, neither enabled.
#
# usage: Tools/packages/make_deb.sh STAGE VERSION     STAGE: what `make install PREFIX=/usr DESTDIR=STAGE` installed
set -euo pipefail
[ $# = 2 ] && [ -x "$1/usr/lib/steno/steno" ] || { echo "usage: Tools/packages/make_deb.sh STAGE VERSION, with an installed tree in STAGE" >&2; exit 64; }
cd "$(dirname "$0")/../.."
stage=$1 version=$2
architecture=$(dpkg --print-architecture)
date=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH=$date
maintainer="The Steno authors <steno@packages.example.org>"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

mkdir -p "$root/DEBIAN" "$root/usr/share/doc/steno" "$root/lib/systemd/system" "$root/usr/lib/systemd/user" "$root/etc/default"
cp -R "$stage/usr/." "$root/usr/"
programs=("$root"/usr/lib/steno/{steno,steno-download,steno-server})
strip --strip-unneeded --remove-section=.comment --remove-section=.note "${programs[@]}"

# Debian compresses manual pages, and has zsh's completions of packages in a folder of their own.
gzip -9n "$root/usr/share/man/man1/steno.1"
mkdir -p "$root/usr/share/zsh/vendor-completions"
mv "$root/usr/share/zsh/site-functions/_steno" "$root/usr/share/zsh/vendor-completions/_steno"
rmdir "$root/usr/share/zsh/site-functions"
# A completion is read, not run.
sed -i '1{/^#!/d}' "$root/usr/share/bash-completion/completions/steno"

# The unit of Integrations/server, with the package's paths and without the lines about copying it.
sed -e '/^#   sudo/d' -e '/^#$/d' -e 's|/usr/local/lib/steno|/usr/lib/steno|' -e 's|^ExecStart=\(.*\)|EnvironmentFile=-/etc/default/steno-server\nExecStart=\1 $STENO_SERVER_OPTIONS|' \
    Integrations/server/steno-server.service > "$root/lib/systemd/system/steno-server.service"
cp Integrations/server/steno-captions.service "$root/usr/lib/systemd/user/steno-captions.service"
cat > "$root/etc/default/steno-server" << 'END'
# Further options of `steno serve`; `steno serve --help` lists them. To serve other machines, write keys of at least 16 characters,
# one per line, to /etc/steno/keys (chmod 600), and use this line. The path in it is where systemd shows the server that file.
#STENO_SERVER_OPTIONS="--host 0.0.0.0 --api-key-file /run/credentials/steno-server.service/keys"
STENO_SERVER_OPTIONS=""
END
echo /etc/default/steno-server > "$root/DEBIAN/conffiles"

documents=$root/usr/share/doc/steno
Tools/packages/notices.sh | gzip -9n > "$documents/NOTICES.gz"
gzip -9nc CHANGELOG.md > "$documents/changelog.gz"
printf 'steno (%s) unstable; urgency=medium\n\n  * See changelog.gz.\n\n -- %s  %s\n' "$version" "$maintainer" \
    "$(LC_ALL=C date -u -R -d "@$date")" | gzip -9n > "$documents/changelog.Debian.gz"
cat Tools/packages/copyright > "$documents/copyright"

# The libraries that the programs load, by Debian's own tool.
mkdir "$work/debian"
printf 'Source: steno\n\nPackage: steno\nArchitecture: any\n' > "$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O "${programs[@]/#/-e}" 2> /dev/null | sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || { echo "make_deb: dpkg-shlibdeps found no dependencies" >&2; exit 1; }

cat > "$root/DEBIAN/control" << END
Package: steno
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Section: sound
Priority: optional
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f1)
Depends: $depends
Recommends: ffmpeg
Suggests: pulseaudio-utils | pipewire-bin | alsa-utils
Description: speech to text on this computer, live and from files
 Steno transcribes recordings and live speech without a network: with
 OpenAI's Whisper base for 99 languages and Moonshine tiny for English,
 which are included, or with larger models that it downloads.
 .
 The command steno transcribes files, shows live captions in a terminal or
 on a web page for people who are deaf or hard of hearing, labels speakers,
 and serves OpenAI's audio API and Home Assistant's Wyoming protocol.
END

find "$root" -type d -exec chmod 755 {} +
find "$root" -type f -exec chmod 644 {} +
chmod 755 "${programs[@]}"
find "$root" -newermt "@$date" -exec touch -h -d "@$date" {} +
(cd "$root" && find usr lib -type f -print0 | sort -z | xargs -0 md5sum > DEBIAN/md5sums)
touch -d "@$date" "$root/DEBIAN/md5sums" "$root/DEBIAN"

mkdir -p dist
package=dist/steno_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$package" > /dev/null
echo "$package: $(du -h "$package" | cut -f1), $(du -sh --exclude=DEBIAN "$root" | cut -f1) installed; needs $depends"
