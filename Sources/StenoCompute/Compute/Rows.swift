/// A view of rows of floats in memory owned elsewhere: `pointer[i * stride + j]`.
package struct Rows {
    package var pointer: UnsafeMutablePointer<Float>
    package var stride: Int

    package init(_ pointer: UnsafeMutablePointer<Float>, stride: Int) {
        self.pointer = pointer
        self.stride = stride
    }

    /// The rows from row `index` on.
    package func from(_ index: Int) -> Rows { Rows(pointer + index * stride, stride: stride) }

    /// The same rows without their first `count` columns.
    package func dropColumns(_ count: Int) -> Rows { Rows(pointer + count, stride: stride) }
}
