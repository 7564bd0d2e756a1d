// The player names each new speaker.
document.createElement = () => ({
  childNodes: [],
  addEventListener() {},
  setAttribute() {},
  append(...children) { this.childNodes.push(...children); },
});
const { Player } = await import("./js/player.js");
const said = (id, words, more = {}) => ({
  id,
  start: id,
  text: words.map(([text]) => text).join(""),
  words: words.map(([word, speaker]) => ({ word, speaker, start: id, end: id + 1 })),
  speaker: null,
  editedText: null,
  ...more,
});
const { text } = new Player([
  said(0, [[" One", "Ann"], [" hm", null], [" two", "Ben"], [" three", "Ben"]]),
  said(1, [[" four", "Ben"]]),
  said(2, [[" five", "Ben"], [" six", "Ann"]], { speaker: "Cleo" }),
  said(3, [[" seven", "Ann"], [" ate", "Ben"]], { text: " Seven, eight.", editedText: " Seven, eight." }),
  said(4, [[" nine", "Ben"]]),
]);
const shown = (node) => {
  if (typeof node === "string") return node;
  return node.className === "speaker" ? `[${node.textContent}]` : node.textContent;
};
report(text.childNodes.map(({ childNodes }) => childNodes.slice(1).map(shown).join("")));
// reports ["[Ann] One hm[Ben] two three"," four","[Cleo] five six","[Ann] Seven, eight.","[Ben] nine"]
