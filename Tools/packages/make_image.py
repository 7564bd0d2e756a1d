#!/usr/bin/env python3
"""Makes dist/steno-image.tar, an OCI image of `steno serve` with Debian's packages that it needs, without a daemon.

The root file system is a minimal Debian with the package that `make deb` wrote, made by mmdebstrap from this machine's sources of
packages. The image runs as a user without rights, needs no writable root, and has a health check, which Docker reads although OCI's
specification does not have the field; Podman does not.

usage: make_image.py PACKAGE.deb VERSION
"""

import datetime
import gzip
import hashlib
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
USER = 1000
PORT = 8080
# Neither manuals nor translations are read in a container; licences are kept.
EXCLUDED = ["/usr/share/man/*", "/usr/share/locale/*", "/usr/share/doc/*/changelog*", "/usr/share/info/*", "/lib/systemd/*", "/usr/lib/systemd/*"]


def make_root(package: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """The root file system as a tar file."""
    release = platform.freedesktop_os_release()["VERSION_CODENAME"]
    root = folder / "root.tar"
    options = [f"--dpkgopt=path-exclude={pattern}" for pattern in EXCLUDED]
    # Copied into the root first, because apt there cannot read it elsewhere.
    command = ["mmdebstrap", "--quiet", "--variant=apt", *options,
        f"--customize-hook=copy-in {package} /var/tmp",
        f"--customize-hook=chroot \"$1\" apt-get install -y -qq --no-install-recommends /var/tmp/{package.name}",
        f"--customize-hook=rm \"$1\"/var/tmp/{package.name}",
        f"--customize-hook=echo steno:x:{USER}:{USER}::/nonexistent:/usr/sbin/nologin >> \"$1/etc/passwd\"",
        f"--customize-hook=echo steno:x:{USER}: >> \"$1/etc/group\"",
        f"--customize-hook=mkdir -p \"$1/models\" && chown {USER}:{USER} \"$1/models\"",
        "--customize-hook=rm -rf \"$1\"/var/cache/apt/* \"$1\"/var/lib/apt/lists/* \"$1\"/var/cache/debconf/*",
        release, str(root)]
    subprocess.run(command, check=True, stdout=sys.stderr)
    return root


def blob(folder: pathlib.Path, data: bytes, media_type: str) -> dict:
    """Writes a blob under its hash; returns its descriptor."""
    digest = hashlib.sha256(data).hexdigest()
    (folder / "blobs/sha256" / digest).write_bytes(data)
    return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(data)}


def main() -> None:
    if len(sys.argv) != 3 or not os.path.isfile(sys.argv[1]):
        sys.exit("usage: make_image.py PACKAGE.deb VERSION")
    package, version = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    if shutil.which("mmdebstrap") is None:
        sys.exit("make_image: mmdebstrap is not installed: apt-get install mmdebstrap")
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or subprocess.check_output(["git", "log", "-1", "--format=%ct"]))
    created = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        layer = make_root(package, folder).read_bytes()
        layout = folder / "image"
        (layout / "blobs/sha256").mkdir(parents=True)
        compressed = blob(layout, gzip.compress(layer, 9, mtime=0), "application/vnd.oci.image.layer.v1.tar+gzip")
        health = f"exec 3<>/dev/tcp/127.0.0.1/{PORT} && printf 'GET /health HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && grep -q ok <&3"
        configuration = {
            "created": created, "architecture": ARCHITECTURES[platform.machine()], "os": "linux",
            "config": {
                "User": f"{USER}:{USER}", "ExposedPorts": {f"{PORT}/tcp": {}},
                "Env": ["PATH=/usr/local/bin:/usr/bin:/bin", "STENO_MODELS=/models", "HOME=/tmp"],
                "Entrypoint": ["/usr/lib/steno/steno-server", "serve", "--host", "0.0.0.0", "--port", str(PORT)],
                "Cmd": ["--api-key-file", "/run/secrets/keys"],
                "Volumes": {"/models": {}}, "StopSignal": "SIGTERM",
                "Healthcheck": {"Test": ["CMD", "/bin/bash", "-c", health], "Interval": 30_000_000_000, "Timeout": 5_000_000_000},
                "Labels": {
                    "org.opencontainers.image.title": "Steno", "org.opencontainers.image.version": version,
                    "org.opencontainers.image.licenses": "MIT",
                    "org.opencontainers.image.description": "Speech to text: OpenAI's audio API, live sessions, Wyoming"
                },
            },
            "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest()]},
            "history": [{"created": created, "created_by": "Tools/packages/make_image.py"}],
        }
        described = blob(layout, json.dumps(configuration).encode(), "application/vnd.oci.image.config.v1+json")
        manifest = {
            "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": described, "layers": [compressed]
        }
        entry = blob(layout, json.dumps(manifest).encode(), manifest["mediaType"])
        name = f"steno:{version}"
        # The name under which Podman and containerd load it.
        entry["annotations"] = {"org.opencontainers.image.ref.name": name, "io.containerd.image.name": f"docker.io/library/{name}"}
        (layout / "index.json").write_text(json.dumps({"schemaVersion": 2, "manifests": [entry]}))
        (layout / "oci-layout").write_text(json.dumps({"imageLayoutVersion": "1.0.0"}))
        # Docker before version 25 reads this instead.
        place = lambda blob: "blobs/" + blob["digest"].replace(":", "/")
        (layout / "manifest.json").write_text(json.dumps([{"Config": place(described), "RepoTags": [name], "Layers": [place(compressed)]}]))
        os.makedirs("dist", exist_ok=True)
        with tarfile.open("dist/steno-image.tar", "w") as archive:
            for path in sorted(layout.rglob("*")):
                entry = archive.gettarinfo(path, str(path.relative_to(layout)))
                entry.uid = entry.gid = 0
                entry.uname = entry.gname = ""
                entry.mtime = seconds
                archive.addfile(entry, path.open("rb") if path.is_file() else None)
        size = os.path.getsize("dist/steno-image.tar")
        print(f"dist/steno-image.tar: {size / 1e6:.0f} MB, {len(layer) / 1e6:.0f} MB unpacked")


if __name__ == "__main__":
    main()
