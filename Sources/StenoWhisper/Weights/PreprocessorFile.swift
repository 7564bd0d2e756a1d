internal import Foundation
import StenoCore

/// The relevant part of `preprocessor_config.json`, which both CTranslate2 and Hugging Face folders have.
struct PreprocessorFile: Decodable {
    static let name = "preprocessor_config.json"

    /// The number of mel bands.
    var feature_size: Int?

    /// The number of mel bands in a folder's file; nil if it does not give one.
    static func melCount(in folder: URL) throws -> Int? {
        try ModelJSON.read(Self.self, name, in: folder)?.feature_size
    }
}
