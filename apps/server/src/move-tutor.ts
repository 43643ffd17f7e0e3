import { readFileSync } from 'node:fs';
import { parseArgs, parseEnv } from 'node:util';
import pg from 'pg';
import { readInstallation } from './config.ts';
import { type Installation, MoveError } from './domains/restore/service/copy-tutor.ts';
import { finishMove, moveTutor, rollBackMove } from './domains/restore/service/move-tutor.ts';

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

async function connect(file: string): Promise<Installation & { db: pg.Client }> {
  const { databaseUrl, ...settings } = readInstallation(parseEnv(readFileSync(file, 'utf8')));
  const db = new pg.Client(databaseUrl);
  // The query in progress rejects; without a listener, a lost connection would end the process first.
  db.on('error', () => undefined);
  await db.connect();
  return { db, ...settings };
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
  if (!(error instanceof MoveError)) throw error;
  process.stderr.write(`Not done: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  await source.db.end();
  await target.db.end();
}
