"""Box's generation in numpy: all games of the whole population in lock-step.

Positions are two arrays of 64-bit numbers, the stones of the network and of the agent, networks x games. Games that are
over leave the arrays. The first layer is never multiplied: its sums over the board are kept up to date stone by stone, and
what rows of three add is looked up in tables, made for each network from its weights.
"""

import numpy as np

import peer
from reference import GAMES, HIDDEN, INPUTS, POINTS, POPULATION, PROBABILITY, SD, SELECTED, WEIGHTS

BOTTOM = np.uint64(sum(1 << 7 * column for column in range(7)))
BOARD = np.uint64(int(BOTTOM) * 63)
COLUMNS = np.array([63 << 7 * column for column in range(7)], dtype=np.uint64)
GATHER = np.uint64(sum(1 << 42 - 6 * column for column in range(7)))
SHIFT = [np.uint64(step) for step in range(64)]
SQUARES = np.array([7 * column + row for row in range(6) for column in range(7)])  # the board inputs as bits

BITS = [(np.arange(1 << size)[:, None] >> np.arange(size) & 1).astype(np.float32) for size in range(9)]
# The 21 places of rows of three as three numbers: level, 6 bits; upright, 7 bits; rising and falling, 8 bits.
PARTS = [(0, 6), (6, 13), (13, 21)]
# A set of columns: how many, and the first, second, ... of them.
COUNT = np.array([bin(columns).count("1") for columns in range(128)], dtype=np.uint8)
NTH = np.array([([c for c in range(7) if columns >> c & 1] + [0] * 7)[:7] for columns in range(128)], dtype=np.uint8)
LEGAL = np.array([[columns >> c & 1 for c in range(7)] for columns in range(128)], dtype=bool)
COSTS = np.where(LEGAL, 0, np.inf).astype(np.float32)


def completions(stones, occupied):
    """The empty squares that make a four."""
    found = stones << SHIFT[1] & stones << SHIFT[2] & stones << SHIFT[3]
    for step in (6, 7, 8):
        right, left = stones << SHIFT[step], stones >> SHIFT[step]
        two = right & stones << SHIFT[2 * step]
        found |= two & (stones << SHIFT[3 * step] | left)
        two = left & stones >> SHIFT[2 * step]
        found |= two & (stones >> SHIFT[3 * step] | right)
    return found & (BOARD ^ occupied)


def four(stones):
    """Whether there is a four."""
    found = np.zeros(stones.shape, dtype=bool)
    for step in (1, 6, 7, 8):
        two = stones & stones >> SHIFT[step]
        found |= two & two >> SHIFT[2 * step] != 0
    return found


def columns_of(squares):
    """The columns of squares, as a number of 7 bits."""
    squares = squares | squares >> SHIFT[1]
    squares |= squares >> SHIFT[2]
    squares |= squares >> SHIFT[2]
    return ((squares & BOTTOM) * GATHER >> SHIFT[42] & np.uint64(127)).astype(np.intp)


def rows_of(squares):
    """The rows of squares in the first five columns, as the lowest bits."""
    two = squares | squares >> SHIFT[7]
    return two | two >> SHIFT[14] | squares >> SHIFT[28]


def threes(stones):
    """Rows of three of one side, as the three numbers of `PARTS`."""
    upright = stones & stones >> SHIFT[1] & stones >> SHIFT[2]
    level = rows_of(stones & stones >> SHIFT[7] & stones >> SHIFT[14]) & SHIFT[63]
    rising = rows_of(stones & stones >> SHIFT[8] & stones >> SHIFT[16]) & SHIFT[15]
    falling = rows_of((stones & stones >> SHIFT[6] & stones >> SHIFT[12]) >> SHIFT[2]) & SHIFT[15]
    return level.astype(np.intp), columns_of(upright), (rising | falling << SHIFT[4]).astype(np.intp)


def inputs(own, other):
    """All 85 inputs, as they are in the table of the reference. The games use their parts."""
    squares = SQUARES.astype(np.uint64)
    stones = [(side[:, None] >> squares & SHIFT[1]).astype(np.float32) for side in (own, other)]
    rows = [BITS[end - begin][part] for side in (own, other) for (begin, end), part in zip(PARTS, threes(side))]
    return np.concatenate([stones[0] - stones[1], (four(own) - four(other).astype(np.float32))[:, None], *rows], axis=1)


def pick(columns, random):
    """A random one of each set of columns."""
    return NTH[columns, (random.random(columns.shape, dtype=np.float32) * COUNT[columns]).astype(np.intp)]


def agent(own, other, random):
    """Columns that the agent plays, and whether it wins: wins, or blocks, or plays at random."""
    occupied = own | other
    landings = occupied + BOTTOM & BOARD
    winning = columns_of(completions(own, occupied) & landings)
    blocking = columns_of(completions(other, occupied) & landings)
    wanted = np.where(winning != 0, winning, np.where(blocking != 0, blocking, columns_of(landings)))
    return pick(wanted, random), winning != 0


