import CSteno
import Foundation
import Steno
import StenoC
import StenoTestSupport
import Testing

/// A handle of the C interface, freed at the end of its owner.
final class Handle {
    let pointer: OpaquePointer
    private let free: (OpaquePointer?) -> Void

    init(_ pointer: OpaquePointer?, free: @escaping (OpaquePointer?) -> Void) throws {
        self.pointer = try #require(pointer)
        self.free = free
    }

    deinit { free(pointer) }

    static func nano() throws -> Handle {
        var model: OpaquePointer?
        #expect(stenoModelLoad(Fixtures.nano.path, nil, &model) == STENO_OK)
        return try Handle(model, free: stenoModelFree)
    }

    static func job(_ model: Handle, _ samples: [Float], options: String? = nil) throws -> Handle {
        var job: OpaquePointer?
        #expect(stenoTranscribeSamples(model.pointer, samples, samples.count, 16_000, 1, options, &job) == STENO_OK)
        return try Handle(job, free: stenoJobFree)
    }
}

/// The last sentence for this thread.
var lastError: String { stenoLastError().map { String(cString: $0) } ?? "" }

/// A string that the library gave.
func taken(_ text: UnsafeMutablePointer<CChar>?) throws -> String {
    let text = try #require(text)
    defer { stenoFree(text) }
    return String(cString: text)
}

/// Runs calls that block on a thread of their own, as a C program does: on Swift's threads they would wait for work that
/// has no thread left.
func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}

func withModel(_ body: @escaping @Sendable (Handle) throws -> Void) async throws {
    try await onThread { try body(try Handle.nano()) }
}

/// Runs calls on a job that is to transcribe a recording of two sentences.
func withJob(_ body: @escaping @Sendable (Handle) throws -> Void) async throws {
    try await withModel { model in try body(try Handle.job(model, try talk())) }
}

/// A recording of two sentences.
func talk() throws -> [Float] { try AudioFile.open(Fixtures.file("speech/talk.flac")).allSamples() }
