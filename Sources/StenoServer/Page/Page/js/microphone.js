/** The device that stands for the audio this computer plays. */
export const COMPUTER = "computer";

/** Captures audio from a microphone or the computer, as blocks of 16-bit samples at 16 kHz. */
export class Microphone {
  /** @param handlers `block({samples, rms, peak})`, `ended()` when the device is gone. */
  constructor(handlers) {
    this.handlers = handlers;
    /** Changes whenever a device is opened or closed, so that an outdated `open` can stop. */
    this.generation = 0;
  }

  /** Opens a device; throws the browser's error, or `Closed` if it was closed meanwhile. */
  async open(device) {
    if (!navigator.mediaDevices) throw new DOMException("", "SecurityError");
    this.close();
    const own = this.generation;
    const check = () => {
      if (own !== this.generation) throw new DOMException("", "Closed");
    };
    // A context that is closed meanwhile throws its own error; `Closed` replaces it.
    const still = (promise) => promise.finally(check);
    const stream = await this.ask(device).catch((error) => {
      check();
      throw error;
    });
    if (own !== this.generation) stop(stream);
    check();
    this.stream = stream;
    const context = new AudioContext({ latencyHint: "interactive" });
    this.context = context;
    await still(context.audioWorklet.addModule(new URL("./worklet.js", import.meta.url)));
    await still(context.resume());
    // A phone call interrupts the audio.
    context.onstatechange = () => {
      if (context === this.context && context.state !== "running") context.resume().catch(() => {});
    };
    const node = new AudioWorkletNode(context, "capture", { numberOfOutputs: 0 });
    node.port.onmessage = ({ data }) => {
      if (own === this.generation) this.handlers.block(data);
    };
    context.createMediaStreamSource(stream).connect(node);
    stream.getAudioTracks()[0].onended = () => this.handlers.ended();
  }

  async ask(device) {
    if (device === COMPUTER) {
      const stream = await navigator.mediaDevices.getDisplayMedia({ audio: true, video: true });
      if (stream.getAudioTracks().length > 0) return stream;
      stop(stream);
      throw new DOMException("", "NotFoundError");
    }
    const audio = { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: true };
    if (device) audio.deviceId = { ideal: device };
    return navigator.mediaDevices.getUserMedia({ audio });
  }

  close() {
    this.generation += 1;
    if (this.stream) stop(this.stream);
    this.context?.close();
    this.stream = this.context = null;
  }

  /** The microphones; browsers tell their names only after the user has allowed one. */
  static async list() {
    const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
    return devices.filter((device) => device.kind === "audioinput" && device.deviceId);
  }
}

function stop(stream) {
  for (const track of stream.getTracks()) {
    track.onended = null;
    track.stop();
  }
}
