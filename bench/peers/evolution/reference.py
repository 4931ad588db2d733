"""The rules, the inputs and the agent once more, slow and plain: what the three peers are checked against.

Nothing here is shared with the peers but the way a position is handed over: two numbers, the stones of two sides, in
which bit 7 * column + row is a stone (row 0 is the lowest).
"""

import math
import random

INPUTS, HIDDEN = 85, 25
POPULATION, GAMES, SELECTED = 143, 50, 64  # 45 % of 143
POINTS, PROBABILITY, SD = 20, 0.31, 0.11
WEIGHTS = INPUTS * HIDDEN + HIDDEN + HIDDEN

# Written by hand: x is the side whose view is taken; then every input of the groups "four" and "threes" that is not 0.
# Places: 42 four; 43 to 48 level, by row; 49 to 55 upright, by column; 56 to 59 rising and 60 to 63 falling, by the row
# of the lowest stone; 64 to 84 the same of the other side.
CASES = [
    ("the empty board", ["......."] * 6, {}),
    ("level", [".......", ".......", ".......", ".......", "..xxx..", "xooox.."], {44: 1, 64: 1}),
    ("upright, the right edge", [".......", "......x", "......x", "......x", "......o", "......o"], {55: 1}),
    ("upright, the other side", [".......", ".......", ".......", "o......", "o......", "o......"], {70: 1}),
    ("rising from the ground", [".......", ".......", ".......", "..x....", ".xo....", "xoo...."], {56: 1}),
    ("rising to the top", ["....o..", "...ox..", "..oxx..", "..xoo..", "..oxx..", "..xox.."], {80: 1, 58: 1, 60: 1}),
    ("falling to the ground", [".......", ".......", ".......", "o......", "xo.....", "xxo...."], {81: 1}),
    ("falling from the top", ["x......", "ox.....", "xox....", "xoo....", "oxo....", "oxx...."], {63: 1, 83: 1, 60: 1}),
    ("four is also three", [".......", ".......", ".......", ".......", "ooo....", "xxxx..."], {42: 1, 43: 1, 65: 1}),
    ("the other side has four", [".......", ".......", ".....o.", ".....o.", "....xo.", "..xxxo."],
     {42: -1, 43: 1, 75: 1}),
    ("no row around the edge", [".......", ".......", ".......", ".......", "x......", "xo...xx"], {}),
]


def bits(rows):
    """A picture, the top row first, as the stones of x and of o."""
    stones = {"x": 0, "o": 0}
    for height, row in enumerate(reversed(rows)):
        for column, sign in enumerate(row):
            if sign != ".":
                stones[sign] |= 1 << (7 * column + height)
    return stones["x"], stones["o"]


def board(own, other):
    """1, -1 or 0 for every (column, row)."""
    return {(column, row): (own >> 7 * column + row & 1) - (other >> 7 * column + row & 1)
            for column in range(7) for row in range(6)}


def row_of(stones, side, column, row, right, up, length):
    return all(stones.get((column + step * right, row + step * up)) == side for step in range(length))


def inputs(own, other):
    """The 85 inputs, written as their meaning says."""
    stones = board(own, other)
    values = [stones[column, row] for row in range(6) for column in range(7)]
    columns, rows = range(7), range(6)
    has = {side: any(row_of(stones, side, column, row, *way, 4) for column in columns for row in rows
                     for way in ((1, 0), (0, 1), (1, 1), (1, -1))) for side in (1, -1)}
    values.append(has[1] - has[-1])
    for side in (1, -1):
        values += [any(row_of(stones, side, column, row, 1, 0, 3) for column in columns) for row in rows]
        values += [any(row_of(stones, side, column, row, 0, 1, 3) for row in rows) for column in columns]
        values += [any(row_of(stones, side, column, row, 1, 1, 3) for column in columns) for row in range(4)]
        values += [any(row_of(stones, side, column, row, -1, 1, 3) for column in columns) for row in range(4)]
    return [float(value) for value in values]


