import { RATE } from "./ring.js";

/** A WAV file of 16-bit samples at 16 kHz. */
export function wav(blocks) {
  const count = blocks.reduce((sum, block) => sum + block.length, 0);
  const head = new DataView(new ArrayBuffer(44));
  const text = (at, letters) => [...letters].forEach((letter, i) => head.setUint8(at + i, letter.charCodeAt(0)));
  text(0, "RIFF");
  head.setUint32(4, 36 + 2 * count, true);
  text(8, "WAVEfmt ");
  head.setUint32(16, 16, true);
  head.setUint16(20, 1, true);
  head.setUint16(22, 1, true);
  head.setUint32(24, RATE, true);
  head.setUint32(28, 2 * RATE, true);
  head.setUint16(32, 2, true);
  head.setUint16(34, 16, true);
  text(36, "data");
  head.setUint32(40, 2 * count, true);
  return new Blob([head, ...blocks], { type: "audio/wav" });
}
