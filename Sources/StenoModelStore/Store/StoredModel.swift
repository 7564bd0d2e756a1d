public import Foundation
import Steno

/// A model that Steno downloaded into the models folder.
public struct StoredModel: Sendable, Hashable {
    /// The catalogue name, such as `small`, or the repository; use it to find and load the model.
    public let name: String
    /// The folder with its files, for `Transcriber.load(.folder(url))`.
    public let folder: URL
    /// The size of its files in bytes.
    public let size: Int

    package let receipt: ModelReceipt

    init(folder: URL, receipt: ModelReceipt) {
        self.folder = folder
        self.receipt = receipt
        name = receipt.name
        size = FileSize.sum(receipt.files.map(\.size))
    }
}
