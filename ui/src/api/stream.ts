// Server-sent events. The browser reconnects by itself; the first message after that brings the whole state again.

/** Follows an address until the returned function is called. `lost` is told when the connection breaks and when it is back. */
export function follow<Message>(address: string, receive: (message: Message) => void, lost?: (isLost: boolean) => void): () => void {
  const source = new EventSource(address);
  source.onopen = () => lost?.(false);
  source.onmessage = (event: MessageEvent<string>) => receive(JSON.parse(event.data) as Message);
  source.onerror = () => lost?.(true);
  return () => source.close();
}
