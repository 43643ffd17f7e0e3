/** Stands in for the browser's own, which the test's page lacks; a test speaks through it as the server would. */
export class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  /** Those that a page has open now. */
  static readonly open = new Set<FakeEventSource>();
  readonly url: string;
  readyState = 0;

  constructor(url: string) {
    super();
    this.url = url;
    FakeEventSource.open.add(this);
  }

  close() {
    this.readyState = FakeEventSource.CLOSED;
    FakeEventSource.open.delete(this);
  }
}
