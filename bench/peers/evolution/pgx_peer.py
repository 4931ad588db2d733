"""Box's generation in JAX with the Connect Four of pgx: all games in lock-step, one compiled program for a generation.

Every move is played by `env.step` of pgx, which also tells who won, who is to move and which columns are free, and pgx draws
who begins. What pgx does not have is written here in JAX, from its observations: the 85 inputs, the networks, the agent.
The program for a generation works in stages: when few games are left, the games that are over leave the arrays.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pgx

import peer
from lockstep import breed, first_generation
from reference import GAMES, HIDDEN, INPUTS, POPULATION

ENV = pgx.make("connect_four")
STEP = jax.vmap(jax.vmap(ENV.step))
NETWORK, AGENT = 0, 1  # the players of pgx
STAGES = [50, 30, 15, 6]  # games of a network in the arrays

COLUMN = np.array([1 << column for column in range(7)], dtype=np.uint8)

# Stones of a side are six numbers of 7 bits, a row each, the lowest first. (pgx does not run with 64-bit numbers switched on.)


def planes(observation):
    """The two planes of an observation, the lowest row first: the player to move, and the other."""
    return observation[..., ::-1, :, 0], observation[..., ::-1, :, 1]


def rows(plane):
    return jnp.where(plane, COLUMN, np.uint8(0)).sum(axis=-1, dtype=jnp.uint8)


def moved(stones, right, up):
    """The set of squares that have a stone so far to the right and up."""
    nothing = jnp.zeros((*stones.shape[:-1], abs(up)), jnp.uint8)
    if up > 0:
        stones = jnp.concatenate([stones[..., up:], nothing], axis=-1)
    elif up < 0:
        stones = jnp.concatenate([nothing, stones[..., :up]], axis=-1)
    return stones >> np.uint8(right) if right >= 0 else stones << np.uint8(-right) & np.uint8(127)


def completions(stones):
    """The squares that a stone would make a four on, if they are empty."""
    found = moved(stones, 0, -1) & moved(stones, 0, -2) & moved(stones, 0, -3)
    for up in (-1, 0, 1):
        at = {step: moved(stones, step, up * step) for step in (-3, -2, -1, 1, 2, 3)}
        found |= at[-1] & (at[-2] & (at[-3] | at[1]) | at[1] & at[2]) | at[1] & at[2] & at[3]
    return found


def runs(stones, length, right, up):
    """The squares at which rows of stones begin."""
    found = stones
    for step in range(1, length):
        found &= moved(stones, right * step, up * step)
    return found


def any_row(found):
    """Whether there is anything, for all rows together."""
    return (found != 0).any(-1)


def four(stones):
    return any_row(runs(stones, 4, 0, 1)) | any_row(runs(stones, 4, 1, 0)) | any_row(
        runs(stones, 4, 1, 1)) | any_row(runs(stones, 4, -1, 1))


def columns_of(squares):
    """For each column, whether there is a square in it."""
    together = functools.reduce(jnp.bitwise_or, [squares[..., row] for row in range(6)])
    return together[..., None] & COLUMN != 0


def threes(stones):
    """The 21 inputs of one side."""
    parts = [runs(stones, 3, 1, 0) != 0, columns_of(runs(stones, 3, 0, 1)),
             runs(stones, 3, 1, 1)[..., :4] != 0, runs(stones, 3, -1, 1)[..., :4] != 0]
    return jnp.concatenate(parts, axis=-1).astype(jnp.float32)


def board(own, other):
    """The 42 inputs of the board, from two planes."""
    return (own.astype(jnp.float32) - other.astype(jnp.float32)).reshape(*own.shape[:-2], 42)


def inputs(observation):
    """All 85 inputs, as they are in the table of the reference. The games use their parts."""
    own, other = planes(observation)
    fours = four(rows(own)).astype(jnp.float32) - four(rows(other)).astype(jnp.float32)
    return jnp.concatenate([board(own, other), fours[..., None], threes(rows(own)), threes(rows(other))], axis=-1)


def landings(own, other):
    """The squares on which stones land."""
    occupied = own | other
    below = jnp.concatenate([jnp.full((*own.shape[:-1], 1), 127, jnp.uint8), occupied[..., :-1]], axis=-1)
    return below & ~occupied


def agents_move(state, key):
    """Wins, or blocks, or plays at random."""
    own, other = (rows(plane) for plane in planes(state.observation))
    free = landings(own, other)
    winning, blocking = columns_of(completions(own) & free), columns_of(completions(other) & free)
    legal = state.legal_action_mask
    wanted = jnp.where(winning.any(-1, keepdims=True), winning,
                       jnp.where(blocking.any(-1, keepdims=True), blocking, legal))
    # One of the wanted columns, all equally likely.
    draw = (jax.random.uniform(key, wanted.shape[:-1], dtype=jnp.float32) * wanted.sum(-1)).astype(jnp.int32)
    return (wanted & (wanted.cumsum(-1) == draw[..., None] + 1)).argmax(-1).astype(jnp.int32)


def networks_move(state, weights):
    """A win, or the successor that is worst for the agent, who is to move there."""
    common, own_threes, squares, last = weights
    mine, agents = planes(state.observation)
    own, other = rows(mine), rows(agents)
    free = landings(own, other)
    same = jnp.concatenate([board(agents, mine), threes(other), jnp.ones((*own.shape[:-1], 1), jnp.float32)], axis=-1)
    base = jnp.einsum("ngi,nih->ngh", same, common)
    changed = threes(own[..., None, :] | free[..., None, :] & COLUMN[:, None])
    sums = jnp.einsum("ngci,nih->ngch", changed, own_threes) + base[:, :, None]
    # The square that the move takes. A full column counts some square and is not legal below.
    height = jnp.minimum((mine | agents).sum(axis=-2, dtype=jnp.int32), 5)
    sums -= jax.vmap(lambda table, places: table[places])(squares, 7 * height + np.arange(7, dtype=np.int32))
    winning = columns_of(completions(own) & free)
    values = jnp.einsum("ngch,nh->ngc", jax.nn.sigmoid(sums), last)
    values = jnp.where(state.legal_action_mask, values, jnp.inf)
    values = jnp.where(winning, -jnp.inf, values)
    return values.argmin(-1).astype(jnp.int32)


def prepared(genomes):
    count = len(genomes)
    first = genomes[:, :INPUTS * HIDDEN].reshape(count, INPUTS, HIDDEN)
    bias = genomes[:, INPUTS * HIDDEN:-HIDDEN].reshape(count, 1, HIDDEN)
    common = jnp.concatenate([first[:, :42], first[:, 43:64], bias], axis=1)
    return common, first[:, 64:], first[:, :42], genomes[:, -HIDDEN:]


def step(state, actions, totals):
    """Plays moves and adds up. pgx gives the rewards once, when a game ends, and leaves it as it is from then on."""
    going = ~state.terminated
    state = STEP(state, actions)
    rewards, plies = totals
    return state, (rewards + state.rewards[..., NETWORK].sum(1), plies + going.sum(1))


def agent_begins(state, key, totals):
    """The agent's first move where it begins; then the networks are to move in all games."""
    after, _ = step(state, agents_move(state, key), totals)
    begins = state.current_player == AGENT
    choose = lambda new, old: jnp.where(begins.reshape(begins.shape + (1,) * (new.ndim - 2)), new, old)
    return jax.tree.map(choose, after, state), (totals[0], totals[1] + begins.sum(1))


