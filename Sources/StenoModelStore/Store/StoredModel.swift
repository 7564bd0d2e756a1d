public import Foundation
import Steno

/// A model in the models folder that was downloaded by Steno.
public struct StoredModel: Sendable, Hashable {
    /// The name of the catalogue, such as `small`, or the repository: what finds and loads it.
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
