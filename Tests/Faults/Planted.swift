#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Which planted fault is active: the switch in the replacements of faults.toml.
///
/// `Tools/ci/plant_faults.py` adds this file to a copy of the package; the package itself never contains it.
package enum Planted {
    /// The number in the environment variable STENO_FAULT; 0 for no fault.
    private static let active = getenv("STENO_FAULT").flatMap { Int(String(cString: $0)) } ?? 0

    package static func isActive(_ fault: Int) -> Bool { fault == active }
}
