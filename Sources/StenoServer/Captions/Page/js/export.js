// A transcript as a file.

/** The longest cue, in characters and seconds. */
const CUE = { characters: 80, seconds: 6, pause: 1 };

function cues(segments) {
  const result = [];
  for (const segment of segments) {
    const last = result.at(-1);
    const fits = last && last.text.length + segment.text.length <= CUE.characters
      && segment.end - last.start <= CUE.seconds && segment.start - last.end <= CUE.pause && !/[.!?…]$/.test(last.text);
    if (fits) {
      last.text += segment.text;
      last.end = segment.end;
    } else result.push({ start: segment.start, end: segment.end, text: segment.text.trimStart() });
  }
  return result;
}

function time(seconds, point) {
  const total = Math.round(seconds * 1000);
  const two = (value) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(total / 3600000), Math.floor(total / 60000) % 60];
  const rest = `${two(Math.floor(total / 1000) % 60)}${point}${String(total % 1000).padStart(3, "0")}`;
  return `${two(hours)}:${two(minutes)}:${rest}`;
}

function subtitles(segments, point, isNumbered) {
  return cues(segments).map((cue, index) => {
    const number = isNumbered ? `${index + 1}\n` : "";
    return `${number}${time(cue.start, point)} --> ${time(cue.end, point)}\n${cue.text.trim()}\n`;
  }).join("\n");
}

/** The types of the files. */
export const TYPES = { txt: "text/plain", srt: "application/x-subrip", vtt: "text/vtt", json: "application/json" };

/** The text of a transcript in a format. */
export function exportText(transcript, format) {
  switch (format) {
    case "srt":
      return subtitles(transcript.segments, ",", true);
    case "vtt":
      return "WEBVTT\n\n" + subtitles(transcript.segments, ".", false);
    case "json":
      return JSON.stringify({ text: transcript.text, segments: transcript.segments }, null, 2) + "\n";
    default:
      return transcript.text + "\n";
  }
}

/** A name with the time, for a file. */
export function fileName(format, date = new Date()) {
  const local = new Date(date - date.getTimezoneOffset() * 60000).toISOString();
  return `steno-${local.slice(0, 16).replace("T", "-").replace(":", "")}.${format}`;
}
