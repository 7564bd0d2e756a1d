import ArgumentParser
import Foundation
import Steno
import StenoCommandLine
import StenoModelStore

/// The transcription of the files of a command: decoding, progress and output.
struct TranscriptionJob {
    let transcriber: Transcriber
    let options: TranscriptionOptions
    let output: OutputArguments
    let subtitles: SubtitleOptions
    let reading: InputReading
    let separatesChannels: Bool
    let place: TranscriptPlace
    /// Whether the JSON of several files goes to standard output: each is then a line that begins with the file's name.
    let namesFiles: Bool
    let console: Console

    /// Whether lines are printed, not documents; speakers and the order of channels are known only at the end.
    var streams: Bool { output.streams && options.speakers == nil && !separatesChannels }

    /// Transcribes inputs, in batches if the options ask for them, and returns the exit code; one that fails is
    /// reported and does not stop the others.
    ///
    /// Each file is written when it is finished; standard output receives the texts in the order of the inputs.
    func transcribe(_ inputs: [String]) async throws -> Int32 {
        let feed = InputFeed(inputs, options, reading)
        // The texts of a batch would be mixed.
        let printsAtOnce = streams && (options.batchSize == 1 || inputs.count == 1)
        let code = Monitor<Int32>(0)
        console.saveBeforeExit { deliverPartial(feed.begun, isPrinted: printsAtOnce) }
        defer { console.saveBeforeExit(nil) }
        do {
            try await transcriber.transcribe(feed, options: options, channels: separatesChannels ? feed.open : nil) {
                number, event in
                switch event {
                case .progress(let event): show(event, feed.begun(number), isPrinted: printsAtOnce)
                case .result(let result):
                    let done =
                        place.isStandardOutput
                        ? feed.ordered(number, result.transcript) : [(feed.begun(number), result.transcript)]
                    for (recording, transcript) in done {
                        let own = finish(transcript, recording, isPrinted: printsAtOnce)
                        code.update { $0 = max($0, own) }
                        // An invalid option fails for every other file too.
                        if own == ExitCode.validationFailure.rawValue { feed.stop() }
                    }
                }
            }
        } catch let error as CancellationError {
            for (recording, transcript) in feed.takeWaiting() {
                _ = finish(transcript, recording, isPrinted: printsAtOnce)
            }
            deliverPartial(feed.begun, isPrinted: printsAtOnce)
            throw error
        } catch {
            console.fail(Self.name(inputs[0]), error)
            return error.exitCode
        }
        return code.read { $0 }
    }

    /// The name of an input in errors and warnings.
    private static func name(_ input: String) -> String {
        input == "-" ? Inputs.displayName(input) : ModelReference.withoutPassword(input)
    }

    private func finish(
        _ result: Result<Transcript, any Error>, _ recording: InputFeed.Begun, isPrinted: Bool
    ) -> Int32 {
        defer { recording.draft.update { $0.drop() } }
        console.clearProgress()
        do {
            let transcript = try result.get()
            if streams, !isPrinted { transcript.segments.forEach { console.print(output.line($0)) } }
            try deliver(transcript, recording.input)
            reportEnd(transcript, recording.input, recording.estimate.start)
            return 0
        } catch {
            console.fail(Self.name(recording.input), error)
            return error.exitCode
        }
    }

    private func show(_ event: TranscriptionProgressEvent, _ recording: InputFeed.Begun, isPrinted: Bool) {
        recording.draft.update { $0.add(event) }
        switch event {
        case .language(let detection):
            let how =
                options.language == nil
                ? String(format: "detected, probability %.3f", detection.probability) : "as requested"
            console.verbose("\(recording.input): the language is \(detection.language) (\(how))")
        case .segment(let segment):
            if isPrinted { console.print(output.line(segment)) }
        case .progress(let processed, let total):
            let now = Date()
            console.showProgress(recording.estimate.line(processed: processed, total: total, now: now))
        }
    }

    /// Writes the transcript, unless it was printed while it was decoded.
    ///
    /// - Throws: The first error; text that could not be written to any file has then been printed on standard output.
    private func deliver(_ transcript: Transcript, _ input: String) throws {
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

    /// Keeps the decoded parts of recordings after a signal stopped the work; those without any text share one line.
    ///
    /// - Parameter isPrinted: Whether the text has already been printed on standard output.
    private func deliverPartial(_ recordings: [InputFeed.Begun], isPrinted: Bool) {
        guard console.isInterrupted else { return }
        var without: [String] = []
        for recording in recordings where recording.draft.update({ $0.take() }) {
            let name = Self.name(recording.input)
            if let transcript = recording.draft.read(\.transcript) {
                deliverPartial(transcript, recording.input, name, isPrinted: isPrinted)
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
    private func reportEnd(_ transcript: Transcript, _ input: String, _ start: Date) {
        let name = Self.name(input)
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
