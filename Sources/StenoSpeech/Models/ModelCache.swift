import Foundation
import Steno
import StenoCore

/// The loaded models, shared by all analyzers.
///
/// Analyzers retain the models they use; the cache retains only those to be kept longer.
actor ModelCache {
    private struct Entry {
        weak var model: SharedModel?
    }

    private var entries: [URL: Entry] = [:]
    private var kept: [URL: SharedModel] = [:]
    /// The model that was used last, until another one is used.
    private var lingering: SharedModel?

    /// How long the cache itself keeps a model.
    enum Keeping {
        case notAtAll, untilAnother, always
    }

    /// A model, which is loaded when it is first needed.
    func model(_ located: LocatedModel, from installer: any ModelFinder, keeping: Keeping) -> SharedModel {
        let model =
            entries[located.folder]?.model
            ?? SharedModel(locate: { located }, load: { try await installer.load($0) })
        entries[located.folder] = Entry(model: model)
        switch keeping {
        case .notAtAll: break
        case .untilAnother: lingering = model
        case .always: kept[located.folder] = model
        }
        return model
    }

    /// Releases all kept models.
    func endRetention() {
        kept = [:]
        lingering = nil
    }
}
