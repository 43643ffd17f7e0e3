import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tellGuard } from '@lessonbook/stage/guard';
import { BEFORE_THE_RULES } from '../migration-rules/check-migrations.ts';
import { type Before, layOut } from './history.ts';
import { rehearseUpgrade, type UpgradeOutcome } from './rehearse.ts';

/**
 * Files from before the rules may shut an old server out: 0008 made a column of `logins` required, so a server from before
 * it cannot log anybody in. Across those, tutors log in beforehand only.
 */
export const knowsTheRules = ({ newFiles }: Before): boolean =>
  newFiles.every((name) => Number.parseInt(name, 10) > BEFORE_THE_RULES);

/** From the state before the newest migration to the one in this working folder. */
export async function rehearseLastUpgrade(
  root: string,
  before: Before,
  adminUrl: string,
  ms: number,
  slowdown = 1,
): Promise<UpgradeOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'lessonbook-upgrade-'));
  tellGuard({ remove: folder });
  try {
    layOut(root, before.commit, folder);
    const withLogins = knowsTheRules(before);
    const roots = { oldRoot: folder, newRoot: root };
    return await rehearseUpgrade({ adminUrl, ...roots, withLogins, ms, slowdown });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
