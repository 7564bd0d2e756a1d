/// The commands of a shell that limit how far a file may grow: a write then fails as on a full disk, and no rights are needed.
///
/// When a program starts, the thread sanitizer writes a larger file into the folder for temporary files; where there is no
/// such folder, it does without.
public func fileSizeLimit(blocks: Int) -> String { "export TMPDIR=/nowhere; ulimit -f \(blocks)" }
