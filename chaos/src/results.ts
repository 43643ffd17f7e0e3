export const NO_SERVER_ERRORS = 'no 5xx but 503';
export const ALWAYS_ANSWERED = 'every operation ends with an answer';
export const REFUSALS_EXPLAINED = 'every refusal is explained';

/** More would hide the first. */
const SHOWN = 12;

/** What happened so far, counted; and what should not have. */
export class ChaosResults {
  acknowledged = 0;
  refused = 0;
  /** Attempts without an answer: a process that died, a browser that hung up. */
  unanswered = 0;
  /** Attempts that were told to come again (503). */
  unavailable = 0;
  readonly acts = new Map<string, number>();
  readonly refusals = new Map<string, number>();
  readonly faults: { check: string; detail: string; request?: string }[] = [];

  count(of: 'acts' | 'refusals', name: string): void {
    this[of].set(name, (this[of].get(name) ?? 0) + 1);
  }

  serverFault(what: string, headers: Headers): void {
    this.fault(NO_SERVER_ERRORS, what);
    const fault = this.faults.at(-1);
    if (fault) fault.request = headers.get('x-request-id') ?? '';
  }

  /** Why a request failed, as the log of the process has it. */
  attachLogLines(lines: readonly string[]): void {
    for (const fault of this.faults) {
      const line = lines.find((each) => fault.request && each.includes(fault.request));
      if (line) fault.detail += `: ${line.slice(0, 1_500)}`;
    }
  }

  fault(check: string, detail: string): void {
    this.faults.push({ check, detail });
    if (this.faults.length <= SHOWN) console.log(`  BROKEN  ${check}: ${detail}`);
  }
}
