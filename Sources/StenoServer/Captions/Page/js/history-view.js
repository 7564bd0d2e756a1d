import { postJSON, request, requestJSON } from "./access.js";
import { confirm } from "./dialogs.js";
import { byId, download, make, toast } from "./dom.js";
import { TYPES } from "./export.js";
import { clock, date, t } from "./i18n.js";
import { Player } from "./player.js";
import { problemText } from "./status.js";

const PATH = "v1/steno/history";

/** What the server has kept: a list, a search, and a session to read, hear and edit. */
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

  open() {
    this.list();
  }

  async list() {
    const query = byId("history-search").value.trim();
    const own = this.listing = {};
    try {
      const path = query ? `${PATH}/search?q=${encodeURIComponent(query)}` : PATH;
      const answer = await requestJSON(path);
      // An answer that was overtaken by a later one.
      if (own !== this.listing) return;
      const rows = query ? answer.hits.map((hit) => this.hit(hit)) : answer.sessions.map((session) => this.row(session));
      byId("history-list").replaceChildren(...rows);
      byId("history-empty").hidden = rows.length > 0;
      byId("history-empty").textContent = query ? t("history.none") : t("history.empty");
    } catch (error) {
      toast(problemText(error));
    }
  }

  row(session) {
    const about = `${date(session.start)} · ${clock(session.duration)}`;
    return this.item(session.id, session.title || t("history.untitled"), make("span", { class: "fine", text: about }));
  }

  hit(hit) {
    const excerpt = make("span", { class: "fine", dir: "auto" });
    for (const part of hit.excerpt) excerpt.append(part.isMatch ? make("mark", { text: part.text }) : part.text);
    return this.item(hit.session, hit.title || t("history.untitled"), excerpt, hit.start);
  }

  item(id, title, about, start) {
    const current = id === this.shown ? "true" : undefined;
    const button = make("button", { "aria-current": current, onclick: () => this.show(id, start) },
      make("strong", { dir: "auto", text: title }), about);
    button.dataset.session = id;
    return make("li", {}, button);
  }

  async show(id, start) {
    this.shown = id;
    for (const button of byId("history-list").querySelectorAll("button")) {
      if (button.dataset.session === id) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    try {
      const session = await requestJSON(`${PATH}/${id}`);
      // Another one was chosen in the meantime.
      if (this.shown !== id) return;
      this.player?.close();
      const player = new Player(session.segments, (segment, text) => this.edit(id, { segment: segment.id, text }));
      this.player = player;
      byId("history-session").replaceChildren(...this.article(session), player.element);
      byId("history-session").focus();
      this.summarize(id);
      if (!session.hasAudio) return;
      const audio = await (await request(`${PATH}/${id}/audio`)).blob();
      if (this.player !== player) return;
      player.load(audio);
      if (start !== undefined) player.play(start);
    } catch (error) {
      if (this.shown === id) toast(problemText(error));
    }
  }

  /** The summary comes after the text, which does not wait for it. */
  async summarize(id) {
    let summary;
    try {
      summary = await requestJSON(`${PATH}/${id}/summary`);
    } catch (error) {
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
      type: "text", id: "history-title", class: "title", dir: "auto", value: session.title,
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

  async edit(id, change) {
    try {
      await postJSON(`${PATH}/${id}`, change);
      return true;
    } catch (error) {
      toast(problemText(error));
      return false;
    }
  }

  async save(id, format) {
    try {
      const response = await request(`${PATH}/${id}/export?format=${format}`);
      download(`steno-${id.slice(0, 8)}.${format}`, TYPES[format], await response.blob());
    } catch (error) {
      toast(problemText(error));
    }
  }

  async remove(id) {
    if (!(await confirm(t("history.question"), t("history.delete")))) return;
    try {
      await request(`${PATH}/${id}`, { method: "DELETE" });
      this.player?.close();
      this.player = this.shown = null;
      byId("history-session").replaceChildren();
      byId("history-search").focus();
      this.list();
    } catch (error) {
      toast(problemText(error));
    }
  }
}
