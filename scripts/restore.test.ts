import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lessons } from '@lessonbook/contract/lessons';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BINARIES_MISSING, findPostgresBinDir } from './restore/postgres-binaries.ts';
import { type Outcome, RestoreScenario } from './restore/scenario.ts';

const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const binDir = findPostgresBinDir();
if (!binDir) {
  if (process.env['NOTHING_SKIPPED']) throw new Error(BINARIES_MISSING);
  console.warn(`SKIPPED: ${BINARIES_MISSING}`);
}

/** The short form of `npm run restore`: see docs/reliability-restore.md. */
describe.skipIf(!binDir)(`backup and restore, seed ${seed}`, () => {
  let life: RestoreScenario;
  let outcome: Outcome;
  let marker: Awaited<ReturnType<RestoreScenario['createRestorePoint']>>;
  let amid: number;

  beforeAll(async () => {
    life = await RestoreScenario.start({ binDir: binDir as string, seed });
    await life.backUp('ada');
    await life.write(500);
    marker = await life.createRestorePoint();
    await life.write(500);
    amid = Date.now();
    await life.write(500);
    outcome = await life.destroyAndRestore();
    console.log(
      `restore: ${outcome.loss.acknowledged} acknowledged, ${outcome.loss.missing} missing, ` +
        `${outcome.loss.seconds.toFixed(3)} s lost, back in ${outcome.recoverySeconds.toFixed(1)} s (seed ${seed})`,
    );
  }, 600_000);
  afterAll(() => life.stop());

  test('the machine and its disk are gone: at most a second of acknowledged writes is lost', () => {
    expect(outcome.loss.acknowledged).toBeGreaterThan(20);
    expect(outcome.loss.seconds).toBeLessThanOrEqual(1);
  });

  test('nothing is there twice, every invariant holds, and the API serves within five minutes', async () => {
    expect(outcome.duplicates).toBe(0);
    expect(outcome.faults).toEqual([]);
    expect(outcome.recoverySeconds).toBeLessThan(300);
    const [browser] = life.writers.browsers;
    const { status } = (await browser?.call(lessons.createLesson, {
      body: {
        studentId: 1,
        subjectId: 1,
        title: 'After the storm',
        date: '2029-01-01',
        startTime: '10:00',
        endTime: '11:00',
      },
    })) ?? { status: 0 };
    expect(status).toBe(201);
  });

  test('back to a quiet moment: every row of every table is as it was', async () => {
    const then = await life.restoreTo(marker.time);
    expect(then.sums).toEqual(marker.checksums);
    expect(then.faults).toEqual([]);
  });

  test('back to a moment amid the writing: all that was promised before it, nothing begun after it', async () => {
    const then = await life.restoreTo(amid);
    expect(then.wrong(amid)).toEqual([]);
    expect(then.faults).toEqual([]);
    // Whoever names a wrong moment is told so by the same comparison, in both directions.
    const later = life.writers.entries.find(
      ({ sentAt, ackedAt }) => sentAt > amid && ackedAt !== null,
    );
    expect(then.wrong((later?.ackedAt ?? 0) + 1).join('\n')).toMatch(/is missing/);
    const earlier = life.writers.entries.find(({ ackedAt }) => ackedAt !== null && ackedAt < amid);
    expect(then.wrong((earlier?.sentAt ?? 0) - 1).join('\n')).toMatch(/is there/);
    expect(then.sums).not.toEqual(marker.checksums);
  });

  test('a folder that is there is left alone, and a time without a zone is refused', async () => {
    await expect(life.backups.run('restore-to.sh', 'latest', life.folder)).rejects.toThrow(
      /is there already/,
    );
    await expect(
      life.backups.run('restore-to.sh', '2026-11-15 12:00', `${life.folder}/x`),
    ).rejects.toThrow(/with its zone/);
    await expect(
      life.backups.run('restore-to.sh', '2020-01-01 12:00Z', `${life.folder}/x`),
    ).rejects.toThrow(/no base backup/);
  });

  test('a segment of WAL that is missing is found before anything is restored', async () => {
    const { backups } = life;
    const lost = backups.segments().at(-2) as string;
    const file = join(backups.folder, 'wal', lost);
    renameSync(file, `${file}.hidden`);
    await expect(backups.run('restore-to.sh', 'latest', `${life.folder}/hole`)).rejects.toThrow(
      /WAL is missing/,
    );
    renameSync(`${file}.hidden`, file);
  });

  test('a byte that changed in the base backup is found before it is used', async () => {
    const { backups } = life;
    const file = join(
      backups.folder,
      'base',
      backups.bases().at(-1) as string,
      'global/pg_filenode.map',
    );
    const bytes = readFileSync(file);
    const flipped = Buffer.from(bytes);
    flipped[100] = (flipped[100] ?? 0) ^ 1;
    writeFileSync(file, flipped);
    await expect(backups.run('restore-to.sh', 'latest', `${life.folder}/bad`)).rejects.toThrow(
      /checksum mismatch[^]*not what was backed up/,
    );
    writeFileSync(file, bytes);
  });

  test('archiving never overwrites, and takes the same segment twice', async () => {
    const { backups } = life;
    const [first, second] = backups.segments().map((name) => join(backups.folder, 'wal', name));
    await backups.run('archive-wal.sh', first as string, '00000001000000000000000A');
    await backups.run('archive-wal.sh', first as string, '00000001000000000000000A');
    await expect(
      backups.run('archive-wal.sh', second as string, '00000001000000000000000A'),
    ).rejects.toThrow(/other contents/);
  });

  test('a second life: backups begin anew; a receiver that had stopped is seen as loss', async () => {
    await life.backUp('bea', 2);
    await life.write(100);
    await life.backups.stopStreaming();
    // One of these was begun after the receiver stopped, and is lost after more than two seconds.
    await life.writers.acknowledge(5);
    await sleep(2_100);
    const second = await life.destroyAndRestore();
    expect(second.loss.missing).toBeGreaterThan(0);
    expect(second.loss.seconds).toBeGreaterThan(2);
    expect(second.duplicates).toBe(0);
    expect(second.faults).toEqual([]);
  });

  test('pruning keeps what the newest base backup needs', async () => {
    const { backups } = life;
    await life.backups.stream(life.server);
    await sleep(1_100);
    await backups.run('base-backup.sh');
    expect(backups.bases()).toHaveLength(2);
    await expect(backups.run('prune.sh', '0')).rejects.toThrow(/at least one/);
    const before = backups.segments().length;
    await backups.run('prune.sh', '1');
    expect(backups.bases()).toHaveLength(1);
    expect(backups.segments().length).toBeLessThan(before);
    expect((await life.restoreTo()).faults).toEqual([]);
    // Where nothing happened after a moment, PostgreSQL cannot know that it has reached it.
    await expect(life.restoreTo(Date.now())).rejects.toThrow(/no change after .* use 'latest'/);
  });
});
