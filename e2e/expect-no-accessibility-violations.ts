import type { Page } from '@playwright/test';
import { findViolations } from './accessibility.ts';
import { expect } from './fixtures.ts';

export async function expectNoViolations(page: Page): Promise<void> {
  const violations = await findViolations(page);
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}
