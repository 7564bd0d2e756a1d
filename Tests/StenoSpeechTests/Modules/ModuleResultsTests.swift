import Foundation
import Testing

@testable import StenoSpeech

struct ModuleResultsTests {
    @Test func resultsWaitForALateReader() async throws {
        let channel = ResultChannel<Int>()
        for number in 0..<100 { channel.yield(number) }
        channel.finish()
        channel.yield(100)
        #expect(try await ModuleResults(channel: channel).all() == Array(0..<100))
    }

    @Test func anErrorFollowsEarlierResults() async throws {
        let channel = ResultChannel<Int>()
        channel.yield(1)
        channel.finish(throwing: SFSpeechError(.noModel, "There is none."))
        channel.finish()
        var reader = ModuleResults(channel: channel).makeAsyncIterator()
        #expect(try await reader.next() == 1)
        await #expect(throws: SFSpeechError.self) { try await reader.next() }
    }

    @Test func twoReadersShareTheResults() async throws {
        let channel = ResultChannel<Int>()
        let results = ModuleResults(channel: channel)
        async let first = results.all()
        async let second = results.all()
        for number in 0..<1_000 { channel.yield(number) }
        channel.finish()
        #expect(try await (first + second).sorted() == Array(0..<1_000))
    }

    @Test func aCancelledReaderStops() async throws {
        let channel = ResultChannel<Int>()
        let task = Task { try await ModuleResults(channel: channel).all() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        channel.yield(1)
        channel.finish()
        #expect(try await ModuleResults(channel: channel).all() == [1])
    }
}
