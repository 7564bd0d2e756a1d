import Foundation
import Steno
import StenoCore
import StenoTestSupport

/// The memory of a process after many live sessions and calls have ended.
enum MemoryOfSessions {
    /// Rounds of three concurrent live sessions and three calls; prints the resident memory after each tenth of the rounds.
    static func report(rounds: Int) {
        let done = DispatchSemaphore(value: 0)
        Task {
            do {
                try await run(rounds: rounds)
            } catch {
                print("failed 1 \(error)")
            }
            done.signal()
        }
        done.wait()
    }

    private static func run(rounds: Int) async throws {
        let transcriber = try await Transcriber.load(.bundled, threads: 1)
        let samples = LocatedModel.bundled.map {
            $0.folder.deletingLastPathComponent().appendingPathComponent("samples/inaugural-1961.wav")
        }
        guard let audio = samples else { throw StenoError(.resourceMissing, "There is no sample.") }
        let before = resident
        for round in 1...rounds {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        try await transcriber.live(.file(audio), options: LiveOptions(language: "en")).wait()
                    }
                    group.addTask { _ = try await transcriber.transcribe(file: audio) }
                }
                try await group.waitForAll()
            }
            if round % max(1, rounds / 4) == 0 { print("resident \(resident >> 20) MB after \(round) rounds") }
        }
        print("before \(before >> 20) MB\nafter \(resident >> 20) MB")
    }

    /// This process's resident memory.
    private static var resident: Int {
        let words = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return words.count > 1 ? (Int(words[1]) ?? 0) * 4096 : 0
    }
}
