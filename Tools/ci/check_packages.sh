#!/usr/bin/env bash
# Installs each package of dist/ on a clean Debian without a toolchain and uses it as a person would: the .deb, the archive and the
# image, whichever are there. Needs root, for chroot and namespaces, and this machine's sources of Debian packages.
#
# usage: Tools/ci/check_packages.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
server= system=
# Everything runs in one mount namespace of its own, so nothing stays mounted.
if [ -z "${STENO_NAMESPACE:-}" ]; then
    rm -rf "$work"
    [ "$(id -u)" = 0 ] || { echo "check_packages: needs root" >&2; exit 77; }
    STENO_NAMESPACE=1 exec unshare --mount --pid --fork --kill-child --mount-proc "$0" "$@"
fi
end() {
    [ -z "$server" ] || kill "$server" 2> /dev/null || true
    [ -z "$system" ] || shut_down
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

# Boots the root $1 with systemd, so that its units start as on a computer. `booted COMMAND` runs a command in it, and `fetch`
# runs curl in its network.
boot() {
    local state=
    Tools/ci/boot_root.sh "$1" &
    system=$!
    for ((try = 0; try < 150; try++)); do
        kill -0 "$system" 2> /dev/null || return 1
        namespaces=$(pgrep -P "$(pgrep -P "$system" -x unshare)" -x systemd) \
            && state=$(booted systemctl is-system-running 2> /dev/null) && [ "$state" = running ] && return 0
        sleep 0.2
    done 2> /dev/null
    echo "check_packages: systemd says $state" >&2
    return 1
}
booted() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin nsenter --target "$namespaces" --all --root --wd "$@"; }
fetch() { nsenter --target "$namespaces" --net curl --silent --max-time 60 "$@"; }
shut_down() {
    kill "$system" 2> /dev/null || true
    wait "$system" || true
    system=
}

