/** A peak below this means no signal, in dBFS: even in a silent room, a microphone is at -60 or more. */
const NO_SIGNAL = -75;
const NO_SIGNAL_TIME = 5000;

function decibels(amplitude) {
  return amplitude > 0 ? Math.max(-100, 20 * Math.log10(amplitude)) : -100;
}

/** The level of a microphone in dBFS, and whether it has any signal. */
export class Level {
  constructor() { this.begin(); }

  /** Resets the level, when the microphone is opened or resumed. */
  begin() {
    this.rms = this.peak = -100;
    this.signalTime = performance.now();
  }

  take(block) {
    this.rms = decibels(block.rms);
    this.peak = decibels(block.peak);
    if (this.peak > NO_SIGNAL) this.signalTime = performance.now();
  }

  get hasSignal() { return performance.now() - this.signalTime < NO_SIGNAL_TIME; }

  /** Shows the level in a meter, which is empty while nothing is recorded. */
  show(meter, isHeard = true) {
    const part = isHeard ? Math.max(0, Math.min(1, (this.rms + 65) / 55)) : 0;
    meter.style.transform = `scaleX(${part.toFixed(2)})`;
  }
}