class Networks:
    """The weights of some networks, as the games use them, all of the first layer negated: exp wants it so.

    Their inputs take the agent's view: after a move of a network the agent is to move."""

    def __init__(self, genomes):
        self.count = count = len(genomes)
        first = -genomes[:, :INPUTS * HIDDEN].reshape(count, INPUTS, HIDDEN)
        self.bias = -genomes[:, INPUTS * HIDDEN:-HIDDEN].reshape(count, 1, HIDDEN)
        self.last = np.ascontiguousarray(genomes[:, -HIDDEN:, None])
        # What a stone of the agent adds; bit 7 * column + row is the index.
        self.squares = np.zeros((count, 49, HIDDEN), dtype=np.float32)
        self.squares[:, SQUARES] = first[:, :42]
        self.squares = self.squares.reshape(-1, HIDDEN)
        self.agents, self.own = ([(BITS[end - begin] @ first[:, start + begin:start + end]).reshape(-1, HIDDEN)
                                  for begin, end in PARTS] for start in (43, 64))

    def rows(self, table, index):
        """The rows of a table for (networks, ...) numbers."""
        offset = np.arange(self.count).reshape(-1, *[1] * (index.ndim - 1)) * (len(table) // self.count)
        return table.take(index + offset, axis=0, mode="clip")

    def stone(self, landed):
        """What a stone of the agent on these squares adds. No square counts as any."""
        return self.rows(self.squares, np.bitwise_count(landed - SHIFT[1]).astype(np.intp) % 49)

    def choose(self, own, other, board):
        """Columns that the networks play, and whether they win. `board` has the sums of the first layer over the board."""
        occupied = own | other
        landings = occupied + BOTTOM & BOARD
        base = board.copy()
        for table, index in zip(self.agents, threes(other)):
            base += self.rows(table, index)
        landed = landings[..., None] & COLUMNS
        sums = base[:, :, None] - self.stone(landed)
        for table, index in zip(self.own, threes(own[..., None] | landed)):
            sums += self.rows(table, index)
        np.exp(sums, out=sums)
        sums += np.float32(1)
        np.reciprocal(sums, out=sums)
        # The sigmoid of the output would not change the order.
        values = (sums.reshape(self.count, -1, HIDDEN) @ self.last).reshape(landed.shape)
        values += COSTS[columns_of(landings)]
        winning = columns_of(completions(own, occupied) & landings)
        won = winning != 0
        return np.where(won, NTH[winning, 0], values.argmin(axis=2)), won


def landed_at(own, other, columns):
    return (own | other) + BOTTOM & COLUMNS[columns]


def play(genomes, games, random, audit=None):
    """Plays a generation: points a game and plies a game of every network."""
    count = len(genomes)
    networks = Networks(genomes)
    points, plies = np.zeros(count), np.zeros(count)
    own = np.zeros((count, games), dtype=np.uint64)  # the networks'
    other = np.zeros((count, games), dtype=np.uint64)
    board = np.repeat(networks.bias, games, axis=1)
    # The agent begins in some of the games; from then on the networks are to move in all.
    begins = random.random((count, games)) < 0.5
    column, _ = agent(other, own, random)
    if audit:
        audit.agent(other[begins], own[begins], column[begins])
    landed = landed_at(own, other, column) * begins
    other |= landed
    board += networks.stone(landed) * begins[..., None]
    over = np.zeros((count, games), dtype=bool)
    while True:
        for networks_move in (True, False):
            if networks_move:
                column, won = networks.choose(own, other, board)
                if audit:
                    audit.networks(own, other, column, genomes, ~over)
                landed = landed_at(own, other, column)
                own |= landed
                board -= networks.stone(landed)
                points += (won & ~over).sum(axis=1)
            else:
                column, won = agent(other, own, random)
                if audit:
                    audit.agent(other[~over], own[~over], column[~over])
                landed = landed_at(own, other, column)
                other |= landed
                board += networks.stone(landed)
            occupied = own | other
            full = (occupied == BOARD) & ~won
            ends = (won | full) & ~over
            points += 0.5 * (full & ends).sum(axis=1)
            plies += (np.bitwise_count(occupied) * ends).sum(axis=1)
            over |= ends
            # Games that are over go to the end of each row, and columns of the array that have no others are cut off.
            left = int((~over).sum(axis=1).max())
            if left == 0:
                return points / games, plies / games
            if left < over.shape[1]:
                order = over.argsort(axis=1, kind="stable")[:, :left]
                own, other, over = (np.take_along_axis(array, order, axis=1) for array in (own, other, over))
                board = board[np.arange(count)[:, None], order]
                # Those that remain for the sake of the shape begin anew and do not count.
                own[over] = 0
                other[over] = 0


def first_generation(random):
    return random.random((POPULATION, WEIGHTS), dtype=np.float32) * np.float32(2) - np.float32(1)


ODD_PARTS = (np.arange(WEIGHTS)[:, None] >= np.arange(POINTS + 2) * WEIGHTS // (POINTS + 1)).sum(axis=1) % 2 == 0


def breed(genomes, fitness, random):
    """The next generation: the best 45 % as they are, and mutated children of two different ones of them."""
    chosen = genomes[np.argsort(-fitness, kind="stable")[:SELECTED]]
    children = POPULATION - SELECTED
    a = random.integers(SELECTED, size=children)
    b = (a + random.integers(1, SELECTED, size=children)) % SELECTED
    child = np.where(ODD_PARTS, chosen[b], chosen[a])
    child += (random.random(child.shape, dtype=np.float32) < PROBABILITY) * (
        random.standard_normal(child.shape, dtype=np.float32) * np.float32(SD))
    return np.concatenate([chosen, child])


class Lockstep:
    """The peer as `peer.main` drives it."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def inputs(self, pairs):
        own, other = np.array(pairs, dtype=np.uint64).T
        return inputs(own, other)

    def learn(self, generations):
        genomes = first_generation(self.random)
        for _ in range(generations):
            fitness, _ = play(genomes, GAMES, self.random)
            genomes = breed(genomes, fitness, self.random)
        return generations * POPULATION * GAMES

    def check(self, genomes, audit):
        return play(genomes, GAMES, self.random, audit)


if __name__ == "__main__":
    peer.main(Lockstep, __doc__)
