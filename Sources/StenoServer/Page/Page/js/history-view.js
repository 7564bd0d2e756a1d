import { postJSON, request, requestJSON } from "./access.js";
import { confirm } from "./dialogs.js";
import { byId, download, make, toast } from "./dom.js";
import { TYPES } from "./export.js";
import { clock, date, t } from "./i18n.js";
import { Player } from "./player.js";
import { problemText } from "./status.js";

const PATH = "v1/steno/history";

/** Does some work and gives its result; a failure is shown and gives null, unless the work was aborted. */
async function attempt(work, signal) {
  try {
    return await work();
  } catch (error) {
    if (!signal?.aborted) toast(problemText(error));
    return null;
  }
}

/** The server's history: a list, a search, and a session to read, play and edit. */
export class HistoryView {
  constructor() {
    let timer;
    byId("history-search").addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.list(), 250);
    });
    addEventListener("localechange", () => {
      if (!byId("view-history").hidden) this.list();
    });
  }

  async list() {
    const query = byId("history-search").value.trim();
    const own = this.listing = {};
    await attempt(async () => {
      const path = query ? `${PATH}/search?q=${encodeURIComponent(query)}` : PATH;
      const answer = await requestJSON(path);
      // A newer request has replaced this one.
      if (own !== this.listing) return;
      const rows = query ? answer.hits.map((hit) => this.hit(hit)) : answer.sessions.map((session) => this.row(session));
      byId("history-list").replaceChildren(...rows);
      byId("history-empty").hidden = rows.length > 0;
      byId("history-empty").textContent = query ? t("history.none") : t("history.empty");
    });
  }

  row(session) {
    const about = `${date(session.start)} · ${clock(session.duration)}`;
    return this.item(session.id, session.title || t("history.untitled"), make("span", { class: "fine", text: about }));
  }

  hit(hit) {
    const excerpt = make("span", { class: "fine", dir: "auto" });
    for (const part of hit.excerpt) excerpt.append(part.isMatch ? make("mark", { text: part.text }) : part.text);
    return this.item(hit.session, hit.title || t("history.untitled"), excerpt, hit.segment);
  }

  item(id, title, about, segment) {
    const current = id === this.shown ? "true" : undefined;
    const button = make("button", { "aria-current": current, onclick: () => this.show(id, segment) },
      make("strong", { dir: "auto", text: title }), about);
    button.dataset.session = id;
    return make("li", {}, button);
  }

  /** Shows a session, at a given segment if it is a search result. */
  async show(id, segment) {
    this.shown = id;
    // Pending requests for the previous session would delay this one.
    this.reading?.abort();
    const { signal } = (this.reading = new AbortController());
    for (const button of byId("history-list").querySelectorAll("button")) {
      if (button.dataset.session === id) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    await attempt(async () => {
      const session = await requestJSON(`${PATH}/${id}`, { signal });
      this.player?.close();
      this.player = new Player(session.segments, {
        onEdit: (segment, text) => this.rewrite(id, segment, text),
        fetch: session.hasAudio ? () => this.audio(id, signal) : null,
      });
      byId("history-session").replaceChildren(...this.article(session), this.player.element);
      if (segment === undefined) byId("history-session").focus();
      else this.player.show(segment);
      this.summarize(id, signal);
    }, signal);
  }

  /** Loads the audio only on playback, because hours of audio are large. */
  audio(id, signal) {
    return attempt(async () => (await request(`${PATH}/${id}/audio`, { signal })).blob(), signal);
  }

  /** Changes a segment's text, or restores the recognised text (null); returns the changed fields, or null on failure. */
  async rewrite(id, segment, text) {
    if (!(await this.edit(id, { segment: segment.id, text }))) return null;
    if (text !== null) return { text, editedText: text };
    return attempt(async () => {
      const { segments } = await requestJSON(`${PATH}/${id}`);
      return segments.find((other) => other.id === segment.id) ?? null;
    });
  }

  /** Loads the summary separately, so that the text does not wait for it. */
  async summarize(id, signal) {
    let summary;
    try {
      summary = await requestJSON(`${PATH}/${id}/summary`, { signal });
    } catch (error) {
      if (signal.aborted) return;
      summary = { text: problemText(error) };
    }
    const place = byId("history-summary");
    if (this.shown !== id || !place) return;
    if (summary.title) byId("history-title").placeholder = summary.title;
    if (!summary.text) return;
    place.replaceChildren(make("h2", { text: t("history.summary") }), make("p", { dir: "auto", text: summary.text }));
    place.hidden = false;
  }

  article(session) {
    const title = make("input", {
      type: "text", id: "history-title", class: "title", dir: "auto", value: session.title, maxlength: 200,
      "aria-label": t("history.title"), placeholder: t("history.untitled"),
      onchange: async ({ target }) => {
        if (await this.edit(session.id, { title: target.value.trim() })) this.list();
      },
    });
    const about = [date(session.start), clock(session.duration)].join(" · ");
    const parts = [title, make("p", { class: "fine", text: about }),
      make("div", { id: "history-summary", class: "summary", hidden: true })];
    if (!session.hasAudio) parts.push(make("p", { class: "fine", text: t("history.silent") }));
    const formats = Object.keys(TYPES).map((format) => {
      return make("button", { text: format.toUpperCase(), onclick: () => this.save(session.id, format) });
    });
    const remove = make("button", { text: t("history.delete"), onclick: () => this.remove(session.id) });
    parts.push(make("div", { class: "group" }, ...formats, remove));
    return parts;
  }

  edit(id, change) { return attempt(() => postJSON(`${PATH}/${id}`, change)); }

  save(id, format) {
    return attempt(async () => {
      const response = await request(`${PATH}/${id}/export?format=${format}`);
      download(`steno-${id.slice(0, 8)}.${format}`, TYPES[format], await response.blob());
    });
  }

  async remove(id) {
    if (!(await confirm(t("history.question"), t("history.delete")))) return;
    await attempt(async () => {
      await request(`${PATH}/${id}`, { method: "DELETE" });
      this.reading?.abort();
      this.player?.close();
      this.player = this.shown = null;
      byId("history-session").replaceChildren();
      byId("history-search").focus();
      this.list();
    });
  }
}
