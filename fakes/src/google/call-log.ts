export interface LoggedCall {
  /** By the stand-in's clock. */
  at: string;
  /** Null when the token was none, or dead. */
  user: string | null;
  /** Such as `events.insert`; null for an unknown path. */
  operation: string | null;
  method: string;
  path: string;
  /** Null when a fault kept the answer back. */
  status: number | null;
}

const MAX_CALLS = 20_000;

/** The last requests to the API, oldest first. */
export class CallLog {
  private calls: LoggedCall[] = [];

  add(call: LoggedCall): void {
    this.calls.push(call);
    if (this.calls.length > MAX_CALLS * 2) this.calls = this.calls.slice(-MAX_CALLS);
  }

  all(): LoggedCall[] {
    return this.calls.slice(-MAX_CALLS);
  }

  clear(): void {
    this.calls = [];
  }
}
