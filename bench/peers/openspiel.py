"""Compares Lanista with OpenSpiel: legal moves and results along random games, then speed.

`bench/peers/run` prepares everything and starts this file; README.md tells what is compared and how.
Exit status: 0 all agree, 1 a disagreement that no documented rule difference explains, 2 something is missing.
"""

import argparse
import json
import os
import platform
import random
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

# Games played before Lanista is asked about their positions, all in one process. Bounds memory.
GAMES_PER_BATCH = 250
# Disagreements printed in full for each game.
SHOWN = 5


@dataclass
class Case:
    """What OpenSpiel says about one position."""

    text: str  # the position in Lanista's notation
    side: str  # "first" or "second" to move
    moves: list | None  # in Lanista's notation, sorted; None if OpenSpiel cannot be asked
    outcome: str | None  # from the board alone: "1-0", "0-1", "1/2-1/2", or None if play goes on
    board: str | None = None  # what Lanista must echo as the position, if it is not the text
    ending: str | None = None  # how OpenSpiel ended the game here
    by_history: bool = False  # it ended by a rule about the past, which a position does not show
    # Other outcomes that a documented rule difference explains, with its name.
    excused: dict = field(default_factory=dict)


def result(state):
    """A finished game's result as Lanista writes it."""
    return {1.0: "1-0", -1.0: "0-1", 0.0: "1/2-1/2"}[state.returns()[0]]


SIDES = ("first", "second")
WINNER = {"1-0": "first wins", "0-1": "second wins"}


def pick(rng, actions):
    return actions[int(rng.random() * len(actions))]


class ActionNames(dict):
    """OpenSpiel's texts of actions. A text depends on the action only, so each is asked for once."""

    def of(self, state, action):
        if action not in self:
            self[action] = state.action_to_string(state.current_player(), action)
        return self[action]


class LinesOfAction:
    """OpenSpiel: player 0 is x, Black, and moves first; rank 8 is printed first; moves read `b8-b6`, `c1xa3`.

    All of that is as in Lanista. Rules about the past: a board seen before, whoever is to move, is a draw, and so is
    the 1000th ply; both are looked at before the connection.
    """

    peer = "lines_of_action"
    ours = "loa"
    rules = "openspiel"
    names = ActionNames()

    def walk(self, game, rng):
        state = game.new_initial_state()
        seen = {}
        player = 0
        while True:
            board = self.board(state)
            text = f"{board} {'bw'[player]}"
            if state.is_terminal():
                yield self.last(game, state, text, board, player, seen)
                return
            actions = state.legal_actions()
            moves = sorted(self.names.of(state, action) for action in actions)
            seen.setdefault(board, {})[player] = moves
            yield Case(text, SIDES[player], moves, None)
            state.apply_action(pick(rng, actions))
            player = 1 - player

    def last(self, game, state, text, board, player, seen):
        outcome = result(state)
        if outcome != "1/2-1/2":
            connected = [self.connected(board, letter) for letter in "bw"]
            how = "no move" if not any(connected) else "both connected" if all(connected) else "connected"
            return Case(text, SIDES[player], [], outcome, ending=f"{WINNER[outcome]}, {how}")
        if board in seen:
            # If the same side was to move then, OpenSpiel has told the moves of this position.
            moves = seen[board].get(player)
            ending = "draw, board seen before, " + ("same side to move" if moves else "other side to move")
            return Case(text, SIDES[player], moves, None, ending=ending, by_history=True)
        if len(state.history()) >= game.max_game_length():
            name = "a connection on the last ply before the length cap is a draw in OpenSpiel"
            excused = {"1-0": name, "0-1": name}
            return Case(text, SIDES[player], None, None, ending="draw, length cap", by_history=True, excused=excused)
        return Case(text, SIDES[player], [], outcome, ending="draw, unexplained")

    @staticmethod
    def board(state):
        rows = [line[1:] for line in str(state).split("\n")[:8]]
        text = "/".join(rows).replace("x", "b").replace("o", "w")
        return re.sub(r"\.+", lambda run: str(len(run[0])), text)

    @staticmethod
    def connected(board, letter):
        rows = re.sub(r"\d", lambda digit: "." * int(digit[0]), board).split("/")
        left = {(row, column) for row in range(8) for column in range(8) if rows[row][column] == letter}
        reached = [left.pop()]
        while reached:
            row, column = reached.pop()
            near = {(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)} & left
            left -= near
            reached += near
        return not left


