"""An hour at a microphone, accelerated: does anything grow? `make bench-soak`.

A simulated device delivers an hour of sound, as fast as it is taken, to the real path: recorder, listening controller,
transcription thread and speech model. Every few seconds the key goes down and up: speech, silence, noise, a device
unplugged, a recording cancelled. Prints memory, threads and open streams along the way, and fails if they grow.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "voice"))

HOUR_S = 3600.0
MOST_GROWTH_MB = 24.0
"""What the allocator keeps back varies; a recording of ten seconds kept each minute would be 38 MB in an hour."""


def main() -> None:
    """Runs it and prints a line for each tenth."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=HOUR_S, help="of sound")
    parser.add_argument("--model-every", type=int, default=10, help="the real model hears one utterance in so many")
    options = parser.parse_args()
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtCore import QCoreApplication
    from soak_kit import Soak

    application = QCoreApplication(["soak"])
    soak = Soak(model_every=options.model_every)
    began = time.monotonic()
    warm = soak.run(options.seconds / 10)
    print(f"{'sound':>8} {'taken':>7} {'utterances':>10} {'memory':>9} {'threads':>7} {'open streams':>12}")
    now = warm
    for tenth in range(1, 11):
        if tenth > 1:
            now = soak.run(options.seconds / 10)
        taken = time.monotonic() - began
        print(
            f"{tenth * options.seconds / 10:>6.0f} s {taken:>5.0f} s {now.utterances:>10} {now.memory_mb:>6.1f} MB "
            f"{now.threads:>7} {now.open_streams:>12}",
            flush=True,
        )
    soak.close()
    application.processEvents()
    grown = now.memory_mb - warm.memory_mb
    print(f"after the first tenth: memory {grown:+.1f} MB, threads {now.threads - warm.threads:+d}")
    if grown > MOST_GROWTH_MB or now.threads > warm.threads or now.open_streams > 1:
        sys.exit("It grows.")


if __name__ == "__main__":
    main()
