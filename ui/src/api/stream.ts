// Server-sent events. The browser reconnects by itself when a connection breaks; when the server refuses, we try again after a while.
// The first message of every connection brings the whole state, so nothing is missed.
//
// Browsers allow six connections to a server, all tabs together. A page that nobody sees gives its own back until it is seen again.

const AGAIN_AFTER = 3000;

/** Follows an address until the returned function is called. `lost` is told when the connection breaks, and whenever one opens. */
export function follow<Message>(address: string, receive: (message: Message) => void, lost?: (isLost: boolean) => void): () => void {
  let source: EventSource | null = null;
  let again: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    const opened = new EventSource(address);
    source = opened;
    opened.onopen = () => lost?.(false);
    opened.onmessage = (event: MessageEvent<string>) => receive(JSON.parse(event.data) as Message);
    opened.onerror = () => {
      if (opened.readyState === EventSource.CLOSED) again = setTimeout(open, AGAIN_AFTER);
      lost?.(true);
    };
  };
  const close = () => {
    clearTimeout(again);
    source?.close();
    source = null;
  };
  const attend = () => {
    if (document.hidden) close();
    else if (!source) open();
  };
  attend();
  document.addEventListener("visibilitychange", attend);
  return () => {
    document.removeEventListener("visibilitychange", attend);
    close();
  };
}
