import Foundation
import Steno
import StenoTestSupport
import Testing

@testable import StenoModelStore

@Suite struct ModelAssetsTests {
    @Test(arguments: [
        ("pt-BR", "pt"), ("nb", "no"), ("zh_CN", "zh"), ("iw", "he"), ("in", "id"), ("jv", "jw"), ("yue-HK", "yue"),
    ])
    func localesMapToWhispersLanguages(locale: String, code: String) throws {
        #expect(try ModelAssets.language(for: Locale(identifier: locale)) == code)
    }

    @Test func anUnknownLanguageListsWhatExists() {
        expectError(.unknownLanguage, says: "en, zh, de") { try ModelAssets.language(for: Locale(identifier: "tlh")) }
        let english = #expect(throws: StenoError.self) {
            try ModelAssets.language(for: Locale(identifier: "de"), model: "small.en")
        }
        #expect(english?.message.hasSuffix("It knows en.") == true)
        #expect(throws: StenoError.self) { try ModelAssets.language(for: Locale(identifier: "yue"), model: "small") }
        #expect(throws: Never.self) { try ModelAssets.language(for: Locale(identifier: "yue"), model: "turbo") }
    }

    @Test func statusFollowsTheDownload() async throws {
        let rig = try DownloadRig(size: 1_000_000)
        let assets = ModelAssets(downloader: rig.downloader())
        let name = HubServer.repository
        #expect(await assets.status(model: name) == .supported)
        #expect(await assets.status(model: "gigantic") == .unsupported)
        #expect(await assets.status(model: "small.en", locale: Locale(identifier: "de")) == .unsupported)
        let request = try #require(try await assets.installationRequest(model: name))
        let seen = Recorder<AssetStatus>()
        try await request.downloadAndInstall { progress in
            guard progress.phase == .downloading, seen.all.isEmpty else { return }
            // Another process sees the lock.
            let isHeld = ModelLock.isHeld(rig.store.paths.lock(name))
            seen.add(isHeld ? .downloading : .supported)
        }
        #expect(seen.all == [.downloading])
        #expect(request.progress.fractionCompleted == 1)
        #expect(await assets.status(model: name, locale: Locale(identifier: "de")) == .installed)
        #expect(try await assets.installationRequest(model: name) == nil)
    }

    @Test func cancellingTheProgressCancelsTheDownload() async throws {
        let rig = try DownloadRig(size: 2_000_000)
        let assets = ModelAssets(downloader: rig.downloader())
        let request = try #require(try await assets.installationRequest(model: HubServer.repository))
        let resume = rig.server.pause(after: 500_000) { request.progress.cancel() }
        await #expect(throws: CancellationError.self) { try await request.downloadAndInstall() }
        resume()
        #expect(await assets.status(model: HubServer.repository) == .supported)
        #expect(try await assets.installationRequest(model: HubServer.repository) != nil)
    }

    @Test func aReservedModelIsNotRemovedUntilItIsReleased() async throws {
        let (rig, _) = try await DownloadRig.installed()
        let assets = ModelAssets(downloader: rig.downloader(), maximumReservations: 1)
        #expect(try await assets.reserve(model: HubServer.repository))
        #expect(try await !assets.reserve(model: HubServer.repository))
        expectError(says: "in use by a running program") { try rig.store.remove(HubServer.repository) }
        await expectAsyncError(.invalidOption) { try await assets.reserve(model: "small") }
        #expect(await assets.release(model: HubServer.repository))
        #expect(await assets.reserved.isEmpty)
        #expect(throws: Never.self) { try rig.store.remove(HubServer.repository) }
    }

    @Test func aReservedModelIsNotReplacedUntilItIsReleased() async throws {
        let (rig, place) = try await DownloadRig.installed()
        let receipt = place.appendingPathComponent(ModelReceipt.fileName)
        let (before, sent) = (FileIdentity(receipt), rig.server.sentBytes)
        let assets = ModelAssets(downloader: rig.downloader())
        try await assets.reserve(model: HubServer.repository)
        try FileManager.default.removeItem(at: rig.store.paths.blobs)
        try FileManager.default.removeItem(at: place.appendingPathComponent("config.json"))
        #expect(await rig.failure(force: true)?.message.contains("in use by a running program") == true)
        // It is refused before anything is fetched, and again before the model is put in place.
        #expect(rig.server.sentBytes == sent)
        let staging = rig.store.paths.partial(HubServer.repository)
        let own = try #require(ModelReceipt.read(place))
        #expect(throws: StenoError.self) { try rig.store.publish(own, staging: staging, as: HubServer.repository) }
        #expect(FileIdentity(receipt) == before)
        await assets.release(model: HubServer.repository)
        try await rig.download(force: true)
        #expect(rig.differences() == [])
        // The new receipt protects as well as the old one did.
        try await assets.reserve(model: HubServer.repository)
        #expect(throws: StenoError.self) { try rig.store.remove(HubServer.repository) }
    }

    @Test func reservationsUseTheReceiptInPlace() async throws {
        let (rig, place) = try await DownloadRig.installed()
        let receipt = place.appendingPathComponent(ModelReceipt.fileName)
        let names = try rig.folder.names()
        var opened = 0
        let reservation = try ModelReservation(
            place, name: HubServer.repository, pause: {},
            opened: {
                opened += 1
                guard opened == 1 else { return }
                // The model is replaced at the worst moment.
                let other = place.appendingPathComponent("other")
                try? FileManager.default.copyItem(at: receipt, to: other)
                rename(other.path, receipt.path)
            })
        #expect(opened == 2)
        #expect(throws: StenoError.self) { try rig.store.remove(HubServer.repository) }
        // Nothing can be written to a folder owned by others.
        #expect(try rig.folder.names() == names)
        withExtendedLifetime(reservation) {}
    }

    @Test func modelsBeingRemovedCannotBeReserved() async throws {
        let (rig, place) = try await DownloadRig.installed()
        let block = try ModelReservation.block(place, name: HubServer.repository)
        expectError(.modelNotFound) { try ModelReservation(place, name: HubServer.repository, pause: {}) }
        let reservation = try ModelReservation(place, name: HubServer.repository, pause: { block.release() })
        #expect(throws: StenoError.self) { try rig.store.remove(HubServer.repository) }
        withExtendedLifetime(reservation) {}
    }
}
