/// Makes engines of one kind, and reports what they support on this machine.
package protocol TranscriptionEngineProvider: Sendable {
    /// The name of the kind of engine, shown to the user.
    var name: String { get }

    /// Whether the request can be run on this machine; loads and downloads nothing large.
    func capability(for request: EngineRequest) async -> EngineCapability

    /// Downloads and loads what its engines need; returns at once when that has been done before.
    ///
    /// - Parameter progress: Receives the progress, for a download as often as it is worth showing.
    /// - Throws: The reason why the assets are unavailable; `CancellationError` soon after the task was cancelled.
    func prepareAssets(for request: EngineRequest, progress: @escaping AssetProgress.Handler) async throws

    /// Makes an engine that has not been started; its assets must be prepared.
    func makeEngine(for request: EngineRequest) async throws -> any TranscriptionEngine
}
