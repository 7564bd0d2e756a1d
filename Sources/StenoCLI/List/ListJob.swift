import Foundation
import Steno
import StenoCommandLine

/// The transcription of the recordings of a list, each answered by a line of JSON as soon as it is done.
struct ListJob {
    let transcriber: Transcriber
    let model: LocatedModel
    let options: ListOptions
    let reading: InputReading
    /// The number of recordings decoded at once.
    let recordings: Int
    let console: Console

    /// Transcribes until the list ends, or SIGTERM asks to finish.
    ///
    /// - Returns: The command's exit code: 0 when every line was answered, whatever the answers are.
    func run(_ list: OwnedDescriptor) async throws -> Int32 {
        let answer = ListAnswer(model: try await describeModel())
        let feed = try RecordingList(list, options: options, reading: reading) { [console] number, invalid in
            console.printNow(answer.line(number, invalid))
        }
        // A signal that asks to finish is obeyed by giving no further recordings; the others cancel.
        console.endGently(on: { $0 == .signal(SIGTERM) }, feed.stop)
        let watch = console.watchReader()
        defer { watch?.end() }
        let onEnd: @Sendable (FedResult) -> Void = { [console] result in
            guard let begun = feed.finish(result.number) else { return }
            console.printNow(answer.line(begun, result))
            console.verbose(Self.summary(begun, result))
        }
        if options.separatesChannels {
            try await transcriber.transcribeChannels(
                feed, lanes: recordings, options: options.options(), onEnd: onEnd)
        } else {
            try await transcriber.transcribe(feed, lanes: recordings, options: options.options(), onEnd: onEnd)
        }
        if let failure = feed.failure {
            console.fail("the list", failure)
            return 1
        }
        return console.endingSignal.map { 128 + $0 } ?? 0
    }

    private func describeModel() async throws -> ListAnswer.Model {
        let folder = model.folder
        let version = try await Worker.run("steno.hash", stack: .shallow) { flag in
            try ModelVersion.of(folder) { flag.isCancelled }
        }
        return ListAnswer.Model(
            name: model.name, version: version, precision: transcriber.information.precision.rawValue)
    }

    private static func summary(_ begun: RecordingList.Begun, _ result: FedResult) -> String {
        let audio = (try? result.transcript.get())?.duration ?? 0
        return String(format: "line \(begun.line): %.1f s of audio in %.1f s", audio, result.seconds)
    }
}
