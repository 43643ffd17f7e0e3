export const NO_SERVER_ERRORS = 'no 5xx except 503';
export const ALWAYS_RESPONDS = 'every operation gets a response';
export const REFUSALS_EXPLAINED = 'every refused request is expected';

const MAX_PRINTED = 12;

/** The counters and violations of a run. */
export class ChaosResults {
  acknowledged = 0;
  refused = 0;
  /** Attempts without a response: the process died or the client aborted. */
  unanswered = 0;
  /** Attempts that got a 503. */
  unavailable = 0;
  readonly actions = new Map<string, number>();
  readonly refusals = new Map<string, number>();
  readonly violations: { check: string; detail: string; request?: string }[] = [];

  count(counter: 'actions' | 'refusals', name: string): void {
    this[counter].set(name, (this[counter].get(name) ?? 0) + 1);
  }

  reportServerError(detail: string, headers: Headers): void {
    this.reportViolation(NO_SERVER_ERRORS, detail);
    const violation = this.violations.at(-1);
    if (violation) violation.request = headers.get('x-request-id') ?? '';
  }

  /** Adds the server's log line for the failed request to each violation. */
  attachLogLines(lines: readonly string[]): void {
    for (const violation of this.violations) {
      const line = lines.find((each) => violation.request && each.includes(violation.request));
      if (line) violation.detail += `: ${line.slice(0, 1_500)}`;
    }
  }

  reportViolation(check: string, detail: string): void {
    this.violations.push({ check, detail });
    if (this.violations.length <= MAX_PRINTED) console.log(`  BROKEN  ${check}: ${detail}`);
  }
}
