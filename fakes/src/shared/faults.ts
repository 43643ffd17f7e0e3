/** `Answer` is what a vendor's own error can say besides its status. */
export type FaultKind<Answer extends object> =
  /** Takes the request and never answers. */
  | { kind: 'hang' }
  /** Drops the connection, with nothing done. */
  | { kind: 'reset' }
  /** Does the work, then drops the connection: the caller cannot know. */
  | { kind: 'done-then-reset' }
  /** Answers with an error before any work. */
  | ({ kind: 'status'; status: number } & Answer)
  /** Waits, then does the work and answers. */
  | { kind: 'slow'; ms: number }
  /** Answers with fields that the vendor would not send. */
  | { kind: 'odd'; merge: Record<string, unknown> };

export type Fault<Answer extends object = object> = FaultKind<Answer> & {
  /** How many requests it befalls; until cleared when left out. */
  times?: number;
  method?: string;
  /** A regular expression on the path, such as `^/v1/refunds`. */
  path?: string;
};

/** What goes wrong with the next requests to the API; pages and control are spared. */
export class Faults<Answer extends object = object> {
  private faults: Fault<Answer>[] = [];

  add(fault: Fault<Answer>): void {
    this.faults.push({ ...fault });
  }

  clear(): void {
    this.faults = [];
  }

  remaining(): Fault<Answer>[] {
    return this.faults.map((fault) => ({ ...fault }));
  }

  /** The first that fits, used up once more. */
  next(method: string, path: string): Fault<Answer> | undefined {
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
