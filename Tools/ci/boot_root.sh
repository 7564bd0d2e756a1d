#!/usr/bin/env bash
# Boots a Debian root file system that contains systemd, in namespaces of its own, so that units start as on a computer: with their
# sandbox, their users and their restarts. Needs root. Runs until it is killed, and then nothing of it is left.
#
# usage: Tools/ci/boot_root.sh ROOT
#
# Its child is `unshare`, whose child is the first process of that system: `nsenter --target PID --all --root --wd COMMAND` runs a
# command there. Its network has only the loopback interface.
set -euo pipefail
root=$(cd "$1" && pwd)
hierarchy=$(findmnt --noheadings --first-only --types cgroup2 --output TARGET) || { echo "boot_root: no cgroup2 is mounted" >&2; exit 77; }
group=$hierarchy/steno-boot-$$
mkdir "$group"
system=
end() {
    kill -KILL "$system" || true
    wait "$system" || true
    # Killed processes leave the group one after another.
    for ((try = 0; try < 50; try++)); do
        find "$group" -depth -type d -exec rmdir {} + && break
        sleep 0.1
    done
}
trap 'end 2> /dev/null; exit 0' TERM INT

# systemd takes the group that it starts in as the root of its own.
sh -c 'echo $$ > "$1/cgroup.procs"; shift; exec "$@"' group "$group" \
    unshare --mount --pid --uts --ipc --net --cgroup --fork --kill-child bash -euc '
    mount --make-rprivate /
    mount --bind "$1" "$1"
    cd "$1"
    mount -t proc proc proc
    mount -t sysfs -o ro sysfs sys
    mount -t cgroup2 cgroup2 sys/fs/cgroup
    mount -t tmpfs -o mode=755 tmpfs run
    mount -t tmpfs -o mode=755 tmpfs dev
    for device in null zero full random urandom tty; do
        touch "dev/$device"
        mount --bind "/dev/$device" "dev/$device"
    done
    mkdir dev/shm dev/pts
    mount -t tmpfs -o mode=1777 tmpfs dev/shm
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
    ln -s pts/ptmx dev/ptmx
    ln -s /proc/self/fd dev/fd
    # Not chroot, in which no process may make a namespace of users, as units with PrivateUsers= do.
    mkdir run/host
    pivot_root . run/host
    exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -euc "
        umount -l /run/host
        rmdir /run/host
        # As on a computer: systemd mounts credentials in another namespace, from where they come here.
        mount --make-rshared /
        exec /lib/systemd/systemd"
' boot "$root" < /dev/null &
system=$!
wait "$system" || true
end 2> /dev/null
