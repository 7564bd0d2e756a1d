// Runs on the audio thread: mixes down to mono, converts to 16 kHz, and sends blocks of 16-bit samples to the page.

const RATE = 16000;
/** Samples per block: 50 ms, to keep the delay short. */
const BLOCK = 800;
/** Zero crossings on each side of the windowed sinc. */
const CROSSINGS = 16;

function divisor(a, b) { return b === 0 ? a : divisor(b, a % b); }

/** Converts to 16 kHz with a windowed sinc (Smith, "Digital Audio Resampling", 2002), one filter per phase. */
class Resampler {
  constructor(rate) {
    const common = divisor(rate, RATE);
    this.up = RATE / common;
    this.down = rate / common;
    this.cutoff = Math.min(1, RATE / rate);
    this.reach = Math.ceil(CROSSINGS / this.cutoff);
    this.filters = [];
    for (let phase = 0; phase < this.up; phase++) this.filters.push(this.filter(phase / this.up));
    this.past = new Float32Array(2 * this.reach);
    this.phase = 0;
    this.next = 0;
  }

  filter(offset) {
    const taps = new Float32Array(2 * this.reach);
    let sum = 0;
    for (let i = 0; i < taps.length; i++) {
      const x = i - this.reach + 1 - offset;
      const angle = Math.PI * x * this.cutoff;
      const sinc = Math.abs(angle) < 1e-9 ? 1 : Math.sin(angle) / angle;
      const window = Math.cos((Math.PI * x) / (2 * this.reach)) ** 2;
      taps[i] = Math.abs(x) < this.reach ? sinc * window : 0;
      sum += taps[i];
    }
    return taps.map((tap) => tap / sum);
  }

  convert(input, take) {
    const all = new Float32Array(this.past.length + input.length);
    all.set(this.past);
    all.set(input, this.past.length);
    while (this.next + 2 * this.reach <= all.length) {
      const taps = this.filters[this.phase];
      let sample = 0;
      for (let i = 0; i < taps.length; i++) sample += taps[i] * all[this.next + i];
      take(sample);
      this.phase += this.down;
      this.next += Math.floor(this.phase / this.up);
      this.phase %= this.up;
    }
    this.past = all.slice(input.length);
    this.next -= input.length;
  }
}

class Capture extends AudioWorkletProcessor {
  constructor() {
    super();
    this.resampler = new Resampler(sampleRate);
    this.block = new Int16Array(BLOCK);
    this.filled = 0;
    this.energy = 0;
    this.peak = 0;
  }

  process([channels]) {
    if (channels.length === 0) return true;
    const mono = new Float32Array(channels[0].length);
    for (const channel of channels) {
      for (let i = 0; i < mono.length; i++) mono[i] += channel[i] / channels.length;
    }
    this.resampler.convert(mono, (sample) => this.take(sample));
    return true;
  }

  take(sample) {
    this.energy += sample * sample;
    this.peak = Math.max(this.peak, Math.abs(sample));
    this.block[this.filled++] = Math.max(-32768, Math.min(32767, Math.round(sample * 32768)));
    if (this.filled < BLOCK) return;
    const samples = this.block;
    this.port.postMessage({ samples, rms: Math.sqrt(this.energy / BLOCK), peak: this.peak }, [samples.buffer]);
    this.block = new Int16Array(BLOCK);
    this.filled = this.energy = this.peak = 0;
  }
}

registerProcessor("capture", Capture);
