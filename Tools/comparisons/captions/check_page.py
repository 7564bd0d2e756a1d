"""Checks the captions page in Chromium without a server: accessibility, keyboard, reflow, live region, pictures.

usage: python Tools/comparisons/captions/check_page.py [--pictures FOLDER] [--only NAME]

The page comes from its sources, with the Content-Security-Policy of the server; a script stands in for the server. Exits with 1
when a check fails.

    pip install -r Tools/comparisons/captions/requirements.txt
    apt-get install chromium

axe-core is part of the package axe-playwright-python."""
import argparse
import json
import pathlib
import sys

from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import sync_playwright

from rig import ScriptedLive, launch, open_page, serve_sources, talk, until

BASE = serve_sources()
VIEWS = ["captions", "write", "face", "record", "history"]
THEMES = ["dark", "light", "yellow", "forced"]
DIALOGS = {"settings": "settings-open", "help": "help-open", "export": "save", "ask": "clear"}
failures = []


def check(name, is_right, more=""):
    print(("ok    " if is_right else "FAIL  ") + name + (f": {more}" if more else ""))
    if not is_right:
        failures.append(name)


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
    check("letters in a field are no shortcuts", page.input_value("#write-text") == "hello s p c")
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


def check_reflow(browser):
    sizes = {"320 px wide": (320, 640, 1), "1280 by 800 at 200 %": (640, 400, 2), "at 400 %": (320, 256, 4)}
    for name, (width, height, scale) in sizes.items():
        context = new_context(browser, width=width, height=height, scale=scale)
        page, _ = started(context)
        for view in VIEWS:
            show(page, view)
            wide = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
            cut = page.evaluate("""[...document.querySelectorAll('button,select,input,textarea')].filter(e => {
                const box = e.getBoundingClientRect();
                return e.checkVisibility() && !e.closest('.visually-hidden, .skip') && !e.matches('.visually-hidden')
                  && (box.right > innerWidth + 1 || box.left < -1);
            }).map(e => e.id || e.textContent.trim())""")
            check(f"{view} fits, {name}", wide <= 0 and not cut, f"{wide} px, {cut}" if wide > 0 or cut else "")
        page.click("#settings-open")
        wide = page.evaluate("document.getElementById('settings').scrollWidth - document.getElementById('settings').clientWidth")
        check(f"settings fit, {name}", wide <= 0)
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
    check("the live region gets final text alone", "like to do." in said and "never" not in said, said)
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
    check("new text leaves a reader where he is", page.evaluate("document.getElementById('transcript').scrollTop") == place)
    page.click("#to-live")
    check("a button leads back to live", page.evaluate(at_end))
    page.click("#settings-open")
    page.fill("#set-names", "Zoë Müller, Anna")
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    live.partial(" Is there a zoe muller here?")
    page.wait_for_selector("#banner-name:visible")
    check("a name that is called flashes and says so", page.is_visible("#glow"))
    page.reload()
    page.wait_for_selector("html[data-ready]")
    check("a reload keeps the text", "One more" in page.inner_text("#lines"))
    page.click("#clear")
    page.click("#ask-yes")
    until(page, "document.getElementById('lines').textContent === ''")
    check("clear clears", True)
    for code, word in [("de", "Untertitel"), ("es", "Subtítulos"), ("fr", "Sous-titres"), ("tr", "Altyazı"),
                       ("pt", "Legendas"), ("en", "Captions")]:
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


# MARK: Pictures


def picture(page, file):
    """Few colours are enough, and make small files."""
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
    parser.add_argument("--only", help="axe, keyboard, reflow, text, overlay, cut or none")
    options = parser.parse_args()
    checks = {"axe": check_axe, "keyboard": check_keyboard, "reflow": check_reflow, "text": check_text,
              "overlay": check_overlay, "cut": check_cut}
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for name, function in checks.items():
            if options.only in (None, name):
                function(browser)
        if options.pictures:
            take_pictures(browser, options.pictures)
        browser.close()
    print(f"{len(failures)} failed" if failures else "all right")
    sys.exit(bool(failures))


main()
