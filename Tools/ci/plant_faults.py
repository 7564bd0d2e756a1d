#!/usr/bin/env python3
"""Plants the faults of Tests/Faults/faults.toml in a copy of the package, and checks that the tests find each of them.

usage: Tools/ci/plant_faults.py [--only 3,17] [--keep] [--list] [--limit SECONDS] [-- FLAGS]

    --only     only these faults, by number
    --keep     leaves the copy and its build in .build-faults, so that the next run builds only what has changed; without it,
               they stay only if a fault is not found
    --list     checks that every fault can be planted, lists them, and builds nothing
    --limit    the seconds after which a run counts as a hang (120)
    FLAGS      the options of `swift test` (--traits Server); the environment variable SWIFT names the command

All faults are in one build; the environment variable STENO_FAULT activates one. First the suites of all chosen faults have to pass
without a fault. Then each fault is active in a run of its own suites, which must fail; a crash or a hang is a find too if the same
suites pass without the fault. The exit code is 1 if a fault is not found, and 2 if nothing could be said about one.
"""
import argparse
import dataclasses
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

try:
    import tomllib
except ImportError:
    sys.exit("plant_faults.py needs Python 3.11 or later, which reads TOML.")

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ROOT / "Tests" / "Faults"
WORK = ROOT / ".build-faults"
COPY, BUILD = WORK / "source", WORK / "build"
FIELDS = {"number", "wrong", "file", "find", "replace", "filter"}
# Where the switches are in the copy: in a target that all others import, and not among the public headers of the kernels.
SWIFT = pathlib.PurePosixPath("Sources/StenoCore/Planted.swift")
C = pathlib.PurePosixPath("Sources/CStenoKernels")
# Written by SwiftPM into the copy.
GENERATED = {"Package.resolved", ".swiftpm"}
BASELINE_LIMIT = 3600


class Wrong(Exception):
    """Something that has to be corrected before any fault can be tried."""


@dataclasses.dataclass(frozen=True)
class Fault:
    number: int
    wrong: str
    file: str
    find: str
    replace: str
    filter: str

    def __str__(self):
        return f"fault {self.number} ({self.file})"

    def check(self):
        switches = re.findall(r"(?:Planted\.isActive|steno_planted)\((\d+)\)", self.replace)
        if not switches or set(switches) != {str(self.number)}:
            raise Wrong(f"{self}: the replacement needs the switch with the number {self.number}, and no other.")
        try:
            re.compile(self.filter)
        except re.error as error:
            raise Wrong(f"{self}: the filter is not a regular expression: {error}.")

    def place(self, sources):
        """The path of the source, of those below Sources."""
        found = [path for path in sources if f"/{path}".endswith(f"/{self.file}")]
        if len(found) != 1:
            where = ", ".join(map(str, found)) or "no file"
            raise Wrong(f"{self}: the name must belong to one file below Sources, but it belongs to {where}.")
        return found[0]

    def plant(self, text, original):
        count = original.count(self.find)
        if count != 1 or self.find not in text:
            raise Wrong(f"{self}: the text to replace must be there once, but is there {count} times:\n{self.find}")
        return text.replace(self.find, self.replace)


def read_list():
    with open(PARTS / "faults.toml", "rb") as file:
        entries = tomllib.load(file)["fault"]
    for entry in entries:
        if set(entry) != FIELDS:
            raise Wrong(f"fault {entry.get('number')}: a fault has the fields {', '.join(sorted(FIELDS))}.")
    faults = [Fault(**entry) for entry in entries]
    if [fault.number for fault in faults] != list(range(1, len(faults) + 1)):
        raise Wrong("The faults must be numbered from 1 on, in order.")
    for fault in faults:
        fault.check()
    return faults


# ---- The copy

def checkout():
    """The files of the checkout that are tracked, or neither tracked nor ignored."""
    command = ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    return sorted(pathlib.PurePosixPath(name) for name in names if name and os.path.lexists(ROOT / name))


def sources(files):
    return [path for path in files if path.parts[0] == "Sources" and not (ROOT / path).is_symlink()]


def planted(files, faults):
    """The texts of the copy that differ from the checkout, by path."""
    files = sources(files)
    for folder in (SWIFT.parent, C):
        if not any(path.is_relative_to(folder) for path in files):
            raise Wrong(f"The switch belongs into {folder}, which has no sources: correct the folder in plant_faults.py.")
    switch = {SWIFT: "Planted.swift", C / "steno_planted.h": "steno_planted.h", C / "planted.c": "planted.c"}
    texts = {path: (PARTS / name).read_text(encoding="utf-8") for path, name in switch.items()}
    originals, problems = {}, []
    for fault in faults:
        try:
            path = fault.place(files)
            original = originals.setdefault(path, (ROOT / path).read_text(encoding="utf-8"))
            texts[path] = fault.plant(texts.get(path, original), original)
        except Wrong as error:
            problems.append(str(error))
    if problems:
        raise Wrong("\n".join(problems))
    for path in originals:
        texts[path] = with_switch(path, texts[path])
    return texts


