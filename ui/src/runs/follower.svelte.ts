// A run as this page sees it: everything about it once, then what happens, and everything again when its status changes. A finished
// run is followed no longer, unless it is made longer.

import { announcements } from "../announce.svelte";
import { api, Refusal, take, told } from "../api/client";
import { follow } from "../api/stream";
import type { ProgressView, RunEvent, RunSummary, RunView } from "../api/types";

export class RunFollower {
  view = $state.raw<RunView | null>(null);
  progress = $state.raw<ProgressView | null>(null);
  failure = $state<string | null>(null);
  lost = $state(false);
  /** Grows whenever new figures were measured, so that curves know when to look again. */
  measured = $state(0);
  private leave: (() => void) | null = null;
  private isClosed = false;
  /** Whether the stream was open before: another one has missed something. */
  private wasConnected = false;
  /** Whether events may have been missed since everything was last fetched. */
  private wasAway = false;
  private told: RunSummary | null = null;
  private due: ReturnType<typeof setTimeout> | null = null;

  constructor(readonly run: number) {
    this.follow();
    void this.load();
  }

  close() {
    this.isClosed = true;
    this.rest();
    if (this.due) clearTimeout(this.due);
  }

  private follow() {
    if (this.isClosed) return;
    this.leave ??= follow<RunEvent>(
      `/api/runs/${this.run}/events`,
      (event) => this.receive(event),
      (isLost) => {
        this.lost = isLost;
        this.wasAway ||= isLost || this.wasConnected;
        this.wasConnected ||= !isLost;
      },
    );
  }

  /** Follows no longer: nothing more is told about the run. */
  private rest() {
    this.leave?.();
    this.leave = null;
    this.lost = false;
  }

  async load() {
    try {
      this.view = await take(api.GET("/api/runs/{run}", { params: { path: { run: this.run } } }));
      this.failure = null;
      // What the stream has told meanwhile may be newer.
      if (this.told && this.told.status !== this.view.run.status) this.soon();
      if (this.view.run.status !== "finished") this.follow();
    } catch (error) {
      this.failure = told(error);
      // There is no such run, or it was deleted meanwhile.
      if (error instanceof Refusal && error.status === 404) this.rest();
    }
  }

  private receive(event: RunEvent) {
    if (event.type === "progress") this.progress = event.progress;
    else if (event.type === "points" || event.type === "missed") this.soon();
    else if (event.type === "state") this.changed(event.run);
  }

  private changed(run: RunSummary) {
    const before = this.view?.run;
    this.told = run;
    if (this.view) this.view = { ...this.view, run };
    if (before && before.status !== run.status) {
      announcements.say(`Run ${run.run} is ${run.status}.`);
      if (run.status !== "running") this.progress = null;
    }
    // A page that was away has missed what came in between; one that has just fetched everything has not.
    if (this.wasAway || (before && (before.status !== run.status || before.steps !== run.steps))) this.soon();
    this.wasAway = false;
    if (run.status === "finished") this.rest();
    else this.follow();
  }

  /** Looks again, but not for every single point. */
  private soon() {
    if (this.isClosed) return;
    this.due ??= setTimeout(() => {
      this.due = null;
      this.measured++;
      void this.load();
    }, 700);
  }

  async act(what: "cancel" | "resume") {
    const params = { path: { run: this.run } };
    try {
      const run = await take(what === "cancel" ? api.POST("/api/runs/{run}/cancel", { params }) : api.POST("/api/runs/{run}/resume", { params }));
      this.changed(run);
    } catch (error) {
      this.failure = told(error);
    }
  }

  async extend(changes: string[]) {
    try {
      this.changed(await take(api.POST("/api/runs/{run}/extend", { params: { path: { run: this.run } }, body: { changes } })));
      this.failure = null;
    } catch (error) {
      this.failure = told(error);
    }
  }
}
