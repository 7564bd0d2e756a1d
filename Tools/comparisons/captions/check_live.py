"""Speaks to the captions page in Chromium through a fake microphone, with a real server: text, latency, lost connections.

usage: python Tools/comparisons/captions/check_live.py STENO-SERVER [--only NAME]

STENO-SERVER is a release build (`swift build -c release --traits Server --product steno-server`). Chromium plays clips of bundled
samples as its microphone. Exits with 1 if a check fails.

    pip install -r Tools/comparisons/captions/requirements.txt
    apt-get install chromium"""
import argparse
import hashlib
import os
import pathlib
import re
import ssl
import tempfile
import time

from playwright.sync_api import sync_playwright

from rig import (
    FOX, INAUGURAL, Proxy, Server, check, differences, launch, open_page, report, samples, until, write_clip)
from support.alignment import words

PORT = 18090

# Records when each sample was sent, and when each text became visible.
WITNESS = """
window.sent = []; window.shown = []; window.arrived = []; window.finals = [];
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (data) {
  if (data instanceof ArrayBuffer) {
    const first = Number(new DataView(data).getBigUint64(0, true));
    const samples = new Int16Array(data, 8);
    sent.push([performance.now(), first, first + samples.length]);
  }
  if (!this.witnessed) {
    this.witnessed = true;
    this.addEventListener("message", ({ data }) => {
      const event = JSON.parse(data);
      if (event.text) arrived.push([performance.now(), event.text]);
      if (event.type === "final" && event.words) finals.push(...event.words);
    });
  }
  return send.call(this, data);
};
addEventListener("DOMContentLoaded", () => {
  new MutationObserver(() => {
    const text = document.getElementById("lines").textContent;
    if (text && text !== shown.at(-1)?.[1]) shown.push([performance.now(), text]);
  }).observe(document.getElementById("lines"), { childList: true, subtree: true, characterData: true });
});
"""


def listen(playwright, clip, address):
    browser = launch(playwright, clip)
    context = browser.new_context(permissions=["microphone"], viewport={"width": 1120, "height": 700})
    context.add_init_script(WITNESS)
    page = open_page(context, address, language="en")
    page.click("#start")
    return browser, page


def finish(page):
    page.click("#start")
    until(page, "document.getElementById('state').textContent === 'Ready'", 120)
    return words(page.inner_text("#lines"))


def said(page):
    return words(page.inner_text("#lines"))


def check_words(name, expected, found):
    """Checks that no word is lost or doubled; misheard words are listed."""
    lost, extra, misheard = differences(expected, found)
    check(name, not lost and not extra, f"{len(expected)} words, lost {lost}, too many {extra}, misheard {misheard}")


# MARK: Text and latency


def check_text(playwright, program, folder):
    clip = folder / "text.wav"
    seconds = write_clip(clip, [2, samples("inaugural-1961.wav"), 4])
    server = Server(program, PORT).start()
    latencies = []
    for _ in range(3):
        browser, page = listen(playwright, clip, f"http://127.0.0.1:{PORT}")
        page.wait_for_timeout(1000 * (seconds + 1))
        found = finish(page)
        latencies.append(first_word(page))
        browser.close()
    server.stop()
    check_words("the text is right", words(INAUGURAL), found)
    check("the first word appears within a second of its end", max(all_of for all_of, _ in latencies) <= 1,
          ", ".join(f"{all_of:.2f} s (of it {page:.3f} s in the page)" for all_of, page in latencies))


def first_word(page):
    """Seconds from the end of the first word at the microphone to the word on the page, and from its event to there."""
    end = page.evaluate("finals[0].end") * 16000
    spoken = next(at - (last - end) / 16 for at, first, last in page.evaluate("sent") if first <= end < last)
    word = page.evaluate("finals[0].word").strip().strip(",.").lower()
    appeared = next(at for at, text in page.evaluate("shown") if word in text.lower())
    arrived = next(at for at, text in page.evaluate("arrived") if word in text.lower())
    return (appeared - spoken) / 1000, (appeared - arrived) / 1000


# MARK: Lost connections


def long_clip(folder):
    inaugural, fox = samples("inaugural-1961.wav"), samples("en-quick_brown_fox.wav")
    clip = folder / "long.wav"
    seconds = write_clip(clip, [1, inaugural, 1.5, fox, 1.5, inaugural, 1.5, fox, 1.5, inaugural, 3])
    return clip, seconds, words(" ".join([INAUGURAL, FOX, INAUGURAL, FOX, INAUGURAL]))


def check_whole(playwright, program, folder):
    clip, seconds, expected = long_clip(folder)
    server = Server(program, PORT).start()
    browser, page = listen(playwright, clip, f"http://127.0.0.1:{PORT}")
    page.wait_for_timeout(1000 * (seconds + 1))
    check_words("undisturbed, for comparison", expected, finish(page))
    browser.close()
    server.stop()


