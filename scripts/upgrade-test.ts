/** Tests the newest upgrade: runs the old server under load while the schema changes and the new server takes over. */
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@lessonbook/test-env/postgres';
import { findPreviousVersion } from './upgrade-test/find-previous-version.ts';
import { runLastUpgrade } from './upgrade-test/run-upgrade.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const previousVersion = findPreviousVersion(root);
if ('reason' in previousVersion) {
  console.log(`SKIPPED: ${previousVersion.reason}.`);
} else {
  const postgres = await startPostgres();
  try {
    console.log(
      `Upgrading from ${previousVersion.commit.slice(0, 7)}: ${previousVersion.newFiles.join(', ')}`,
    );
    const seconds = Number(process.argv[2] ?? 10);
    const outcome = await runLastUpgrade(root, previousVersion, postgres.adminUrl, seconds * 1000);
    for (const failure of outcome.failures.slice(0, 20)) console.log(`FAILED  ${failure}`);
    console.log(
      `${outcome.requests} requests, ${outcome.failures.length} failed, the longest took ${Math.round(outcome.longestMs)} ms; ` +
        `${outcome.violationCount} invariant violations`,
    );
    process.exitCode = outcome.failures.length + outcome.violationCount === 0 ? 0 : 1;
  } finally {
    await postgres.stop();
  }
}