def with_switch(path, text):
    if path.suffix != ".swift":
        return f'#include "{os.path.relpath(C / "steno_planted.h", path.parent)}"\n' + text
    # Steno re-exports StenoCore, and a second import with another access level would be an error.
    if path.parts[:2] == SWIFT.parts[:2] or re.search(r"^\s*(?:@\S+ )?(?:\w+ )?import Steno(?:Core)?$", text, re.MULTILINE):
        return text
    return "import StenoCore\n" + text


def write_copy(files, texts):
    """Writes only what has changed, so that a kept build is still current."""
    wanted = {*files, *texts}
    if (ROOT / "Package.resolved").exists():
        wanted.add(pathlib.PurePosixPath("Package.resolved"))
    for path in wanted:
        target = COPY / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if path in texts:
            content = texts[path].encode()
            if not target.exists() or target.read_bytes() != content:
                target.write_bytes(content)
        elif (ROOT / path).is_symlink():
            if not target.is_symlink() or os.readlink(target) != os.readlink(ROOT / path):
                target.unlink(missing_ok=True)
                target.symlink_to(os.readlink(ROOT / path))
        elif not target.exists() or target.read_bytes() != (ROOT / path).read_bytes():
            shutil.copy(ROOT / path, target)
    for folder, _, names in os.walk(COPY):
        for name in names:
            path = pathlib.PurePosixPath(pathlib.Path(folder, name).relative_to(COPY))
            if path not in wanted and path.parts[0] not in GENERATED:
                (COPY / path).unlink()


# ---- The runs

@dataclasses.dataclass
class Run:
    """What happened in a run of some suites."""
    output: str
    code: int
    seconds: float
    hangs: bool

    # Swift Testing writes `✔ Test name() passed after 0.1 seconds.`, also for a test with cases or issues.
    ENDED = re.compile(r"^\S+ Test (?!run |case )(.+?)(?: with \d+ test cases?)? (?:passed|failed) after ", re.MULTILINE)
    STARTED = re.compile(r"^\S+ Test (?!run |case )(.+?) started\.", re.MULTILINE)
    ISSUE = re.compile(r"^\S+ Test (?!run )(.+?) recorded an issue (?:with .+? )?at (\S+:\d+):\d+", re.MULTILINE)
    SUMMARY = re.compile(r"^\S+ Test run with \d+ tests? .*(passed|failed) after ", re.MULTILINE)

    @property
    def count(self):
        """The number of tests that ran to their end; skipped ones did not."""
        return len(self.ENDED.findall(self.output))

    @property
    def verdict(self):
        summary = self.SUMMARY.search(self.output)
        if self.hangs:
            return "hang"
        if summary is None:
            return "crash" if self.STARTED.search(self.output) else "nothing"
        if self.count == 0:
            return "nothing"
        if self.code == 0 and summary[1] == "passed":
            return "passed"
        return "failed" if self.code != 0 and summary[1] == "failed" else "unclear"

    @property
    def finder(self):
        """The first test that failed, and where; or the one that was running."""
        issue = self.ISSUE.search(self.output)
        if issue:
            return f"{issue[1]} at {issue[2]}"
        ended = set(self.ENDED.findall(self.output))
        running = [name for name in self.STARTED.findall(self.output) if name not in ended]
        return f"during {running[0]}" if running else ""

    @property
    def end(self):
        return "\n".join(self.output.splitlines()[-40:])


def execute(command, limit, fault=None, log=None):
    environment = {**os.environ}
    environment.pop("STENO_FAULT", None)
    environment.setdefault("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", str((os.cpu_count() or 1) + 1))
    if fault:
        environment["STENO_FAULT"] = str(fault.number)
    start = time.monotonic()
    hangs = False
    with open(log or WORK / "run.log", "w+b") as output:
        process = subprocess.Popen(
            command, cwd=COPY, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            start_new_session=True)
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            hangs = True
        finally:
            # The tests start programs, which are of the same group.
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        output.seek(0)
        text = output.read().decode(errors="replace")
    return Run(text, process.returncode, time.monotonic() - start, hangs)