def check_cut(playwright, program, folder):
    clip, seconds, expected = long_clip(folder)
    server = Server(program, PORT).start()
    proxy = Proxy(PORT + 1, PORT)
    browser, page = listen(playwright, clip, f"http://127.0.0.1:{PORT + 1}")
    start = time.monotonic()
    page.wait_for_timeout(6000)
    proxy.is_cut = True
    page.wait_for_timeout(12000)
    state = page.inner_text("#state")
    check("the page says that it connects again, and keeps the audio", state.startswith("Reconnecting"), state)
    page.wait_for_timeout(8000)
    proxy.is_cut = False
    page.wait_for_timeout(1000 * (seconds + 1 - (time.monotonic() - start)))
    check_words("a network cut for 20 s: nothing is lost or doubled", expected, finish(page))
    browser.close()
    server.stop()


def check_kill(playwright, program, folder):
    clip, seconds, expected = long_clip(folder)
    server = Server(program, PORT).start()
    browser, page = listen(playwright, clip, f"http://127.0.0.1:{PORT}")
    start = time.monotonic()
    page.wait_for_timeout(8000)
    server.kill()
    page.wait_for_timeout(5000)
    server.start()
    page.wait_for_timeout(1000 * (seconds + 1 - (time.monotonic() - start)))
    found = finish(page)
    check_words("the server is killed and restarted: the page continues by itself", expected, found)
    browser.close()
    server.stop()


# MARK: History and screens


def check_history(playwright, program, folder):
    clip = folder / "history.wav"
    seconds = write_clip(clip, [1, samples("inaugural-1961.wav"), 3])
    server = Server(program, PORT, "--save-history", "--save-audio", "--history", str(folder / "history")).start()
    browser, page = listen(playwright, clip, f"http://127.0.0.1:{PORT}")
    page.click("#settings-open")
    page.check("#set-screen")
    address = page.input_value("#screen-address")
    page.keyboard.press("Escape")
    finish(page)
    screen = page.context.new_page()
    screen.goto(address)
    page.bring_to_front()
    page.click("#start")
    page.wait_for_timeout(1000 * seconds)
    check("another screen shows the same text",
          words(screen.inner_text("#lines"))[-4:] == said(page)[-4:], screen.inner_text("#lines")[-60:])
    finish(page)
    page.wait_for_timeout(500)
    page.click("#tab-history")
    page.wait_for_selector("#history-list button")
    page.click("#history-list button >> nth=0")
    page.wait_for_selector(".word")
    page.wait_for_selector("audio:visible")
    page.click(".word >> nth=8")
    page.wait_for_selector(".word.now")
    check("a click on a word plays it, and the spoken word is marked", True)
    page.fill("#history-search", "countr")
    page.wait_for_selector("mark")
    check("the history is searched", "country" in page.inner_text("mark >> nth=0").lower())
    browser.close()
    server.stop()


# MARK: The local network


def check_lan(playwright, program, folder):
    clip = folder / "lan.wav"
    seconds = write_clip(clip, [1, samples("en-quick_brown_fox.wav"), 3])
    environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state")}
    server = Server(program, PORT, "--lan").start(environment)
    address = server.address
    host = re.match(r"https://([^:/]+):", address)[1]
    check("the address is one of the network, with a key", not host.startswith("127.") and "#key=" in address, host)
    browser = launch(playwright, clip)
    context = browser.new_context(permissions=["microphone"], ignore_https_errors=True)
    page = open_page(context, address, "", language="en")
    check("the key leaves the address bar", "key" not in page.url, page.url)
    page.click("#start")
    page.wait_for_timeout(1000 * (seconds + 1))
    check_words("the microphone works on a machine of the network", words(FOX), finish(page))
    der = ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate((host, PORT)))
    fingerprint = ":".join(f"{byte:02X}" for byte in hashlib.sha256(der).digest())
    page.click("#settings-open")
    check("the fingerprint matches the certificate", fingerprint in page.inner_text("#about"))
    stranger = browser.new_context(ignore_https_errors=True).new_page()
    stranger.goto(address.split("#")[0])
    stranger.wait_for_selector("#key[open]")
    check("without the key the page asks for it", True)
    modes = {path.name: oct(path.stat().st_mode & 0o777) for path in (folder / "state/steno/captions").iterdir()}
    check("only their owner can read the key and the certificate", set(modes.values()) == {"0o600"}, str(modes))
    browser.close()
    server.stop()
    check("a second start has the same key", Server(program, PORT, "--lan").start(environment).stop_with_address() == address)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server")
    parser.add_argument("--only")
    options = parser.parse_args()
    checks = {"text": check_text, "whole": check_whole, "cut": check_cut, "kill": check_kill, "history": check_history,
              "lan": check_lan}
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        for name, function in checks.items():
            if options.only in (None, name):
                function(playwright, options.server, pathlib.Path(folder))
    report()


main()
