/// Shell commands that limit the size of files: writes fail as on a full disk, without special privileges.
///
/// At its start the thread sanitizer writes a larger file to the temporary folder, and does without if there is none.
public func fileSizeLimit(blocks: Int) -> String { "export TMPDIR=/nowhere; ulimit -f \(blocks)" }
