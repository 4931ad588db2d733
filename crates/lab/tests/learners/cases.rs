//! One small experiment for every way of learning.

/// A way of learning: its name and its experiment.
pub struct Case {
    pub name: &'static str,
    pub text: String,
}

/// A network and how it is measured, by game: the rest of an experiment is the table of its method.
fn head(game: &str, learner: &str) -> String {
    format!(
        "title = \"Test\"\ngame = \"{game}\"\nseed = 17\n[measure]\nevery = 2\ntop = 2\ngames = 2\nfinal-games = 6\n\
         opponents = [{{ player = \"random\" }}]\n[learner]\nkeep-every = 2\n{learner}"
    )
}

const SMALL_NETWORK: &str = "layers = [{ size = 5, activation = \"tanh\" }, { size = 1, activation = \"tanh\" }]\n";
const TWO_STRUCTURES: &str = "structures = [{ layers = [{ size = 1, activation = \"tanh\" }] }, \
                              { name = \"logistic\", layers = [{ size = 1, activation = \"sigmoid\" }] }]\n";
const GREEDY: &str = "player = \"greedy:eval=genome\"\n";

/// What lasts for `steps` generations, or batches of four games.
pub fn cases(steps: u32) -> Vec<Case> {
    let greedy = |rest: &str| format!("{GREEDY}{rest}");
    let network = |inputs: &str| format!("{GREEDY}inputs = [{inputs}]\n{SMALL_NETWORK}");
    let fixed = "{ kind = \"fixed-agent\", games = 2, first = \"random\" }";
    let uniform = "initial = { kind = \"uniform\", lo = -1.0, hi = 1.0 }\n";
    let against_random = "opponents = [\"random\"]\n";
    let games = 4 * steps;
    let td = |more: &str| format!("[td]\ngames = {games}\nbatch = 4\npasses = 2\n{more}");
    let case = |name, game: &str, learner: String, method: String| Case { name, text: head(game, &learner) + &method };
    vec![
        case(
            "evolution of plogann",
            "loa5",
            format!(
                "player = \"alphabeta:depth=2,eval=genome\"\ninputs = [\"board=0.75/0.5/0.5\", \"nonads\"]\n{SMALL_NETWORK}"
            ),
            format!("[evolution]\npreset = \"plogann\"\npopulation = 2\ngenerations = {steps}\n"),
        ),
        case(
            "evolution of box",
            "connect-four",
            network("\"board\", \"four\", \"threes\"") + "opponents = [\"win-block\"]\n",
            format!("[evolution]\npreset = \"box\"\npopulation = 6\ngenerations = {steps}\ncontest.games = 3\n"),
        ),
        case(
            "evolution of allsop",
            "draughts",
            greedy("weights-of = \"allsop\"\n"),
            format!("[evolution]\npreset = \"allsop\"\npopulation = 8\ngenerations = {steps}\n"),
        ),
        case(
            "evolution with an elite and a hall of fame",
            "connect-four",
            network("\"board\""),
            format!(
                "[evolution]\npreset = \"box\"\npopulation = 5\nelite = 1\ngenerations = {steps}\n\
                 contest = {{ kind = \"random-pairing\", pairings = 2, games = 1, first = \"random\" }}\n\
                 selection = {{ kind = \"tournament\", size = 2 }}\nhall-of-fame = {{ size = 2, every = 1, games = 1 }}\n"
            ),
        ),
        case(
            "steady state",
            "connect-four",
            network("\"board\""),
            format!(
                "[steady-state]\npopulation = 4\ntasks = {}\nlag = 3\ntournament = 2\n{uniform}\
                 mutation = {{ kind = \"gaussian\", probability = 0.5, sd = 0.2 }}\ncrossover = {{ kind = \"uniform\" }}\n\
                 trial = {{ kind = \"members\", rivals = 2, games = 2, first = \"alternate\" }}\n",
                4 * steps
            ),
        ),
        case(
            "openai-es",
            "connect-four",
            network("\"wins\"") + against_random,
            format!(
                "[strategy]\ngenerations = {steps}\n{uniform}contest = {fixed}\n\
                 method = {{ kind = \"openai-es\", pairs = 3, sd = 0.1, learning-rate = 0.1, momentum = 0.5 }}\n"
            ),
        ),
        case(
            "cma-es",
            "connect-four",
            greedy("weights-of = \"threats\"\n") + against_random,
            format!(
                "[strategy]\ngenerations = {steps}\n{uniform}contest = {fixed}\nmethod = {{ kind = \"cma-es\", sd = 0.5 }}\n"
            ),
        ),
        case(
            "neat",
            "loa5",
            greedy("inputs = [\"cluster\", \"concentration\", \"freedom\"]\n") + against_random,
            format!(
                "[neat]\ngenerations = {steps}\ncontest = {fixed}\n\
                 settings = {{ population = 8, add-node = 0.5, add-connection = 0.5 }}\n"
            ),
        ),
        case("td with itself", "loa4", network("\"board\"") + "view = \"waiting\"\n", td("explore-from = 0.5\n")),
        case("td against an opponent", "connect-four", network("\"board\""), td("opponent = \"win-block\"\n")),
        case(
            "td from leaves",
            "loa4",
            format!("player = \"pvs:depth=2,eval=genome\"\ninputs = [\"board\"]\n{SMALL_NETWORK}"),
            td("states = \"leaves\"\nlambda = 0.7\nexplore-from = 0.2\n"),
        ),
        case(
            "offline",
            "loa5",
            greedy("inputs = [\"board\"]\n"),
            // One step of games, the others of training.
            format!(
                "[offline]\n{TWO_STRUCTURES}games = 4\nbatch = 4\nplayer = \"random\"\ncycles-a-step = 2\n\
                 stages = [{{ rate = 0.1, cycles = {} }}]\n",
                2 * steps.saturating_sub(1)
            ),
        ),
        case(
            "an evaluator offline by adam",
            "loa5",
            greedy("weights-of = \"mia2\"\n"),
            format!(
                "[offline]\ngames = 4\nbatch = 4\nplayer = \"random\"\ncycles-a-step = 2\noptimiser = \"adam\"\nminibatch = 5\n\
                 symmetries = true\nstages = [{{ rate = 0.05, cycles = {} }}]\n",
                2 * steps.saturating_sub(1)
            ),
        ),
        case(
            "td with a long look ahead",
            "connect-four",
            network("\"board\", \"wins\""),
            td("lambda = 0.8\ndiscount = 0.99\noptimiser = \"momentum\"\nrate = 0.01\nmomentum = 0.9\n"),
        ),
        case(
            "td by adam that also predicts",
            "loa5",
            greedy(
                "inputs = [\"board\", \"cluster\"]\n\
                 layers = [{ size = 5, activation = \"sigmoid\" }, { size = 3, activation = \"tanh\" }]\n",
            ),
            td("predict = [\"cluster\"]\n\
                optimiser = \"adam\"\nrate = 0.01\n"),
        ),
        Case {
            name: "evolution measured at its end only",
            text: head("connect-four", &(network("\"board\"") + against_random))
                .replace("every = 2\ntop = 2", "closing = 5\ntop = 2")
                + &format!("[evolution]\npreset = \"box\"\npopulation = 4\ngenerations = {steps}\ncontest.games = 1\n"),
        },
        case("td of an evaluator of Lines of Action", "loa5", greedy("weights-of = \"mia2\"\n"), td("")),
        case(
            "td of an evaluator of Connect Four",
            "connect-four",
            greedy("weights-of = \"threats\"\n"),
            td("start = \"xavier\"\nlambda = 0.5\n"),
        ),
    ]
}
