/** Quieter than this there is no signal at all, in dBFS: a microphone in a silent room is at -60 or more. */
const NO_SIGNAL = -75;
const NO_SIGNAL_TIME = 5000;

function decibels(amplitude) {
  return amplitude > 0 ? Math.max(-100, 20 * Math.log10(amplitude)) : -100;
}

/** How loud a microphone is, in dBFS, and whether anything comes from it. */
export class Level {
  constructor() {
    this.begin();
  }

  /** The microphone was opened, or is listened to again. */
  begin() {
    this.rms = this.peak = -100;
    this.signalTime = performance.now();
  }

  take(block) {
    this.rms = decibels(block.rms);
    this.peak = decibels(block.peak);
    if (this.peak > NO_SIGNAL) this.signalTime = performance.now();
  }

  get hasSignal() {
    return performance.now() - this.signalTime < NO_SIGNAL_TIME;
  }

  /** Shows it in a meter; one that nobody hears is empty. */
  show(meter, isHeard = true) {
    const part = isHeard ? Math.max(0, Math.min(1, (this.rms + 65) / 55)) : 0;
    meter.style.transform = `scaleX(${part.toFixed(2)})`;
  }
}
