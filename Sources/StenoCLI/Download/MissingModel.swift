import Foundation
import Steno
import StenoCommandLine
import StenoModelStore

/// Handles a missing model: on a terminal it offers to download it; elsewhere the error names the command that does.
struct MissingModel {
    let name: String
    private let reference: ModelReference

    /// - Returns: Nil if the name cannot be downloaded, or downloads are forbidden.
    init?(_ name: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard let settings = try? HubSettings(environment: environment), !settings.isOffline,
            let reference = try? ModelReference(name, endpoint: settings.endpoint)
        else { return nil }
        self.name = name
        self.reference = reference
    }

    /// Whether the user can be asked.
    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && StandardStream.error.isTerminal }

    /// The question: `small is not on this machine. Download about 486 MB from … now? [Y/n]`.
    var question: String {
        let size = reference.known.map { "about \(ByteCount($0.approximateSize)) " } ?? ""
        let source =
            switch reference.place {
            case .repository(let repository, _): repository
            case .address(let url): url.host ?? "the network"
            }
        return "\(name) is not on this machine. Download \(size)from \(source) now? [Y/n] "
    }

    /// Asks, and reads the answer; an empty line means yes, the end of the input means no.
    func ask(_ console: Console) async -> Bool {
        console.ask("steno: " + question)
        await console.written()
        let answer = try? await Worker.run("steno.answer", stack: .shallow) { _ in readLine() ?? "no" }
        return ["", "y", "yes"].contains((answer ?? "no").lowercased().trimmingCharacters(in: .whitespaces))
    }
}
