import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ErrorObject } from 'ajv/dist/2020.js';

export interface Violation {
  method: string;
  path: string;
  side: 'request' | 'answer' | 'event';
  what: string;
}

export interface ConformanceReport {
  /** False where the vendor's description is not at hand: then nothing was checked. */
  available: boolean;
  checked: number;
  violations: Violation[];
}

/** Where nothing can be checked. */
export function unavailableReport(): ConformanceReport {
  return { available: false, checked: 0, violations: [] };
}

/** Counts what was checked and keeps what did not fit. */
export class ViolationCounter {
  private checked = 0;
  private readonly violations: Violation[] = [];

  note(method: string, path: string, side: Violation['side'], problems: readonly string[]): void {
    // A request and its answer are one exchange.
    if (side !== 'answer') this.checked += 1;
    for (const what of problems) this.violations.push({ method, path, side, what });
  }

  report(): ConformanceReport {
    return { available: true, checked: this.checked, violations: [...this.violations] };
  }
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Reads a vendor's description, null where there is none; the descriptions are the vendors' and no part of this repository. */
export function readDescription(vendor: string, name: string): unknown {
  const folder = process.env['VENDOR_CONTRACTS'] ?? '../shared/contracts';
  const file = fileURLToPath(new URL(`${folder}/${name}`, `file://${ROOT}`));
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  console.log(`${vendor}: not held against its description, for there is no ${file}`);
  return null;
}

/** The deepest complaints say most: those above only repeat that something below is wrong. */
export function formatErrors(errors: readonly ErrorObject[]): string[] {
  const depth = Math.max(...errors.map((error) => error.instancePath.length));
  const deepest = errors.filter((error) => error.instancePath.length === depth).slice(0, 3);
  return deepest.map((error) => {
    const extra = error.params['additionalProperty'] as unknown;
    const named = typeof extra === 'string' ? `: ${extra}` : '';
    return `${error.instancePath || '/'} ${error.message ?? error.keyword}${named}`;
  });
}
