import Foundation
import Steno
import StenoTestSupport
import Testing

@testable import StenoModelStore

@Suite struct DownloadTests {
    @Test func aModelIsDownloadedOnceAndFoundByName() async throws {
        let (rig, place) = try await DownloadRig.installed()
        #expect(rig.differences() == [] && rig.server.sentBytes == rig.size)
        #expect(place.path == rig.root.appendingPathComponent(HubServer.repository).path)
        #expect(try rig.locator.locate(HubServer.repository).folder.path == place.path)
        let requests = rig.server.requests.count
        #expect(try await rig.download() == place)
        #expect(try await rig.downloader(isOffline: true).download(HubServer.repository) == place)
        #expect(rig.server.requests.count == requests)
    }

    /// The token goes to the hub and nowhere else.
    @Test func onlyTheModelsFilesAreFetched() async throws {
        let (rig, _) = try await DownloadRig.installed()
        let requests = rig.server.requests
        #expect(!requests.contains { $0.target.contains("README") })
        #expect(requests.contains { $0.target.contains("/resolve/\(HubServer.revision)/") })
        #expect(requests.contains { $0.isStorage })
        for request in requests {
            #expect(request.headers["authorization"] == (request.isStorage ? nil : "Bearer \(rig.token)"))
            #expect(request.headers["accept-encoding"] == "identity")
        }
    }

    /// Files are kept by the last part of their path.
    @Test func filesThatWouldReplaceOneAnotherAreRefused() async throws {
        let rig = try DownloadRig()
        let parts = ["model-a/x.safetensors", "model-b/x.safetensors"].map {
            HubServer.File($0, Data($0.utf8), isLarge: true)
        }
        let server = try HubServer([HubServer.File("model.safetensors.index.json", Data("{}".utf8))] + parts)
        await expectAsyncError(.downloadFailed, says: "several folders") {
            try await rig.downloader(endpoint: server.endpoint).download(HubServer.repository)
        }
        #expect(rig.differences() == nil && server.sentBytes == 0)
    }

    @Test func duplicatesInTheListAreOneFile() async throws {
        let rig = try DownloadRig()
        let server = try HubServer(rig.server.files + rig.server.files)
        let downloader = rig.downloader(endpoint: server.endpoint)
        var last: DownloadProgress?
        for try await progress in downloader.progress(HubServer.repository) { last = progress }
        #expect(last?.phase == .installed && rig.differences() == [] && server.sentBytes == rig.size)
    }

    @Test func theErrorForAMissingModelOfflineSaysWhatToDo() async throws {
        let rig = try DownloadRig()
        await expectAsyncError(.offline, says: "steno models download small") {
            try await rig.downloader(isOffline: true).download("small")
        }
        #expect(rig.server.requests.isEmpty)
    }

