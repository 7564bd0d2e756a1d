// Captions only, for OBS and second screens. Settings are in the query: `?size=48&lines=3&place=bottom&align=start
// &color=ffffff&background=000000cc&volatile=b5e0ff&face=sans&listen=1&language=de`; `listen=1` uses the microphone.
// Secrets are in the fragment: `#screen=…` shows the text of another page.

import { readFragment } from "./access.js";
import { Captioner } from "./captioner.js";
import { byId, make } from "./dom.js";
import { choose, setLocale, speakerName, t } from "./i18n.js";
import { describe, problemText } from "./status.js";
import { Transcript } from "./transcript.js";
import { Watch } from "./watch.js";

const FACES = {
  sans: 'system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  serif: 'Georgia, "Noto Serif", serif',
  mono: "ui-monospace, Menlo, Consolas, monospace",
};

/** The number of paragraphs to render; at most 20 lines are visible. */
const SHOWN = 20;
/** How long to show that there are no captions yet, so that the hint does not stay in a video, in milliseconds. */
const HINT_TIME = 8000;

const query = new URLSearchParams(location.search);
const fragment = readFragment();

function look() {
  const { style, dataset } = document.documentElement;
  const within = (name, low, high) => {
    const value = Number(query.get(name));
    return value >= low && value <= high ? value : null;
  };
  const color = (name) => (/^[0-9a-f]{3,8}$/i.test(query.get(name) ?? "") ? `#${query.get(name)}` : null);
  const values = {
    "--size": within("size", 8, 400) && `${within("size", 8, 400)}px`,
    "--lines": within("lines", 1, 20),
    "--color": color("color"),
    "--ground": color("background"),
    "--volatile": color("volatile"),
    "--face": FACES[query.get("face")],
  };
  for (const [name, value] of Object.entries(values)) if (value) style.setProperty(name, value);
  dataset.place = query.get("place") ?? "bottom";
  dataset.align = query.get("align") ?? "start";
}

function show(transcript) {
  const first = Math.max(0, transcript.paragraphs.length - SHOWN);
  const paragraphs = transcript.paragraphs.slice(first).map((paragraph, index) => {
    const speaker = transcript.newSpeaker(first + index);
    return [paragraph.text, "", speaker];
  });
  if (transcript.partial) {
    if (transcript.partialIsNewParagraph) paragraphs.push(["", transcript.partial.trimStart()]);
    else paragraphs.at(-1)[1] = transcript.partial;
  }
  const lines = paragraphs.map(([final, volatile, speaker]) => {
    const label = speaker ? [make("strong", { dir: "auto", text: `${speakerName(speaker)}: ` })] : [];
    const text = make("span", {}, ...label, final);
    if (volatile) text.append(make("span", { class: "volatile", text: volatile }));
    return make("span", { dir: "auto" }, text);
  });
  byId("lines").replaceChildren(...lines);
}

function watch(screen) {
  const transcript = new Transcript();
  let timer;
  new Watch(screen, {
    event: (event) => {
      if (event.type === "watching" || event.type === "cleared") transcript.clear();
      transcript.apply(event, 0);
      show(transcript);
      if (event.type !== "watching") byId("state").textContent = "";
    },
    change: (isConnected) => {
      byId("state").textContent = isConnected ? t("overlay.waiting") : t("state.reconnecting.short");
      clearTimeout(timer);
      if (isConnected) timer = setTimeout(() => (byId("state").textContent = ""), HINT_TIME);
    },
    problem: (error) => {
      clearTimeout(timer);
      byId("state").textContent = error.code === "invalid_value" ? t("overlay.how") : problemText(error);
    },
  });
}

function listen() {
  const captioner = new Captioner({ language: query.get("language") ?? "", device: "", names: [], save: false });
  captioner.addEventListener("text", () => show(captioner.transcript));
  let problem = "";
  const state = () => {
    const { lamp, text } = describe(captioner);
    if (lamp === "listening") problem = "";
    // The reason for stopping is more important than the state.
    byId("state").textContent = lamp === "listening" ? "" : problem || text;
  };
  captioner.addEventListener("change", state);
  captioner.addEventListener("problem", ({ detail }) => {
    problem = problemText(detail);
    byId("state").textContent = problem;
  });
  captioner.start();
}

look();
await setLocale(choose(query.get("interface")));
if (fragment.get("screen")) watch(fragment.get("screen"));
else if (query.get("listen")) listen();
else byId("state").textContent = t("overlay.how");
document.documentElement.dataset.ready = "yes";
