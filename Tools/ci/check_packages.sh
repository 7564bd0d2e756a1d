#!/usr/bin/env bash
# Installs each package of dist/ on a clean Debian without a toolchain and uses it as a person would: the .deb, the archive and the
# image, whichever are there. Needs root, for chroot and namespaces, and this machine's sources of Debian packages.
#
# usage: Tools/ci/check_packages.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
work=$(mktemp -d)
server=
# Everything runs in one mount namespace of its own, so nothing stays mounted.
if [ -z "${STENO_NAMESPACE:-}" ]; then
    rm -rf "$work"
    [ "$(id -u)" = 0 ] || { echo "check_packages: needs root" >&2; exit 77; }
    STENO_NAMESPACE=1 exec unshare --mount --pid --fork --kill-child "$0" "$@"
fi
end() {
    [ -z "$server" ] || kill "$server" 2> /dev/null || true
    umount -R "$work"/*/proc "$work"/*/dev "$work"/*/root 2> /dev/null || true
    rm -rf "$work"
}
trap end EXIT
fail() {
    echo "check_packages: $1" >&2
    exit 1
}
sample=Sources/StenoBundledModel/Resources/samples/inaugural-1961.wav
country="what you can do for your country"
debian=$work/debian.tar
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
checked=0

clean_root() {
    [ -e "$debian" ] || mmdebstrap --quiet --variant=apt "$release" "$debian"
    mkdir -p "$1"
    tar -C "$1" -xf "$debian"
    mount --bind /dev "$1/dev"
    mount -t proc proc "$1/proc"
    cp "$sample" "$1/root/talk.wav"
}
inside() {
    local folder=$1
    shift
    env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
        chroot "$folder" "$@"
}

# Waits for /health; the second argument is the process whose end is a failure.
answers() {
    for ((try = 0; try < 300; try++)); do
        kill -0 "$2" 2> /dev/null || return 1
        if (exec 3<> "/dev/tcp/127.0.0.1/$1" && printf 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3 \
            && grep -q ok <&3) 2> /dev/null; then return 0; fi
        sleep 0.2
    done
    return 1
}

for package in dist/steno_*_"$(dpkg --print-architecture)".deb; do
    [ -e "$package" ] || continue
    ! command -v lintian > /dev/null || lintian --allow-root --fail-on error,warning --tag-display-limit 0 "$package" || fail "lintian complains"
    place=$work/deb
    clean_root "$place"
    cp "$package" "$place/root/steno.deb"
    start=$EPOCHREALTIME
    inside "$place" apt-get update -qq
    inside "$place" apt-get install -y -qq --no-install-recommends /root/steno.deb > /dev/null 2>&1 || fail "apt cannot install $package"
    installed=$EPOCHREALTIME
    text=$(inside "$place" steno transcribe /root/talk.wav)
    [[ "$text" == *"$country"* ]] || fail "the command of the .deb gives: $text"
    awk -v a="$start" -v b="$installed" -v c="$EPOCHREALTIME" -v size="$(stat -c %s "$package")" \
        'BEGIN { printf "%s: %.0f MB; apt install %.1f s, first text %.1f s later\n", "'"$package"'", size / 1e6, b - a, c - b }'
    inside "$place" sh -c 'test -s /usr/share/man/man1/steno.1.gz && test -s /usr/share/doc/steno/copyright' || fail "the .deb lacks a page"
    if command -v systemd-analyze > /dev/null; then
        systemd-analyze verify "$place/lib/systemd/system/steno-server.service" 2>&1 | grep -v "is not executable" | grep steno && fail "systemd complains"
        rating=$(systemd-analyze security --offline=yes "$place/lib/systemd/system/steno-server.service" 2> /dev/null | tail -1)
        echo "$rating"
        [[ "$rating" == *OK* || "$rating" == *SAFE* ]] || fail "systemd-analyze security: $rating"
    fi
    inside "$place" apt-get purge -y -qq steno > /dev/null 2>&1 || fail "apt cannot remove $package"
    [ ! -e "$place/usr/lib/steno" ] || fail "removing the .deb leaves files"
    checked=$((checked + 1))
done

for archive in dist/steno-*-linux-"$(uname -m)".tar.gz; do
    [ -e "$archive" ] || continue
    place=$work/archive
    clean_root "$place"
    inside "$place" apt-get update -qq
    inside "$place" apt-get install -y -qq --no-install-recommends libcurl4 libsqlite3-0 > /dev/null 2>&1
    tar -C "$place/root" -xzf "$archive"
    folder=/root/$(basename "$archive" .tar.gz)
    start=$EPOCHREALTIME
    text=$(inside "$place" "$folder/bin/steno" transcribe /root/talk.wav)
    [[ "$text" == *"$country"* ]] || fail "the command in the unpacked archive gives: $text"
    awk -v a="$start" -v b="$EPOCHREALTIME" -v size="$(stat -c %s "$archive")" \
        'BEGIN { printf "%s: %.0f MB; first text %.1f s\n", "'"$archive"'", size / 1e6, b - a }'
    inside "$place" "$folder/install.sh" > /dev/null
    inside "$place" rm -rf "$folder/lib"
    text=$(inside "$place" steno transcribe --model moonshine-tiny /root/talk.wav)
    [[ "$text" == *"$country"* ]] || fail "the installed command gives: $text"
    inside "$place" "$folder/install.sh" --uninstall > /dev/null
    [ ! -e "$place/usr/local/bin/steno" ] && [ ! -e "$place/usr/local/lib/steno" ] || fail "install.sh --uninstall leaves files"
    checked=$((checked + 1))
done

if [ -e dist/steno-image.tar ]; then
    # Another program than the one that wrote the image reads it.
    mkdir "$work/layout"
    tar -C "$work/layout" -xf dist/steno-image.tar
    if command -v umoci > /dev/null; then
        tag=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["manifests"][0]["annotations"]["org.opencontainers.image.ref.name"])' "$work/layout/index.json")
        umoci unpack --image "$work/layout:$tag" "$work/image"
    else
        mkdir -p "$work/image/rootfs"
        python3 - "$work/layout" "$work/image/rootfs" << 'PYTHON'
import json, pathlib, subprocess, sys
layout = pathlib.Path(sys.argv[1])
read = lambda entry: layout / "blobs" / entry["digest"].replace(":", "/")
manifest = json.loads(read(json.loads((layout / "index.json").read_text())["manifests"][0]).read_text())
for layer in manifest["layers"]:
    subprocess.run(["tar", "-C", sys.argv[2], "-xzf", read(layer)], check=True)
PYTHON
    fi
    place=$work/image/rootfs
    openssl rand -hex 32 > "$work/key"
    port=$((20000 + RANDOM % 20000))
    start=$EPOCHREALTIME
    # As a container engine would: read-only root, a user without rights, memory for /tmp, its own namespaces except the network.
    unshare --mount --uts --ipc bash -ec '
        mount --bind "$1" "$1"
        mount -t proc proc "$1/proc"
        mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"
        mkdir -p "$1/run/secrets"
        touch "$1/run/secrets/keys"
        mount -t tmpfs -o mode=0755 tmpfs "$1/run/secrets"
        install -o 1000 -m 600 "$2" "$1/run/secrets/keys"
        mount -o remount,bind,ro "$1"
        chroot=$(command -v chroot)
        exec env -i HOME=/tmp PATH=/usr/local/bin:/usr/bin:/bin STENO_MODELS=/models \
            "$chroot" --userspec=1000:1000 "$1" /usr/lib/steno/steno-server serve --host 127.0.0.1 --port "$3" --api-key-file /run/secrets/keys
    ' image "$place" "$work/key" "$port" > "$work/server.log" 2>&1 &
    server=$!
    answers "$port" "$server" || fail "the server of the image does not answer: $(tail -5 "$work/server.log")"
    ready=$EPOCHREALTIME
    text=$(curl -sf -H "Authorization: Bearer $(cat "$work/key")" -F file=@"$sample" -F response_format=text \
        "http://127.0.0.1:$port/v1/audio/transcriptions") || fail "the server of the image refuses a recording"
    [[ "$text" == *"$country"* ]] || fail "the server of the image gives: $text"
    awk -v a="$start" -v b="$ready" -v c="$EPOCHREALTIME" -v size="$(stat -c %s dist/steno-image.tar)" \
        'BEGIN { printf "dist/steno-image.tar: %.0f MB; ready in %.1f s, first text %.1f s later\n", size / 1e6, b - a, c - b }'
    [ "$(stat -c %s dist/steno-image.tar)" -le 250000000 ] || fail "the image has more than 250 MB"
    kill -TERM "$server"
    wait "$server" || fail "the server of the image does not end cleanly: $(tail -5 "$work/server.log")"
    server=
    checked=$((checked + 1))
fi
[ "$checked" -gt 0 ] || fail "there are no packages in dist; make release writes them"
echo "check_packages: $checked packages work on a clean Debian"
