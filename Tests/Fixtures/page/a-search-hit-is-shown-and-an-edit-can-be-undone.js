// A search hit is shown and an edit can be undone.
// with player
const segments = [
  { id: 0, start: 0, text: " One." },
  { id: 7, start: 5, text: " Too.", editedText: " Too." },
];
const asked = [];
player = new Player(segments, { onEdit: async (segment, text) => {
  asked.push([segment.id, text]);
  return { text: " Two.", editedText: null };
} });
player.show(7);
const texts = (node) => node.childNodes.map((child) => child.textContent ?? child).join("|");
const [first, second] = player.text.childNodes;
const before = [texts(first), texts(second)];
second.childNodes.at(-1).listeners.click();
await answered();
report([shown.slice(0, 2), before, asked, texts(second)]);
// reports [["to 7","focus 7"],["0:00| One.| |edit","0:05| Too.| |edit| |edit.undo"],[[7,null]],"0:05| Two.| |edit"]
