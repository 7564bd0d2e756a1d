public import Foundation
import Steno
public import StenoModelStore

extension ModelDownloader {
    /// Creates a downloader for the Hugging Face hub.
    ///
    /// It respects `HF_ENDPOINT`, `HF_TOKEN` (or the token saved by `hf auth login`), `HF_HUB_OFFLINE` and the proxy
    /// variables. The token is sent only to the hub.
    ///
    /// - Parameter folder: The folder for models; nil for the models folder of ``ModelStore/init(folder:)``, in which
    ///   case a model elsewhere on the machine is used in place.
    /// - Throws: `StenoError.invalidOption` if `HF_ENDPOINT` is not a valid address.
    public init(folder: URL? = nil) throws {
        let environment = ProcessInfo.processInfo.environment
        self.init(
            store: ModelStore(folder: folder), settings: try HubSettings(environment: environment),
            transport: URLSessionTransport(proxies: ProxySettings(environment: environment)),
            locator: folder == nil ? ModelLocator() : nil)
    }
}

extension ModelAssets {
    /// Creates an inventory that downloads from the Hugging Face hub into the models folder.
    ///
    /// - Parameter maximumReservations: The number of models that can be reserved at the same time, 1 or more.
    /// - Throws: As ``ModelDownloader/init(folder:)`` does.
    public init(maximumReservations: Int = 5) throws {
        self.init(downloader: try ModelDownloader(), maximumReservations: maximumReservations)
    }
}
