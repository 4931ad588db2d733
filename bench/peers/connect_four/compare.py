"""Strong solutions (the scores of all columns) of random positions by three solvers, without opening books.

Every solver gets the same positions in the same order in one process that keeps its table, one solver at a time.
Only the solving is timed, by each solver's own process. All three count scores alike, so they must agree.
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
        yield seconds, [None if score == -1000 else score for score in scores]  # -1000: the column is full


def write(path, positions, solutions):
    with open(path, "w", encoding="ascii") as file:
        file.write("# Moves, then the scores of the seven columns, seen by the mover; - for a full column.\n")
        file.write("# Found alike by lanista, bitbully 0.0.79 and connect-four-ai 1.0.0, none with an opening book.\n")
        file.write(f"# Written by: bench/peers/connect_four/run {' '.join(own_arguments())}\n")
        for position, scores in zip(positions, solutions):
            file.write(f"{position} {' '.join('-' if score is None else str(score) for score in scores)}\n")


def own_arguments():
    """The arguments as the user gave them: the script adds the two programs in front, each with its path."""
    arguments = sys.argv[1:]
    while arguments and arguments[0] in ("--lanista", "--rival"):
        arguments = arguments[2:]
    return arguments


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], prog="bench/peers/connect_four/run")
    for name, least, most, count in CLASSES:
        parser.add_argument(f"--{name}", type=int, default=count, metavar="N",
                            help=f"positions with {least} to {most} stones (default {count})")
    parser.add_argument("--least", type=int, default=8, metavar="STONES",
                        help="fewest stones of the class begin (default 8; with fewer, one position can take minutes)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other positions (default 1)")
    parser.add_argument("--write", metavar="FOLDER", help="write each class with its scores, if all agree")
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
        different = [sum(ours[1] != theirs[1] for ours, theirs in zip(answers[0], answer)) for answer in answers[1:]]
        wrong += sum(different)
        if arguments.write and not any(different):
            write(f"{arguments.write}/solved-{name}.txt", positions, [scores for _, scores in answers[0]])
        ratios += [mean / means[0] for mean in means[1:]]
        print(f"{name:<8}{f'{least}-{most}':>8}{len(positions):>11}" + "".join(f"{mean:>20.4f}" for mean in means)
              + f"{' '.join(f'{mean / means[0]:.1f}' for mean in means[1:]):>16}   {different[0]}, {different[1]}", flush=True)
    print(f"mean ratio {sum(ratios) / len(ratios):.1f}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
