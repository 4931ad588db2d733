"""Strong solutions (the scores of all columns) of random positions by three solvers, without opening books.

Every solver gets the same positions in the same order in one process that keeps its table, one solver at a time.
Only the solving is timed, by each solver's own process. Scores are compared where the conventions allow it.
"""

import argparse
import json
import random
import subprocess
import sys
import time

CLASSES = [("end", 28, 41, 1000), ("middle", 14, 28, 1000), ("begin", 8, 14, 50)]


def four(board, column, row, side):
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        count = 1
        for sign in (1, -1):
            x, y = column + sign * right, row + sign * up
            while 0 <= x < 7 and 0 <= y < len(board[x]) and board[x][y] == side:
                count, x, y = count + 1, x + sign * right, y + sign * up
        if count >= 4:
            return True
    return False


def random_position(stream, least, most):
    """A random number of random moves; nobody has won."""
    while True:
        board, moves = [[] for _ in range(7)], ""
        for ply in range(stream.randint(least, most)):
            column = stream.choice([column for column in range(7) if len(board[column]) < 6])
            board[column].append(ply % 2)
            if four(board, column, len(board[column]) - 1, ply % 2):
                break
            moves += str(column + 1)
        else:
            return moves


def lanista(path, positions):
    command = [path, "solve", "connect-four", "--no-book", "--each", "--json"]
    answer = subprocess.run(command, input="\n".join(positions) + "\n", capture_output=True, text=True, check=True)
    for line in answer.stdout.splitlines():
        report = json.loads(line)
        scores = {entry["column"] - 1: entry["score"] for entry in report["moves"]}
        yield report["seconds"], [scores.get(column) for column in range(7)]


def rival(path, positions):
    answer = subprocess.run([path], input="\n".join(positions) + "\n", capture_output=True, text=True, check=True)
    for line in answer.stdout.splitlines():
        seconds, *scores = line.split()
        yield float(seconds), [None if score == "-" else int(score) for score in scores]


def bitbully(_, positions):
    from bitbully import bitbully_core

    solver = bitbully_core.BitBullyCore()
    assert not solver.isBookLoaded()
    for position in positions:
        board = bitbully_core.BoardCore()
        assert board.setBoard([int(digit) - 1 for digit in position])
        began = time.perf_counter()
        scores = solver.scoreMoves(board)
        seconds = time.perf_counter() - began
        legal = board.legalMoves()
        yield seconds, [score if column in legal else None for column, score in enumerate(scores)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], prog="bench/peers/connect_four/run")
    for name, least, most, count in CLASSES:
        parser.add_argument(f"--{name}", type=int, default=count, metavar="N",
                            help=f"positions with {least} to {most} stones (default {count})")
    parser.add_argument("--least", type=int, default=8, metavar="STONES",
                        help="fewest stones of the class begin (default 8; with fewer, one position can take minutes)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other positions (default 1)")
    parser.add_argument("--lanista", help=argparse.SUPPRESS)
    parser.add_argument("--rival", help=argparse.SUPPRESS)
    parser.add_argument("--check-flags", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.check_flags:
        return 0
    solvers = [("lanista", lanista, arguments.lanista), ("bitbully", bitbully, None),
               ("connect-four-ai", rival, arguments.rival)]
    print(f"{'class':<8}{'stones':>8}{'positions':>11}" + "".join(f"{name + ' ms':>20}" for name, _, _ in solvers)
          + f"{'ratios':>16}   different scores")
    ratios, wrong = [], 0
    for name, least, most, _ in CLASSES:
        count = getattr(arguments, name)
        if count == 0:
            continue
        least = arguments.least if name == "begin" else least
        stream = random.Random(f"{name} {arguments.seed}")
        positions = [random_position(stream, least, most) for _ in range(count)]
        # The empty position would be an empty line, which one of the programs does not read.
        positions = [position for position in positions if position]
        answers = [list(solve(path, positions)) for _, solve, path in solvers]
        means = [1000 * sum(seconds for seconds, _ in answer) / len(positions) for answer in answers]
        different = [sum(not same(position, ours[1], theirs[1]) for position, ours, theirs in
                         zip(positions, answers[0], answer)) for answer in answers[1:]]
        wrong += sum(different)
        ratios += [mean / means[0] for mean in means[1:]]
        print(f"{name:<8}{f'{least}-{most}':>8}{len(positions):>11}" + "".join(f"{mean:>20.4f}" for mean in means)
              + f"{' '.join(f'{mean / means[0]:.1f}' for mean in means[1:]):>16}   {different[0]}, {different[1]}", flush=True)
    print(f"mean ratio {sum(ratios) / len(ratios):.1f}")
    return 1 if wrong else 0


def same(position, ours, theirs):
    """Exact equality, or the same order of the columns if the other counts its scores in its own way."""
    if ours == theirs:
        return True
    empty = 42 - len(position)
    return theirs == [None if score is None else plies(score, empty) for score in ours]


def plies(score, empty):
    """bitbully's scores: 0 a draw, else the empty squares left at the end, and one, negative for a loss."""
    if score == 0:
        return 0
    stones = 22 - abs(score)
    first_moves = empty % 2 == 0
    first_wins = (score > 0) == first_moves
    end = 2 * stones - 1 if first_wins else 2 * stones
    left = 43 - end
    return left if score > 0 else -left


if __name__ == "__main__":
    sys.exit(main())
