import Foundation
import Steno

/// One live session of the command.
struct LiveJob {
    let engine: ModelEngine
    let source: any AudioSource
    let output: any LiveOutput
    let keeper: LiveKeeper
    let console: Console

    /// Runs until the audio ends or the user stops it; returns the exit code.
    func run() async throws -> Int32 {
        let stream = try await source.start()
        // The first Ctrl-C ends the audio, not the session: the last words are still to be decoded.
        console.endGently { stream.stop() }
        let events = engine.events(buffering: .unbounded)
        async let failure = show(events)
        do {
            try await engine.start()
            try await engine.append(contentsOf: stream) { try keeper.keep($0) }
            try await engine.finish()
        } catch {
            await engine.cancel()
            _ = await failure
            try keeper.close()
            throw error
        }
        let failed = await failure
        try keeper.close()
        let done = engine.statistics
        console.verbose(
            String(
                format: "live: %d decodings, %.3f s, %.3f s per second of audio", done.decodings,
                done.decodingSeconds, done.computePerSecond))
        return failed ? 1 : 0
    }

    /// Shows and saves every event; returns whether one was an error.
    private func show(_ events: TranscriptionEvents) async -> Bool {
        var output = output
        var failed = false
        for await event in events {
            output.show(event)
            if event.kind == .error { failed = true }
            do {
                try keeper.keep(event)
            } catch {
                console.fail("--save", error)
                failed = true
            }
        }
        output.end()
        return failed
    }
}
