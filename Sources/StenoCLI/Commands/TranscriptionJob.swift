import Foundation
import Steno

/// The transcription of one file: decoding, progress and output.
struct TranscriptionJob {
    let transcriber: Transcriber
    let options: DecodingOptions
    let output: OutputArguments
    let subtitles: SubtitleOptions
    let destination: TranscriptDestination?
    let console: Console
    /// The audio track to read, counted from 1; nil is the default one.
    let track: Int?

    func transcribe(_ input: String) async throws {
        let start = Date()
        let progress = ProgressEstimate(name: Inputs.displayName(input), start: start)
        let transcript = try await transcriber.transcribe(options: options, progress: { show($0, input, progress) }) {
            try Inputs.open(input, track: track)
        }
        console.clearProgress()
        try deliver(transcript, input)
        reportEnd(transcript, input, start)
    }

    private func show(_ event: TranscriptionProgressEvent, _ input: String, _ progress: ProgressEstimate) {
        if case .segment(let segment) = event, destination == nil, output.streams {
            console.print(output.line(segment))
        }
        showProgress(event, input, progress)
    }

    /// Shows the detected language and the progress.
    func showProgress(_ event: TranscriptionProgressEvent, _ input: String, _ progress: ProgressEstimate) {
        switch event {
        case .language(let detection):
            let how =
                options.language == nil
                ? String(format: "detected, probability %.3f", detection.probability) : "as requested"
            console.verbose("\(input): the language is \(detection.language) (\(how))")
        case .segment: break
        case .progress(let processed, let total):
            console.showProgress(progress.line(processed: processed, total: total, now: Date()))
        }
    }

    /// Writes the transcript, unless it was printed while it was decoded.
    func deliver(_ transcript: Transcript, _ input: String) throws {
        if let destination {
            for file in try destination.write(transcript, for: input) {
                console.verbose("\(input): wrote \(file.path)")
            }
        } else if !output.streams {
            for format in output.formats { console.print(format.text(of: transcript, subtitles: subtitles)) }
        }
    }

    /// Reports what was wrong with the audio, what the guards removed and how long the transcription took.
    func reportEnd(_ transcript: Transcript, _ input: String, _ start: Date) {
        let name = input == "-" ? Inputs.displayName(input) : input
        for warning in transcript.warnings ?? [] { console.warn("\(name): \(warning.message)") }
        for action in transcript.guards ?? [] { console.verbose("\(input): \(Self.line(action))") }
        console.verbose(summary(transcript, input, seconds: Date().timeIntervalSince(start)))
    }

    private static func line(_ action: GuardAction) -> String {
        let times = "[\(Timestamp.format(action.start)) --> \(Timestamp.format(action.end))]"
        return "\(times) removed\(action.text): \(action.reason)"
    }

    private func summary(_ transcript: Transcript, _ input: String, seconds: Double) -> String {
        let speed = seconds > 0 ? String(format: ", %.1f times as fast as speech", transcript.duration / seconds) : ""
        let times = String(format: "%.1f s of audio in %.1f s", transcript.duration, seconds)
        let speech = transcript.durationAfterVoiceActivity.map { String(format: ", %.1f s of it speech", $0) }
        return "\(input): \(times)\(speed)\(speech ?? "")"
    }
}