LINES = [[(column + step * right, row + step * up) for step in range(4)]
         for column in range(7) for row in range(6) for right, up in ((1, 0), (0, 1), (1, 1), (1, -1))
         if column + 3 * right < 7 and 0 <= row + 3 * up < 6]
THROUGH = {(column, row): [sum(1 << 7 * x + y for x, y in line) for line in LINES if (column, row) in line]
           for column in range(7) for row in range(6)}


def wins(own, other, column):
    """Whether a stone of the first side in this column makes a four; None if the column is full."""
    for row in range(6):
        bit = 1 << 7 * column + row
        if not (own | other) & bit:
            return any((own | bit) & line == line for line in THROUGH[column, row])
    return None


def judge_agent(decisions):
    """Decisions (own, other, column) of the agent: how many there were, and how many were wrong, by kind."""
    seen = dict(decisions=0, wins=0, blocks=0, missed_wins=0, missed_blocks=0, illegal=0)
    for own, other, column in decisions:
        seen["decisions"] += 1
        winning = {c for c in range(7) if wins(own, other, c)}
        threats = {c for c in range(7) if wins(other, own, c)}
        seen["illegal"] += wins(own, other, column) is None
        if winning:
            seen["wins"] += 1
            seen["missed_wins"] += column not in winning
        elif threats:
            seen["blocks"] += 1
            seen["missed_blocks"] += column not in threats
    return seen


def output(weights, values):
    """What a network says of inputs, in double precision."""
    sums = [weights[INPUTS * HIDDEN + unit] + sum(value * weights[HIDDEN * place + unit]
                                                  for place, value in enumerate(values) if value)
            for unit in range(HIDDEN)]
    total = sum(weights[(INPUTS + 1) * HIDDEN + unit] / (1 + math.exp(-sums[unit])) for unit in range(HIDDEN))
    return 1 / (1 + math.exp(-total))


def judge_network(decisions):
    """Decisions (own, other, column, weights) of networks: how many there were, and how many were wrong.

    A network must win if it can. Else it must take the successor that is worst for the other side, who is to move there,
    up to the error of single precision."""
    wrong = count = 0
    for own, other, column, weights in decisions:
        count += 1
        can = {c: wins(own, other, c) for c in range(7)}
        if any(can.values()):
            wrong += not can[column]
            continue
        values = {}
        for c in (c for c in range(7) if can[c] is not None):
            landed = next(1 << 7 * c + row for row in range(6) if not (own | other) >> 7 * c + row & 1)
            values[c] = output(weights, inputs(other, own | landed))
        wrong += column not in values or values[column] > min(values.values()) + 1e-5
    return count, wrong


def check_inputs(peer):
    """A peer's inputs for pairs (own, other): those of the cases by hand, and those of random games. Returns how many."""
    for name, picture, expected in CASES:
        own, other = bits(picture)
        by_hand = [{"x": 1.0, "o": -1.0, ".": 0.0}[sign] for row in reversed(picture) for sign in row]
        by_hand += [float(expected.get(place, 0)) for place in range(42, 85)]
        assert inputs(own, other) == by_hand, f"reference: {name}"
        assert [float(value) for value in peer([(own, other)])[0]] == by_hand, f"{name}: the inputs are not those by hand"
    stream, pairs = random.Random(85), []
    while len(pairs) < 500:
        own = other = 0
        for _ in range(stream.randrange(43)):  # rows of four do not end these games, so that all inputs occur
            free = [c for c in range(7) if not (own | other) >> 7 * c + 5 & 1]
            column = stream.choice(free)
            height = ((own | other) >> 7 * column & 63).bit_length()
            own, other = other, own | 1 << 7 * column + height
        pairs.append((own, other))
    for pair, found in zip(pairs, peer(pairs)):
        assert [float(value) for value in found] == inputs(*pair), f"{pair}: the inputs are not those of the reference"
    return len(CASES) + len(pairs)
