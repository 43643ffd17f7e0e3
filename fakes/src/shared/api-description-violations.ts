import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ErrorObject } from 'ajv/dist/2020.js';

export interface Violation {
  method: string;
  path: string;
  side: 'request' | 'response' | 'event';
  what: string;
}

export interface ConformanceReport {
  /** False if the vendor's API description is missing, in which case nothing is checked. */
  available: boolean;
  checked: number;
  violations: Violation[];
}

/** The report when there is no API description. */
export function unavailableReport(): ConformanceReport {
  return { available: false, checked: 0, violations: [] };
}

/** Counts the checks and collects the violations. */
export class ViolationCounter {
  private checked = 0;
  private readonly violations: Violation[] = [];

  record(method: string, path: string, side: Violation['side'], problems: readonly string[]): void {
    // A request and its response count as one exchange.
    if (side !== 'response') this.checked += 1;
    for (const what of problems) this.violations.push({ method, path, side, what });
  }

  report(): ConformanceReport {
    return { available: true, checked: this.checked, violations: [...this.violations] };
  }
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Returns a vendor's API description, or null if it is missing. The descriptions are not in this repository, because the
 * vendors own the copyright.
 */
export function readDescription(vendor: string, name: string): unknown {
  const folder = process.env['VENDOR_CONTRACTS'] ?? '../shared/contracts';
  const file = fileURLToPath(new URL(`${folder}/${name}`, `file://${ROOT}`));
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  console.log(`${vendor}: conformance not checked: ${file} is missing`);
  return null;
}

/** Keeps only the deepest errors: the others just repeat that something below them is invalid. */
export function formatErrors(errors: readonly ErrorObject[]): string[] {
  const depth = Math.max(...errors.map((error) => error.instancePath.length));
  const deepest = errors.filter((error) => error.instancePath.length === depth).slice(0, 3);
  return deepest.map((error) => {
    const property = error.params['additionalProperty'] as unknown;
    const suffix = typeof property === 'string' ? `: ${property}` : '';
    return `${error.instancePath || '/'} ${error.message ?? error.keyword}${suffix}`;
  });
}
