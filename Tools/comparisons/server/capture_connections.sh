#!/usr/bin/env bash
# Shows that the server communicates only with its clients: captures every packet of a network without other hosts.
#
#     sudo Tools/comparisons/server/capture_connections.sh PATH/steno-server RECORDING.wav
#
# The server runs in a network namespace of its own (Linux), with a loopback and a second interface that receives everything
# for other machines, including name look-ups; nobody answers there. A file is transcribed over REST, captions are opened, and
# the server ends. The exit code is 1 if a packet was neither to nor from the server's port on the loopback. Needs tcpdump,
# iproute2 and curl.
set -euo pipefail
server=${1:?the path of steno-server is missing} recording=${2:?a recording is missing}
if [ "${STENO_IN_NAMESPACE:-}" != 1 ]; then
    STENO_IN_NAMESPACE=1 exec unshare --net --mount "$0" "$@"
fi
port=18099
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null; rm -rf "$folder"' EXIT
ip link set lo up
ip link add outside type veth peer name nobody
ip link set nobody up
ip address add 192.0.2.1/24 dev outside
ip link set outside up
ip route add default via 192.0.2.254 dev outside
ip neighbour add 192.0.2.254 lladdr 02:00:00:00:00:01 dev outside
echo "nameserver 192.0.2.53" > "$folder/resolv.conf"
ip neighbour add 192.0.2.53 lladdr 02:00:00:00:00:02 dev outside
mount --bind "$folder/resolv.conf" "$(readlink -f /etc/resolv.conf)"

touch "$folder/tcpdump.log"
tcpdump -i any -nn -U -w "$folder/packets" 2> "$folder/tcpdump.log" &
capture=$!
until grep -q "listening on" "$folder/tcpdump.log"; do sleep 0.1; done
# A look-up that must be captured, to prove that the capture works.
curl -s --max-time 2 http://control.example/ > /dev/null || true

# SESSION COMMAND: the server, and what a client does with it.
session() {
    "$server" "$1" --port $port > "$folder/$1.log" 2>&1 &
    local process=$!
    until curl -sf "http://127.0.0.1:$port/health" > /dev/null; do
        kill -0 $process || { cat "$folder/$1.log"; exit 2; }
        sleep 0.2
    done
    curl -sf "http://127.0.0.1:$port/v1/audio/transcriptions" -F model=whisper-1 -F "file=@$recording" > "$folder/$1.json"
    curl -sf "http://127.0.0.1:$port/" > /dev/null || true
    kill -TERM $process
    wait $process || true
    echo "$1: $(head -c 100 "$folder/$1.json")"
}
session serve
session captions
sleep 1
kill $capture
wait $capture 2> /dev/null || true

packets() { tcpdump -nn -r "$folder/packets" "$@" 2> /dev/null; }
all=$(packets | wc -l)
control=$(packets "port 53" | grep -c control.example || true)
own=$(packets "tcp port $port and host 127.0.0.1" | wc -l)
# The kernel itself announces new interfaces to ff02::16 and asks for routers.
other=$(packets "not (tcp port $port and host 127.0.0.1) and not arp and not (ip6 and dst net ff02::/16)" | grep -v control.example || true)
echo "$all packets: $own of the server's port on the loopback, $control of the control look-up"
[ "$control" -gt 0 ] || { echo "the capture missed the look-up: it shows nothing"; exit 2; }
[ "$own" -gt 0 ] || { echo "the capture missed the clients"; exit 2; }
[ -z "$other" ] || { echo "others:"; echo "$other"; exit 1; }
echo "no other packet"
