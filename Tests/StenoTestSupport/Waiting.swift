/// Waits while a condition holds that another task is to change; a time limit of the test ends it.
package func waitWhile(
    _ holds: @autoclosure () async throws -> Bool, isolation: isolated (any Actor)? = #isolation
) async throws {
    while try await holds() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
