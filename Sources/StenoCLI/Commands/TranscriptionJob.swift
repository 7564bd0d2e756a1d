import Foundation
import Steno
import StenoCommandLine

/// The transcription of one file: decoding, progress and output.
struct TranscriptionJob {
    let transcriber: Transcriber
    let options: TranscriptionOptions
    let output: OutputArguments
    let subtitles: SubtitleOptions
    let reading: InputReading
    /// Whether each channel is transcribed separately.
    let separatesChannels: Bool
    let place: TranscriptPlace
    /// Whether the JSON of several files goes to standard output: each is then a line that begins with the file's name.
    let namesFiles: Bool
    let console: Console

    /// Whether the text is printed while it is decoded; speakers and the order of channels are known only at the end.
    var streams: Bool { output.streams && options.speakers == nil && !separatesChannels }

    func transcribe(_ input: String) async throws {
        let start = Date()
        let progress = ProgressEstimate(name: Inputs.displayName(input), start: start)
        let draft = Monitor(TranscriptDraft())
        console.saveBeforeExit { deliverPartial(draft, input, isPrinted: streams) }
        defer { console.saveBeforeExit(nil) }
        do {
            let transcript = try await transcribe(input) { event in
                draft.update { $0.add(event) }
                show(event, input, progress)
            }
            console.clearProgress()
            try deliver(transcript, input)
            reportEnd(transcript, input, start)
        } catch let error as CancellationError {
            deliverPartial(draft, input, isPrinted: streams)
            throw error
        }
    }

    private func transcribe(_ input: String, _ progress: @escaping Transcriber.Progress) async throws -> Transcript {
        guard separatesChannels else {
            return try await transcriber.transcribe(options: options, progress: progress) { [reading] in
                try Inputs.open(input, reading)
            }
        }
        return try await transcriber.transcribeChannels(options: options, progress: progress) { [reading] in
            try Inputs.open(input, reading, channel: $0)
        }
    }

    private func show(_ event: TranscriptionProgressEvent, _ input: String, _ progress: ProgressEstimate) {
        if case .segment(let segment) = event, streams { console.print(output.line(segment)) }
        showProgress(event, input, progress)
    }

    func showProgress(_ event: TranscriptionProgressEvent, _ input: String, _ progress: ProgressEstimate) {
        switch event {
        case .language(let detection):
            let how =
                options.language == nil
                ? String(format: "detected, probability %.3f", detection.probability) : "as requested"
            console.verbose("\(input): the language is \(detection.language) (\(how))")
        case .segment: break
        case .progress(let processed, let total):
            let now = Date()
            console.showProgress(progress.line(processed: processed, total: total, now: now))
        }
    }

    /// Writes the transcript, unless it was printed while it was decoded.
    ///
    /// - Throws: The first error; text that could not be written to any file has then been printed on standard output.
    func deliver(_ transcript: Transcript, _ input: String) throws {
        guard !place.isStandardOutput else {
            if !streams { print(transcript, input) }
            return
        }
        let writing = place.write(transcript, for: input, keepingExisting: output.skipExisting)
        for file in writing.written { console.verbose("\(input): wrote \(file.relativePath)") }
        if !writing.replaced.isEmpty {
            console.remark("\(input): replaced \(writing.replaced.map(\.relativePath).joined(separator: ", "))")
        }
        guard let failure = writing.failures.first else { return }
        // Hours of work must not be lost.
        if writing.written.isEmpty, !transcript.segments.isEmpty {
            console.print(TranscriptFormat.txt.text(of: transcript))
            console.warn("\(input): the text is on standard output instead")
        }
        throw failure
    }

    private func print(_ transcript: Transcript, _ input: String) {
        guard !output.timestamps else { return transcript.segments.forEach { console.print(output.line($0)) } }
        for format in output.formats {
            let text = format.text(of: transcript, subtitles: subtitles)
            console.print(format == .json && namesFiles ? text.jsonLine(naming: input) : text)
        }
    }

    /// Keeps the decoded part of a recording after a signal stopped the work.
    ///
    /// - Parameter isPrinted: Whether the text has already been printed on standard output.
    func deliverPartial(_ draft: Monitor<TranscriptDraft>, _ input: String, isPrinted: Bool) {
        deliverPartial([(draft, input)], isPrinted: isPrinted)
    }

    /// The same for several recordings; those without any text share one line.
    func deliverPartial(_ drafts: [(draft: Monitor<TranscriptDraft>, input: String)], isPrinted: Bool) {
        guard console.isInterrupted else { return }
        var without: [String] = []
        for (draft, input) in drafts where draft.update({ $0.take() }) {
            let name = input == "-" ? Inputs.displayName(input) : input
            if let transcript = draft.read(\.transcript) {
                deliverPartial(transcript, input, name, isPrinted: isPrinted)
            } else {
                without.append(name)
            }
        }
        guard let first = without.first else { return }
        console.clearProgress()
        let others = without.count > 1 ? " and \(without.count - 1) more recordings" : ""
        console.warn("\(first)\(others): interrupted before any text.")
    }

    private func deliverPartial(_ transcript: Transcript, _ input: String, _ name: String, isPrinted: Bool) {
        console.clearProgress()
        let interruption = "interrupted at \(ProgressEstimate.clock(transcript.duration))"
        let end = "\(name): \(interruption); the partial transcript is"
        var transcript = transcript
        // Otherwise anyone who sees only the document would think that it is complete.
        transcript.warnings =
            (transcript.warnings ?? []) + [TranscriptionWarning(.cancelled, "The transcription was \(interruption).")]
        guard place.isStandardOutput else {
            do {
                let files = try place.writePartial(transcript, for: input).map(\.relativePath)
                console.warn("\(end) in \(files.joined(separator: ", "))")
            } catch {
                console.fail(name, error)
            }
            return
        }
        if !isPrinted {
            if output.streams {
                transcript.segments.forEach { console.print(output.line($0)) }
            } else {
                print(transcript, input)
            }
        }
        console.warn("\(end) on standard output")
    }

    /// Reports problems in the audio, text removed by guards, and the duration of the transcription.
    func reportEnd(_ transcript: Transcript, _ input: String, _ start: Date) {
        let name = input == "-" ? Inputs.displayName(input) : input
        for warning in transcript.warnings ?? [] {
            // A warning about missing speech may be expected; one about missing audio is always shown.
            let say = warning.code == .noSpeech ? console.remark : console.warn
            say("\(name): \(warning.message)")
        }
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

extension String {
    /// A transcript's JSON on one line, with the name of its file before the other fields.
    func jsonLine(naming file: String) -> String { jsonLine(after: [("file", JSONText.string(file))]) }

    /// A transcript's JSON on one line, after other fields, whose values are given as JSON.
    ///
    /// Strings in JSON contain no line breaks, so this removes only the breaks between elements.
    func jsonLine(after fields: [(String, String)]) -> String {
        var line = ""
        for part in split(separator: "\n").map({ $0.drop { $0 == " " } }) {
            let isTight = line.isEmpty || "[{".contains(line.last ?? " ") || "]}".contains(part.first ?? " ")
            line += (isTight ? "" : " ") + part
        }
        return "\(JSONText.object(fields).dropLast()), \(line.dropFirst())\n"
    }
}
