import ArgumentParser
import Foundation
import Steno

/// `steno models list`: lists every model that can be found by name.
struct ModelsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the models on this machine: name, origin, folder.")

    func run() throws {
        let models = ModelLocator().all()
        let width = models.map(\.name.count).max() ?? 0
        for model in models {
            let name = model.name.padding(toLength: width, withPad: " ", startingAt: 0)
            StandardStream.output.write("\(name)  \(model.origin.label)  \(model.folder.path)\n")
        }
    }
}

extension LocatedModel.Origin {
    /// The origin, padded to the width of its column.
    var label: String {
        switch self {
        case .path: "path        "
        case .installed: "installed   "
        case .huggingFace: "hugging face"
        case .bundled: "bundled     "
        }
    }
}
