import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// The recording of a session, on disks that work and on disks that don't.
@Suite(.timeLimit(.minutes(60))) struct LiveRecorderTests {
    private let folder = TemporaryFolder.ofSuite()
    private var file: URL { folder.url.appendingPathComponent("a.wav") }

    /// The duration in the header, which other programs rely on.
    private var headerSeconds: Double? { get throws { try AudioFile.open(file).duration } }

    private func samples() throws -> [Float] { try readAll(AudioFile.open(file)) }

    // MARK: Disks that work

    @Test func theHeaderIsAtMostASecondOldDuringTheSession() async throws {
        let recorder = try LiveRecorder(file)
        for number in 0..<12 { recorder.append(second(number)) }
        await recorder.flush()
        #expect(try headerSeconds == 12)
        recorder.append(AudioChunk(position: 12 * 16_000, samples: [Float](repeating: 0.25, count: 8_000)))
        await recorder.flush()
        #expect(try headerSeconds == 12)
        let recording = await recorder.close()
        #expect(try headerSeconds == 12.5)
        #expect(recording == LiveRecorder.Recording(duration: 12.5))
    }

    /// What a recording has of some chunks.
    private func recorded(_ chunks: AudioChunk...) async throws -> (samples: [Float], recording: LiveRecorder.Recording)
    {
        let recorder = try LiveRecorder(file, overwriting: true)
        for chunk in chunks { recorder.append(chunk) }
        let recording = await recorder.close()
        return (try samples(), recording)
    }

    @Test func aGapBecomesSilenceAndAudioThatComesTwiceIsRecordedOnce() async throws {
        // As long as silence may be.
        let gap = try await recorded(second(0), second(31)).samples
        #expect(gap == second(0).samples + [Float](repeating: 0, count: 30 * 16_000) + second(31).samples)
        func chunk(_ position: Int, _ value: Float) -> AudioChunk {
            AudioChunk(position: position, samples: [Float](repeating: value, count: 16_000))
        }
        let twice = try await recorded(second(0), chunk(8_000, 0.5), chunk(0, 0.75)).samples
        #expect(twice.count == 24_000 && twice[16_000...].allSatisfy { $0 == 0.5 })
    }

    @Test func aGapOfADayIsLeftOutAndReported() async throws {
        let day = 86_401 * 16_000
        let (samples, recording) = try await recorded(
            second(0), AudioChunk(position: day, samples: [0.5, 0.5]),
            AudioChunk(position: day + 2, samples: [0.5, 0.5]))
        #expect(samples.count == 16_004)
        #expect(recording.gaps == [.init(position: 1, duration: 86_400)] && recording.lost == 0)
    }

    @Test func withoutAudioThereIsNoFile() async throws {
        let recorder = try LiveRecorder(file)
        #expect(await recorder.close() == LiveRecorder.Recording())
        recorder.append(second(0))
        #expect(await recorder.close().duration == 0)
        #expect(try folder.names() == [])
    }

    // MARK: Files that exist

    @Test func anExistingFileIsKeptUnlessItMayBeReplaced() async throws {
        try folder.write("keep me", to: "a.wav")
        expectError(.outputFailed, says: "a.wav exists already") { try LiveRecorder(file) }
        #expect(try String(contentsOf: file, encoding: .utf8) == "keep me")
        let recorder = try LiveRecorder(file, overwriting: true)
        recorder.append(AudioChunk(position: 0, samples: [0.5, 0.25]))
        await recorder.close()
        #expect(try samples() == [0.5, 0.25])
    }

    /// Between the check and the first audio.
    @Test func aFileThatAppearsMeanwhileIsKept() async throws {
        let failures = Shared<[TranscriptionFailure]>([])
        let recorder = try LiveRecorder(file)
        recorder.onFailure { failure in failures.change { $0.append(failure) } }
        try folder.write("keep me", to: "a.wav")
        for number in 0..<3 { recorder.append(second(number)) }
        let recording = await recorder.close()
        #expect(try String(contentsOf: file, encoding: .utf8) == "keep me")
        #expect(recording.duration == 0 && recording.lost == 3)
        #expect(failures.value.count == 1 && failures.value.first?.isFatal == false)
    }

    // MARK: Disks that don't work

    private final class Disk: RecordingWriter, Sendable {
        let state = Shared((room: 0, samples: [Float](), isRemoved: false, isClosed: false))
        let hold = Shared<DispatchSemaphore?>(nil)

        init(room: Int) { state.change { $0.room = room } }

        func write(_ samples: [Float]) throws {
            hold.value?.wait()
            try state.change { state in
                guard state.room >= samples.count else { throw StenoError(.outputFailed, "No space left on device") }
                state.room -= samples.count
                state.samples += samples
            }
        }

        func close() throws { state.change { $0.isClosed = true } }

        var isRemoved: Bool { state.value.isRemoved }

        func restore() throws { throw StenoError(.outputFailed, "no folder") }
    }

    private func recorder(_ disk: Disk) -> (LiveRecorder, Shared<[TranscriptionFailure]>) {
        let failures = Shared<[TranscriptionFailure]>([])
        let recorder = LiveRecorder(file, overwriting: false) { _, _ in disk }
        recorder.onFailure { failure in failures.change { $0.append(failure) } }
        return (recorder, failures)
    }

    @Test func aFullDiskIsReportedOnceAndTheAudioWaitsForRoom() async throws {
        let disk = Disk(room: 40_000)
        let (recorder, failures) = recorder(disk)
        for number in 0..<20 {
            recorder.append(second(number))
            await recorder.flush()
        }
        #expect(disk.state.value.samples.count == 32_000)
        #expect(failures.value.map(\.message) == ["No space left on device"])
        #expect(failures.value.first?.code == "outputFailed" && failures.value.first?.isFatal == false)
        disk.state.change { $0.room = 1 << 30 }
        recorder.append(second(20))
        let recording = await recorder.close()
        #expect(disk.state.value.samples == (0...20).flatMap { second($0).samples })
        #expect(recording == LiveRecorder.Recording(duration: 21))
        #expect(failures.value.count == 1)
    }

    @Test func aFullDiskCostsTwoMinutesOfMemoryAtMost() async throws {
        let disk = Disk(room: 16_000)
        let (recorder, failures) = recorder(disk)
        recorder.append(second(0))
        // There is room for one second, which is written before the others come.
        await recorder.flush()
        for number in 1..<200 { recorder.append(second(number)) }
        await recorder.flush()
        #expect(recorder.waitingSeconds == LiveRecorder.longestBacklog)
        disk.state.change { $0.room = 1 << 30 }
        recorder.append(second(200))
        await recorder.flush()
        recorder.append(second(201))
        let recording = await recorder.close()
        // Lost audio is a gap like any other.
        #expect(recording.duration + recording.lost == 202)
        #expect(recording.gaps.map(\.duration) == [recording.lost])
        #expect(failures.value.count == 2, "full, then audio is missing")
    }

    @Test func aSlowDiskBlocksNobody() async throws {
        let disk = Disk(room: 1 << 30)
        let gate = DispatchSemaphore(value: 0)
        disk.hold.value = gate
        let (recorder, failures) = recorder(disk)
        for number in 0..<60 { recorder.append(second(number)) }
        #expect(disk.state.value.samples.isEmpty && failures.value.isEmpty)
        disk.hold.value = nil
        for _ in 0..<60 { gate.signal() }
        #expect(await recorder.close().duration == 60)
    }

    @Test func aRemovedFileIsMadeAgainWithAllAudio() async throws {
        let inner = folder.url.appendingPathComponent("inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
        let file = inner.appendingPathComponent("a.wav")
        let failures = Shared<[TranscriptionFailure]>([])
        let recorder = try LiveRecorder(file)
        recorder.onFailure { failure in failures.change { $0.append(failure) } }
        recorder.append(second(1))
        await recorder.flush()
        try FileManager.default.removeItem(at: inner)
        for number in 2..<5 {
            recorder.append(second(number))
            await recorder.flush()
        }
        #expect(failures.value.count == 1 && failures.value.first?.message.contains("a.wav") == true)
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
        recorder.append(second(5))
        #expect(await recorder.close().duration == 6)
        let all = [Float](repeating: 0, count: 16_000) + (1...5).flatMap { second($0).samples }
        #expect(try readAll(AudioFile.open(file)) == all)
    }
}
