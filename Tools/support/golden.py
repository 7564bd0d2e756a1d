"""What the scripts of Tools/goldens share. run.py starts them, and with its --check they write nothing."""
import importlib.metadata
import json

from support.paths import FIXTURES

checking = False
#: The content of every file that was written, by its path.
written = {}


def write(name, content):
    """Writes bytes or text to a file below Tests/Fixtures, or to any path."""
    path = FIXTURES / name
    written[path] = content.encode() if isinstance(content, str) else bytes(content)
    if not checking:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(written[path])


def different():
    """The files whose content is no longer what was written last."""
    return [path for path, content in written.items() if not path.exists() or path.read_bytes() != content]


def versions(*packages):
    return {package: importlib.metadata.version(package) for package in packages}


def compact(value, **options):
    return json.dumps(value, separators=(",", ":"), **options)


def lines(values, dump=json.dumps):
    """A JSON list with a line for each value."""
    return "[\n" + ",\n".join(map(dump, values)) + "\n]"


class Store:
    """The values of all goldens in one file of little-endian float32, with their offsets."""

    def __init__(self):
        self.values, self.count = [], 0

    def add(self, array):
        import numpy as np
        part = np.ascontiguousarray(array, "<f4")
        entry = {"offset": self.count, "shape": list(part.shape)}
        self.values.append(part)
        self.count += part.size
        return entry

    def bytes(self):
        return b"".join(part.tobytes() for part in self.values)
