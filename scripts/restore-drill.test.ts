import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lessons } from '@lessonbook/contract/lessons';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BINARIES_MISSING, findPostgresBinDir } from './restore-drill/find-system-postgres.ts';
import { type RestoreOutcome, RestoreScenario } from './restore-drill/scenario.ts';

const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const binDir = findPostgresBinDir();
if (!binDir) {
  if (process.env['NOTHING_SKIPPED']) throw new Error(BINARIES_MISSING);
  console.warn(`SKIPPED: ${BINARIES_MISSING}`);
}

/** The short version of `npm run restore`: see docs/restore-tests.md. */
describe.skipIf(!binDir)(`backup and restore, seed ${seed}`, () => {
  let scenario: RestoreScenario;
  let outcome: RestoreOutcome;
  let restorePoint: Awaited<ReturnType<RestoreScenario['createRestorePoint']>>;
  let timeDuringWrites: number;

  beforeAll(async () => {
    scenario = await RestoreScenario.start({ binDir: binDir as string, seed });
    await scenario.backUp('ada');
    await scenario.runWriters(500);
    restorePoint = await scenario.createRestorePoint();
    await scenario.runWriters(500);
    timeDuringWrites = Date.now();
    await scenario.runWriters(500);
    outcome = await scenario.destroyAndRestore();
    console.log(
      `restore: ${outcome.loss.acknowledged} acknowledged, ${outcome.loss.missing} missing, ` +
        `${outcome.loss.seconds.toFixed(3)} s lost, recovered in ${outcome.recoverySeconds.toFixed(1)} s (seed ${seed})`,
    );
  }, 600_000);
  afterAll(() => scenario.stop());

  test('losing the machine and its disk loses at most a second of acknowledged writes', () => {
    expect(outcome.loss.acknowledged).toBeGreaterThan(20);
    expect(outcome.loss.seconds).toBeLessThanOrEqual(1);
  });

  test('after the restore, nothing is duplicated, all invariants hold, and the API responds within five minutes', async () => {
    expect(outcome.duplicateCount).toBe(0);
    expect(outcome.faults).toEqual([]);
    expect(outcome.recoverySeconds).toBeLessThan(300);
    const [browser] = scenario.writers.browsers;
    const { status } = (await browser?.call(lessons.createLesson, {
      body: {
        studentId: 1,
        subjectId: 1,
        title: 'After the restore',
        date: '2029-01-01',
        startTime: '10:00',
        endTime: '11:00',
      },
    })) ?? { status: 0 };
    expect(status).toBe(201);
  });

  test('a restore to a time without writes reproduces every row of every table', async () => {
    const restored = await scenario.restoreTo(restorePoint.time);
    expect(restored.checksums).toEqual(restorePoint.checksums);
    expect(restored.faults).toEqual([]);
  });

  test('a restore to a time during writes has every write acknowledged before that time and none started after it', async () => {
    const restored = await scenario.restoreTo(timeDuringWrites);
    expect(restored.differences(timeDuringWrites)).toEqual([]);
    expect(restored.faults).toEqual([]);
    // The comparison must detect a restore to a time that is too early or too late.
    const later = scenario.writers.entries.find(
      ({ sentAt, ackedAt }) => sentAt > timeDuringWrites && ackedAt !== null,
    );
    expect(restored.differences((later?.ackedAt ?? 0) + 1).join('\n')).toMatch(/is missing/);
    const earlier = scenario.writers.entries.find(
      ({ ackedAt }) => ackedAt !== null && ackedAt < timeDuringWrites,
    );
    expect(restored.differences((earlier?.sentAt ?? 0) - 1).join('\n')).toMatch(/exists/);
    expect(restored.checksums).not.toEqual(restorePoint.checksums);
  });

  test('rejects an existing folder and a time without a time zone', async () => {
    await expect(
      scenario.backups.runScript('restore-to.sh', 'latest', scenario.folder),
    ).rejects.toThrow(/already exists/);
    await expect(
      scenario.backups.runScript('restore-to.sh', '2026-11-15 12:00', `${scenario.folder}/x`),
    ).rejects.toThrow(/with its zone/);
    await expect(
      scenario.backups.runScript('restore-to.sh', '2020-01-01 12:00Z', `${scenario.folder}/x`),
    ).rejects.toThrow(/no base backup/);
  });

  test('detects a missing WAL segment before anything is restored', async () => {
    const { backups } = scenario;
    const missingSegment = backups.walSegments().at(-2) as string;
    const file = join(backups.folder, 'wal', missingSegment);
    renameSync(file, `${file}.hidden`);
    await expect(
      backups.runScript('restore-to.sh', 'latest', `${scenario.folder}/gap`),
    ).rejects.toThrow(/WAL is missing/);
    renameSync(`${file}.hidden`, file);
  });

  test('detects a changed byte in the base backup before the backup is used', async () => {
    const { backups } = scenario;
    const file = join(
      backups.folder,
      'base',
      backups.baseBackups().at(-1) as string,
      'global/pg_filenode.map',
    );
    const bytes = readFileSync(file);
    const corrupted = Buffer.from(bytes);
    corrupted[100] = (corrupted[100] ?? 0) ^ 1;
    writeFileSync(file, corrupted);
    await expect(
      backups.runScript('restore-to.sh', 'latest', `${scenario.folder}/bad`),
    ).rejects.toThrow(/checksum mismatch[^]*does not match the backup/);
    writeFileSync(file, bytes);
  });

  test('archiving never overwrites a segment, and accepts an identical segment a second time', async () => {
    const { backups } = scenario;
    const [first, second] = backups.walSegments().map((name) => join(backups.folder, 'wal', name));
    await backups.runScript('archive-wal.sh', first as string, '00000001000000000000000A');
    await backups.runScript('archive-wal.sh', first as string, '00000001000000000000000A');
    await expect(
      backups.runScript('archive-wal.sh', second as string, '00000001000000000000000A'),
    ).rejects.toThrow(/different contents/);
  });

  test('backups work again after the restore, and a stopped receiver is measured as data loss', async () => {
    await scenario.backUp('bea', 2);
    await scenario.runWriters(100);
    await scenario.backups.stopStreaming();
    // At least one of these writes starts after the receiver has stopped, so more than two seconds of writes are lost.
    await scenario.writers.waitForAcknowledgedWrites(5);
    await sleep(2_100);
    const second = await scenario.destroyAndRestore();
    expect(second.loss.missing).toBeGreaterThan(0);
    expect(second.loss.seconds).toBeGreaterThan(2);
    expect(second.duplicateCount).toBe(0);
    expect(second.faults).toEqual([]);
  });

  test('pruning keeps the WAL that the newest base backup needs', async () => {
    const { backups } = scenario;
    await scenario.backups.startStreaming(scenario.server);
    await sleep(1_100);
    await backups.runScript('base-backup.sh');
    expect(backups.baseBackups()).toHaveLength(2);
    await expect(backups.runScript('prune.sh', '0')).rejects.toThrow(/at least one/);
    const before = backups.walSegments().length;
    await backups.runScript('prune.sh', '1');
    expect(backups.baseBackups()).toHaveLength(1);
    expect(backups.walSegments().length).toBeLessThan(before);
    expect((await scenario.restoreTo()).faults).toEqual([]);
    // Without a later change, PostgreSQL cannot determine that it has reached the target time.
    await expect(scenario.restoreTo(Date.now())).rejects.toThrow(
      /no changes after .* use 'latest'/,
    );
  });
});
