"""Checks that a browser reads Steno's WebVTT: loads it as the track of a video, and prints the cues that the browser parsed.

    steno transcribe talk.wav --output-format vtt --split-cues --karaoke > talk.vtt
    python Tools/comparisons/show_subtitles_in_browser.py talk.wav talk.vtt [--screenshot talk.png --at 12.5]

Needs Chromium (Debian: chromium) and ffmpeg. It compares the browser's cues with those in the file, and fails if one is
missing or has another time or text.
"""

import argparse
import functools
import html
import http.server
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

PAGE = """<!doctype html><meta charset="utf-8"><style>
body { margin: 0; overflow: hidden } video { display: block } ::cue(c:future) { color: #b8b8b8 }
</style>
<video id="video" width="960" height="540" muted><source src="video.webm"><track id="track" kind="captions" src="cues.vtt" default></video>
<pre id="cues">not loaded</pre>
<script>
const track = document.getElementById("track"), video = document.getElementById("video");
track.track.mode = "showing";
track.onload = () => {
    const cues = Array.from(track.track.cues).map((cue) => ({
        start: cue.startTime, end: cue.endTime, text: cue.getCueAsHTML().textContent,
        times: Array.from(cue.text.matchAll(/<[\\d:.]+>/g)).length,
    }));
    document.getElementById("cues").textContent = JSON.stringify(cues);
    video.currentTime = AT;
};
track.onerror = () => { document.getElementById("cues").textContent = "[]"; };
</script>"""


def seconds(text):
    parts = text.split(":")
    return sum(float(part) * 60 ** index for index, part in enumerate(reversed(parts)))


def cues_in_file(path):
    """The cues of a file, from a minimal parser."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        lines = block.strip("\n").split("\n")
        if " --> " not in lines[0]:
            continue
        start, end = lines[0].split(" --> ")
        text = html.unescape(re.sub(r"<[^>]*>", "", "\n".join(lines[1:])))
        yield {"start": seconds(start), "end": seconds(end), "text": text}


def serve(folder):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

        def do_GET(self):
            """Supports ranges, because browsers need them to seek."""
            wanted = re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
            if not wanted:
                return super().do_GET()
            data = pathlib.Path(self.translate_path(self.path)).read_bytes()
            first, last = int(wanted[1]), min(int(wanted[2] or len(data)), len(data) - 1)
            self.send_response(206)
            self.send_header("Content-Type", self.guess_type(self.path))
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
            self.send_header("Content-Length", str(last + 1 - first))
            self.end_headers()
            self.wfile.write(data[first:last + 1])

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def chromium(arguments, address):
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        sys.exit("No Chromium here (Debian: apt-get install chromium).")
    command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=8000", *arguments, address]
    return subprocess.run(command, capture_output=True, text=True, timeout=300).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("audio", type=pathlib.Path)
    parser.add_argument("cues", type=pathlib.Path)
    parser.add_argument("--screenshot", type=pathlib.Path)
    parser.add_argument("--at", type=float, default=1.0, help="the second that the screenshot shows")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        picture = ["-f", "lavfi", "-i", "color=c=0x204060:s=960x540:r=5"]
        audio = ["-i", str(arguments.audio), "-shortest", "-c:v", "libvpx", "-c:a", "libopus", str(folder / "video.webm")]
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", *picture, *audio], check=True)
        shutil.copy(arguments.cues, folder / "cues.vtt")
        (folder / "index.html").write_text(PAGE.replace("AT", str(arguments.at)), encoding="utf-8")
        address = f"http://127.0.0.1:{serve(folder)}/"
        document = chromium(["--dump-dom"], address)
        if arguments.screenshot:
            chromium([f"--screenshot={arguments.screenshot.resolve()}", "--window-size=960,540"], address)
    found = re.search(r'<pre id="cues">(.*?)</pre>', document, re.S)
    shown = json.loads(html.unescape(found.group(1))) if found and found.group(1).startswith("[") else []
    written = list(cues_in_file(arguments.cues))
    wrong = [
        (a, b) for a, b in zip(written, shown)
        if abs(a["start"] - b["start"]) > 1e-3 or abs(a["end"] - b["end"]) > 1e-3 or a["text"] != b["text"]
    ]
    for cue in shown[:5]:
        print(f"{cue['start']:8.3f} {cue['end']:8.3f} {cue['times']:3} word times  {cue['text']!r}")
    print(f"{len(written)} cues in the file, {len(shown)} in the browser, {len(wrong)} different")
    sys.exit(0 if written and len(written) == len(shown) and not wrong else 1)


if __name__ == "__main__":
    main()
