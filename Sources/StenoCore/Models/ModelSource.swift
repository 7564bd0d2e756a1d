/// Where a model came from and how it is stored.
package struct ModelSource: Sendable, Hashable {
    package var path: String
    /// The file format, such as `CTranslate2 model.bin, version 6`.
    package var format: String
    /// The format in which most weights are stored: `float32`, `float16`, `bfloat16`, `int8`, or one of GGML's such as
    /// `q5_0`.
    package var storedPrecision: String
    /// The size of the files with the weights, in bytes.
    package var byteCount: Int

    package init(path: String, format: String, storedPrecision: String, byteCount: Int) {
        (self.path, self.format, self.storedPrecision, self.byteCount) = (path, format, storedPrecision, byteCount)
    }

    /// A phrase that says what computing in a precision means for the stored weights.
    package func meaning(of precision: Precision) -> String {
        switch (precision, storedPrecision) {
        case (.float32, _): "float32 computes the stored values exactly"
        case (_, "int8"): "the matrices are computed in 8 bits, as they are stored"
        case (_, let stored):
            "weights stored in \(stored) are rounded to 8 bits when the model is loaded; float32 computes them exactly"
        }
    }
}
