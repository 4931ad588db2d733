// Server-sent events as state. The browser reconnects by itself; the first message after that brings the whole state again.

export class Stream<Message> {
  connected = $state(false);
  lost = $state(false);
  private source: EventSource;

  constructor(address: string, receive: (message: Message) => void) {
    this.source = new EventSource(address);
    this.source.onopen = () => {
      this.connected = true;
      this.lost = false;
    };
    this.source.onmessage = (event) => receive(JSON.parse(event.data) as Message);
    this.source.onerror = () => {
      this.connected = false;
      this.lost = true;
    };
  }

  close() {
    this.source.close();
    this.connected = false;
  }
}
