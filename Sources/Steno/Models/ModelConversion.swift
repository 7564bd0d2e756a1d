package import Foundation
package import StenoCompute
import StenoCore

/// Converts models of any family to a new folder that Steno loads.
package enum ModelConversion {
    /// Converts a model; a Whisper model becomes a CTranslate2 folder, any other a Hugging Face folder.
    ///
    /// - Parameters:
    ///   - model: The model's folder or file.
    ///   - replacing: Whether to replace an existing converted model; a folder with anything else is never replaced.
    ///   - isCancelled: Called after every few rows; returning true cancels the conversion.
    /// - Throws: ``StenoError``: `modelUnsupported` for a family without a converter; what its converter throws.
    package static func convert(
        _ model: URL, to folder: URL, precision: ConversionPrecision, replacing: Bool = false,
        isCancelled: () -> Bool = { false }, onProgress: (ConversionProgress) -> Void = { _ in }
    ) throws {
        let family = try ModelFamily.of(model)
        guard let convert = family.convert else {
            throw StenoError(
                .modelUnsupported, "\(family.name) models cannot be converted. Use \(model.path) as it is.")
        }
        try convert(model, folder, precision, replacing, isCancelled, onProgress)
    }
}
