# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""What the documentation says of bench/results/core.json."""
import json
import statistics


def rows_of(root):
    return json.loads((root / "bench/results/core.json").read_text())


def best_peer(row):
    """Milliseconds of the fastest peer that was raced, or None."""
    return min((row["peers"][name] for name in row["raced"]), default=None)


def summary(root):
    rows = rows_of(root)
    gradients = [row for row in rows if row["type"] == "FLOAT32"]
    # Below 0.1 ms the peers' threads have to be woken up (bench/README.md).
    raced = [row for row in rows if best_peer(row) is not None and best_peer(row) >= 0.1]
    faster = [row for row in raced if row["ours_ms"] < best_peer(row)]
    aimed = [row for row in rows if row["targets"]]
    missed = [row for row in aimed if row["missed"]]
    threads = [row for row in missed if "threads 90%" in row["missed"]]
    own = statistics.median(row["ours_ms"] / row["floor_ms"] for row in gradients)
    own_raced, peers = (statistics.median(time(row) / row["floor_ms"] for row in gradients
                                          if best_peer(row) is not None)
                        for time in (lambda row: row["ours_ms"], best_peer))
    count = f"all {len(raced)}" if len(faster) == len(raced) else f"{len(faster)} of the {len(raced)}"
    return (f"Over the {len(gradients)} FLOAT32 rows of `bench/results/core.json` (every layout) "
            f"AnyDML takes {own:.2f} copies in the median; over those with a peer {own_raced:.2f}, "
            f"and the fastest peer {peers:.2f}. AnyDML is the faster one in {count} rows, FLOAT32 "
            f"and FLOAT16, in which the fastest peer takes 0.1 ms or more. "
            f"{len(aimed) - len(missed)} of the {len(aimed)} rows with targets meet all of them; "
            f"{len(missed)} miss at least one, {len(threads)} of these what a second thread should "
            "gain.")


def name_of(row):
    return row["case"].replace("_to_the_", "^").replace("_", " ")


def times(row, series):
    found = [row["peers"][name] for name in row["raced"]
             if name.startswith("torch") == (series == "torch")]
    return f"{min(found) / row['floor_ms']:.2f}x" if found else ""


def table(root):
    lines = ["| gradient | case | type | layout | ms | AnyDML | oneDNN | PyTorch | missed |",
             "|---|---|---|---|---|---|---|---|---|"]
    for row in rows_of(root):
        lines.append(f"| {row['operator']} | {name_of(row)} | {row['type']} | "
                     f"{row['layout'].replace('_', ' ')} | {row['ours_ms']:.3g} | "
                     f"{row['ours_ms'] / row['floor_ms']:.2f}x | {times(row, 'onednn')} | "
                     f"{times(row, 'torch')} | {', '.join(row['missed'])} |")
    return "\n".join(lines)
