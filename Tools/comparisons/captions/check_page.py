"""Checks the captions page in Chromium without a server: accessibility, keyboard, reflow, text, speech, recordings, pictures.

usage: python Tools/comparisons/captions/check_page.py [--pictures FOLDER] [--only NAME]

The page is served from its sources with the server's Content-Security-Policy; a script replaces the server. Exits with 1 if a
check fails.

    pip install -r Tools/comparisons/captions/requirements.txt
    apt-get install chromium

axe-core is part of the package axe-playwright-python."""
import argparse
import json
import pathlib
import tempfile

import numpy as np
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import sync_playwright

from rig import (
    RATE, SAMPLES, ScriptedLive, SourceHandler, check, launch, open_page, report, serve_sources, talk, until, write_clip)

BASE = serve_sources()
VIEWS = ["captions", "write", "face", "record", "history"]
THEMES = ["dark", "light", "yellow", "forced"]
INTERFACES = [("de", "Untertitel"), ("es", "Subtítulos"), ("fr", "Sous-titres"), ("tr", "Altyazı"), ("pt", "Legendas"),
              ("en", "Captions")]
DIALOGS = {"settings": "settings-open", "help": "help-open", "export": "save", "ask": "clear"}


def new_context(browser, theme="dark", width=1280, height=800, scale=1, **options):
    return browser.new_context(
        viewport={"width": width, "height": height}, device_scale_factor=scale, reduced_motion="reduce",
        forced_colors="active" if theme == "forced" else "none", permissions=["microphone"], locale="en-US", **options)


