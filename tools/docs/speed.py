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


def median(rows, time, yardstick):
    return statistics.median(time(row) / row[yardstick] for row in rows)


def missed_floors(rows, yardstick):
    """How many rows take more multiples of a yardstick than their floor target allows."""
    count = 0
    for row in rows:
        floors = [float(target[len("floor "):-1]) for target in row["targets"]
                  if target.startswith("floor ")]
        count += any(row["ours_ms"] > most * row[yardstick] for most in floors)
    return count


def summary(root):
    rows = rows_of(root)
    gradients = [row for row in rows if row["type"] == "FLOAT32"]
    # Below 0.1 ms the peers' threads have to be woken up (bench/README.md).
    raced = [row for row in rows if best_peer(row) is not None and best_peer(row) >= 0.1]
    faster = [row for row in raced if row["ours_ms"] < best_peer(row)]
    aimed = [row for row in rows if row["targets"]]
    missed = [row for row in aimed if row["missed"]]
    threads = [row for row in missed if "threads 90%" in row["missed"]]
    with_peer = [row for row in gradients if best_peer(row) is not None]
    own, fastest, moved = (median(gradients, lambda row: row["ours_ms"], yardstick)
                           for yardstick in ("floor_ms", "fastest_copy_ms", "moved_ms"))
    own_raced, peers = (median(with_peer, time, "floor_ms")
                        for time in (lambda row: row["ours_ms"], best_peer))
    floors, strict = (missed_floors(rows, name) for name in ("floor_ms", "fastest_copy_ms"))
    is_all = len(faster) == len(raced)
    count = f"all {len(raced)}" if is_all else f"{len(faster)} of the {len(raced)}"
    return (f"Over the {len(gradients)} FLOAT32 rows of `bench/results/core.json` (every layout) "
            f"AnyDML takes {own:.2f} copies in the median, {moved:.2f} times as long as its bytes "
            f"alone; over those with a peer {own_raced:.2f}, and the fastest peer {peers:.2f}. "
            f"AnyDML is the faster one in {count} rows, FLOAT32 and FLOAT16, in which the fastest "
            f"peer takes 0.1 ms or more. {len(aimed) - len(missed)} of the {len(aimed)} rows with "
            f"targets meet all of them; {len(missed)} miss at least one, {len(threads)} of these "
            f"what a second thread should gain and {floors} the copy's time; if the fastest copy "
            f"counted for every size, {strict} would miss that, and the median would be "
            f"{fastest:.2f}.")


def name_of(row):
    return row["case"].replace("_to_the_", "^").replace("_", " ")


def times(row, series):
    found = [row["peers"][name] for name in row["raced"]
             if name.startswith("torch") == (series == "torch")]
    return f"{min(found) / row['floor_ms']:.2f}x" if found else ""


# README.md has them, FLOAT32 and packed.
SHOWN = ("elements_2_to_the_26", "window_2x2_stride_2_", "window_3x3_stride_", "window_96_step_1_",
         "nearest_2x_", "linear_2x_")


def is_shown(row):
    packed = row["layout"] in ("packed", "NCHW")
    return packed and row["type"] == "FLOAT32" and row["case"].startswith(SHOWN)


def short_table(root):
    lines = ["| gradient, FLOAT32, packed | ms | AnyDML | oneDNN | PyTorch |",
             "|---|---|---|---|---|"]
    lines += [f"| {row['operator']}, {name_of(row)} | {row['ours_ms']:.3g} | "
              f"{row['ours_ms'] / row['floor_ms']:.2f}x | {times(row, 'onednn')} | "
              f"{times(row, 'torch')} |" for row in rows_of(root) if is_shown(row)]
    return "\n".join(lines)


def table(root):
    lines = ["| gradient | case | type | layout | ms | AnyDML | oneDNN | PyTorch | fastest copy | "
             "bytes alone | threads | missed |",
             "|---|---|---|---|---|---|---|---|---|---|---|---|"]
    for row in rows_of(root):
        lines.append(f"| {row['operator']} | {name_of(row)} | {row['type']} | "
                     f"{row['layout'].replace('_', ' ')} | {row['ours_ms']:.3g} | "
                     f"{row['ours_ms'] / row['floor_ms']:.2f}x | {times(row, 'onednn')} | "
                     f"{times(row, 'torch')} | {row['ours_ms'] / row['fastest_copy_ms']:.2f}x | "
                     f"{row['ours_ms'] / row['moved_ms']:.2f}x | "
                     f"{row['one_thread_ms'] / row['ours_ms']:.2f} of {row['machine_gain']:.2f} | "
                     f"{', '.join(row['missed'])} |")
    return "\n".join(lines)
