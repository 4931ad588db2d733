// Experiments for the tests, small enough for a busy machine.
import { eventually } from "./stage.mjs";

export const EVOLUTION = (generations, title = "A small evolution") => `title = "${title}"
about = "Small networks learn to beat a player that moves at random."
game = "connect-four"
seed = 11

[learner]
player = "greedy:eval=genome"
inputs = ["board"]
layers = [{ size = 4, activation = "sigmoid" }, { size = 1, activation = "sigmoid", bias = false }]
opponents = ["random"]

[evolution]
preset = "box"
generations = ${generations}
population = 10

[measure]
every = 2
top = 2
games = 10
opponents = [{ name = "random", player = "random" }]

[[published]]
source = "a made-up paper"
measurement = "score"
of = "player=champion against=random"
value = 0.9
`;

export const MATCH = (pairs = 6) => `title = "A small match"
game = "loa5"
seed = 5

[match]
a = "greedy"
b = "random"
pairs = ${pairs}
`;

/** Its first game takes longer than anybody waits. */
export const SLOW_MATCH = `title = "A slow match"
game = "loa"

[tournament]
pairs = 2

[[tournament.players]]
name = "Ada"
player = "pvs"
limit = "movetime=400"

[[tournament.players]]
name = "Ben"
player = "pvs"
limit = "movetime=401"
`;

/** Starts an experiment by the server's interface, and returns its number. */
export async function begin(scene, text) {
  const reply = await fetch(`${scene.url}/api/runs`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: scene.url },
    body: JSON.stringify({ text }),
  });
  const answer = await reply.json();
  if (!reply.ok) throw new Error(`the run did not begin: ${JSON.stringify(answer)}`);
  return answer.run;
}

export async function runState(scene, run) {
  return (await fetch(`${scene.url}/api/runs/${run}`)).json();
}

/** A run that is finished. */
export async function finished(scene, run, patience = 90_000) {
  await eventually("the end of the run", async () => (await runState(scene, run)).run.status === "finished", patience);
  return run;
}

export async function quickRun(scene) {
  return finished(scene, await begin(scene, EVOLUTION(4)));
}
