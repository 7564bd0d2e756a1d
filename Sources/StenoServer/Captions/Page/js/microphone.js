/** Where the audio comes from besides the microphones: what this computer plays. */
export const COMPUTER = "computer";

/** Audio of a microphone or of the computer, as blocks of 16-bit samples at 16 kHz. */
export class Microphone {
  /** @param handlers `block({samples, rms, peak})`, `ended()` when the device is gone. */
  constructor(handlers) {
    this.handlers = handlers;
  }

  /** Opens a device; throws the browser's error. */
  async open(device) {
    if (!navigator.mediaDevices) throw new DOMException("", "SecurityError");
    this.stream = await this.stream_(device);
    this.context = new AudioContext({ latencyHint: "interactive" });
    await this.context.audioWorklet.addModule(new URL("./worklet.js", import.meta.url));
    await this.context.resume();
    const node = new AudioWorkletNode(this.context, "capture", { numberOfOutputs: 0 });
    node.port.onmessage = ({ data }) => this.handlers.block(data);
    this.context.createMediaStreamSource(this.stream).connect(node);
    this.stream.getAudioTracks()[0].onended = () => this.handlers.ended();
  }

  async stream_(device) {
    if (device === COMPUTER) {
      const stream = await navigator.mediaDevices.getDisplayMedia({ audio: true, video: true });
      if (stream.getAudioTracks().length > 0) return stream;
      for (const track of stream.getTracks()) track.stop();
      throw new DOMException("", "NotFoundError");
    }
    const audio = { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: true };
    if (device) audio.deviceId = { ideal: device };
    return navigator.mediaDevices.getUserMedia({ audio });
  }

  close() {
    for (const track of this.stream?.getTracks() ?? []) {
      track.onended = null;
      track.stop();
    }
    this.context?.close();
    this.stream = this.context = null;
  }

  /** The microphones; their names are known once one of them was allowed. */
  static async list() {
    const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
    return devices.filter((device) => device.kind === "audioinput" && device.deviceId);
  }
}
