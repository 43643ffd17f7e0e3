import { readFileSync } from 'node:fs';
import { parseArgs, parseEnv } from 'node:util';
import { readInstallation } from './config.ts';
import {
  type Installation,
  MoveError,
} from './domains/restore/service/copy-tutor-between-installations.ts';
import { finishMove, moveTutor, rollBackMove } from './domains/restore/service/move-tutor.ts';
import { isDatabaseUnavailable } from './platform/db/database-unavailable-errors.ts';
import {
  connectLongRunning,
  type LongRunningClient,
} from './platform/db/long-running-client-with-heartbeat.ts';

/**
 * Moves one tutor between two installations: `npm run move-tutor -- --from a.env --to b.env --tutor ada`. Each file
 * contains the variables of one installation, including DATABASE_MAINTENANCE_URL. After an interruption, the same command
 * continues the move; `--roll-back` undoes it while that is still possible, and `--finish` deletes the rows left on the source.
 */
const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    tutor: { type: 'string' },
    'roll-back': { type: 'boolean', default: false },
    finish: { type: 'boolean', default: false },
  },
});
const { from, to, tutor, finish, 'roll-back': isRollBack } = values;
if (!from || !to || !tutor || (finish && isRollBack))
  throw new Error(
    'Usage: move-tutor --from <env file> --to <env file> --tutor <username, email address or id> [--roll-back | --finish]',
  );

async function connect(file: string): Promise<Installation & LongRunningClient> {
  const { databaseUrl, ...settings } = readInstallation(parseEnv(readFileSync(file, 'utf8')));
  return { ...settings, ...(await connectLongRunning(databaseUrl)) };
}

const source = await connect(from);
const target = await connect(to);
const start = performance.now();
try {
  const run = finish ? finishMove : isRollBack ? rollBackMove : moveTutor;
  await run(source, target, tutor, {
    onStep: (step) => {
      process.stdout.write(`${((performance.now() - start) / 1000).toFixed(3)} s  ${step}\n`);
    },
  });
  process.stdout.write('Done.\n');
} catch (error) {
  const isLost = isDatabaseUnavailable(error);
  if (!isLost && !(error instanceof MoveError)) throw error;
  const advice = isLost ? '. Run the same command again.' : '';
  process.stderr.write(`Not done: ${(error as Error).message}${advice}\n`);
  process.exitCode = 1;
} finally {
  await Promise.all([source.close(), target.close()]);
}
