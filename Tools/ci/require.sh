#!/usr/bin/env bash
# Reports missing programs and headers in one sentence, with the command that installs them, instead of letting minutes of
# compiling end in an error. The exit code is 1 if something is missing. Only this script knows which packages provide what.
#
#     Tools/ci/require.sh NAME …              one or more of the names in `known` below
#     Tools/ci/require.sh --install NAME …    installs what is missing, as .ci/run does on a fresh machine
set -euo pipefail

# The name; the display name; its packages for apt, dnf and brew, or a dash.
known='
swift|Swift 6.2 or later (https://www.swift.org/install)|-|-|-
make|make|make|make|make
python3|Python 3|python3|python3|python3
cc|a C compiler|gcc|gcc|-
curl|the header of libcurl|libcurl4-openssl-dev|libcurl-devel|-
sqlite|the header of SQLite|libsqlite3-dev|sqlite-devel|-
ffmpeg|ffmpeg|ffmpeg|ffmpeg-free|ffmpeg
sndfile|libsndfile|libsndfile1|libsndfile|libsndfile
groff|groff|groff-base|groff-base|groff
pulseaudio|PulseAudio|pulseaudio pulseaudio-utils|pulseaudio pulseaudio-utils|pulseaudio
qemu|qemu for arm64|qemu-user|qemu-user|-
arm64|a C library for arm64|gcc-aarch64-linux-gnu libc6-dev-arm64-cross|-|-
node|Node.js|nodejs|nodejs|node
openssl|openssl|openssl|openssl|openssl
unshare|unshare|util-linux|util-linux|-
locales|the sources of locales|locales|glibc-locale-source|-
strip|strip|binutils|binutils|-
dpkg|dpkg-deb and dpkg-shlibdeps|dpkg-dev|-|-
mmdebstrap|mmdebstrap|mmdebstrap|-|-
umoci|umoci|umoci|-|-
runc|runc|runc|runc|-
java|Java 17|openjdk-17-jre-headless|java-17-openjdk-headless|openjdk@17
'

field() { printf '%s' "$known" | awk -F '|' -v name="$1" -v number="$2" '$1 == name { print $number }'; }

has() { command -v "$1" > /dev/null 2>&1; }

# Looks where distributions put headers; otherwise tries to build a program with this header and library. Apple's SDKs have
# both.
has_header() {
    [ "$(uname)" != Darwin ] || return 0
    local place folder status=0
    for place in "/usr/include/$1" /usr/include/*/"$1" "/usr/local/include/$1"; do [ ! -e "$place" ] || return 0; done
    folder=$(mktemp -d)
    printf '#include <%s>\nint main(void) { return 0; }\n' "$1" > "$folder/a.c"
    "${CC:-clang}" "$folder/a.c" "-l$2" -o "$folder/a" > /dev/null 2>&1 || status=1
    rm -rf "$folder"
    return $status
}

is_arm64() { case "$(uname -m)" in arm64 | aarch64) ;; *) return 1 ;; esac }

is_present() {
    case "$1" in
        swift) local command=${SWIFT:-swift} && has "${command%% *}" ;;
        cc) has "${CC:-cc}" ;;
        curl) has_header curl/curl.h curl ;;
        sqlite) has_header sqlite3.h sqlite3 ;;
        sndfile) ldconfig -p 2> /dev/null | grep -q libsndfile.so.1 || [ -e /opt/homebrew/lib/libsndfile.1.dylib ] ;;
        # Either one checks the manual page.
        groff) has groff || has mandoc ;;
        pulseaudio) has pulseaudio && has parec ;;
        dpkg) has dpkg-deb && has dpkg-shlibdeps ;;
        # An arm64 processor needs neither.
        qemu) is_arm64 || has qemu-aarch64 || has qemu-aarch64-static ;;
        arm64) is_arm64 || [ -e /usr/aarch64-linux-gnu/lib/libc.a ] ;;
        # The sources that localedef compiles for the tests.
        locales) [ -e /usr/share/i18n/locales/de_DE ] ;;
        *) has "$1" ;;
    esac
}

installs=0
if [ "${1:-}" = --install ]; then
    installs=1
    shift
fi
[ $# -gt 0 ] || { echo "usage: Tools/ci/require.sh [--install] NAME …" >&2; exit 64; }

if has apt-get; then
    column=3 manager=(apt-get install)
elif has dnf; then
    column=4 manager=(dnf install)
elif has brew; then
    column=5 manager=(brew install)
else
    # Other systems have similarly named packages.
    column=3 manager=()
fi
as_root=()
[ "$(id -u)" = 0 ] || [ "$column" = 5 ] || as_root=(sudo)

titles="" packages=()
for name in "$@"; do
    title=$(field "$name" 2)
    [ -n "$title" ] || { echo "require: there is nothing called $name in Tools/ci/require.sh" >&2; exit 64; }
    ! is_present "$name" || continue
    titles="$titles${titles:+, }$title"
    # Unquoted: there may be several packages.
    for package in $(field "$name" "$column"); do [ "$package" = - ] || packages+=("$package"); done
done
[ -n "$titles" ] || exit 0

if [ "$installs" = 1 ] && [ ${#packages[@]} -gt 0 ] && [ ${#manager[@]} -gt 0 ]; then
    case "$column" in
        3)
            ${as_root[@]+"${as_root[@]}"} apt-get update -q
            ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
                apt-get install -yq --no-install-recommends "${packages[@]}"
            ;;
        4) ${as_root[@]+"${as_root[@]}"} dnf install -y "${packages[@]}" ;;
        5) brew install "${packages[@]}" ;;
    esac
    exec "$0" "$@"
fi

command="${as_root[*]+${as_root[*]} }${manager[*]+${manager[*]} }${packages[*]+${packages[*]}}"
if [ ${#packages[@]} -eq 0 ]; then
    echo "Missing: $titles." >&2
elif [ ${#manager[@]} -eq 0 ]; then
    echo "Missing: $titles. On Debian the packages are: ${packages[*]}" >&2
else
    echo "Missing: $titles. Install with: $command" >&2
fi
exit 1