def compacted(state, games):
    """The games that go on, and as many others as the shape needs."""
    order = state.terminated.argsort(axis=1, stable=True)[:, :games]
    return jax.tree.map(lambda array: jax.vmap(lambda row, places: row[places])(array, order), state)


@functools.partial(jax.jit, static_argnums=2)
def play(genomes, key, games):
    """Plays a generation: points a game and plies a game of every network."""
    weights = prepared(genomes)
    count = len(genomes)
    key, init, begin = jax.random.split(key, 3)
    state = jax.vmap(jax.vmap(ENV.init))(jax.random.split(init, (count, games)))
    totals = (jnp.zeros(count, jnp.float32), jnp.zeros(count, jnp.int32))
    state, totals = agent_begins(state, begin, totals)

    def both(carry):
        state, key, totals = carry
        key, now = jax.random.split(key)
        state, totals = step(state, networks_move(state, weights), totals)
        state, totals = step(state, agents_move(state, now), totals)
        return state, key, totals

    stages = [size for size in STAGES if size <= games]
    for size, after in zip(stages, stages[1:] + [0]):
        state = compacted(state, size)
        more = lambda carry, after=after: (~carry[0].terminated).sum(1).max() > after
        state, key, totals = jax.lax.while_loop(more, both, (state, key, totals))
    # A win is 1, a draw 0, a loss -1 in pgx.
    return (totals[0] / games + 1) / 2, totals[1] / games


