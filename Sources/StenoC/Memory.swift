import CSteno
import Foundation
import StenoCore

/// Gives the caller a string, which `steno_free` frees.
func give(_ text: String, _ result: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) throws -> Int {
    result.pointee = try allocated(strdup(text))
    return STENO_OK
}

/// Gives the caller an array, which `steno_free` frees; an empty one is a valid pointer, too.
func give<Element: BitwiseCopyable>(
    _ elements: [Element], _ result: UnsafeMutablePointer<UnsafeMutablePointer<Element>?>,
    _ count: UnsafeMutablePointer<Int>
) throws -> Int {
    let memory = try allocated(malloc(max(1, elements.count) * MemoryLayout<Element>.stride))
    let copy = memory.bindMemory(to: Element.self, capacity: max(1, elements.count))
    elements.withUnsafeBufferPointer { elements in
        if let start = elements.baseAddress { copy.initialize(from: start, count: elements.count) }
    }
    (result.pointee, count.pointee) = (copy, elements.count)
    return STENO_OK
}

private func allocated<Pointer>(_ pointer: Pointer?) throws -> Pointer {
    guard let pointer else { throw StenoError(.outOfMemory, "There is no memory for the result. Free some memory.") }
    return pointer
}

/// An object as an opaque pointer, which owns it.
func handle<Object: AnyObject>(_ object: Object) -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(object).toOpaque())
}

func object<Object: AnyObject>(_ handle: OpaquePointer?, _ name: String) throws -> Object {
    Unmanaged<Object>.fromOpaque(UnsafeRawPointer(try required(handle, name))).takeUnretainedValue()
}

/// Ends the ownership of an opaque pointer.
func drop<Object: AnyObject>(_ handle: OpaquePointer?, _ type: Object.Type, before end: (Object) -> Void = { _ in }) {
    guard let handle else { return }
    let owned = Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle))
    end(owned.takeUnretainedValue())
    owned.release()
}