    @Test func progressCountsTheBytesOfAllFiles() async throws {
        let rig = try DownloadRig()
        let seen = Recorder<DownloadProgress>()
        #expect(try await rig.downloader().size(HubServer.repository) == rig.size)
        #expect(rig.server.sentBytes == 0, "the size is known before the first byte")
        try await rig.download { seen.add($0) }
        let all = seen.all
        #expect(all.first?.phase == .preparing && all.last?.phase == .installed)
        #expect(all.last?.received == rig.size && all.last?.fraction == 1)
        #expect(all.contains { $0.file == "model.bin" && $0.fileReceived == 300_000 && $0.fileSize == 300_000 })
        for (earlier, later) in zip(all, all.dropFirst()) { #expect(earlier.received <= later.received) }
    }

    @Test func noByteIsCountedTwiceAfterAWait() async throws {
        let rig = try DownloadRig()
        let name = HubServer.repository
        let lock = try #require(try ModelLock.attempt(rig.store.paths.lock(name)))
        // What the other process has received.
        let staged = rig.store.paths.partial(name).appendingPathComponent("model.bin")
        try FileManager.default.createDirectory(
            at: staged.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(count: 1000).write(to: staged)
        let seen = Recorder<DownloadProgress>()
        try await rig.downloader(whileWaiting: { lock.release() }).download(name) { seen.add($0) }
        #expect(seen.all.contains { $0.phase == .waiting && $0.received == 1000 })
        #expect(seen.all.last?.phase == .installed && seen.all.last?.received == rig.size)
    }

    @Test func modelsDownloadedByAnotherProcessAreReportedAsInstalled() async throws {
        let rig = try DownloadRig()
        let lock = try #require(try ModelLock.attempt(rig.store.paths.lock(HubServer.repository)))
        let seen = Recorder<DownloadProgress>()
        let downloader = rig.downloader(whileWaiting: {
            lock.release()
            try await rig.download()
        })
        try await downloader.download(HubServer.repository) { seen.add($0) }
        #expect(seen.all.last?.phase == .installed && seen.all.last?.fraction == 1)
        #expect(rig.server.sentBytes == rig.size)
    }

    @Test func filesOfOtherModelsAreSharedInsteadOfFetched() async throws {
        let (rig, place) = try await DownloadRig.installed()
        let other = try HubServer(rig.server.files, repository: "tester/copy")
        let copy = try await rig.downloader(endpoint: other.endpoint).download("tester/copy")
        #expect(other.sentBytes == 0)
        for name in ["config.json", "model.bin"] {
            let (first, second) = (place.appendingPathComponent(name), copy.appendingPathComponent(name))
            #expect(FileIdentity(first) == FileIdentity(second))
        }
        #expect(try rig.store.verify(copy).outcome == .intact)
    }

    @Test func cancelledDownloadsResume() async throws {
        let rig = try DownloadRig(size: 2_000_000)
        let canBegin = AsyncGate()
        let download = Task { [rig] in
            await canBegin.wait()
            return try await rig.download()
        }
        let resume = rig.server.pause(after: 1_000_000) { download.cancel() }
        canBegin.open()
        let result = await download.result
        resume()
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(rig.differences() == nil)
        let sent = rig.server.sentBytes
        try await rig.download()
        #expect(rig.differences() == [])
        #expect(sent > 900_000 && rig.server.sentBytes < rig.size + rig.size / 2)
    }

    @Test func fullDisksAreRefusedBeforeTheFirstByte() throws {
        let rig = try DownloadRig()
        func plan(_ name: String, _ size: Int, _ files: String...) -> DownloadPlan {
            DownloadPlan(
                name: name, folder: HubServer.repository, source: HubServer.repository,
                files: files.map { DownloadPlan.File(name: $0, url: rig.server.endpoint, size: size, digest: nil) })
        }
        let huge = plan("huge", 1 << 60, "model.bin")
        expectError(.diskFull, says: "STENO_MODELS") { try rig.downloader().checkSpace(huge, present: 0) }
        #expect(throws: Never.self) { try rig.downloader().checkSpace(huge, present: 1 << 60) }
        // Sizes that have no sum are too large as well.
        let endless = plan("endless", .max, "model.bin", "config.json")
        #expect(endless.size == Int.max)
        #expect(throws: StenoError.self) { try rig.downloader().checkSpace(endless, present: 0) }
    }
}

/// A download's speed and remaining time, by a clock that the test sets.
struct ProgressMeterTests {
    private let clock = ScriptedClock()
    private let reports = Recorder<DownloadProgress>()

    /// `@unchecked Sendable`: one test, one thread.
    private final class ScriptedClock: @unchecked Sendable { var now = 100.0 }

    @Test func theSpeedCoversTheLastSeconds() throws {
        let meter = ProgressMeter(now: { [clock] in clock.now }) { [reports] in reports.add($0) }
        meter.setSize(10_000)
        // Bytes from earlier runs were not received now.
        meter.setPresent(1_000, of: "model.bin")
        meter.enter(.downloading)
        meter.begin("model.bin", size: 10_000)
        #expect(reports.all.last?.bytesPerSecond == nil && reports.all.last?.secondsLeft == nil)
        func receive(_ bytes: Int, to total: Int, after seconds: Double) throws -> DownloadProgress {
            clock.now += seconds
            meter.setReceived(total, of: "model.bin", new: bytes)
            return try #require(reports.all.last)
        }
        #expect(try receive(100, to: 1_100, after: 0.25).bytesPerSecond == nil, "too short to be measured")
        let first = try receive(900, to: 2_000, after: 0.75)
        #expect(first.bytesPerSecond == 1_000 && first.secondsLeft == 8)
        // New measurements count three tenths.
        let second = try receive(2_000, to: 4_000, after: 1)
        #expect(second.bytesPerSecond == 1_300 && second.secondsLeft == 6_000 / 1_300)
        #expect(second.fraction == 0.4 && second.fileReceived == 4_000 && second.fileSize == 10_000)
    }

    @Test func withoutASizeOrSpeedThereIsNoRemainingTime() {
        var progress = DownloadProgress(phase: .downloading)
        progress.bytesPerSecond = 10
        #expect(progress.secondsLeft == nil && progress.fraction == nil)
        (progress.size, progress.received) = (100, 120)
        #expect(progress.secondsLeft == 0 && progress.fraction == 1)
        progress.bytesPerSecond = 0
        #expect(progress.secondsLeft == nil)
    }

    @Test func itReportsAtMostTenTimesASecond() {
        let meter = ProgressMeter(now: { [clock] in clock.now }) { [reports] in reports.add($0) }
        meter.enter(.downloading)
        meter.begin("model.bin", size: 1_000)
        let before = reports.all.count
        for byte in 1...100 {
            clock.now += 0.01
            meter.setReceived(byte, of: "model.bin", new: 1)
        }
        #expect((8...10).contains(reports.all.count - before))
    }
}
