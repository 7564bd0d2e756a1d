// Prints each segment as soon as it is decoded, and the subtitles at the end.
import Steno
import StenoBundledModel

let audio = BundledModel.samples.appendingPathComponent("inaugural-1961.wav")
let transcriber = try await Transcriber.load(BundledModel.folder)

var segments: [Segment] = []
for try await segment in transcriber.segments(file: audio, options: DecodingOptions(language: "en")) {
    print(Timestamp.format(segment.start), segment.text)
    segments.append(segment)
}

let duration = segments.last?.end ?? 0
let transcript = Transcript(language: "en", languageProbability: 1, duration: duration, segments: segments)
print(TranscriptFormat.srt.write(transcript), terminator: "")
