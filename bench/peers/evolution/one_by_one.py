"""Box's generation with DEAP: one game after the other, with numpy for the networks.

So most programs of this kind are written, and DEAP's own examples: a function plays the games of an individual and returns
its fitness. It is not written to be slow: positions are whole numbers, and the successors of a position are judged at once.
"""

import random

import numpy as np
from deap import base, creator, tools

import peer
from reference import GAMES, HIDDEN, INPUTS, POINTS, POPULATION, PROBABILITY, SD, SELECTED, WEIGHTS

LEVEL = [0b10000001000000100000010000001 << row for row in range(6)]
DIAGONAL = LEVEL[:4]
UPRIGHT = [15 << 7 * column for column in range(7)]
SQUARES = [7 * column + row for row in range(6) for column in range(7)]
CUTS = [part * WEIGHTS // (POINTS + 1) for part in range(POINTS + 2)]


def four(stones):
    for step in (1, 6, 7, 8):
        two = stones & stones >> step
        if two & two >> 2 * step:
            return True
    return False


def threes(stones):
    upright = stones & stones >> 1 & stones >> 2
    level = stones & stones >> 7 & stones >> 14
    rising = stones & stones >> 8 & stones >> 16
    falling = (stones & stones >> 6 & stones >> 12) >> 2
    return ([level & line != 0 for line in LEVEL] + [upright & line != 0 for line in UPRIGHT]
            + [rising & line != 0 for line in DIAGONAL] + [falling & line != 0 for line in DIAGONAL])


def inputs(own, other):
    board = [(own >> square & 1) - (other >> square & 1) for square in SQUARES]
    return board + [four(own) - four(other)] + threes(own) + threes(other)


def landings(own, other):
    """The free columns, each with the square where a stone lands."""
    occupied, found = own | other, []
    for column in range(7):
        bit = (occupied + (1 << 7 * column)) & 63 << 7 * column
        if bit:
            found.append((column, bit))
    return found


def agent(own, other, stream):
    moves = landings(own, other)
    wanted = [move for move in moves if four(own | move[1])]
    wanted = wanted or [move for move in moves if four(other | move[1])] or moves
    return stream.choice(wanted)


class Network:
    def __init__(self, weights):
        weights = np.asarray(weights, dtype=np.float32)
        self.first = weights[:INPUTS * HIDDEN].reshape(INPUTS, HIDDEN)
        self.bias = weights[INPUTS * HIDDEN:-HIDDEN]
        self.last = weights[-HIDDEN:]

    def outputs(self, inputs):
        hidden = 1 / (1 + np.exp(-(inputs @ self.first + self.bias)))
        return 1 / (1 + np.exp(-(hidden @ self.last)))

    def choose(self, own, other):
        moves = landings(own, other)
        for move in moves:
            if four(own | move[1]):
                return move
        behind = np.array([inputs(other, own | bit) for _, bit in moves], dtype=np.float32)
        return moves[int(self.outputs(behind).argmin())]


def game(network, stream, audit):
    """One game: the network's points, and plies."""
    own = other = plies = 0
    networks_move = stream.random() < 0.5
    while True:
        if networks_move:
            column, bit = network.choose(own, other)
            audit and audit.network(own, other, column)
            own |= bit
        else:
            column, bit = agent(other, own, stream)
            audit and audit.agent(other, own, column)
            other |= bit
        plies += 1
        if four(own if networks_move else other):
            return float(networks_move), plies
        if plies == 42:
            return 0.5, plies
        networks_move = not networks_move


def play(weights, stream, audit=None):
    """All games of an individual: points a game and plies a game."""
    network = Network(weights)
    results = [game(network, stream, audit) for _ in range(GAMES)]
    return [sum(values) / GAMES for values in zip(*results)]


def crossover(a, b):
    """Parents take turns, part by part. DEAP has one and two points only."""
    for begin, end in list(zip(CUTS, CUTS[1:]))[1::2]:
        a[begin:end] = b[begin:end]
    return a


class OfOne:
    """Hands the decisions of one network over to an audit."""

    def __init__(self, audit, weights, stream):
        self.audit, self.weights, self.stream = audit, weights.tolist(), stream

    def agent(self, own, other, column):
        self.audit.of_agent.append((own, other, column))

    def network(self, own, other, column):
        if self.stream.random() < 0.02:
            self.audit.of_networks.append((own, other, column, self.weights))


class OneByOne:
    """The peer as `peer.main` drives it."""

    def __init__(self, seed):
        random.seed(seed)  # DEAP uses this stream
        creator.create("Fitness", base.Fitness, weights=(1.0,))
        creator.create("Individual", list, fitness=creator.Fitness)
        toolbox = self.toolbox = base.Toolbox()
        toolbox.register("weight", random.uniform, -1, 1)
        toolbox.register("individual", tools.initRepeat, creator.Individual, toolbox.weight, WEIGHTS)
        toolbox.register("population", tools.initRepeat, list, toolbox.individual)
        toolbox.register("evaluate", lambda individual: play(individual, random)[:1])
        toolbox.register("select", tools.selBest, k=SELECTED)
        toolbox.register("mate", crossover)
        toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=SD, indpb=PROBABILITY)

    def inputs(self, pairs):
        return [inputs(*pair) for pair in pairs]

    def learn(self, generations):
        toolbox = self.toolbox
        population, games = toolbox.population(n=POPULATION), 0
        for _ in range(generations):
            # As in the other programs those that live on play again.
            for individual in population:
                individual.fitness.values = toolbox.evaluate(individual)
                games += GAMES
            chosen = toolbox.select(population)
            children = []
            for _ in range(POPULATION - SELECTED):
                a, b = random.sample(chosen, 2)
                child = toolbox.mate(toolbox.clone(a), b)
                children += toolbox.mutate(child)
            population = chosen + children
        return games

    def check(self, genomes, audit):
        found = [play(genome, random, OfOne(audit, genome, random)) for genome in genomes]
        return np.array(found).T


if __name__ == "__main__":
    peer.main(OneByOne, __doc__)
