"""Shows the captions page an hour of captions, and measures its memory and frames at the start, in between and at the end.

usage: python Tools/comparisons/captions/long_run.py [--minutes 60] [--speed 20]

A script stands in for the server and sends the events of speech at `--speed` times its pace: 2.4 words a second, a partial event
for each word, a final one for each six. Memory is that of the JavaScript heap after a collection; a frame's time is that between
two callbacks of requestAnimationFrame. Exits with 1 when the page grows or gets slow.

    pip install -r Tools/comparisons/captions/requirements.txt
    apt-get install chromium"""
import argparse
import statistics
import sys
import time

from playwright.sync_api import sync_playwright

from rig import ScriptedLive, launch, open_page, serve_sources, until

WORDS = "the harbour bridge will be closed for repairs and ferries will replace it for about three weeks".split()
FRAMES = """new Promise(resolve => { const times = []; let last = performance.now();
  const next = now => { times.push(now - last); last = now; times.length < 120 ? requestAnimationFrame(next) : resolve(times); };
  requestAnimationFrame(next); })"""


def measure(page, client):
    client.send("HeapProfiler.collectGarbage")
    metrics = {item["name"]: item["value"] for item in client.send("Performance.getMetrics")["metrics"]}
    frames = sorted(page.evaluate(FRAMES))
    return metrics["JSHeapUsedSize"] / 1e6, int(metrics["Nodes"]), statistics.median(frames), frames[int(len(frames) * 0.95)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--speed", type=float, default=20)
    options = parser.parse_args()
    rows = []
    with sync_playwright() as playwright:
        browser = launch(playwright)
        context = browser.new_context(permissions=["microphone"], viewport={"width": 1120, "height": 700})
        live = ScriptedLive(context)
        page = open_page(context, serve_sources())
        client = context.new_cdp_session(page)
        client.send("Performance.enable")
        page.click("#start")
        until(page, "document.getElementById('state').textContent.startsWith('Listening')")
        total = int(options.minutes * 60 * 2.4)
        begin = time.monotonic()
        partial = ""
        for number in range(total + 1):
            if number % (total // 6) == 0:
                rows.append((number / 2.4 / 60, *measure(page, client)))
                print("%5.0f min: heap %.1f MB, %d nodes, frame %.1f ms, 95 %% of frames below %.1f ms" % rows[-1], flush=True)
                begin = time.monotonic() - number / 2.4 / options.speed
            partial += " " + WORDS[number % len(WORDS)]
            live.partial(partial)
            if number % 6 == 5:
                live.final(partial + ("." if number % 18 == 17 else ""), 2.5)
                partial = ""
            if number % 36 == 35:
                live.end_utterance(2.5)
            page.wait_for_timeout(max(0, 1000 * (begin + number / 2.4 / options.speed - time.monotonic())))
        shown = page.evaluate("document.querySelectorAll('#lines > p').length")
        browser.close()
    # The text itself is kept: a few hundred kilobytes an hour.
    grown = rows[-1][1] - rows[1][1]
    is_flat = grown < 2 and rows[-1][2] < 1.5 * rows[1][2] + 500 and rows[-1][4] < 2 * rows[1][4] + 20
    print(f"{shown} paragraphs in the page; the heap has grown by {grown:.1f} MB from the second row on")
    sys.exit(not is_flat)


main()
