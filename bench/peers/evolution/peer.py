"""What the three peers have in common: their command line, and the check of what they play."""

import argparse
import json
import time

import numpy as np

import reference


class Audit:
    """Remembers decisions, to be judged later: all of the agent, a few of the networks."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.of_agent, self.of_networks = [], []

    def agent(self, own, other, columns):
        self.of_agent += zip(np.ravel(own).tolist(), np.ravel(other).tolist(), np.ravel(columns).tolist())

    def networks(self, own, other, columns, genomes, counts):
        """Arrays networks x games; some of those that count."""
        sample = counts & (self.random.random(counts.shape) < 0.02)
        for network, game in zip(*np.nonzero(sample)):
            self.of_networks.append((int(own[network, game]), int(other[network, game]), int(columns[network, game]),
                                     genomes[network].tolist()))


def check(peer):
    """The check: inputs, one generation of random networks, all decisions of the agent, a sample of the networks'."""
    positions = reference.check_inputs(peer.inputs)
    # The same networks for every peer.
    genomes = np.random.default_rng(2015).uniform(-1, 1, (reference.POPULATION, reference.WEIGHTS)).astype(np.float32)
    audit = Audit(7)
    points, plies = peer.check(genomes, audit)
    judged = reference.judge_agent(audit.of_agent)
    sample = audit.of_networks
    if len(sample) > 400:
        sample = [sample[at] for at in audit.random.choice(len(sample), 400, replace=False)]
    count, wrong = reference.judge_network(sample)
    return {
        "positions": positions, "agent": judged, "network_decisions": count, "network_wrong": wrong,
        "games": reference.POPULATION * reference.GAMES, "points": [float(point) for point in points],
        "plies": float(np.mean(plies)),
    }


def measure(peer, generations, runs):
    """The best of some runs: games, seconds by the clock, and of the processor."""
    timed = []
    for _ in range(runs):
        began, worked = time.perf_counter(), time.process_time()
        games = peer.learn(generations)
        timed.append((time.perf_counter() - began, time.process_time() - worked))
    seconds, processor = (min(times) for times in zip(*timed))
    return {"games": games, "seconds": seconds, "processor_seconds": processor, "rate": games / seconds}


def main(kind, about):
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="check instead of measuring")
    parser.add_argument("--generations", type=int, default=2)
    parser.add_argument("--runs", type=int, default=1, help="the best of so many counts")
    arguments = parser.parse_args()
    began = time.perf_counter()
    peer = kind(arguments.seed)
    before = time.perf_counter() - began
    answer = check(peer) if arguments.check else measure(peer, arguments.generations, arguments.runs)
    answer["before"] = before
    print(json.dumps(answer))
