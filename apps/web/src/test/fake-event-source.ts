/** Replaces EventSource, which happy-dom lacks; tests dispatch the server's events on it. */
export class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  /** The currently open connections. */
  static readonly openSources = new Set<FakeEventSource>();
  readonly url: string;
  readyState = 0;

  constructor(url: string) {
    super();
    this.url = url;
    FakeEventSource.openSources.add(this);
  }

  close() {
    this.readyState = FakeEventSource.CLOSED;
    FakeEventSource.openSources.delete(this);
  }
}