class Package:
    """The copy with the faults, and its build."""

    def __init__(self, flags, limit):
        swift = os.environ.get("SWIFT", "swift").split()
        self.test = [*swift, "test", "--scratch-path", str(BUILD), *flags, "--disable-xctest"]
        self.limit = limit

    def build(self):
        """A filter that matches no test only builds."""
        run = execute([*self.test, "--filter", "^nothing$"], None, log=WORK / "build.log")
        if run.code != 0:
            raise Wrong(f"{run.end}\nThe copy with the faults could not be built; see {WORK / 'build.log'}.")
        return run.seconds

    @property
    def command(self):
        """Runs the tests that were built; where they are a program, without SwiftPM, which takes ten seconds to start it."""
        programs = sorted(BUILD.glob("*/*PackageTests.xctest"), key=lambda program: program.stat().st_mtime)
        if programs and programs[-1].is_file():
            return [str(programs[-1]), "--testing-library", "swift-testing"]
        return [*self.test, "--skip-build"]

    def run(self, filters, fault=None, limit=None):
        """Runs suites, which may be within others."""
        suites = "|".join(dict.fromkeys(filters))
        return execute([*self.command, "--filter", f"[./]({suites})/"], limit or self.limit, fault)

    def check_passes(self, faults):
        run = self.run([fault.filter for fault in faults], limit=BASELINE_LIMIT)
        if run.verdict != "passed":
            found = "\n".join(f"{name} at {place}" for name, place in Run.ISSUE.findall(run.output)[:20])
            raise Wrong(f"{run.end}\n{found}\nWithout a fault the suites must pass.")
        return run

    def try_fault(self, fault):
        """The result, the time and the test that found it."""
        run = self.run([fault.filter], fault)
        result = {"failed": "found", "crash": "crash", "hang": "hang", "passed": "NOT FOUND"}.get(run.verdict, "ERROR")
        finder = run.finder if result in ("found", "crash", "hang") else ""
        if result in ("crash", "hang"):
            # The suites passed among others; a crash of another cause would come again when they run alone.
            again = self.run([fault.filter])
            if again.verdict != "passed":
                result, finder = "ERROR", f"without the fault: {again.verdict} {again.finder}"
        elif result == "ERROR":
            finder = f"the filter {fault.filter} selects no test that runs" if run.verdict == "nothing" else run.end
        return result, run.seconds, finder


# ---- The command

def table(rows):
    heading = ("", "target", "result", "seconds", "wrong", "found by")
    rows = [heading] + rows
    widths = [max(len(row[column]) for row in rows) for column in range(len(heading) - 1)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)) + "  " + row[-1])


def choose(faults, only):
    if not only:
        return faults
    try:
        numbers = {int(number) for number in only.split(",")}
    except ValueError:
        raise Wrong("--only takes numbers with commas between them, such as 3,17.")
    unknown = numbers - {fault.number for fault in faults}
    if unknown:
        raise Wrong(f"There is no fault {min(unknown)}: the numbers are 1 to {len(faults)}.")
    return [fault for fault in faults if fault.number in numbers]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("flags", nargs="*")
    arguments = parser.parse_args()

    faults = read_list()
    chosen = choose(faults, arguments.only)
    files = checkout()
    texts = planted(files, faults)
    targets = {fault.number: fault.place(sources(files)).parts[1] for fault in faults}
    if arguments.list:
        for fault in chosen:
            print(f"{fault.number:>3}  {targets[fault.number]:<18} {fault.wrong}  [{fault.filter}]")
        return 0

    WORK.mkdir(exist_ok=True)
    write_copy(files, texts)
    package = Package(arguments.flags or ["--traits", "Server"], arguments.limit)
    start = time.monotonic()
    print(f"== building the copy with {len(faults)} faults, to {WORK / 'build.log'}", flush=True)
    print(f"built in {package.build():.0f} s", flush=True)
    baseline = package.check_passes(chosen)
    print(f"without a fault, {baseline.count} tests pass in {baseline.seconds:.0f} s", flush=True)
    rows, results, begun = [], [], time.monotonic()
    for fault in chosen:
        result, seconds, finder = package.try_fault(fault)
        print(f"{fault.number:>3}  {result}  {seconds:.1f} s  {finder}", flush=True)
        results.append(result)
        rows.append((str(fault.number), targets[fault.number], result, f"{seconds:.1f}", fault.wrong, finder.split("\n")[-1]))
    print()
    table(rows)
    missed, errors = results.count("NOT FOUND"), results.count("ERROR")
    print(f"\n{len(results) - missed - errors} of {len(results)} faults found in {time.monotonic() - begun:.0f} s, "
          f"{missed} not found, {errors} errors; {time.monotonic() - start:.0f} s with the build")
    if not arguments.keep and missed + errors == 0:
        shutil.rmtree(WORK)
    return 1 if missed else 2 if errors else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Wrong as error:
        sys.exit(f"plant_faults: {error}")
