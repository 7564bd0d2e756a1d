"""Transcribes a recording over the realtime API from a page in Chromium, which plays it as its microphone.

usage: python Tools/comparisons/server/realtime_browser.py [--url http://127.0.0.1:8080] [--key KEY] RECORDING.wav

This script serves the page, from an origin that the server must allow: start the server with `--allow-origin
http://127.0.0.1:8090`. Chromium's fake microphone plays the recording; the page resamples it to 24 kHz and sends it through a
WebSocket with OpenAI's subprotocols. Checks that the page gets text and that a page of another origin is refused; exits with 1 if a
check fails.

    pip install -r Tools/comparisons/server/requirements.txt
    apt-get install chromium
"""
import argparse
import functools
import http.server
import threading

from playwright.sync_api import sync_playwright

PAGE = """<!doctype html><title>Realtime</title><script>
async function transcribe(url, key, seconds) {
  const names = ["realtime"].concat(key ? ["openai-insecure-api-key." + key] : []);
  const socket = new WebSocket(url, names);
  const result = { text: "", types: [], protocol: null, code: null };
  await new Promise((resolve, reject) => { socket.onopen = resolve; socket.onerror = () => reject(new Error("refused")); });
  result.protocol = socket.protocol;
  const closed = new Promise(resolve => socket.onclose = event => { result.code = event.code; resolve(); });
  let done;
  const completed = new Promise(resolve => done = resolve);
  socket.onmessage = message => {
    const event = JSON.parse(message.data);
    result.types.push(event.type);
    if (event.type.endsWith(".completed")) { result.text += event.transcript + " "; done(); }
  };
  const update = { type: "transcription", audio: { input: { transcription: { language: "en" }, turn_detection: null } } };
  socket.send(JSON.stringify({ type: "session.update", session: update }));
  const context = new AudioContext({ sampleRate: 24000 });
  const stream = await navigator.mediaDevices.getUserMedia(
    { audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false } });
  const code = "registerProcessor('tap', class extends AudioWorkletProcessor {" +
    "process(inputs) { if (inputs[0][0]) this.port.postMessage(inputs[0][0].slice()); return true; } })";
  await context.audioWorklet.addModule(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
  const tap = new AudioWorkletNode(context, "tap");
  tap.port.onmessage = ({ data }) => {
    const bytes = new Uint8Array(Int16Array.from(data, x => Math.max(-32768, Math.min(32767, x * 32768))).buffer);
    const audio = btoa(String.fromCharCode(...bytes));
    socket.send(JSON.stringify({ type: "input_audio_buffer.append", audio }));
  };
  context.createMediaStreamSource(stream).connect(tap);
  await new Promise(resolve => setTimeout(resolve, 1000 * seconds));
  tap.disconnect();
  await context.suspend();
  tap.port.onmessage = null;
  socket.send(JSON.stringify({ type: "input_audio_buffer.commit" }));
  await completed;
  socket.close(1000);
  await closed;
  return result;
}
</script>"""


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE.encode())

    def log_message(self, *_):
        pass


def serve(port):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("recording")
    parser.add_argument("--url", default="http://127.0.0.1:8080")
    parser.add_argument("--key", default="")
    parser.add_argument("--seconds", type=float, default=11)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    arguments = parser.parse_args()
    socket = arguments.url.replace("http", "ws", 1) + "/v1/realtime?intent=transcription"
    servers = [serve(8090), serve(8091)]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=arguments.chromium,
            args=["--no-sandbox", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
                  f"--use-file-for-fake-audio-capture={arguments.recording}",
                  "--autoplay-policy=no-user-gesture-required"])
        page = browser.new_page()
        page.goto("http://127.0.0.1:8090/")
        transcribe = functools.partial(page.evaluate, "given => transcribe(...given)")
        result = transcribe([socket, arguments.key, arguments.seconds])
        print(result["text"], result["code"], result["protocol"])
        assert len(result["text"].split()) > 5 and result["protocol"] == "realtime" and result["code"] == 1000
        page.goto("http://127.0.0.1:8091/")
        try:
            transcribe([socket, arguments.key, 1])
            raise SystemExit("a page of another origin was let in")
        except Exception as error:
            assert "refused" in str(error), error
            print("another origin: refused")
        browser.close()
    for server in servers:
        server.shutdown()


main()
