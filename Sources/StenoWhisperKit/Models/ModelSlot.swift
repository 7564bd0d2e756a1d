import Foundation
import Steno

/// The place of a model, which can be unloaded and loaded again; the parts of a ``WhisperKit`` share it.
final class ModelSlot: @unchecked Sendable {
    // Sendable: all state is accessed under the lock.
    private let lock = NSLock()
    private var config: WhisperKitConfig
    private var transcriber: Transcriber?
    private var lastTokenizer: ModelTokenizer?
    private var lastFolder: URL?
    private var loads = 0

    /// Creates the place of a model that is loaded when it is needed.
    init(_ config: WhisperKitConfig) {
        self.config = config
        lastFolder = config.modelFolder.map { $0.fileURL(home: URL(fileURLWithPath: NSHomeDirectory())) }
    }

    /// Creates the place of a loaded model.
    init(_ transcriber: Transcriber) {
        config = WhisperKitConfig()
        keep(transcriber)
    }

    /// Where the model is; another folder is that of the next model to load.
    var folder: URL? {
        get { lock.withLock { lastFolder } }
        set {
            lock.withLock {
                (lastFolder, transcriber) = (newValue, nil)
                config.modelFolder = newValue?.path
            }
        }
    }

    /// The tokenizer of the model that was loaded last.
    var tokenizer: ModelTokenizer? { lock.withLock { lastTokenizer } }

    var state: ModelState {
        lock.withLock { transcriber != nil ? .loaded : loads > 0 ? .loading : .unloaded }
    }

    /// The model, which is loaded if it is not there.
    ///
    /// - Throws: ``WhisperError/modelsUnavailable(_:)``; `CancellationError`.
    func loaded() async throws -> Transcriber {
        let (present, config) = lock.withLock {
            if transcriber == nil { loads += 1 }
            return (transcriber, self.config)
        }
        if let present { return present }
        defer { lock.withLock { loads -= 1 } }
        let loaded = try await WhisperError.wrapping {
            try await Transcriber.load(.folder(ModelsOnThisMachine.installer.folder(config) { _ in }))
        }
        return keep(loaded)
    }

    /// Keeps a model, unless another call was faster.
    @discardableResult
    private func keep(_ loaded: Transcriber) -> Transcriber {
        lock.withLock {
            let kept = transcriber ?? loaded
            transcriber = kept
            lastTokenizer = ModelTokenizer(kept.model)
            lastFolder = URL(fileURLWithPath: kept.information.source.path)
            return kept
        }
    }

    /// Frees the model as soon as the calls that use it have ended.
    func unload() { lock.withLock { transcriber = nil } }
}
