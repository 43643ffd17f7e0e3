import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Random } from '@lessonbook/server/src/test/model/random.ts';
import { startProcess } from '@lessonbook/test-env/processes';
import type { TestInstallation } from './installations.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const STEPS = ['draining', 'locked', 'copied', 'moved'] as const;
const MAX_KILLS = 3;

export interface MoveResult {
  kills: number;
  rolledBack: number;
  /** The last output, if the move failed. */
  failure: string | null;
  /** Seconds from the first to the last step; null if the program was killed during the move. */
  seconds: number | null;
}

interface Run {
  from: TestInstallation;
  to: TestInstallation;
  username: string;
}

function startMover({ from, to, username }: Run, flags: string[] = []) {
  const args = ['--from', from.envFile, '--to', to.envFile, '--tutor', username, ...flags];
  return startProcess(
    'move-tutor',
    `${repository}apps/server/src/move-tutor.ts`,
    {},
    {
      cwd: repository,
      args,
    },
  );
}

async function runToEnd(run: Run, flags: string[] = []): Promise<string> {
  const mover = startMover(run, flags);
  const { code } = await mover.exited;
  if (code !== 0) throw new Error(mover.output());
  return mover.output();
}

/** Kills the program at a random step, or a random time after it. Returns false if it had already ended. */
async function runAndKill(run: Run, random: Random): Promise<boolean> {
  const mover = startMover(run);
  const step = random.pick(STEPS);
  const hasReached = await mover.waitForLine(new RegExp(`  ${step}$`, 'm')).then(
    () => true,
    () => false,
  );
  if (hasReached && random.chance(0.5)) await pause(random.next() * 40);
  mover.kill('SIGKILL');
  const { signal } = await mover.exited;
  return signal === 'SIGKILL';
}

/** Moves the tutor, sometimes killing the program. After a kill, the move may be rolled back; then the command runs again. */
export async function moveWithKills(run: Run, random: Random, share: number): Promise<MoveResult> {
  const result: MoveResult = { kills: 0, rolledBack: 0, failure: null, seconds: null };
  try {
    while (result.kills < MAX_KILLS && random.chance(share)) {
      if (!(await runAndKill(run, random))) break;
      result.kills += 1;
      if (random.chance(0.3) && (await canRollBack(run))) {
        await runToEnd(run, ['--roll-back']);
        result.rolledBack += 1;
      }
    }
    const output = await runToEnd(run);
    const times = [...output.matchAll(/^(\d+\.\d+) s {2}(\w+)/gm)];
    const [first, last] = [times[0], times.at(-1)];
    if (result.kills === 0 && first && last) result.seconds = Number(last[1]) - Number(first[1]);
    if (random.chance(0.4)) await runToEnd(run, ['--finish']);
  } catch (error) {
    result.failure = String(error);
  }
  return result;
}

async function canRollBack({ from, username }: Run): Promise<boolean> {
  const { rowCount } = await from.admin.query(
    `select from tutor_moves m join login_directory d using (tutor_id)
     where d.username = $1 and m.state in ('draining', 'locked')`,
    [username],
  );
  return rowCount === 1;
}
