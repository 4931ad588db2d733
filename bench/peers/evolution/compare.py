"""Box's generation of Connect Four networks by Lanista and by three programs of other kinds: agreement, then games a second.

The peers run in processes of their own, on one core and one thread. First each one is checked; then they are measured in
turn with `lanista bench learn/box-generation`, in rounds, and medians are printed as a Markdown table.
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
BENCH = "learn/box-generation"
# Name, script, arguments of a measurement. Lanista's bench has two generations and the best of five, too.
PEERS = [
    ("numpy, lock-step", "lockstep.py", ["--generations", "2", "--runs", "5"]),
    ("JAX with pgx, lock-step", "pgx_peer.py", ["--generations", "2", "--runs", "5"]),
    ("DEAP and numpy, one by one", "one_by_one.py", ["--generations", "1", "--runs", "1"]),
]
EXPERIMENT = """
title = "Peers: random networks"
game = "connect-four"
replicates = {replicates}
[learner]
player = "greedy:eval=genome"
inputs = ["board", "four", "threes"]
layers = [{{ size = 25, activation = "sigmoid" }}, {{ size = 1, activation = "sigmoid", bias = false }}]
opponents = ["win-block"]
[evolution]
preset = "box"
generations = 1
"""
# One thread for every library. The allocator keeps what it has: numpy is a third faster so.
ENVIRONMENT = {
    **{name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")},
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "JAX_PLATFORMS": "cpu",
    "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
    "MALLOC_MMAP_THRESHOLD_": "1000000000",
    "MALLOC_TRIM_THRESHOLD_": "2000000000",
    "MALLOC_TOP_PAD_": "100000000",
}


class Failed(Exception):
    """A program that could not run; the text says why."""


def on_one_core():
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def called(command, extra=None):
    """What a program says as JSON, on one core."""
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(extra or {})},
                          preexec_fn=on_one_core)
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        errors = [line for line in lines if "Error" in line.split(":")[0]] or lines or [f"exit status {done.returncode}"]
        raise Failed(errors[-1].split(";")[0][:120])
    return json.loads(done.stdout.splitlines()[-1])


def peer(script, *arguments):
    return called([sys.executable, str(HERE / script), *arguments], ENVIRONMENT)


def benched(lanista):
    """Games a second of Lanista's bench, and its build."""
    answer = {entry["name"]: entry["value"] for entry in called([lanista, "bench", BENCH, "--json"])}
    return answer[BENCH], answer["build"]


def random_networks(lanista, replicates):
    """First generations of Lanista: networks, mean score, its standard error, plies a game."""
    with tempfile.TemporaryDirectory() as folder:
        experiment, store = f"{folder}/random.toml", f"{folder}/store.db"
        pathlib.Path(experiment).write_text(EXPERIMENT.format(replicates=replicates), encoding="ascii")
        called([lanista, "run", experiment, "--store", store, "--threads", "1", "--quiet", "--json"])
        found = called([lanista, "show", "last", "--store", store, "--json"])["measurements"]
    values = {name: [entry["value"] for entry in found if entry["name"] == name and entry["of"] == "contest"]
              for name in ("mean", "spread", "plies")}
    count = 143 * len(values["mean"])
    error = math.sqrt(statistics.mean(spread ** 2 for spread in values["spread"]) / count)
    return count, statistics.mean(values["mean"]), error, statistics.mean(values["plies"])


def with_interval(mean, error):
    return f"{100 * mean:.1f} % ± {100 * 1.96 * error:.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], prog="bench/peers/evolution/run")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="medians of so many rounds (default 3)")
    parser.add_argument("--skip-speed", action="store_true", help="the agreement only")
    parser.add_argument("--skip-check", action="store_true", help="the speed only")
    parser.add_argument("--lanista", help=argparse.SUPPRESS)
    parser.add_argument("--check-flags", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds: expected 1 or more")
    if arguments.check_flags:
        return 0
    failures, wrong = {}, []
    if not arguments.skip_check:
        wrong += agreement(arguments.lanista, failures)
    if not arguments.skip_speed:
        speed(arguments.lanista, arguments.rounds, failures)
    for line in wrong:
        print(f"disagreement: {line}")
    for name, why in failures.items():
        print(f"not run: {name}: {why}")
    return 1 if wrong else 2 if failures else 0


def agreement(lanista, failures):
    """Checks every peer and prints what came of it. Returns what is wrong."""
    wrong = []
    print("| program | networks | games | mean score, 95 % | plies a game | inputs compared | agent's moves "
          "| wins missed | blocks missed | networks' moves compared | wrong |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    ours = None
    try:
        count, mean, error, plies = ours = random_networks(lanista, 5)
        print(f"| Lanista | {count} | {50 * count:,} | {with_interval(mean, error)} | {plies:.2f} | | | | | | |", flush=True)
    except Failed as why:
        failures["Lanista, random networks"] = why
    for name, script, _ in PEERS:
        try:
            found = peer(script, "--check")
        except Failed as why:
            failures[name] = why
            print(f"| {name} | not run: {why} | | | | | | | | | |", flush=True)
            continue
        points, agent = found["points"], found["agent"]
        mean, error = statistics.mean(points), statistics.stdev(points) / math.sqrt(len(points))
        print(f"| {name} | {len(points)} | {found['games']:,} | {with_interval(mean, error)} | {found['plies']:.2f} "
              f"| {found['positions']} | {agent['decisions']:,} | {agent['missed_wins']} of {agent['wins']:,} "
              f"| {agent['missed_blocks']} of {agent['blocks']:,} | {found['network_decisions']} "
              f"| {found['network_wrong']} |", flush=True)
        if agent["missed_wins"] or agent["missed_blocks"] or agent["illegal"]:
            wrong.append(f"{name}: the agent made a wrong move")
        if found["network_wrong"]:
            wrong.append(f"{name}: a network made a wrong move")
        # Four standard errors: once in some ten thousand runs by chance.
        if ours and abs(mean - ours[1]) > 4 * math.hypot(error, ours[2]):
            wrong.append(f"{name}: the mean score is not Lanista's")
    print()
    return wrong


def speed(lanista, rounds, failures):
    """Measures in turn and prints medians."""
    rates, build = {}, None
    for _ in range(rounds):
        try:
            rate, build = benched(lanista)
            rates.setdefault("Lanista", []).append(rate)
        except Failed as why:
            failures["Lanista, bench"] = why
        for name, script, options in PEERS:
            if name in failures:
                continue
            try:
                rates.setdefault(name, []).append(peer(script, *options)["rate"])
            except Failed as why:
                failures[name] = why
    medians = {name: statistics.median(values) for name, values in rates.items() if values}
    ours = medians.get("Lanista")
    print("| program | games/s on one core | lowest and highest round | Lanista is faster by |")
    print("|---|---|---|---|")
    if not ours:
        print("| Lanista | not run | | |")
    for name in ["Lanista", *(name for name, _, _ in PEERS)]:
        if name in medians:
            ratio = f"{ours / medians[name]:,.1f}" if ours and name != "Lanista" else ""
            label = f"Lanista, build {build}" if name == "Lanista" else name
            print(f"| {label} | {medians[name]:,.0f} | {min(rates[name]):,.0f} to {max(rates[name]):,.0f} | {ratio} |")
        elif name != "Lanista":
            print(f"| {name} | not run: {failures[name]} | | |")
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"\nMedians of {rounds} rounds; load at the end {load} on {os.cpu_count()} cores.")


if __name__ == "__main__":
    sys.exit(main())