class ConnectFour:
    """OpenSpiel: player 0 is x and moves first; the top row is printed first; columns count from 0, ours from 1.

    Lanista gets the moves so far and must answer with the same board, so that its own play is compared as well.
    """

    peer = "connect_four"
    ours = "connect-four"
    rules = "standard"

    def walk(self, game, rng):
        state = game.new_initial_state()
        text = ""
        while True:
            board = str(state).strip().replace("\n", "/")
            side = SIDES[len(text) % 2]
            if state.is_terminal():
                outcome = result(state)
                ending = WINNER.get(outcome, "draw, board full")
                yield Case(text, side, [], outcome, board, ending)
                return
            actions = state.legal_actions()
            yield Case(text, side, sorted(str(action + 1) for action in actions), None, board)
            action = pick(rng, actions)
            text += str(action + 1)
            state.apply_action(action)


class Checkers:
    """OpenSpiel: player 0 is o (kings 8), plays up the board and moves first; player 1 is + (kings *).

    In Lanista Black moves first from squares 1 to 12, at the top of the numbering. So o is Black and the board is
    turned by 180 degrees: the square that has number n in reading order of OpenSpiel's picture is our 33 - n.
    Each jump is an action of its own there; here the tree of continuations is walked, so that complete capture paths
    are compared. Rule about the past: 40 plies without capture are a draw, looked at before "no move loses".
    """

    peer = "checkers"
    ours = "draughts"
    rules = "english"
    quiet_plies = 40
    names = ActionNames()

    def walk(self, game, rng):
        state = game.new_initial_state()
        player = 0
        quiet = 0
        while True:
            text = self.text(state, player)
            if state.is_terminal():
                yield self.last(state, text, player, quiet)
                return
            yield Case(text, SIDES[player], sorted(self.paths(state, player)), None)
            quiet += 1
            while state.current_player() == player:
                action = pick(rng, state.legal_actions())
                if self.hop(state, action)[2]:
                    quiet = 0
                state.apply_action(action)
            player = 1 - player

    def last(self, state, text, player, quiet):
        outcome = result(state)
        if outcome == "1/2-1/2" and quiet >= self.quiet_plies:
            # Here a side without a move has lost, however long the game was quiet.
            name = "no move on the 40th quiet ply is a draw in OpenSpiel"
            excused = {("0-1", "1-0")[player]: name}
            ending = "draw, 40 plies without capture"
            return Case(text, SIDES[player], None, None, ending=ending, by_history=True, excused=excused)
        ending = WINNER.get(outcome, "draw, unexplained")
        return Case(text, SIDES[player], [], outcome, ending=ending)

    def paths(self, state, player):
        for action in state.legal_actions():
            start, end, jump = self.hop(state, action)
            if not jump:
                yield f"{start}-{end}"
                continue
            after = state.child(action)
            if after.current_player() == player:
                yield from (f"{start}x{rest}" for rest in self.paths(after, player))
            else:
                yield f"{start}x{end}"

    def hop(self, state, action):
        """From, to, and whether it is a jump; `a3b4` is 12-16 here."""
        name = self.names.of(state, action)
        return self.square(name[:2]), self.square(name[2:]), abs(int(name[1]) - int(name[3])) == 2

    @staticmethod
    def square(name):
        row, column = 8 - int(name[1]), ord(name[0]) - ord("a")
        return 33 - (row * 4 + column // 2 + 1)

    @staticmethod
    def text(state, player):
        black, white = [], []
        dark = [(row, column) for row in range(8) for column in range(8) if (row + column) % 2]
        rows = [line[1:] for line in str(state).split("\n")[:8]]
        for index, (row, column) in enumerate(dark):
            number = 32 - index
            letter = rows[row][column]
            if letter in "o8":
                black.append((number, letter == "8"))
            elif letter in "+*":
                white.append((number, letter == "*"))
        lists = [",".join("K" * king + str(number) for number, king in sorted(side)) for side in (white, black)]
        return f"{'BW'[player]}:W{lists[0]}:B{lists[1]}"


GAMES = (LinesOfAction(), ConnectFour(), Checkers())


class Failure(Exception):
    """Something is missing or broken; one line for people."""


def call(command, **options):
    """A program's standard output."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    except OSError as error:
        raise Failure(f"cannot run {command[0]}: {error.strerror}") from error
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or ["no message"]
        raise Failure(f"{' '.join(command)}: status {done.returncode}: {said[-1]}")
    return done.stdout


@dataclass
class Tally:
    """What the comparison of one game found."""

    positions: int = 0
    moves: int = 0
    by_history: int = 0
    endings: Counter = field(default_factory=Counter)
    excused: dict = field(default_factory=dict)  # name of the rule difference: (count, an example)
    disagreements: int = 0

    def add(self, case, answer, name):
        self.positions += 1
        self.by_history += case.by_history
        self.moves += len(case.moves or ())
        if case.ending:
            self.endings[case.ending] += 1
        found = []
        echoed = answer["position"]
        # Rules other than the default follow the position in the echo.
        if echoed != (case.board or case.text) and not echoed.startswith(f"{case.text} "):
            found.append(f"the position is {case.board or case.text}, ours {echoed}")
        if answer["side"] != case.side:
            found.append(f"to move is {case.side}, ours {answer['side']}")
        if answer["outcome"] != case.outcome:
            reason = case.excused.get(answer["outcome"])
            if reason:
                count, example = self.excused.get(reason, (0, case.text))
                self.excused[reason] = (count + 1, example)
            else:
                found.append(f"the outcome is {case.outcome}, ours {answer['outcome']}")
        ours = sorted(answer["moves"])
        if case.moves is not None and ours != case.moves:
            theirs = Counter(case.moves)
            theirs.subtract(ours)
            missing = [move for move, count in theirs.items() if count > 0]
            extra = [move for move, count in theirs.items() if count < 0]
            only = [" ".join(moves) or "none" for moves in (missing, extra)]
            found.append(f"moves of OpenSpiel only: {only[0]}, of ours only: {only[1]}")
        if found:
            self.disagreements += 1
            if self.disagreements <= SHOWN:
                print(f"{name}: {case.text or 'start'}: {'; '.join(found)}", file=sys.stderr)


def agreement(lanista, rules, pyspiel, games, seed):
    """Plays random games in OpenSpiel and asks Lanista about every position of them."""
    game = pyspiel.load_game(rules.peer)
    rng = random.Random(f"{seed}/{rules.peer}")
    command = [lanista, "moves", rules.ours, "--rules", rules.rules, "--each", "--json"]
    tally = Tally()
    for start in range(0, games, GAMES_PER_BATCH):
        count = min(GAMES_PER_BATCH, games - start)
        cases = [case for _ in range(count) for case in rules.walk(game, rng)]
        answers = call(command, input="".join(f"{case.text}\n" for case in cases)).splitlines()
        if len(answers) != len(cases):
            raise Failure(f"{' '.join(command)}: {len(answers)} answers to {len(cases)} positions")
        for case, answer in zip(cases, answers):
            tally.add(case, json.loads(answer), rules.ours)
        progress(f"{rules.ours}: {start + count} of {games} games compared")
    return tally


def progress(text):
    if sys.stderr.isatty():
        print(f"\r{text:<78}", end="", file=sys.stderr, flush=True)


def clear_progress():
    if sys.stderr.isatty():
        print(f"\r{'':<78}\r", end="", file=sys.stderr, flush=True)


def table(head, rows):
    """A Markdown table; columns of numbers are set to the right."""
    numbers = [all(isinstance(cell, int) or cell[0].isdigit() for cell in column) for column in zip(*rows)]
    cells = [head, *([f"{cell:,}" if isinstance(cell, int) else cell for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells)]
    rule = ["-" * (width - 1) + (":" if number else "-") for width, number in zip(widths, numbers)]
    for row in (head, rule, *cells[1:]):
        padded = (f"{cell:{'>' if number else '<'}{width}}" for cell, width, number in zip(row, widths, numbers))
        print(f"| {' | '.join(padded)} |")


def compare(lanista, pyspiel, games, seed):
    """The first part. Returns the number of disagreements."""
    began = time.perf_counter()
    tallies = [agreement(lanista, rules, pyspiel, games, seed) for rules in GAMES]
    clear_progress()
    seconds = time.perf_counter() - began
    print(f"## Agreement with OpenSpiel ({games:,} random games each, seed {seed}, {seconds:.0f} s)\n")
    head = ["game", "games", "positions compared", "moves compared", "ended by history", "disagreements"]
    rows = [
        [rules.ours, sum(tally.endings.values()), tally.positions, tally.moves, tally.by_history, tally.disagreements]
        for rules, tally in zip(GAMES, tallies)
    ]
    table(head, rows)
    print("\nHow OpenSpiel ended the games:\n")
    endings = [(rules, *counted) for rules, tally in zip(GAMES, tallies) for counted in sorted(tally.endings.items())]
    table(["game", "ending", "games"], [[rules.ours, ending, count] for rules, ending, count in endings])
    for rules, tally in zip(GAMES, tallies):
        for reason, (count, example) in tally.excused.items():
            print(f"\nRule difference, {rules.ours}: {reason}: {count:,} times, for example {example}")
    print()
    return sum(tally.disagreements for tally in tallies)


# Speed. A slice is a piece of work of some tenths of a second. A measurement is the best of five slices, as
# `lanista bench` does it; the programs take turns, and the median over the rounds is reported.
SLICES = 5
ROUNDS = 5
SLICE_GAMES = {"lines_of_action": (300, 120), "connect_four": (30_000, 8_000), "checkers": (1_200, 400)}


def best_speed(work, games):
    best = 0.0
    for _ in range(SLICES):
        began = time.perf_counter()
        work()
        best = max(best, games / (time.perf_counter() - began))
    return best


def cpp_speed(pyspiel, game, seed):
    """Random games inside OpenSpiel's C++ library, without Python.

    A tree search of one simulation evaluates its root and nothing else, and the evaluator plays that many random
    games from it.
    """
    games = SLICE_GAMES[game.get_type().short_name][0]
    evaluator = pyspiel.RandomRolloutEvaluator(games, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 1, False, seed, False)
    state = game.new_initial_state()
    return best_speed(lambda: bot.mcts_search(state), games)


def python_speed(game, seed, lengths):
    """Random games through OpenSpiel's Python interface."""
    games = SLICE_GAMES[game.get_type().short_name][1]
    draw = random.Random(seed).random

    def work():
        for _ in range(games):
            state = game.new_initial_state()
            plies = 0
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(draw() * len(actions))])
                plies += 1
            lengths.append(plies)

    return best_speed(work, games)