# The units of the .deb that is installed in the root $1: the server with its sandbox, its keys and its restarts, and the captions page of
# a person who is logged in.
check_units() {
    local key before after restarts status user
    inside "$1" apt-get install -y -qq --no-install-recommends systemd dbus libpam-systemd > /dev/null 2>&1
    inside "$1" useradd --create-home --uid 1000 anna
    mkdir -p "$1/var/lib/systemd/linger"
    touch "$1/var/lib/systemd/linger/anna"
    boot "$1" || fail "the root with the .deb does not boot"
    [ "$(booted systemctl is-enabled steno-server)" = disabled ] || fail "the server is enabled without being asked"
    booted systemctl start steno-server
    served "" 200 "the unit"
    # After a crash it starts again.
    before=$(booted systemctl show --property MainPID --value steno-server)
    booted systemctl kill --signal=KILL steno-server
    for ((try = 0; try < 100; try++)); do
        after=$(booted systemctl show --property MainPID --value steno-server)
        [ "$after" = 0 ] || [ "$after" = "$before" ] || break
        sleep 0.1
    done
    served "" 200 "the unit after kill -9"
    restarts=$(booted systemctl show --property NRestarts --value steno-server)
    [ "$restarts" = 1 ] || fail "systemd counts $restarts restarts instead of one"

    # Keys, as /etc/default/steno-server says.
    key=$(openssl rand -hex 32)
    booted sh -c 'umask 077 && mkdir -p /etc/steno && echo "$1" > /etc/steno/keys' keys "$key"
    booted sed -i -e '/^STENO_SERVER_OPTIONS=/d' -e 's/^#STENO_SERVER_OPTIONS/STENO_SERVER_OPTIONS/' /etc/default/steno-server
    booted systemctl restart steno-server || fail "the unit with keys does not start: $(journal)"
    served "" 401 "the unit with keys"
    served "$key" 200 "the unit with keys"

    # The captions page beside the server.
    user=(runuser -u anna -- env XDG_RUNTIME_DIR=/run/user/1000 systemctl --user)
    booted "${user[@]}" start steno-captions || fail "the captions page of a user does not start: $(journal)"
    for ((try = 0; try < 150; try++)); do
        status=$(fetch --output /dev/null --write-out '%{http_code}' http://127.0.0.1:8081/) && break
        sleep 0.2
    done
    [ "$status" = 200 ] || fail "the captions page answers $status: $(journal)"
    booted "${user[@]}" stop steno-captions
    [ "$(booted "${user[@]}" show --property Result --value steno-captions)" = success ] || fail "the captions page does not end cleanly"
    booted systemctl stop steno-server
    [ "$(booted systemctl show --property Result --value steno-server)" = success ] || fail "the server does not end cleanly: $(journal)"
    shut_down
    echo "systemd: the server with sandbox, restart and keys, and the captions page of a user"
}

# The last lines of what the server said.
journal() { if [ -n "$system" ]; then booted journalctl --quiet --no-pager --lines 15; else tail -n 15 "$work/server.log"; fi; }
# Waits until the server in `namespaces` answers.
healthy() {
    for ((try = 0; try < 300; try++)); do
        ! fetch --fail --output /dev/null http://127.0.0.1:8080/health || return 0
        sleep 0.1
    done
    return 1
}
# Sends a recording with the key $1, expects the status $2, and with 200 its text. $3 says in a failure who answered.
served() {
    local status
    healthy || fail "$3 does not answer: $(journal)"
    status=$(fetch ${1:+-H "Authorization: Bearer $1"} -F file=@"$sample" -F response_format=text --output "$work/answer" \
        --write-out '%{http_code}' http://127.0.0.1:8080/v1/audio/transcriptions) || fail "$3 ends the connection"
    [ "$status" = "$2" ] || fail "$3 answers $status instead of $2: $(cat "$work/answer")"
    [ "$2" != 200 ] || grep -q "$country" "$work/answer" || fail "$3 gives: $(cat "$work/answer")"
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
    if findmnt --types cgroup2 > /dev/null; then check_units "$place"; else echo "units not started: no cgroup2 is mounted"; fi
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
    # Other programs than the one that wrote the image unpack and run it, as container engines do: a read-only root, a user without
    # rights, memory for /tmp, namespaces of its own.
    mkdir "$work/layout"
    tar -C "$work/layout" -xf dist/steno-image.tar
    tag=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["manifests"][0]["annotations"]["org.opencontainers.image.ref.name"])' "$work/layout/index.json")
    umoci unpack --image "$work/layout:$tag" "$work/image"
    key=$(openssl rand -hex 32)
    echo "$key" > "$work/keys"
    chown 1000 "$work/keys"
    chmod 600 "$work/keys"
    python3 - "$work/image/config.json" "$work/keys" << 'PYTHON'
import json, sys
path, keys = sys.argv[1:]
with open(path) as file:
    bundle = json.load(file)
bundle["root"]["readonly"] = True
bundle["process"]["terminal"] = False
bundle["mounts"] += [
    {"destination": "/tmp", "type": "tmpfs", "source": "tmpfs", "options": ["mode=1777"]},
    {"destination": "/run/secrets/keys", "type": "bind", "source": keys, "options": ["bind", "ro"]},
]
with open(path, "w") as file:
    json.dump(bundle, file)
PYTHON
    start=$EPOCHREALTIME
    runc --root "$work/runc" run --bundle "$work/image" steno > "$work/server.log" 2>&1 &
    server=$!
    for ((try = 0; try < 50; try++)); do
        namespaces=$(runc --root "$work/runc" state steno 2> /dev/null | python3 -c 'import json,sys; print(json.load(sys.stdin)["pid"])' 2> /dev/null) && break
        sleep 0.1
    done
    healthy || fail "the server of the image does not answer: $(journal)"
    ready=$EPOCHREALTIME
    served "$key" 200 "the server of the image"
    awk -v a="$start" -v b="$ready" -v c="$EPOCHREALTIME" -v size="$(stat -c %s dist/steno-image.tar)" \
        'BEGIN { printf "dist/steno-image.tar: %.0f MB; ready in %.1f s, first text %.1f s later\n", size / 1e6, b - a, c - b }'
    served "" 401 "the server of the image"
    [ "$(stat -c %s dist/steno-image.tar)" -le 250000000 ] || fail "the image has more than 250 MB"
    runc --root "$work/runc" kill steno TERM
    wait "$server" || fail "the server of the image does not end cleanly: $(journal)"
    server=
    checked=$((checked + 1))
fi
[ "$checked" -gt 0 ] || fail "there are no packages in dist; make release writes them"
echo "check_packages: $checked packages work on a clean Debian"