def started(context, theme="dark", path="/", **settings):
    live = ScriptedLive(context)
    page = open_page(context, BASE, path, theme="auto" if theme == "forced" else theme, **settings)
    page.errors = []
    page.on("console", lambda message: page.errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.click("#start")
    until(page, "document.getElementById('state').textContent.startsWith('Listening')")
    talk(live)
    page.wait_for_selector(".volatile")
    return page, live


def show(page, view):
    page.click(f"#tab-{view}")
    if view == "history":
        page.click("#history-list button")
        page.wait_for_selector(".word")
    if view == "face":
        page.fill("#face-write", "Could you say that again?")
    if view == "write":
        page.fill("#write-text", "I would like a coffee, please.")


# MARK: Accessibility


def violations(page, name):
    options = {"rules": {"color-contrast-enhanced": {"enabled": True}}}
    found = Axe().run(page, options=options).response["violations"]
    serious = [item for item in found if item["impact"] in ("serious", "critical")]
    for item in found:
        print(f"      {item['impact']} {item['id']}: {item['nodes'][0]['html'][:110]} {item['nodes'][0]['target']}")
    check(f"axe finds nothing serious: {name}", not serious)


def check_axe(browser):
    for theme in THEMES:
        context = new_context(browser, theme)
        page, _ = started(context, theme)
        for view in VIEWS:
            show(page, view)
            violations(page, f"{view}, {theme}")
        page.click("#tab-captions")
        for name, button in DIALOGS.items():
            page.click(f"#{button}")
            violations(page, f"{name}, {theme}")
            page.keyboard.press("Escape")
        check(f"nothing in the console: {theme}", not page.errors, "; ".join(page.errors[:3]))
        context.close()
    context = new_context(browser)
    page = open_page(context, BASE, "/overlay?size=48#screen=" + "a" * 32)
    violations(page, "overlay")
    context.close()


# MARK: Keyboard


def check_keyboard(browser):
    context = new_context(browser)
    live = ScriptedLive(context)
    page = open_page(context, BASE, "/")
    page.keyboard.press("Tab")
    check("the first stop is the way to the captions", page.evaluate("document.activeElement.className") == "skip")
    seen = []
    for _ in range(40):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.id"))
    wanted = page.evaluate("""[...document.querySelectorAll('button,select,input,[tabindex="0"]')]
        .filter(e => e.checkVisibility() && !e.disabled && e.tabIndex >= 0).map(e => e.id)""")
    check("every control is reached by Tab", set(wanted) <= set(seen), str(set(wanted) - set(seen)))
    page.focus("#start")
    page.keyboard.press("Enter")
    until(page, "document.getElementById('state').textContent.startsWith('Listening')")
    talk(live)
    page.focus("#transcript")
    page.keyboard.press("p")
    check("p pauses", page.inner_text("#state") == "Paused")
    page.keyboard.press("p")
    size = page.evaluate("JSON.parse(localStorage['steno.settings']).size ?? 40")
    page.keyboard.press("+")
    check("+ makes the text larger", page.evaluate("JSON.parse(localStorage['steno.settings']).size") > size)
    page.keyboard.press("?")
    check("? opens the help", page.evaluate("document.getElementById('help').open"))
    page.keyboard.press("Escape")
    page.focus("#tab-captions")
    page.keyboard.press("ArrowRight")
    check("an arrow shows the next view", page.is_visible("#view-write"))
    page.focus("#write-text")
    page.keyboard.type("hello s p c")
    check("letters typed in a field are not shortcuts", page.input_value("#write-text") == "hello s p c")
    page.focus("#tab-write")
    page.keyboard.press("Home")
    page.focus("#settings-open")
    page.keyboard.press("Enter")
    page.focus("#set-shortcuts")
    page.keyboard.press("Space")
    page.keyboard.press("Escape")
    check("focus returns to the button of a dialog", page.evaluate("document.activeElement.id") == "settings-open")
    page.focus("#transcript")
    page.keyboard.press("p")
    check("shortcuts can be switched off", page.inner_text("#state") != "Paused")
    page.focus("#start")
    page.keyboard.press("Enter")
    until(page, "document.getElementById('state').textContent === 'Ready'")
    check("Enter stops", True)
    context.close()


# MARK: Reflow


def check_width(page, view, name):
    wide = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
    cut = page.evaluate("""[...document.querySelectorAll('button,select,input,textarea')].filter(e => {
        const box = e.getBoundingClientRect();
        return e.checkVisibility() && !e.closest('.visually-hidden, .skip') && !e.matches('.visually-hidden')
          && (box.right > innerWidth + 1 || box.left < -1 || (e.matches('button') && e.scrollWidth > e.clientWidth + 1));
    }).map(e => e.id || e.textContent.trim())""")
    check(f"{view} fits, {name}", wide <= 0 and not cut, f"{wide} px, {cut}" if wide > 0 or cut else "")


def check_dialog_width(page, name):
    wide = page.evaluate("document.getElementById('settings').scrollWidth - document.getElementById('settings').clientWidth")
    check(f"settings fit, {name}", wide <= 0)


def check_languages(browser):
    """Every language's texts fit a screen 320 px wide."""
    context = new_context(browser, width=320, height=640)
    page, _ = started(context)
    for code, word in INTERFACES:
        show(page, "captions")
        page.click("#settings-open")
        page.select_option("#set-interface", code)
        until(page, f"document.getElementById('tab-captions').textContent === '{word}'")
        check_dialog_width(page, f"320 px wide, {code}")
        page.keyboard.press("Escape")
        for view in VIEWS:
            show(page, view)
            check_width(page, view, f"320 px wide, {code}")
    context.close()


def check_reflow(browser):
    sizes = {"320 px wide": (320, 640, 1), "1280 by 800 at 200 %": (640, 400, 2), "at 400 %": (320, 256, 4)}
    for name, (width, height, scale) in sizes.items():
        context = new_context(browser, width=width, height=height, scale=scale)
        page, _ = started(context)
        for view in VIEWS:
            show(page, view)
            check_width(page, view, name)
        page.click("#settings-open")
        check_dialog_width(page, name)
        small = page.evaluate("""[...document.querySelectorAll('button,select,input')].filter(e => {
            const box = e.getBoundingClientRect();
            return e.checkVisibility() && !e.closest('.visually-hidden, label') && !e.matches('.visually-hidden')
              && (box.width < 24 || box.height < 24);
        }).map(e => e.id)""")
        check(f"targets have 24 px, {name}", not small, str(small) if small else "")
        context.close()
    context = new_context(browser)
    page, _ = started(context)
    page.evaluate("document.documentElement.dir = 'rtl'")
    for view in VIEWS:
        show(page, view)
        check(f"{view} fits from right to left", page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"))
    context.close()


# MARK: Telephones


def is_at_end(page, name):
    return page.evaluate("""name => {
        const element = document.getElementById(name);
        const { bottom } = element.getBoundingClientRect();
        return element.scrollHeight > element.clientHeight + 100 && bottom <= innerHeight + 1
          && element.scrollHeight - element.scrollTop - element.clientHeight < 30;
    }""", name)


def check_phone(browser):
    for width, height in [(390, 844), (844, 390)]:
        context = new_context(browser, width=width, height=height)
        page, live = started(context, size=28)
        show(page, "face")
        for index in range(40):
            live.final(f" This is sentence number {index}, which is one of many.", 2)
            live.end_utterance(3)
        until(page, "document.getElementById('face-lines').textContent.includes('number 39')")
        name = f"{width} by {height}"
        check(f"face to face shows the latest text, {name}", is_at_end(page, "face-mine"))
        halves = page.evaluate("""['face-other', 'face-mine'].map(name =>
            Math.round(document.getElementById(name).getBoundingClientRect().height))""")
        check(f"both have as much room, {name}", abs(halves[0] - halves[1]) <= 1 and halves[0] >= 110, str(halves))
        page.click("#tab-captions")
        # As on a phone without full-screen mode.
        page.evaluate("Object.defineProperty(document, 'fullscreenEnabled', { value: false })")
        page.click("#full")
        live.final(" One more.", 1)
        until(page, "document.getElementById('lines').textContent.includes('One more')")
        check(f"full screen works without the browser's, {name}", page.is_hidden(".bar") and is_at_end(page, "transcript"))
        page.keyboard.press("Escape")
        check(f"Escape ends it, {name}", page.is_visible(".bar"))
        show(page, "write")
        page.click("#write-full")
        box = page.evaluate("(({ width, height }) => [width, height])(document.getElementById('show').getBoundingClientRect())")
        check(f"a text is shown large, {name}", box == [width, height], str(box))
        page.click("#show")
        check(f"a tap ends it, {name}", page.evaluate("document.getElementById('show').offsetHeight") < height)
        check(f"nothing is wider than the screen, {name}", page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"))
        context.close()


# MARK: Text


def check_text(browser):
    context = new_context(browser)
    page, live = started(context)
    page.evaluate("""window.said = []; new MutationObserver(list => list.forEach(change => change.addedNodes.forEach(
        node => said.push(node.textContent)))).observe(document.getElementById('log'), {childList: true})""")
    live.partial(" and what we would never")
    until(page, "document.querySelector('.volatile')?.textContent.includes('never')")
    decoration = page.evaluate("getComputedStyle(document.querySelector('.volatile')).textDecorationLine")
    check("volatile text is marked by more than a colour", decoration == "underline")
    live.final(" and what we would like to do.", 2)
    live.end_utterance()
    until(page, "said.length > 0")
    said = page.evaluate("said.join(' ')")
    check("the live region gets only final text", "like to do." in said and "never" not in said, said)
    for index in range(40):
        live.final(f" This is sentence number {index}, which is one of many.", 2)
        live.end_utterance(3)
    until(page, "document.getElementById('lines').textContent.includes('number 39')")
    at_end = "(() => { const e = document.getElementById('transcript'); return e.scrollHeight - e.scrollTop - e.clientHeight < 30; })()"
    check("the end is in view", page.evaluate(at_end))
    page.hover("#transcript")
    page.mouse.wheel(0, -900)
    page.wait_for_selector("#to-live:visible")
    place = page.evaluate("document.getElementById('transcript').scrollTop")
    live.final(" One more.", 1)
    until(page, "document.getElementById('lines').textContent.includes('One more')")
    check("new text does not move the reader's place", page.evaluate("document.getElementById('transcript').scrollTop") == place)
    page.click("#to-live")
    check("a button leads back to live", page.evaluate(at_end))
    page.hover("#transcript")
    page.mouse.wheel(0, -900)
    page.wait_for_selector("#to-live:visible")
    page.mouse.wheel(0, 5000)
    page.wait_for_selector("#to-live", state="hidden")
    check("so does scrolling to the end, without new text", True)
    page.click("#settings-open")
    page.fill("#set-names", "Zoë Müller, Anna")
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    live.partial(" Is there a zoe muller here?")
    page.wait_for_selector("#banner-name:visible")
    check("a spoken name flashes and is announced", page.is_visible("#glow"))
    page.wait_for_timeout(1200)
    check("the state does not take its place for a screen reader", page.inner_text("#announce :last-child") == "Someone said your name")
    said = page.evaluate("""(async () => {
      const { announce, announceState } = await import("/captions/js/announcer.js");
      announce("3 seconds are missing");
      announceState("Another state");
      return [...document.querySelectorAll("#announce p")].slice(-2).map(element => element.textContent);
    })()""")
    check("nor does a state that comes at once", said == ["3 seconds are missing", "Another state"], str(said))
    page.click("#tab-write")
    page.focus(".skip")
    page.keyboard.press("Enter")
    check("the way to the captions leads there from other views", page.is_visible("#transcript")
          and page.evaluate("document.activeElement.id") == "transcript", page.evaluate("document.activeElement.id"))
    page.reload()
    page.wait_for_selector("html[data-ready]")
    check("a reload keeps the text", "One more" in page.inner_text("#lines"))
    page.click("#clear")
    page.click("#ask-yes")
    until(page, "document.getElementById('lines').textContent === ''")
    check("clear clears", True)
    for code, word in INTERFACES:
        page.click("#settings-open")
        page.select_option("#set-interface", code)
        until(page, f"document.getElementById('tab-captions').textContent === '{word}'")
        page.keyboard.press("Escape")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    check("the interface has six languages, and the choice is remembered", page.inner_text("#tab-captions") == "Captions")
    context.close()


def scripted_screen(context):
    def segment(number, text):
        return {"sequence": number, "position": 1, "id": number, "utterance": 0, "start": number, "end": number + 1,
                "text": text, "words": []}

    def take(socket):
        def message(text):
            if json.loads(text)["type"] == "watch":
                socket.send(json.dumps({"type": "watching"}))
                socket.send(json.dumps({"type": "final", **segment(0, " Captions over a picture,")}))
                socket.send(json.dumps({"type": "partial", **segment(1, " as they are spoken")}))
        socket.on_message(message)

    context.route_web_socket("**/v1/steno/live", take)


def check_overlay(browser):
    context = new_context(browser)
    scripted_screen(context)
    page = open_page(context, BASE, "/overlay?size=60&color=ffe600#screen=" + "a" * 32)
    until(page, "document.getElementById('lines').textContent.includes('spoken')")
    check("the overlay shows the text of another page", True)
    check("the overlay is transparent", page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)")
    check("its settings are in the address", page.evaluate("getComputedStyle(document.getElementById('lines')).color")
          == "rgb(255, 230, 0)")
    context.close()
    context = new_context(browser)
    context.route_web_socket("**/v1/steno/live", lambda socket: socket.on_message(
        lambda _: socket.close(code=4400, reason="No room here.")))
    page = open_page(context, BASE, "/overlay?listen=1")
    page.wait_for_timeout(1500)
    state = page.inner_text("#state")
    check("an overlay that loses its session says why", "No room here." in state, state)
    context.close()


# MARK: Where a new session begins


def check_cut(browser):
    context = new_context(browser)
    page = open_page(context, BASE)
    cuts = page.evaluate("""(async () => {
      const { Feed } = await import("/captions/js/feed.js");
      const feed = new Feed({ end: 0 }, () => ({}), {});
      const cuts = [];
      for (const event of [
        { type: "speech", speaking: true }, { type: "partial", text: "one two" },
        { type: "final", end: 2, partials: [{ words: [{ start: 2.2 }] }] },
        { type: "speech", speaking: false }, { type: "partial", text: "" }, { type: "level", position: 9 },
        { type: "utterance_end" }, { type: "lag", lag: 3 }, { type: "level", position: 10 },
        { type: "lag", lag: 0 }, { type: "level", position: 11.5 }, { type: "speech", speaking: true },
        { type: "level", position: 13 },
      ]) {
        feed.moveCut(event);
        cuts.push(feed.cut / 16000);
      }
      return cuts;
    })()""")
    check("a new session begins after the last final word, or in silence that has no text to come",
          cuts == [0, 0, 2.1, 2.1, 2.1, 2.1, 2.1, 2.1, 2.1, 2.1, 10, 10, 10], str(cuts))
    context.close()


def check_kept(browser):
    context = new_context(browser)
    page, live = started(context)
    check("the page says that the text is saved", page.inner_text("#kept") == "Saved in the history" and live.said[0].get("save") is True)
    page.click("#settings-open")
    page.click("#set-save")
    check("the server is notified at once that it is not", live.asked(page, "update")["save"] is False)
    check("the page says so", page.inner_text("#kept") == "Not saved")
    page.click("#set-save")
    page.wait_for_selector("#settings #toast:visible")
    check("a choice that applies later is announced within the dialog", "next time you press Start" in page.inner_text("#toast"))
    check("until then nothing is saved", page.inner_text("#kept") == "Not saved")
    page.click("#set-screen")
    address = page.input_value("#screen-address")
    check("a screen gets no key", "#screen=" in address and "key=" not in address, address)
    page.keyboard.press("Escape")
    until(page, "document.getElementById('messages').parentElement === document.body")
    check("messages are on the page again", True)
    context.close()


def check_begin(browser):
    context = new_context(browser)
    page = open_page(context, BASE)
    said = page.evaluate("""(async () => {
      const { Feed } = await import("/captions/js/feed.js");
      const nothing = () => {};
      const handlers = { event: nothing, change: nothing, gap: nothing, problem: nothing, done: nothing };
      const said = [];
      const feed = new Feed({ start: 0, end: 0 }, () => ({}), handlers);
      feed.socket = { bufferedAmount: 0, send: text => said.push(JSON.parse(text).type) };
      feed.owe({ type: "update" });
      feed.hello();
      feed.owe({ type: "clear" });
      feed.begin({ session: "new", position: 0 });
      return said;
    })()""")
    check("a new session gets the choices made after its first message", said == ["clear"], str(said))
    # The server forgets the session after more than a minute; in the second case the ring still has part of its audio.
    texts = page.evaluate("""(async () => {
      const { Captioner } = await import("/captions/js/captioner.js");
      return [3, 1].map(start => {
        const captioner = new Captioner({});
        const { feed, transcript } = captioner;
        transcript.setPartial([{ start: 1, text: " Volatile" }], 0);
        feed.ring = { start: start * 16000, end: 70 * 16000, slice: (from, to) => new Int16Array(to - from) };
        feed.cut = 0;
        feed.sent = 2 * 16000;
        feed.socket = { bufferedAmount: 0, send: () => {} };
        feed.begin({ session: "new", position: 0 });
        return [transcript.paragraphs.map(paragraph => paragraph.text), transcript.partial, transcript.missing];
      });
    })()""")
    check("volatile text stays where its audio is gone, and only there", texts == [[["Volatile"], "", 3], [[], "", 1]], str(texts))
    overtaken = page.evaluate("""(async () => {
      const { Microphone } = await import("/captions/js/microphone.js");
      const microphone = new Microphone({ block: () => {}, ended: () => {} });
      const names = [];
      for (const delay of [0, 1, 5, 20, 60]) {
        const opening = microphone.open("").catch(error => names.push(error.name));
        await new Promise(resolve => setTimeout(resolve, delay));
        await microphone.open("");
        await opening;
      }
      microphone.close();
      return [...new Set(names)];
    })()""")
    check("an overtaken opening fails only as closed", overtaken == ["Closed"], str(overtaken))
    page = open_page(context, BASE, "/#key=" + "base64/key=" * 2)
    page.click("#start")
    page.wait_for_timeout(1500)
    state = page.inner_text("#state")
    check("a refused key is reported, and the page is ready again", state == "Ready"
          and "key is missing or wrong" in page.inner_text("#banner-trouble"), state)
    page = open_page(context, BASE, "/overlay#screen=a&key=" + "base64/key=" * 2)
    state = page.inner_text("#state")
    check("an overlay reports it, too", "key is missing or wrong" in state, state)
    context.close()


# MARK: Text that must not get lost


def shown(page):
    return page.evaluate("document.getElementById('lines').textContent")


def check_connection(browser):
    context = new_context(browser)
    page, live = started(context)
    # Both arrive in one frame: the first ends a paragraph, the second begins one.
    live.final(" and what we would like to do next,", 2)
    live.end_utterance(3)
    live.final(" A new paragraph.", 1)
    until(page, "document.getElementById('lines').textContent.includes('A new paragraph')")
    check("final texts of one frame are all shown", "like to do next,A new" in shown(page), shown(page)[-80:])
    live.lose()
    hello = live.asked(page, "hello")
    check("a lost connection is continued after the last event", hello.get("session") == "scripted"
          and hello["lastEvent"] == live.sequence - 1, str(hello))
    page.select_option("#language", "de")
    finals = [live.segment(" A new paragraph.", 1) | {"id": live.id - 1}, live.segment(" Said meanwhile.", 1)]
    live.answers = True
    live.welcome(False)
    live.event("snapshot", state="running", finals=finals, partials=[])
    live.id += 1
    until(page, "document.getElementById('lines').textContent.includes('Said meanwhile')")
    check("a snapshot restores missing text, and repeats nothing", shown(page).count("A new paragraph") == 1, shown(page)[-80:])
    check("the server gets a language that was chosen meanwhile", live.asked(page, "update")["language"] == "de")
    live.lose()
    live.asked(page, "hello")
    page.click("#clear")
    page.click("#ask-yes")
    live.answers = True
    live.welcome(False)
    live.event("snapshot", state="running", finals=finals, partials=[])
    live.asked(page, "clear")
    live.event("cleared")
    live.final(" After it.", 1)
    until(page, "document.getElementById('lines').textContent.includes('After it')")
    check("text that was cleared without a connection does not come back", shown(page) == "After it.", shown(page))
    live.partial(" not final yet")
    page.wait_for_selector(".volatile")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    check("a reload keeps the volatile text, too", shown(page) == "After it. not final yet", shown(page))
    page.click("#start")
    until(page, "document.getElementById('state').textContent.startsWith('Listening')")
    live.final(" Later.", 1)
    until(page, "document.getElementById('lines').textContent.includes('Later')")
    times = page.evaluate("""Object.keys(sessionStorage).filter(name => name.startsWith('steno.text.'))
        .flatMap(name => JSON.parse(sessionStorage[name])).map(row => row[0])""")
    check("times continue after a reload", times == sorted(times) and len(set(times)) == len(times), str(times))
    context.close()


def check_speakers(browser):
    context = new_context(browser)
    page, live = started(context)
    check("the page asks for labels", live.said[0].get("speakers") is True)

    def said(text, speaker, seconds):
        parts = text.split()
        step = seconds / len(parts)
        return [{"word": " " + word, "start": live.time + step * i, "end": live.time + step * (i + 1), "speaker": speaker}
                for i, word in enumerate(parts)]

    first, second = said("How are you?", "Speaker 1", 1), said("Very well, thank you.", "Anna", 1)
    text = "".join(word["word"] for word in first + second)
    live.event("final", **(live.segment(text, 2) | {"words": first + second}), partials=[])
    live.time, live.id = live.time + 2, live.id + 1
    page.wait_for_selector(".speaker >> nth=1")
    labels = "[...document.querySelectorAll('#lines .speaker')].map(e => e.textContent)"
    check("a label says who speaks where that changes", page.evaluate(labels) == ["Speaker 1", "Anna"])
    check("each speaker has a paragraph", "thank you." in page.inner_text("#lines p:last-child")
          and "How" not in page.inner_text("#lines p:last-child"))
    check("a label is more than a colour", page.evaluate(
        "getComputedStyle(document.querySelector('.speaker')).borderTopWidth") == "1px")
    live.event("speakers", changes=[{"start": 0, "end": None, "was": "Speaker 1", "now": "Ben"}])
    until(page, labels + ".includes('Ben')")
    check("a label is corrected", page.evaluate(labels) == ["Ben", "Anna"])
    page.reload()
    page.wait_for_selector("html[data-ready]")
    check("labels stay through a reload", page.evaluate(labels) == ["Ben", "Anna"])
    exports = page.evaluate("""(async () => {
      const { exportText } = await import("/captions/js/export.js");
      const { Transcript } = await import("/captions/js/transcript.js");
      const transcript = new Transcript();
      transcript.add({ start: 0, end: 1, text: " Is 1 < 2 & true?", speaker: "Speaker 2" });
      transcript.add({ start: 1, end: 2, text: " It is.", speaker: "Anna" });
      return ["txt", "srt", "vtt"].map(format => exportText(transcript, format));
    })()""")
    check("files have the labels", "Speaker 2: Is 1 < 2 & true?\nAnna: It is." in exports[0] and "\nAnna: It is." in exports[1])
    check("WebVTT has its special characters escaped", "<v Speaker 2>Is 1 &lt; 2 &amp; true?" in exports[2], exports[2])
    context.close()


def check_gaps(browser):
    context = new_context(browser)
    page = open_page(context, BASE)
    texts = page.evaluate("""(async () => {
      const { Transcript } = await import("/captions/js/transcript.js");
      const { Lines } = await import("/captions/js/lines.js");
      const { Autosave } = await import("/captions/js/autosave.js");
      const place = document.createElement("div");
      const transcript = new Transcript();
      const lines = new Lines(place, transcript);
      const texts = [];
      const show = () => {
        lines.render(true);
        texts.push([...place.children].map(element => element.textContent));
      };
      transcript.add({ start: 0, end: 1, text: " One.", speaker: "Anna" });
      transcript.loseHere(2.4);
      show();
      transcript.setPartial([{ start: 4, text: " Two" }], 0);
      show();
      const end = transcript.settle().length;
      show();
      transcript.correct([{ start: 0, end: null, was: "Anna", now: "Ben" }], 0);
      lines.again();
      show();
      new Autosave(transcript).save();
      const restored = new Transcript();
      new Autosave(restored).restore();
      texts.push([end, transcript.partial, restored.paragraphs.map(paragraph => paragraph.missing)]);
      return texts;
    })()""")
    gap = "3 seconds of audio are missing here"
    check("missing audio is reported in its place, before and after the text that follows",
          texts[:3] == [["Anna One.", gap], ["Anna One.", gap, "Two"], ["Anna One.", gap, "Two"]], str(texts))
    check("a label that is corrected does not hide that audio is missing", texts[3] == ["Ben One.", gap, "Two"], str(texts[3]))
    check("a reload keeps it; volatile text of a session that is lost stays", texts[4] == [1, "", [0, 2.4]], str(texts[4]))
    context.close()


def check_words(browser):
    context = new_context(browser)
    page = open_page(context, BASE)
    words = page.evaluate("""(async () => {
      const { segmentsOf } = await import("/captions/js/record-view.js");
      const word = (word, start, end) => ({ word, start, end });
      const result = segmentsOf({
        segments: [{ start: 0, end: 2, text: " It is" }, { start: 2, end: 3, text: " late." }, { start: 3, end: 4, text: " (music)" },
          { start: 4, end: 5, text: "今日は" }],
        words: [word("It", 0, 1), word("is", 1, 2), word("late.", 2, 3), word("今日", 4, 4.5), word("は", 4.5, 5)],
      });
      return result.map(segment => segment.words.map(word => word.word));
    })()""")
    check("each word is in one segment, as its text has it", words == [[" It", " is"], [" late."], [], ["今日", "は"]], str(words))
    context.close()


# MARK: Other audio


def check_noise(browser):
    with tempfile.TemporaryDirectory() as folder:
        clip = pathlib.Path(folder) / "noise.wav"
        hiss = np.random.default_rng(1).normal(0, 3000, 8 * RATE).astype(np.int16)
        write_clip(clip, [2, hiss, 6])
        noisy = launch(browser.playwright, clip)
        context = new_context(noisy)
        live = ScriptedLive(context)
        page = open_page(context, BASE)
        page.click("#start")
        page.wait_for_selector("#banner-noise:visible", timeout=8000)
        check("audio that is not speech is reported", "other than speech" in page.inner_text("#banner-noise"))
        live.event("speech", speaking=True, time=0)
        page.wait_for_selector("#banner-noise", state="hidden")
        check("the report ends when somebody speaks", True)
        live.event("speech", speaking=False, time=1)
        page.wait_for_selector("#banner-noise:visible", timeout=8000)
        page.wait_for_selector("#banner-noise", state="hidden", timeout=20000)
        check("the report ends with the audio", True)
        noisy.close()
        noisy = launch(browser.playwright, clip)
        page = open_page(new_context(noisy), BASE, noise=False)
        ScriptedLive(page.context)
        page.click("#start")
        page.wait_for_timeout(5000)
        check("the report can be switched off", page.is_hidden("#banner-noise"))
        noisy.close()


# A fake voice whose end the check controls.
VOICE = """
window.said = [];
const stub = new EventTarget();
Object.assign(stub, { speaking: false, pending: false, list: [{ lang: "en-GB", localService: false, name: "far" },
  { lang: "en-US", localService: true, name: "near" }, { lang: "de-DE", localService: true, name: "other" }] });
stub.getVoices = () => stub.list;
stub.cancel = () => { stub.speaking = false; stub.last?.onerror?.(); };
stub.speak = (utterance) => { stub.speaking = true; stub.last = utterance; said.push([utterance.text, utterance.voice?.name]); };
Object.defineProperty(window, "speechSynthesis", { value: stub });
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
"""


def check_speech(browser):
    context = new_context(browser)
    context.add_init_script(VOICE)
    page, live = started(context)

    def grows():
        before = live.position
        page.wait_for_timeout(700)
        return live.position > before + RATE / 8

    page.click("#tab-write")
    page.fill("#write-text", "A coffee, please.")
    check("audio is sent before anything is spoken", grows())
    page.click("#write-say")
    until(page, "said.length === 1")
    check("a text is spoken by a local voice", page.evaluate("said[0]") == ["A coffee, please.", "near"])
    page.wait_for_timeout(300)
    check("the microphone is held meanwhile", not grows())
    page.click("#write-say")
    until(page, "said.length === 2")
    page.wait_for_timeout(300)
    check("a second text does not let it go", not grows())
    page.evaluate("speechSynthesis.speaking = false; speechSynthesis.last.onend()")
    check("the microphone is heard again afterwards", grows())
    page.click("#write-say")
    until(page, "said.length === 3")
    page.evaluate("speechSynthesis.speaking = false")
    page.wait_for_timeout(500)
    check("a voice that never reports its end does not hold it forever", grows())
    page.evaluate("speechSynthesis.list = []")
    page.click("#write-say")
    page.wait_for_selector("#toast:visible")
    check("a browser without a voice says so, and listens", "no voice" in page.inner_text("#toast") and grows())
    check("nothing is spoken then", page.evaluate("said.length") == 3)
    context.close()


def check_record(browser):
    context = new_context(browser)
    page = open_page(context, BASE)
    page.click("#tab-record")
    page.click("#record-start")
    page.wait_for_selector("#record-time:visible")
    until(page, "document.getElementById('record-meter-fill').style.transform !== ''")
    check("the level is shown", page.is_visible("#record-meter"))
    page.wait_for_timeout(2200)
    check("the time is shown, and not announced", "0:02" in page.inner_text("#record-time")
          and page.inner_text("#record-state") == "" and page.get_attribute("#record-time", "role") == "timer")
    SourceHandler.fails = True
    page.click("#record-start")
    page.wait_for_selector("#record-again:visible")
    check("a failure is reported", "failed" in page.inner_text("#record-state"), page.inner_text("#record-state"))
    start = SourceHandler.upload.index(b"RIFF")
    length = int.from_bytes(SourceHandler.upload[start + 40:start + 44], "little")
    check("the recording is a WAV file", 2 * RATE * 1.5 < length < 2 * RATE * 4, f"{length} bytes")
    with page.expect_download() as saved:
        page.click("#record-keep")
    check("a recording without text can be saved", pathlib.Path(saved.value.path()).stat().st_size == 44 + length)
    page.click("#record-again")
    page.wait_for_selector("#record-player .word >> nth=3")
    check("it can be tried again", SourceHandler.upload[start + 40:start + 44] == length.to_bytes(4, "little")
          and page.is_hidden("#record-again"))
    page.click("#record-player .word >> nth=2")
    page.wait_for_selector("#record-player .word.now")
    check("a click on a word plays it", True)
    page.set_input_files("#record-file", SAMPLES / "en-quick_brown_fox.wav")
    until(page, "document.getElementById('record-state').textContent === ''")
    page.wait_for_selector("#record-player .word")
    check("a file is read", (SAMPLES / "en-quick_brown_fox.wav").read_bytes() in SourceHandler.upload)
    context.close()


def check_history(browser):
    context = new_context(browser)
    page = open_page(context, BASE)
    show(page, "history")
    page.wait_for_selector("#history-summary:visible")
    check("the summary comes after the text", "country" in page.inner_text("#history-summary"))
    page.click("#history-session .time >> nth=1")
    page.fill("#history-session textarea", "What a person has written")
    SourceHandler.fails = True
    page.click("#history-session .controls .main")
    page.wait_for_selector("#toast:visible")
    check("an edit that fails is not lost", page.input_value("#history-session textarea") == "What a person has written")
    page.click("#history-session .controls .main")
    until(page, "document.querySelector('#history-session textarea') === null")
    check("it can be kept then", "What a person has written" in page.inner_text("#history-session"))
    page.click("#history-session .time >> nth=2")
    until(page, "document.getElementById('history-session').textContent.includes('my fellow Americans')")
    check("and taken back", page.locator("#history-session .word").count() > 10)
    check("no audio has come so far", page.is_hidden("#history-session audio"))
    page.click("#history-session .word >> nth=3")
    page.wait_for_selector("#history-session audio:visible")
    page.wait_for_selector("#history-session .word.now")
    check("it comes when a word is to be played", True)
    page.fill("#history-search", "country")
    page.wait_for_selector("#history-list mark")
    page.click("#history-list button")
    until(page, "document.activeElement.dataset.segment === '0'")
    check("a search result leads to its place", True)
    context.close()


# MARK: Pictures


def picture(page, file):
    """Reduces the colours, for a small file."""
    page.screenshot(path=file)
    Image.open(file).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(file, optimize=True)


def take_pictures(browser, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for theme in ["dark", "light", "yellow"]:
        context = new_context(browser, theme, width=1120, height=700)
        page, _ = started(context, theme, size=40)
        picture(page, folder / f"captions-{theme}.png")
        if theme == "dark":
            for view in VIEWS[1:]:
                show(page, view)
                page.wait_for_timeout(200)
                picture(page, folder / f"captions-{view}.png")
            page.click("#tab-captions")
            page.click("#settings-open")
            picture(page, folder / "captions-settings.png")
        context.close()
    context = new_context(browser, "dark", width=390, height=780)
    page, _ = started(context, "dark", size=30)
    picture(page, folder / "captions-phone.png")
    context.close()
    context = new_context(browser, width=1120, height=300)
    scripted_screen(context)
    page = open_page(context, BASE, "/overlay?size=48#screen=" + "a" * 32)
    until(page, "document.getElementById('lines').textContent.includes('spoken')")
    page.evaluate("document.documentElement.style.background = '#5d7a4f'")
    picture(page, folder / "captions-overlay.png")
    context.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=pathlib.Path, help="write a picture of each view to this folder")
    parser.add_argument("--only", help="the name of one check, or none")
    options = parser.parse_args()
    checks = {"axe": check_axe, "keyboard": check_keyboard, "reflow": check_reflow, "languages": check_languages,
              "phone": check_phone, "text": check_text,
              "overlay": check_overlay, "cut": check_cut,
              "kept": check_kept, "begin": check_begin, "connection": check_connection,
              "speakers": check_speakers, "gaps": check_gaps, "words": check_words, "noise": check_noise,
              "speech": check_speech, "record": check_record, "history": check_history}
    with sync_playwright() as playwright:
        browser = launch(playwright)
        browser.playwright = playwright
        for name, function in checks.items():
            if options.only in (None, name):
                function(browser)
        if options.pictures:
            take_pictures(browser, options.pictures)
        browser.close()
    report()


main()
