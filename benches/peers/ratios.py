"""Joins what divan printed with the peers' seconds and prints a table of ratios.

usage: ratios.py OURS PEERS, the texts of the two runs.
"""

import re
import sys

UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}

# What the statistics promise, as least ratios.
PROMISED = {
    "paired_bootstrap_three_values": 100.0,
    "paired_bootstrap_tenths": 100.0,
    "paired_bootstrap_continuous": 4.0,
}


def seconds_of_divan(text):
    """The fastest run of each benchmark: the first time of its line."""
    found = {}
    for line in text.splitlines():
        name = re.search(r"[├╰]─ (\w+)", line)
        times = re.findall(r"([\d.]+) (ns|µs|ms|s)\b", line)
        if name and len(times) >= 4:
            value, unit = times[0]
            found[name.group(1)] = float(value) * UNITS[unit]
    return found


def main():
    ours = seconds_of_divan(open(sys.argv[1], encoding="utf-8").read())
    lines = open(sys.argv[2], encoding="utf-8").read().splitlines()
    peers = {name: float(seconds) for name, seconds in (line.split() for line in lines)}
    missing = peers.keys() ^ ours.keys()
    print(f"{'benchmark':<32}{'decbench':>12}{'peer':>12}{'ratio':>10}  promised")
    broken = bool(missing)
    for name, peer in peers.items():
        if name not in ours:
            continue
        ratio = peer / ours[name]
        promise = PROMISED.get(name)
        broken |= promise is not None and ratio < promise
        stated = f"at least {promise:g}" if promise else ""
        print(f"{name:<32}{ours[name] * 1e3:>9.3f} ms{peer * 1e3:>9.1f} ms{ratio:>9.1f}x  {stated}")
    for name in sorted(missing):
        print(f"{name}: measured on one side only")
    sys.exit(broken)


if __name__ == "__main__":
    main()
