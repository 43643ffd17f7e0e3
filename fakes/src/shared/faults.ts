/** `ErrorFields` are a vendor's additional fields for a status fault. */
export type FaultKind<ErrorFields extends object> =
  /** Accepts the request and never responds. */
  | { kind: 'hang' }
  /** Drops the connection before processing the request. */
  | { kind: 'reset' }
  /** Processes the request, then drops the connection, so the caller cannot know the outcome. */
  | { kind: 'done-then-reset' }
  /** Responds with an error without processing the request. */
  | ({ kind: 'status'; status: number } & ErrorFields)
  /** Waits, then processes the request and responds. */
  | { kind: 'slow'; ms: number }
  /** Merges unexpected fields, which the vendor would not send, into the response. */
  | { kind: 'unexpected-fields'; merge: Record<string, unknown> };

export type Fault<ErrorFields extends object = object> = FaultKind<ErrorFields> & {
  /** Number of requests affected; if omitted, the fault applies until cleared. */
  times?: number;
  method?: string;
  /** A regular expression for the path, such as `^/v1/refunds`. */
  path?: string;
};

/** Faults for the next API requests; pages and control requests are not affected. */
export class Faults<ErrorFields extends object = object> {
  private faults: Fault<ErrorFields>[] = [];

  add(fault: Fault<ErrorFields>): void {
    this.faults.push({ ...fault });
  }

  clear(): void {
    this.faults = [];
  }

  remaining(): Fault<ErrorFields>[] {
    return this.faults.map((fault) => ({ ...fault }));
  }

  /** The first matching fault; decrements its `times`. */
  next(method: string, path: string): Fault<ErrorFields> | undefined {
    const fault = this.faults.find(
      (each) =>
        (each.method === undefined || each.method.toUpperCase() === method) &&
        (each.path === undefined || new RegExp(each.path).test(path)),
    );
    if (fault?.times !== undefined) {
      fault.times -= 1;
      if (fault.times <= 0) this.faults = this.faults.filter((each) => each !== fault);
    }
    return fault;
  }
}
