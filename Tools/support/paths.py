"""The repository's folders that the scripts read and write. Imports only the standard library."""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Tests" / "Fixtures"
BUNDLED_MODEL = ROOT / "Sources" / "StenoBundledModel" / "Resources" / "whisper-base"
SAMPLES = ROOT / "Sources" / "StenoBundledModel" / "Resources" / "samples"
SILERO = ROOT / "Sources" / "StenoVoiceActivity" / "Resources" / "silero-vad"
