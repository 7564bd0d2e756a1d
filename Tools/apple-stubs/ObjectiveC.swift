// Declarations of Apple's ObjectiveC module, as far as this package uses them.
@discardableResult
public func autoreleasepool<E, Result>(invoking body: () throws(E) -> Result) throws(E) -> Result { try body() }
