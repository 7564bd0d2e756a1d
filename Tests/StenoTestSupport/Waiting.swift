/// Waits while a condition holds that another task will change.
///
/// Every caller has a time limit, which is thrown here: a condition that never changes fails its test instead of hanging CI.
package func waitWhile(
    _ holds: @autoclosure () async throws -> Bool, isolation: isolated (any Actor)? = #isolation
) async throws {
    while try await holds() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
