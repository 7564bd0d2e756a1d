public import Foundation
import Steno
public import StenoModelStore

extension ModelDownloader {
    /// Creates a downloader for the Hugging Face hub.
    ///
    /// `HF_ENDPOINT`, `HF_TOKEN` (or the token that `hf auth login` has saved), `HF_HUB_OFFLINE` and the proxy variables
    /// are respected. The token is sent to the hub alone.
    ///
    /// - Parameter folder: Where models are kept; nil is the models folder, as ``ModelStore/init(folder:)`` has it. A model
    ///   that is elsewhere on the machine is then used where it is.
    /// - Throws: `StenoError.invalidOption` when `HF_ENDPOINT` is no address.
    public init(folder: URL? = nil) throws {
        let environment = ProcessInfo.processInfo.environment
        self.init(
            store: ModelStore(folder: folder), settings: try HubSettings(environment: environment),
            transport: URLSessionTransport(proxies: ProxySettings(environment: environment)),
            locator: folder == nil ? ModelLocator() : nil)
    }
}
