export interface LoggedCall {
  /** Time by the fake's clock. */
  at: string;
  /** Null if the token is missing or invalid. */
  user: string | null;
  /** For example `events.insert`; null for an unknown path. */
  operation: string | null;
  method: string;
  path: string;
  /** Null if a fault suppressed the response. */
  status: number | null;
}

const MAX_CALLS = 20_000;

/** The most recent API requests, oldest first. */
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
