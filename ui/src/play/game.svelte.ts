// A game under way on the server, as this page sees it. The server is right about everything; this only follows and asks.

import { announcements } from "../announce.svelte";
import { api, Refusal, take, told } from "../api/client";
import { follow } from "../api/stream";
import type { SessionEvent, SessionView, Thinking } from "../api/types";
import { catalogue } from "../catalogue.svelte";

export class GameUnderWay {
  view = $state.raw<SessionView | null>(null);
  thinking = $state.raw<Thinking | null>(null);
  hint = $state.raw<Thinking | null>(null);
  hinting = $state(false);
  failure = $state<string | null>(null);
  gone = $state(false);
  lost = $state(false);
  /** When the clocks of the view were read, in milliseconds of this browser. */
  seenAt = $state(0);
  private leave: () => void;

  constructor(readonly id: string) {
    this.leave = follow<SessionEvent>(
      `/api/sessions/${encodeURIComponent(id)}/events`,
      (event) => this.receive(event),
      (isLost) => void this.connection(isLost),
    );
  }

  close() {
    this.leave();
  }

  private async connection(isLost: boolean) {
    this.lost = isLost;
    if (!isLost) return;
    // Either the server is gone, and comes back perhaps, or there is no such game any more.
    try {
      this.show(await take(api.GET("/api/sessions/{id}", { params: { path: { id: this.id } } })));
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 404) return;
      this.gone = true;
      this.close();
    }
  }

  private receive(event: SessionEvent) {
    if (event.type === "state") this.show(event.session);
    else if (event.type === "thinking") this.thinking = event.thinking;
    else {
      this.gone = true;
      this.close();
    }
  }

  private show(view: SessionView) {
    const before = this.view;
    if (before && before.revision >= view.revision) return;
    this.view = view;
    this.seenAt = performance.now();
    this.hint = null;
    if (this.thinking && this.thinking.ply !== view.position.ply) this.thinking = null;
    if (before) this.tell(before, view);
  }

  /** Says what happened, for those who do not see the board. */
  private tell(before: SessionView, view: SessionView) {
    const sides = catalogue.game(view.game)?.sides ?? [];
    const parts: string[] = [];
    const last = view.position.last_move;
    if (view.moves.length > before.moves.length && last) {
      const mover = sides[1 - view.position.side_to_move]?.name ?? "";
      parts.push(`${mover} plays ${last.text}${last.captured.length > 0 ? `, takes ${last.captured.join(", ")}` : ""}.`);
    } else if (view.moves.length < before.moves.length) {
      parts.push(`Taken back to move ${view.moves.length}.`);
    }
    if (view.position.outcome) parts.push(`${view.position.outcome.text}.`);
    else if (view.players[view.position.side_to_move] === "human") {
      parts.push(`${sides[view.position.side_to_move]?.name ?? ""} to move${view.position.forced_capture ? "; a capture is forced" : ""}.`);
    }
    if (parts.length > 0) announcements.say(parts.join(" "));
  }

  private async ask(request: Promise<SessionView>) {
    try {
      this.failure = null;
      this.show(await request);
    } catch (error) {
      this.failure = told(error);
      announcements.say(this.failure);
    }
  }

  play(text: string) {
    const revision = this.view?.revision;
    return this.ask(take(api.POST("/api/sessions/{id}/moves", { params: { path: { id: this.id } }, body: { move: text, revision } })));
  }

  undo() {
    return this.ask(take(api.POST("/api/sessions/{id}/undo", { params: { path: { id: this.id } } })));
  }

  redo() {
    return this.ask(take(api.POST("/api/sessions/{id}/redo", { params: { path: { id: this.id } } })));
  }

  resign() {
    return this.ask(take(api.POST("/api/sessions/{id}/resign", { params: { path: { id: this.id } } })));
  }

  async askHint() {
    this.hinting = true;
    this.failure = null;
    const ply = this.view?.position.ply;
    try {
      const hint = await take(api.POST("/api/sessions/{id}/hint", { params: { path: { id: this.id } }, body: {} }));
      if (this.view?.position.ply === ply) {
        this.hint = hint;
        announcements.say(`Hint: ${hint.move}${hint.score ? `, ${hint.score.text}` : ""}.`);
      }
    } catch (error) {
      this.failure = told(error);
    } finally {
      this.hinting = false;
    }
  }
}
