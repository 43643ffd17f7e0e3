export const NO_SERVER_ERRORS = 'no 5xx except 503';
export const ALWAYS_RESPONDS = 'every operation gets a response';
export const REFUSALS_EXPLAINED = 'every refused request is expected';

const MAX_PRINTED = 12;

/** The counters and faults of a run. */
export class ChaosResults {
  acknowledged = 0;
  refused = 0;
  /** Attempts without a response: the process died or the browser aborted. */
  unanswered = 0;
  /** Attempts that got a 503. */
  unavailable = 0;
  readonly actions = new Map<string, number>();
  readonly refusals = new Map<string, number>();
  readonly faults: { check: string; detail: string; request?: string }[] = [];

  count(counter: 'actions' | 'refusals', name: string): void {
    this[counter].set(name, (this[counter].get(name) ?? 0) + 1);
  }

  reportServerFault(what: string, headers: Headers): void {
    this.reportViolation(NO_SERVER_ERRORS, what);
    const fault = this.faults.at(-1);
    if (fault) fault.request = headers.get('x-request-id') ?? '';
  }

  /** Adds the server's log line for the failed request to each fault. */
  attachLogLines(lines: readonly string[]): void {
    for (const fault of this.faults) {
      const line = lines.find((each) => fault.request && each.includes(fault.request));
      if (line) fault.detail += `: ${line.slice(0, 1_500)}`;
    }
  }

  reportViolation(check: string, detail: string): void {
    this.faults.push({ check, detail });
    if (this.faults.length <= MAX_PRINTED) console.log(`  BROKEN  ${check}: ${detail}`);
  }
}
