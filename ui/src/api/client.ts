// All requests to the server. Types come from its OpenAPI description; whatever fails becomes one line for people.

import createClient from "openapi-fetch";
import type { paths } from "./schema";

export const api = createClient<paths>({ baseUrl: location.origin });

/** What the server said when it could not do what was asked. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly field: string | null = null,
    readonly line: number | null = null,
  ) {
    super(message);
  }
}

interface Reply<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** The data of a reply, or a refusal to throw. */
export async function take<Data>(request: Promise<Reply<Data>>): Promise<Data> {
  let reply: Reply<Data>;
  try {
    reply = await request;
  } catch {
    throw new Refusal("The server does not answer. Start it with `lanista serve`, then try again.", 0);
  }
  if (reply.error === undefined && reply.response.ok) return reply.data as Data;
  const body = typeof reply.error === "object" && reply.error !== null ? (reply.error as Record<string, unknown>) : {};
  throw new Refusal(
    typeof body.error === "string" ? body.error : `The server answered with status ${reply.response.status}.`,
    reply.response.status,
    typeof body.field === "string" ? body.field : null,
    typeof body.line === "number" ? body.line : null,
  );
}

/** Asks, and aborts the request when the returned function is called: nothing is received or told then. For `$effect`. */
export function ask<Data>(
  request: (signal: AbortSignal) => Promise<Reply<Data>>,
  receive: (data: Data) => void,
  fail: (why: string) => void,
): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  take(request(signal)).then(
    (data) => {
      if (!signal.aborted) receive(data);
    },
    (error: unknown) => {
      if (!signal.aborted) fail(told(error));
    },
  );
  return () => controller.abort();
}

export function told(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
