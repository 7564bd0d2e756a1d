/// Rows of floats in somebody's memory: `pointer[i * stride + j]`.
package struct Rows {
    package var pointer: UnsafeMutablePointer<Float>
    package var stride: Int

    package init(_ pointer: UnsafeMutablePointer<Float>, stride: Int) {
        self.pointer = pointer
        self.stride = stride
    }

    /// The same rows from row `index` on.
    package func from(_ index: Int) -> Rows { Rows(pointer + index * stride, stride: stride) }

    /// The same rows without their first `count` columns.
    package func dropColumns(_ count: Int) -> Rows { Rows(pointer + count, stride: stride) }
}
