// A full stop is shown and kept with its word. A mark at the end of an utterance joins its last word, whether it comes alone or within a snapshot.
const { Transcript } = await import("./js/transcript.js");
const transcript = new Transcript();
const final = (id, text) => ({ type: "final", id, text, start: id, end: id + 1 });
transcript.apply({ type: "begin" }, 0);
transcript.apply(final(0, " One"), 0);
transcript.apply({ type: "utterance_end", utterance: 0, text: "." }, 0);
transcript.apply(final(1, " Two"), 0);
transcript.apply({ type: "utterance_end", utterance: 1 }, 0);
const finals = [final(0, " One."), final(1, " Two?"), final(2, " Three")];
transcript.apply({ type: "snapshot", finals }, 0);
transcript.apply({ type: "snapshot", finals }, 0);
const shown = [transcript.text(), ...transcript.segments.map(({ text }) => text)];
transcript.clear();
transcript.apply({ type: "utterance_end", utterance: 2, text: "!" }, 0);
report([...shown, transcript.text()]);
// reports ["One. Two? Three"," One."," Two?"," Three",""]
