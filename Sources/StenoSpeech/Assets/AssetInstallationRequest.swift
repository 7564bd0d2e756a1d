public import Foundation
import Steno

/// The installation of models that modules need.
public final class AssetInstallationRequest: NSObject, ProgressReporting, Sendable {
    /// The progress; cancelling it cancels the installation.
    public let progress: Progress

    private let languages: [String]
    private let environment: SpeechEnvironment

    init(languages: [String], environment: SpeechEnvironment) {
        progress = Progress(totalUnitCount: Self.units)
        self.languages = languages
        self.environment = environment
    }

    /// A hundredth of a percent each.
    private static let units: Int64 = 10_000

    /// Downloads and installs the models, and returns when they can be used.
    ///
    /// - Throws: ``SFSpeechError`` of code `noModel` if no model can be installed, with a message that names a command
    ///   to use; `CancellationError`.
    public func downloadAndInstall() async throws {
        let (languages, installer, progress) = (languages, environment.installer, progress)
        environment.installations.withLock { $0 += 1 }
        defer { environment.installations.withLock { $0 -= 1 } }
        let work = Task {
            try await installer.install(languages: languages) { report in
                guard let fraction = report.fraction else { return }
                progress.completedUnitCount = Int64(fraction * Double(Self.units))
            }
        }
        progress.cancellationHandler = { work.cancel() }
        do {
            try await withTaskCancellationHandler {
                try await work.value
            } onCancel: {
                work.cancel()
            }
            progress.completedUnitCount = Self.units
        } catch {
            throw SFSpeechError.translating(error)
        }
    }
}