def numbers(observation):
    """The two planes of observations as the numbers of the reference."""
    shown = np.asarray(observation)[..., ::-1, :, :]
    weights = np.uint64(1) << 7 * np.arange(7, dtype=np.uint64) + np.arange(6, dtype=np.uint64)[:, None]
    return [np.where(shown[..., side], weights, np.uint64(0)).sum(axis=(-2, -1), dtype=np.uint64) for side in (0, 1)]


class Pgx:
    """The peer as `peer.main` drives it."""

    def __init__(self, seed):
        self.random, self.key = np.random.default_rng(seed), jax.random.key(seed)
        # The compiler's time does not count: a learner pays it once.
        self.points(first_generation(self.random))

    def points(self, genomes):
        self.key, key = jax.random.split(self.key)
        points, plies = play(genomes, key, GAMES)
        return np.asarray(points), np.asarray(plies)

    def inputs(self, pairs):
        stones = np.array(pairs, dtype=np.uint64)[:, None, None]
        squares = 7 * np.arange(7, dtype=np.uint64) + np.arange(5, -1, -1, dtype=np.uint64)[:, None]
        return np.asarray(jax.jit(inputs)(stones >> squares[..., None] & np.uint64(1) != 0))

    def learn(self, generations):
        genomes = first_generation(self.random)
        for _ in range(generations):
            fitness, _ = self.points(genomes)
            genomes = breed(genomes, fitness, self.random)
        return generations * POPULATION * GAMES

    def check(self, genomes, audit):
        """The compiled program cannot be listened to: its result, and the decisions of its two players in games that are driven
        move by move with the same functions."""
        weights = jax.jit(prepared)(genomes)
        by_network, by_agent = jax.jit(networks_move), jax.jit(agents_move)
        stepped, begun = jax.jit(step), jax.jit(agent_begins)
        self.key, init, key = jax.random.split(self.key, 3)
        state = jax.vmap(jax.vmap(ENV.init))(jax.random.split(init, (POPULATION, GAMES)))
        totals = (jnp.zeros(POPULATION, jnp.float32), jnp.zeros(POPULATION, jnp.int32))
        begins = np.asarray(state.current_player == AGENT)
        key, now = jax.random.split(key)
        columns = np.asarray(by_agent(state, now))
        own, other = numbers(state.observation)
        audit.agent(own[begins], other[begins], columns[begins])
        state, totals = begun(state, now, totals)
        while not np.asarray(state.terminated).all():
            for player in (NETWORK, AGENT):
                key, now = jax.random.split(key)
                going = ~np.asarray(state.terminated)
                own, other = numbers(state.observation)
                columns = by_network(state, weights) if player == NETWORK else by_agent(state, now)
                shown = np.asarray(columns)
                if player == NETWORK:
                    audit.networks(own, other, shown, genomes, going)
                else:
                    audit.agent(own[going], other[going], shown[going])
                state, totals = stepped(state, columns, totals)
        compiled = self.points(genomes)
        driven = (np.asarray(totals[0]) / GAMES + 1) / 2
        error = np.hypot(compiled[0].std(), driven.std()) / len(genomes) ** 0.5
        assert abs(compiled[0].mean() - driven.mean()) < 4 * error, "the compiled program plays differently"
        return compiled


if __name__ == "__main__":
    peer.main(Pgx, __doc__)
