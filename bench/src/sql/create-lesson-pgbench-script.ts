import { createHash } from 'node:crypto';
import type { SeededDatabase } from '../databases.ts';
import { sampleTutors } from '../load/requests.ts';
import type { Options } from '../options.ts';
import { LESSONS, loginToken, SESSIONS_PER_TUTOR, tutorId } from '../seed/generated-tutor-data.ts';
import { encodeParameter } from './encode-parameter.ts';
import { type Script, toPgbenchScript } from './pgbench.ts';
import { RECORDING_IDEMPOTENCY_KEY, type Statement } from './record-statements.ts';

export const SESSIONS_PER_LESSON = 52;

/**
 * Builds a script in which some values differ from lesson to lesson: ids, which come from `id_sequences`, and
 * instants, which advance by a minute with each lesson so that nothing overlaps.
 */
export function createWriteScript(
  statements: Statement[],
  db: SeededDatabase,
  options: Options,
): Script {
  const lessonId = LESSONS.length + 1;
  const sessionIds = Array.from(
    { length: SESSIONS_PER_LESSON },
    (_, index) => SESSIONS_PER_TUTOR + 1 + index,
  );
  const firstSessionId = SESSIONS_PER_TUTOR + 1;
  return toPgbenchScript(statements, {
    preamble: createWritePreamble(db, options),
    constants: { turn: '0' },
    tutorId: tutorId(0),
    tokenHash: createHash('sha256').update(loginToken(0)).digest(),
    // The statement that assigns the ids returns two rows, and \gset needs one.
    wrap: (statement, sql) =>
      /insert into id_sequences/.test(statement.text)
        ? `with ids as (${sql}) select max("lastId") filter (where kind = 'lesson') as lesson_id, max("lastId") filter (where kind = 'session') as session_id from ids`
        : sql,
    suffixFor: (statement) =>
      /insert into id_sequences/.test(statement.text) ? String.raw` \gset last_` : undefined,
    replace: (value, constant) => {
      if (value === RECORDING_IDEMPOTENCY_KEY) return ':key';
      if (value === lessonId) return ':last_lesson_id';
      if (value === firstSessionId) return `(:last_session_id - ${SESSIONS_PER_LESSON - 1})`;
      if (!Array.isArray(value)) return undefined;
      if (encodeParameter(value) === encodeParameter(sessionIds)) {
        return `array(select generate_series(:last_session_id::int - ${SESSIONS_PER_LESSON - 1}, :last_session_id::int))`;
      }
      if (value[0] instanceof Date) {
        return `array(select unnest(${constant(encodeParameter(value) ?? '')}::timestamptz[]) + :last_lesson_id * interval '1 minute')`;
      }
      return undefined;
    },
  });
}

/** Each client takes the tutors in turn, in its own order. */
export function createWritePreamble(db: SeededDatabase, options: Options): string[] {
  const { size, step } = sampleTutors(db.tutors, options.tutors);
  return [
    String.raw`\set turn :turn + 1`,
    String.raw`\set login ${step} * permute(:turn * ${options.clients} + :client_id, ${size})`,
    String.raw`\set key random(100000000, 9000000000000000000)`,
  ];
}
