#!/usr/bin/env python3
"""Load on the server: many live viewers of a run and many analyses at once.

Starts `lanista serve` with a store of its own, starts a long match, opens VIEWERS streams of it and ANALYSES analyses for
SECONDS, then lets all analyses go and watches them stop. Prints what came of it as JSON; fails if there was any error, if an
analysis starved, or if cores stay busy after the viewers have left.

    bench/web/load.py target/release/lanista [--viewers 200] [--analyses 50] [--seconds 20]
"""

import argparse
import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

MATCH = """title = "Load"
game = "connect-four"

[match]
a = "win-block"
b = "random"
pairs = 1000000
"""


async def request(port, method, path, body=None):
    """One request on a connection of its own: status and JSON."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    data = json.dumps(body).encode() if body is not None else b""
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    writer.write(head.encode() + data)
    raw = await reader.read()
    writer.close()
    head, _, rest = raw.partition(b"\r\n\r\n")
    if b"chunked" in head.lower():
        parts = []
        while rest:
            size, _, rest = rest.partition(b"\r\n")
            count = int(size, 16)
            parts.append(rest[:count])
            rest = rest[count + 2:]
        rest = b"".join(parts)
    return int(head.split()[1]), json.loads(rest or b"null")


class Stream:
    """A stream of events that counts them and remembers the last."""

    def __init__(self, port, path):
        self.port, self.path = port, path
        self.events, self.last, self.error, self.opened = 0, None, None, None

    async def follow(self, until):
        try:
            began = time.monotonic()
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=16 << 20)
            writer.write(f"GET {self.path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
            status = (await asyncio.wait_for(reader.readline(), 30)).decode().strip()
            if " 200 " not in status + " ":
                self.error = status
                return
            while not until.is_set():
                try:
                    line = await asyncio.wait_for(reader.readline(), 1)
                except asyncio.TimeoutError:
                    continue
                if not line:
                    break
                if line.startswith(b"data:"):
                    self.opened = self.opened or time.monotonic() - began
                    self.events += 1
                    self.last = json.loads(line[5:])
            writer.close()
        except (OSError, asyncio.TimeoutError, ValueError) as error:
            self.error = repr(error)


def memory(pid):
    """Resident memory in MB, now and at most."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        lines = dict(line.split(":", 1) for line in status)
    return [int(lines[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM")]


def busy_seconds(pid):
    """Processor time that the process has used."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def load(port, pid, arguments):
    before = memory(pid)[0]
    status, run = await request(port, "POST", "/api/runs", {"text": MATCH})
    assert status == 201, run
    leave_run, leave_analyses = asyncio.Event(), asyncio.Event()
    viewers = [Stream(port, f"/api/runs/{run['run']}/{kind}") for kind in ("events", "live")
               for _ in range(arguments.viewers // 2)]
    games = ["loa", "connect-four", "draughts", "loa6", "loa5"]
    analyses = [Stream(port, f"/api/analysis?game={games[number % 5]}") for number in range(arguments.analyses)]
    tasks = [asyncio.create_task(viewer.follow(leave_run)) for viewer in viewers]
    thinking = [asyncio.create_task(analysis.follow(leave_analyses)) for analysis in analyses]
    waits, end = [], time.monotonic() + arguments.seconds
    while time.monotonic() < end:
        began = time.monotonic()
        status, _ = await request(port, "POST", "/api/position", {"game": "loa"})
        assert status == 200
        waits.append(time.monotonic() - began)
        await asyncio.sleep(0.25)
    loaded = memory(pid)
    nodes = sorted((analysis.last or {}).get("thinking", {}).get("nodes", 0) for analysis in analyses)
    await request(port, "POST", f"/api/runs/{run['run']}/cancel", {})
    leave_analyses.set()
    await asyncio.gather(*thinking)
    leave_run.set()
    await asyncio.gather(*tasks)
    deadline, idle = time.monotonic() + 10, False
    while not idle and time.monotonic() < deadline:
        used = busy_seconds(pid)
        await asyncio.sleep(0.5)
        idle = busy_seconds(pid) - used < 0.05
    waits.sort()
    errors = [stream.error for stream in viewers + analyses if stream.error]
    seconds = {}
    for number, analysis in enumerate(analyses):
        seconds.setdefault(games[number % 5], []).append((analysis.last or {}).get("thinking", {}).get("depth", 0))
    return {
        "viewers": len(viewers), "analyses": len(analyses), "seconds": arguments.seconds, "errors": errors,
        "viewer_events_least": min(viewer.events for viewer in viewers),
        "analyses_without_thought": sum(1 for count in nodes if count == 0),
        "nodes_least": nodes[0], "nodes_most": nodes[-1],
        "depths_by_game": {game: [min(depths), max(depths)] for game, depths in seconds.items()},
        "answer_ms_median": 1000 * waits[len(waits) // 2], "answer_ms_most": 1000 * waits[-1],
        "memory_mb_before": before, "memory_mb_loaded": loaded[0], "memory_mb_most": memory(pid)[1],
        "idle_after_they_left": idle,
    }


def main():
    parser = argparse.ArgumentParser(description="Load on the server: live viewers and analyses.")
    parser.add_argument("program", help="the lanista binary")
    parser.add_argument("--viewers", type=int, default=200)
    parser.add_argument("--analyses", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20)
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="lanista-load-")
    command = [arguments.program, "serve", "--port", "0", "--json", "--store", os.path.join(folder, "store.db")]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        port = json.loads(server.stdout.readline())["port"]
        report = asyncio.run(load(port, server.pid, arguments))
    finally:
        server.terminate()
        server.wait(timeout=20)
        shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps(report, indent=2))
    good = not report["errors"] and report["analyses_without_thought"] == 0 and report["idle_after_they_left"]
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
