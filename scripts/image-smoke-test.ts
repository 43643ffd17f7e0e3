/**
 * Smoke-tests the image without a container engine: emulates the Dockerfile in a temporary folder and runs the database
 * setup, migrations, API and worker from there, as a user without write access, against a real PostgreSQL and mail server.
 * Opens the landing page, logs in, signs up and waits for the mail.
 */
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startMailbox } from '@lessonbook/fakes/mailbox';
import { startPostgres } from '@lessonbook/test-env/postgres';
import { listBuildContext } from './image/build-context.ts';
import { parseDockerfile } from './image/dockerfile.ts';
import { emulateBuild } from './image/emulate-build.ts';
import { smokeTestImage } from './image/smoke-test-image.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const workDir = mkdtempSync(join(tmpdir(), 'lessonbook-image-'));
chmodSync(workDir, 0o755);

const postgres = await startPostgres();
const mailbox = await startMailbox();
try {
  const started = performance.now();
  const stages = parseDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'));
  const image = emulateBuild(stages, listBuildContext(root), root, workDir);
  log(`emulated the build in ${secondsSince(started)} s: ${describeSize(join(image, 'app'))}`);
  await smokeTestImage({ image, stage: stages.at(-1), postgres, mailbox, log });
  log(`smoke test passed in ${secondsSince(started)} s`);
} finally {
  await mailbox.stop();
  await postgres.stop();
  rmSync(workDir, { recursive: true, force: true });
}

function log(line: string): void {
  console.log(`  ${line}`);
}

function secondsSince(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}

function describeSize(folder: string): string {
  const files = globSync('**', { cwd: folder, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  const bytes = files.reduce(
    (sum, file) => sum + readFileSync(join(file.parentPath, file.name)).length,
    0,
  );
  return `${files.length} files, ${(bytes / 1e6).toFixed(0)} MB`;
}
