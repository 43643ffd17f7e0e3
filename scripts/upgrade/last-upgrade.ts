import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tellGuard } from '@lessonbook/stage/guard';
import { type Before, layOut } from './history.ts';
import { rehearseUpgrade, type UpgradeOutcome } from './rehearse.ts';

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
    return await rehearseUpgrade({ adminUrl, oldRoot: folder, newRoot: root, ms, slowdown });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
