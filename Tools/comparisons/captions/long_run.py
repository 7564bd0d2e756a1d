"""Shows an hour of captions on the captions page, and measures its memory and frame times throughout.

usage: python Tools/comparisons/captions/long_run.py [--minutes 60] [--speed 20 | --server STENO-SERVER]

With --server, a real server captions a fake microphone that repeats a clip of 45 s for --minutes. Otherwise a script replaces the
server and sends the events of speech at `--speed` times real time: 2.4 words a second, a partial event for each word, a final one
for every six. Memory is the JavaScript heap after a garbage collection; a frame's time is the interval between two callbacks of
requestAnimationFrame. Exits with 1 if the page grows or becomes slow, or if words are missing.

    pip install -r Tools/comparisons/captions/requirements.txt
    apt-get install chromium"""
import argparse
import pathlib
import statistics
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

from rig import FOX, INAUGURAL, ScriptedLive, Server, launch, open_page, samples, serve_sources, until, words, write_clip

WORDS = "the harbour bridge will be closed for repairs and ferries will replace it for about three weeks".split()
FRAMES = """new Promise(resolve => { const times = []; let last = performance.now();
  const next = now => { times.push(now - last); last = now; times.length < 120 ? requestAnimationFrame(next) : resolve(times); };
  requestAnimationFrame(next); })"""


def measure(page, client):
    client.send("HeapProfiler.collectGarbage")
    metrics = {item["name"]: item["value"] for item in client.send("Performance.getMetrics")["metrics"]}
    frames = sorted(page.evaluate(FRAMES))
    return metrics["JSHeapUsedSize"] / 1e6, int(metrics["Nodes"]), statistics.median(frames), frames[int(len(frames) * 0.95)]


class Run:
    """A run of the page, with its measurements."""

    def __init__(self, browser, address, script=None):
        context = browser.new_context(permissions=["microphone"], viewport={"width": 1120, "height": 700})
        self.live = script and script(context)
        self.page = open_page(context, address, language="en")
        self.client = context.new_cdp_session(self.page)
        self.client.send("Performance.enable")
        self.page.click("#start")
        until(self.page, "document.getElementById('state').textContent.startsWith('Listening')", 30)
        self.rows = []

    def note(self, minute, more=""):
        self.rows.append((minute, *measure(self.page, self.client)))
        print("%5.0f min: heap %.1f MB, %d nodes, frame %.1f ms, 95 %% of frames below %.1f ms" % self.rows[-1] + more, flush=True)

    def end(self):
        """Whether the page stayed small and fast; the text itself takes a few hundred kilobytes an hour."""
        shown = self.page.evaluate("document.querySelectorAll('#lines > p').length")
        second, last = self.rows[1], self.rows[-1]
        print(f"{shown} paragraphs in the page; the heap has grown by {last[1] - second[1]:.1f} MB from the second row on")
        return last[1] - second[1] < 2 and last[2] < 1.5 * second[2] + 500 and last[4] < 2 * second[4] + 20


def scripted(browser, minutes, speed):
    run = Run(browser, serve_sources(), ScriptedLive)
    total = int(minutes * 60 * 2.4)
    begin = time.monotonic()
    partial = ""
    for number in range(total + 1):
        if number % (total // 6) == 0:
            run.note(number / 2.4 / 60)
            begin = time.monotonic() - number / 2.4 / speed
        partial += " " + WORDS[number % len(WORDS)]
        run.live.partial(partial)
        if number % 6 == 5:
            run.live.final(partial + ("." if number % 18 == 17 else ""), 2.5)
            partial = ""
        if number % 36 == 35:
            run.live.end_utterance(2.5)
        run.page.wait_for_timeout(max(0, 1000 * (begin + number / 2.4 / speed - time.monotonic())))
    return run.end()


def resident(process):
    """The resident memory of a process, in MB (Linux)."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def real(browser, minutes, server, spoken, seconds):
    run = Run(browser, f"http://127.0.0.1:{server.port}")
    begin = time.monotonic()
    for part in range(7):
        until_then = begin + part * minutes * 10 - time.monotonic()
        run.page.wait_for_timeout(max(0, 1000 * until_then))
        state = run.page.inner_text("#state")
        run.note((time.monotonic() - begin) / 60, f"; server {resident(server.process):.0f} MB; {state}")
    found, expected = len(words(run.page.inner_text("#lines"))), (time.monotonic() - begin) / seconds * spoken
    print(f"{found} words in the page; about {expected:.0f} were spoken")
    return run.end() and abs(found - expected) < 0.03 * expected + spoken


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--speed", type=float, default=20)
    parser.add_argument("--server")
    options = parser.parse_args()
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        if options.server:
            inaugural, fox = samples("inaugural-1961.wav"), samples("en-quick_brown_fox.wav")
            clip = pathlib.Path(folder) / "clip.wav"
            seconds = write_clip(clip, [1, inaugural, 1.5, fox, 1.5, inaugural, 1.5, fox, 1.5, inaugural, 1.5])
            spoken = 3 * len(words(INAUGURAL)) + 2 * len(words(FOX))
            server = Server(options.server, 18091).start()
            browser = launch(playwright, clip, repeats=True)
            is_flat = real(browser, options.minutes, server, spoken, seconds)
            server.stop()
        else:
            browser = launch(playwright)
            is_flat = scripted(browser, options.minutes, options.speed)
        browser.close()
    sys.exit(not is_flat)


main()
