// Server-sent events. The browser reconnects by itself when a connection breaks; when the server refuses, we try again after a while.
// The first message of every connection brings the whole state, so nothing is missed.

const AGAIN_AFTER = 3000;

/** Follows an address until the returned function is called. `lost` is told when the connection breaks and when it is back. */
export function follow<Message>(address: string, receive: (message: Message) => void, lost?: (isLost: boolean) => void): () => void {
  let source: EventSource;
  let again: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    source = new EventSource(address);
    source.onopen = () => lost?.(false);
    source.onmessage = (event: MessageEvent<string>) => receive(JSON.parse(event.data) as Message);
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) again = setTimeout(open, AGAIN_AFTER);
      lost?.(true);
    };
  };
  open();
  return () => {
    clearTimeout(again);
    source.close();
  };
}
