import Foundation
import Steno
import StenoCore

/// Holds a model that can be unloaded and loaded again; the parts of a ``WhisperKit`` share it.
final class ModelSlot: @unchecked Sendable {
    // Sendable: all state is accessed under the lock.
    private let lock = NSLock()
    /// Loads the model in a folder; nil for the model that the configuration names.
    typealias Load = @Sendable (URL?) async throws -> (transcriber: Transcriber, folder: URL?)

    /// A model, from the first call that needs it until it is unloaded or another folder is set.
    private struct Generation {
        let number: Int
        /// Loads once, however many calls need the model.
        let model: SharedModel
        /// One instance for all calls, which identifies the model that they share.
        var transcriber: Transcriber?
        /// The number of calls waiting for it: if one is cancelled, it keeps loading for the others.
        var callers = 0
    }

    private let load: Load
    private var current: Generation?
    private var generations = 0
    private var lastTokenizer: ModelTokenizer?
    private var lastFolder: URL?

    init(folder: URL?, load: @escaping Load) {
        lastFolder = folder
        self.load = load
    }

    /// The model's folder; setting it selects the model to load next.
    var folder: URL? {
        get { lock.withLock { lastFolder } }
        set { lock.withLock { (lastFolder, current) = (newValue, nil) } }
    }

    /// The tokenizer of the model that was loaded last.
    var tokenizer: ModelTokenizer? { lock.withLock { lastTokenizer } }

    var state: ModelState {
        lock.withLock { current?.transcriber != nil ? .loaded : callersNow > 0 ? .loading : .unloaded }
    }

    /// The number of calls waiting for the model.
    var callers: Int { lock.withLock { callersNow } }

    private var callersNow: Int { current?.callers ?? 0 }

    /// The model, loaded first if necessary; concurrent calls share one load.
    ///
    /// - Throws: ``WhisperError/modelsUnavailable(_:)``; `CancellationError`.
    func loaded() async throws -> Transcriber {
        let generation = lock.withLock { beginLoading() }
        if let transcriber = generation.transcriber { return transcriber }
        defer { lock.withLock { if current?.number == generation.number { current?.callers -= 1 } } }
        return keep(try await WhisperError.wrapping { try await generation.model.model() }, generation.number)
    }

    /// Frees the model when the calls that use it have ended.
    func unload() { lock.withLock { current = nil } }

    /// The current generation, which begins with the first call; requires the lock.
    private func beginLoading() -> Generation {
        generations += current == nil ? 1 : 0
        let number = generations
        var generation =
            current
            ?? Generation(
                number: number,
                model: SharedModel(loading: { [load, lastFolder, weak self] in
                    let (transcriber, folder) = try await load(lastFolder)
                    self?.found(folder, number)
                    return transcriber.model
                }))
        if generation.transcriber == nil { generation.callers += 1 }
        current = generation
        return generation
    }

    /// The model may have been replaced or unloaded in the meantime; the later request wins.
    private func keep(_ model: any SpeechModel, _ number: Int) -> Transcriber {
        lock.withLock {
            if current?.number == number, let transcriber = current?.transcriber { return transcriber }
            let transcriber = Transcriber(model: model)
            guard current?.number == number else { return transcriber }
            current?.transcriber = transcriber
            lastTokenizer = ModelTokenizer(model)
            return transcriber
        }
    }

    private func found(_ folder: URL?, _ number: Int) {
        lock.withLock { if current?.number == number, let folder { lastFolder = folder } }
    }
}

/// Whether a model is in memory; the cases are WhisperKit's.
public enum ModelState: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
    /// It is being unloaded; this takes no time here.
    case unloading
    /// It is not in memory.
    case unloaded
    /// It is being loaded, and downloaded first if missing.
    case loading
    /// It is in memory.
    case loaded
    /// Does not happen: a loaded model needs no warming.
    case prewarming
    /// Does not happen.
    case prewarmed
    /// Does not happen: ``WhisperKit/download(variant:downloadBase:useBackgroundSession:from:progressCallback:)`` is
    /// static.
    case downloading
    /// Does not happen.
    case downloaded

    /// The name, with a capital letter.
    public var description: String { rawValue.capitalized }
}
