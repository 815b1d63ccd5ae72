"""A microphone without hardware: a PulseAudio server of the test's own with a null sink, reached through ALSA."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SINK = "vmic"
START_WITHIN_S = 60

ALSA_CONFIG = """\
pcm.!default { type pulse hint { show on description "Default" } }
ctl.!default { type pulse }
"""


class VirtualMicrophone:
    """Plays files into the null sink; what records from the default source hears them."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = environment

    def play(self, file: Path, sink: str = SINK) -> subprocess.Popen[bytes]:
        """Starts playing; the caller waits for the process."""
        return subprocess.Popen(["paplay", f"--device={sink}", str(file)], env={**os.environ, **self.environment})

    def control(self, *arguments: str) -> str:
        """Runs pactl."""
        done = subprocess.run(
            ["pactl", *arguments],
            env={**os.environ, **self.environment},
            check=True,
            capture_output=True,
            text=True,
            timeout=START_WITHIN_S,
        )
        return done.stdout


def missing() -> str:
    """What has to be installed for it, or an empty string."""
    lacking = [program for program in ("pulseaudio", "pactl", "paplay") if shutil.which(program) is None]
    return f"not installed: {', '.join(lacking)} (Debian: pulseaudio pulseaudio-utils)" if lacking else ""


@contextmanager
def virtual_microphone(folder: Path) -> Iterator[VirtualMicrophone]:
    """Starts the server in a folder of its own and ends it.

    It is started without a configuration, a session bus or the network, and so as root too.
    """
    socket = folder / "native"
    config = folder / "asound.conf"
    config.write_text(ALSA_CONFIG)
    environment = {
        "HOME": str(folder),
        "XDG_RUNTIME_DIR": str(folder),
        "PULSE_RUNTIME_PATH": str(folder / "pulse"),
        "PULSE_SERVER": f"unix:{socket}",
        "ALSA_CONFIG_PATH": str(config),
    }
    log = folder / "pulseaudio.log"
    with log.open("wb") as log_file:
        server = subprocess.Popen(
            [
                "pulseaudio",
                "-n",
                "--daemonize=no",
                "--use-pid-file=no",
                "--exit-idle-time=-1",
                "--log-target=stderr",
                f"--load=module-native-protocol-unix socket={socket} auth-anonymous=1",
                f"--load=module-null-sink sink_name={SINK} rate=48000 channels=2",
            ],
            env={**os.environ, **environment},
            stderr=log_file,
        )
    microphone = VirtualMicrophone(environment)
    try:
        _wait_until_it_answers(microphone, server, log)
        microphone.control("set-default-source", f"{SINK}.monitor")
        yield microphone
    finally:
        server.terminate()
        try:
            server.wait(START_WITHIN_S)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _wait_until_it_answers(microphone: VirtualMicrophone, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_WITHIN_S
    while time.monotonic() < deadline and server.poll() is None:
        try:
            if SINK in microphone.control("list", "short", "sinks"):
                return
        except subprocess.CalledProcessError:
            continue  # nobody listens at the socket yet
    raise RuntimeError(f"pulseaudio did not start:\n{log.read_text(errors='replace')[-2000:]}")
