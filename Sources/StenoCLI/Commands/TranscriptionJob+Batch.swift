import Foundation
import Steno
import StenoCommandLine

extension TranscriptionJob {
    /// Transcribes several inputs in batches; one that fails is reported and does not stop the others.
    ///
    /// Each file is written when it is finished; standard output receives the texts in the order of the inputs.
    ///
    /// - Returns: The command's exit code.
    func transcribeTogether(_ inputs: [String]) async throws -> Int32 {
        let start = Date()
        let estimates = inputs.map { ProgressEstimate(name: Inputs.displayName($0), start: start) }
        let drafts = inputs.map { _ in Monitor(TranscriptDraft()) }
        let transcripts = transcriber.transcripts(
            options: options,
            progress: { number, event in
                drafts[number].update { $0.add(event) }
                showProgress(event, inputs[number], estimates[number])
            },
            from: inputs.map { input in { try Inputs.open(input, reading) } })
        console.saveBeforeExit {
            deliverPartial(zip(drafts, inputs).map { ($0, $1) }, isPrinted: false)
        }
        defer { console.saveBeforeExit(nil) }
        var finished: Set<Int> = []
        var waiting: [Int: Result<Transcript, any Error>] = [:]
        var next = 0
        var code: Int32 = 0
        do {
            for try await (number, transcript) in transcripts {
                waiting[number] = transcript
                if !place.isStandardOutput { next = number }
                while let result = waiting.removeValue(forKey: next) {
                    code = max(code, finish(result, inputs[next], start))
                    finished.insert(next)
                    // A delivered transcript must not be delivered again as a partial one.
                    _ = drafts[next].update { $0.take() }
                    next += 1
                }
                // An invalid option fails for every other file too.
                if code > 1 { break }
            }
        } catch let error as CancellationError {
            let unfinished = inputs.indices.filter { !finished.contains($0) }
            for number in unfinished {
                if let result = waiting[number] { _ = finish(result, inputs[number], start) }
            }
            deliverPartial(unfinished.filter { waiting[$0] == nil }.map { (drafts[$0], inputs[$0]) }, isPrinted: false)
            throw error
        } catch {
            console.fail(inputs[0], error)
            return error.exitCode
        }
        return code
    }

    private func finish(_ result: Result<Transcript, any Error>, _ input: String, _ start: Date) -> Int32 {
        console.clearProgress()
        do {
            let transcript = try result.get()
            if streams { transcript.segments.forEach { console.print(output.line($0)) } }
            try deliver(transcript, input)
            reportEnd(transcript, input, start)
            return 0
        } catch {
            console.fail(input == "-" ? Inputs.displayName(input) : input, error)
            return error.exitCode
        }
    }
}
