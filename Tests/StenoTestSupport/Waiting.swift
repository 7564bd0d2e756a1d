/// Waits while a condition holds that another task is to change.
///
/// Every caller has a time limit, whose end is thrown here: a condition that never changes fails its test, and does not
/// hold up all of CI.
package func waitWhile(
    _ holds: @autoclosure () async throws -> Bool, isolation: isolated (any Actor)? = #isolation
) async throws {
    while try await holds() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
