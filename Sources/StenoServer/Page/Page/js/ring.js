/** The sample rate of all audio that is sent. */
export const RATE = 16000;

/** The last minute of audio. Samples are numbered from when the page began to listen. */
export class AudioRing {
  constructor(seconds = 60) {
    this.samples = new Int16Array(seconds * RATE);
    this.end = 0;
  }

  /** The first sample that is still available. */
  get start() { return Math.max(0, this.end - this.samples.length); }

  append(block) {
    const at = this.end % this.samples.length;
    const first = Math.min(block.length, this.samples.length - at);
    this.samples.set(block.subarray(0, first), at);
    this.samples.set(block.subarray(first), 0);
    this.end += block.length;
  }

  /** A copy of the samples in an available range. */
  slice(from, to) {
    const at = from % this.samples.length;
    const copy = new Int16Array(to - from);
    const first = Math.min(copy.length, this.samples.length - at);
    copy.set(this.samples.subarray(at, at + first));
    copy.set(this.samples.subarray(0, copy.length - first), first);
    return copy;
  }
}

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
