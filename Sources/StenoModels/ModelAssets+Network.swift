import Foundation
import Steno

extension ModelAssets {
    /// Creates an inventory that downloads from the Hugging Face hub into the models folder.
    ///
    /// - Parameter maximumReservations: The number of models that can be reserved at the same time, 1 or more.
    /// - Throws: As ``ModelDownloader/init(folder:)`` does.
    public init(maximumReservations: Int = 5) throws {
        self.init(downloader: try ModelDownloader(), maximumReservations: maximumReservations)
    }
}
