public import Foundation
import Steno
import StenoCompute

/// Downloads models into the models folder; a model that is already there needs no network.
///
/// Downloads can be interrupted at any time, by cancelling the task or ending the process, and continue later where
/// they stopped. Every file is verified before the model is installed.
public struct ModelDownloader: Sendable {
    /// The folder for models.
    public let store: ModelStore

    let client: HubClient
    let policy: RetryPolicy
    let timing: DownloadTiming
    /// Finds models elsewhere on the machine; nil if a specific folder was given.
    let locator: ModelLocator?

    package init(
        store: ModelStore, settings: HubSettings, transport: any HTTPTransport, locator: ModelLocator? = nil,
        policy: RetryPolicy = RetryPolicy(), timing: DownloadTiming = .system
    ) {
        self.store = store
        client = HubClient(settings: settings, transport: transport)
        self.locator = locator
        self.policy = policy
        self.timing = timing
    }

    /// Downloads a model, unless it is on this machine.
    ///
    /// - Parameters:
    ///   - name: A catalogue name such as `small`, a repository such as `openai/whisper-small`, a file in one such as
    ///     `ggerganov/whisper.cpp/ggml-base-q5_1.bin`, or an https address of such a file.
    ///   - force: Whether to compare an installed model with the hub's, and to download the differences.
    ///   - progress: Receives the progress, in order, on any thread, ten times a second at most; it must return soon.
    /// - Returns: The model's folder or file, for `Transcriber.load(.folder(url))`.
    /// - Throws: `StenoError`: `modelNotFound` for an unknown name, `offline`, `downloadFailed`, `diskFull`,
    ///   `outputFailed` (also if files that Steno did not download are in the way, or a program has reserved the model
    ///   that `force` would replace); `CancellationError` soon after the task is cancelled.
    @discardableResult
    public func download(
        _ name: String, force: Bool = false, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws -> URL {
        let reference = try ModelReference(name, endpoint: client.settings.endpoint)
        if !force, let found = installed(name, reference) { return found }
        let meter = ProgressMeter(now: timing.now, report: progress)
        meter.enter(.preparing)
        try checkOnline(reference)
        let lock = try await waitForLock(reference, meter)
        defer { lock.release() }
        // Bytes that another process received are found again in the files, and would be counted twice.
        meter.setPresent(0, of: "")
        // Another process may have downloaded it in the meantime.
        if !force, let stored = store.model(reference) {
            meter.setSize(stored.size)
            meter.setPresent(stored.size, of: "")
            meter.enter(.installed)
            return stored.folder
        }
        let plan = try await client.plan(reference, policy: policy, timing: timing)
        let stored = try await fetch(plan, meter)
        meter.enter(.installed)
        return stored.folder
    }

    /// Downloads a model, and reports the progress of each file as SwiftFasterWhisper does.
    ///
    /// - Parameter onFile: Receives the file's name, the downloaded fraction from 0 to 1, the downloaded bytes, and the
    ///   size in bytes; on any thread.
    @discardableResult
    public func download(
        _ name: String, onFile: @escaping @Sendable (String, Double, Int64, Int64) -> Void
    ) async throws -> URL {
        try await download(name) { progress in
            guard progress.phase == .downloading, !progress.file.isEmpty, progress.fileSize > 0 else { return }
            let fraction = Double(progress.fileReceived) / Double(progress.fileSize)
            onFile(progress.file, fraction, Int64(progress.fileReceived), Int64(progress.fileSize))
        }
    }

    /// The progress of a download, which runs while the sequence is read; it ends with the phase `installed`, or
    /// immediately if the model is on this machine.
    ///
    ///     for try await progress in downloader.progress("small") {
    ///         bar.value = progress.fraction ?? 0
    ///     }
    ///
    /// A slow reader gets only the newest progress. Leaving the loop cancels the download.
    public func progress(_ name: String) -> AsyncThrowingStream<DownloadProgress, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                do {
                    try await download(name) { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Asks the hub for the exact number of bytes of a model, without downloading it; nil if the server does not say.
    public func size(_ name: String) async throws -> Int? {
        let reference = try ModelReference(name, endpoint: client.settings.endpoint)
        try checkOnline(reference)
        return try await client.plan(reference, policy: policy, timing: timing).size
    }

    /// Where to look for a downloaded model: everywhere on the machine, or only in the given folder.
    var searched: ModelLocator {
        locator
            ?? ModelLocator(bundled: nil, environment: ["STENO_MODELS": store.folder.path], home: store.folder)
    }

    // MARK: Steps

    /// A model that needs no download, wherever it is; the bundled model differs from the hub's, so it does not count.
    private func installed(_ name: String, _ reference: ModelReference) -> URL? {
        if let stored = store.model(reference) { return stored.folder }
        guard let located = try? locator?.locate(name), located.origin != .bundled else { return nil }
        return located.folder
    }

    private func checkOnline(_ reference: ModelReference) throws {
        guard client.settings.isOffline else { return }
        throw StenoError(
            .offline,
            "\(reference.name) is not on this machine, and HF_HUB_OFFLINE forbids the network. Unset it and run: "
                + "\(ModelLocator.downloadCommand(reference.name)).")
    }

    /// Takes the model's lock; while another process holds it, reports that process's progress.
    private func waitForLock(_ reference: ModelReference, _ meter: ProgressMeter) async throws -> ModelLock {
        while true {
            try Task.checkCancellation()
            if let lock = try ModelLock.attempt(store.paths.lock(reference.folder)) { return lock }
            meter.setPresent(DiskUse.bytes(below: store.paths.partial(reference.folder)), of: "")
            meter.enter(.waiting)
            try await timing.sleep(Self.lockInterval)
        }
    }

    /// The seconds between two attempts to take a lock.
    private static let lockInterval = 0.2

    /// Fetches, verifies and installs the files of a plan; the caller holds the lock.
    private func fetch(_ plan: DownloadPlan, _ meter: ProgressMeter) async throws -> StoredModel {
        let staging = try prepare(plan)
        var receipts: [ModelReceipt.File] = []
        let staged = try await open(plan, in: staging)
        defer { for file in staged { file.close() } }
        try checkSpace(plan, present: FileSize.sum(staged.map(\.count)))
        for (planned, file) in zip(plan.files, staged) { meter.setPresent(file.count, of: planned.name) }
        meter.setSize(plan.size ?? 0)
        meter.enter(.downloading)
        for (planned, file) in zip(plan.files, staged) {
            try await FileTransfer(
                planned: planned, subject: "\(plan.name)/\(planned.name)", client: client, policy: policy,
                timing: timing, meter: meter
            ).run(file)
            receipts.append(receipt(planned, file))
        }
        return try await install(plan, receipts, staging)
    }

    private func receipt(_ planned: DownloadPlan.File, _ file: StagedFile) -> ModelReceipt.File {
        let sha256 = file.sha256
        return ModelReceipt.File(
            name: planned.name, size: file.count, sha256: sha256, digest: planned.digest ?? .sha256(sha256))
    }

    /// Creates the folder of the download and removes files that are not in the plan.
    ///
    /// Anything that would keep the model from being installed is found here, before the first byte.
    private func prepare(_ plan: DownloadPlan) throws -> URL {
        guard plan.files.allSatisfy({ ModelReceipt.isFileName($0.name) }) else {
            throw StenoError(
                .downloadFailed,
                "The file list of \(plan.source) has invalid file names. A proxy or mirror may be wrong: "
                    + "check HF_ENDPOINT and HTTPS_PROXY.")
        }
        let (place, staging) = (store.paths.model(plan.folder), store.paths.partial(plan.folder))
        try store.claim(place, for: plan.files.map(\.name), name: plan.name)?.release()
        store.emptyTrash()
        try StoreFailure.explaining(staging) {
            try FileManager.default.createDirectory(at: staging, withIntermediateDirectories: true)
        }
        try store.checkDisk(place, staging: staging)
        let wanted = Set(plan.files.map(\.name))
        let states = Set(wanted.map { StagedFile.stateFile(of: staging.appendingPathComponent($0)).lastPathComponent })
        for name in staging.childNames where !wanted.contains(name) && !states.contains(name) {
            try? FileManager.default.removeItem(at: staging.appendingPathComponent(name))
        }
        for file in plan.files {
            let place = staging.appendingPathComponent(file.name)
            // An empty file has nothing to resume, and would prevent reusing the content in the store.
            if FileBytes.size(place) == 0 { unlink(place.path) }
            guard let digest = file.digest, let size = file.size, FileBytes.size(place) == nil else { continue }
            _ = store.reuse(digest, size: size, as: place)
        }
        return staging
    }

    /// Opens the files of a download and reads their existing parts, on a separate thread.
    private func open(_ plan: DownloadPlan, in staging: URL) async throws -> [StagedFile] {
        try await Worker.run("steno.download", stack: .shallow) { flag in
            try plan.files.map { try StagedFile($0, in: staging) { flag.isCancelled } }
        }
    }

    /// Refuses a download that does not fit on the disk, before its first byte.
    func checkSpace(_ plan: DownloadPlan, present: Int) throws {
        guard let size = plan.size, let free = DiskUse.free(at: store.folder) else { return }
        let needed = max(0, size - present)
        guard needed > 0, needed > free - Self.spaceMargin else { return }
        throw StenoError(
            .diskFull,
            "\(plan.name) needs \(ByteCount(needed)) more, and the disk of \(store.folder.path) has "
                + "\(ByteCount(free)) free. Free some space, or store models elsewhere: "
                + "STENO_MODELS=/other/disk/models.")
    }

    /// The disk space left free for receipts and other programs, in bytes.
    private static let spaceMargin = 1 << 20

    private func install(
        _ plan: DownloadPlan, _ files: [ModelReceipt.File], _ staging: URL
    ) async throws -> StoredModel {
        let receipt = ModelReceipt(
            name: plan.name, source: plan.source, revision: plan.revision, files: files.sorted { $0.name < $1.name })
        return try await Worker.run("steno.install", stack: .shallow) { _ in
            for file in plan.files {
                unlink(StagedFile.stateFile(of: staging.appendingPathComponent(file.name)).path)
            }
            guard try Self.isModel(staging) else {
                try StoreFailure.explaining(staging) { try store.moveToTrash(staging) }
                store.emptyTrash()
                throw StenoError(
                    .downloadFailed,
                    "\(plan.source) has no model in a format that Steno can read. Choose another repository.")
            }
            return try store.publish(receipt, staging: staging, as: plan.folder)
        }
    }

    /// Checks that Steno can read the downloaded model.
    ///
    /// - Throws: `outputFailed` if the folder itself cannot be read.
    static func isModel(_ folder: URL) throws -> Bool {
        do {
            return try ModelFormat.detect(at: folder).isSupported
        } catch let error as StenoError {
            guard let cause = error.underlying else { return false }
            throw StoreFailure.explained(cause, at: folder)
        }
    }
}
