// Exports a transcript as a file.

import { speakerName } from "./i18n.js";
import { endsSentence } from "./transcript.js";

/** The limits of a cue, in characters and seconds; a longer pause begins another one. */
const CUE = { characters: 80, seconds: 6, pause: 1 };

function cues(segments) {
  const result = [];
  for (const segment of segments) {
    const last = result.at(-1);
    const fits = last && last.text.length + segment.text.length <= CUE.characters
      && segment.end - last.start <= CUE.seconds && segment.start - last.end <= CUE.pause && !endsSentence(last.text)
      && segment.speaker === last.speaker;
    if (fits) {
      last.text += segment.text;
      last.end = segment.end;
    } else result.push({ ...segment, text: segment.text.trimStart() });
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

function srt(segments) {
  return cues(segments).map(({ start, end, text, speaker }, index, all) => {
    const label = speaker && speaker !== all[index - 1]?.speaker ? `${speakerName(speaker)}: ` : "";
    return `${index + 1}\n${time(start, ",")} --> ${time(end, ",")}\n${label}${text.trim()}\n`;
  }).join("\n");
}

/** Escapes text for WebVTT. */
function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function vtt(segments) {
  return "WEBVTT\n\n" + cues(segments).map(({ start, end, text, speaker }) => {
    const voice = speaker ? `<v ${escaped(speakerName(speaker))}>` : "";
    return `${time(start, ".")} --> ${time(end, ".")}\n${voice}${escaped(text.trim())}\n`;
  }).join("\n");
}

export const TYPES = { txt: "text/plain", srt: "application/x-subrip", vtt: "text/vtt", json: "application/json" };

export function exportText(transcript, format) {
  switch (format) {
    case "srt":
      return srt(transcript.segments);
    case "vtt":
      return vtt(transcript.segments);
    case "json": {
      const segments = transcript.segments.map(({ start, end, text, speaker }) => {
        return speaker ? { start, end, text, speaker } : { start, end, text };
      });
      return JSON.stringify({ text: transcript.text(speakerName), segments }, null, 2) + "\n";
    }
    default:
      return transcript.text(speakerName) + "\n";
  }
}

/** A file name with the local time. */
export function fileName(format, date = new Date()) {
  const local = new Date(date - date.getTimezoneOffset() * 60000).toISOString();
  return `steno-${local.slice(0, 16).replace("T", "-").replace(":", "")}.${format}`;
}