def our_speed(lanista, name):
    entry = f"random-games/{name}"
    for found in json.loads(call([lanista, "bench", entry, "--json"])):
        if found["name"] == entry:
            return found["value"]
    raise Failure(f"{lanista} bench knows no {entry}")


def rounded(value):
    """Three digits are all that a measurement is good for."""
    digits = max(0, len(str(int(value))) - 3)
    return f"{round(value, -digits):,.0f}"


def measure(lanista, pyspiel, seed):
    """The second part."""
    load, cores = os.getloadavg()[0], os.cpu_count()
    began = time.perf_counter()
    rows = []
    for rules in GAMES:
        game = pyspiel.load_game(rules.peer)
        lengths = []
        speeds = []
        for number in range(ROUNDS):
            progress(f"{rules.ours}: speed, round {number + 1} of {ROUNDS}")
            speeds.append(
                (
                    our_speed(lanista, rules.ours),
                    cpp_speed(pyspiel, game, seed + number),
                    python_speed(game, seed + number, lengths),
                )
            )
        ours, cpp, python = (statistics.median(column) for column in zip(*speeds))
        rows.append(
            [
                rules.ours,
                rounded(ours),
                rounded(cpp),
                f"{rounded(ours / cpp)}×",
                rounded(python),
                f"{rounded(ours / python)}×",
                f"{statistics.mean(lengths):.1f}",
            ]
        )
    clear_progress()
    seconds = time.perf_counter() - began
    print("## Random games from start to end, games per second, one thread\n")
    table(
        ["game", "Lanista", "OpenSpiel C++", "ratio", "OpenSpiel Python", "ratio", "OpenSpiel's actions a game"],
        rows,
    )
    print(
        f"\nMedians of {ROUNDS} rounds in {seconds:.0f} s, the programs in turn, each the best of {SLICES} slices; "
        f"load before {load:.2f}, after {os.getloadavg()[0]:.2f} on {cores} cores ({processor()})."
    )
    if load > cores / 2:
        print("The machine was busy: measure again when it is idle before quoting these figures.")


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def flags():
    def whole(least):
        def parse(text):
            if not text.isdecimal() or int(text) < least:
                raise argparse.ArgumentTypeError(f"expected a whole number of at least {least}, found {text!r}")
            return int(text)

        return parse

    parser = argparse.ArgumentParser(prog="bench/peers/run", description="Compares Lanista with OpenSpiel.")
    parser.add_argument("--games", type=whole(1), default=2000, metavar="N", help="random games for each game (2000)")
    parser.add_argument("--seed", type=whole(0), default=1, metavar="S", help="seed of the random games (1)")
    parser.add_argument("--skip-speed", action="store_true", help="compare the rules only")
    parser.add_argument("--lanista", metavar="PATH", help="use this binary instead of building one")
    parser.add_argument("--check-flags", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    chosen = flags()
    if chosen.check_flags:
        print(chosen.lanista or "")
        return 0
    if not chosen.lanista:
        raise Failure("--lanista PATH is missing; bench/peers/run builds one and gives it")
    try:
        import pyspiel
    except ImportError as error:
        raise Failure(f"OpenSpiel is missing ({error}); start bench/peers/run, which installs it") from error
    disagreements = compare(chosen.lanista, pyspiel, chosen.games, chosen.seed)
    if not chosen.skip_speed:
        measure(chosen.lanista, pyspiel, chosen.seed)
    if disagreements:
        print(f"bench/peers/run: {disagreements:,} disagreements, see above", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        clear_progress()
        print(f"bench/peers/run: {failure}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
