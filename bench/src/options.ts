import { parseArgs } from 'node:util';
import { SESSIONS_PER_TUTOR } from './seed/tutor-data.ts';

export interface Options {
  kind: 'read' | 'write' | 'report' | 'reminders';
  /** Ascending. */
  sizes: readonly [number, ...number[]];
  seconds: number;
  rounds: number;
  clients: number;
  /** At most this many tutors are at work. */
  tutors: number;
  record: boolean;
  keep: boolean;
  /** As typed, for the record. */
  command: string;
}

export const USAGE = `npm run bench -- read|write|report|reminders [options]

  --sessions 20000,500000  sizes of the databases, in thousands of sessions up to 20000000 (write: 2000000)
  --seconds 5              length of each measurement
  --rounds 5               how often each is taken; medians count
  --clients 8              connections at once, of the HTTP client and of pgbench
  --tutors 1000            how many tutors are at work
  --record                 writes the result into docs/performance.md
  --keep                   leaves the server and the APIs running until Ctrl-C

Seeded databases stay in .cache/bench and are used again; delete the folder to be rid of them.`;

const DEFAULT_SIZES = {
  read: '20000,500000',
  write: '2000000',
  report: '20000',
  reminders: '10000',
};

const isKind = (text: string | undefined): text is Options['kind'] =>
  text !== undefined && text in DEFAULT_SIZES;
const MOST_SESSIONS = 20_000_000;

export function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      sessions: { type: 'string' },
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '5' },
      clients: { type: 'string', default: '8' },
      tutors: { type: 'string', default: '1000' },
      record: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  });
  const [kind, ...more] = positionals;
  if (!isKind(kind) || more.length > 0) throw new Error('read, write, report or reminders?');
  const sizes = (values.sessions ?? DEFAULT_SIZES[kind])
    .split(',')
    .map((text) => wholeNumber('sessions', text))
    .toSorted((a, b) => a - b);
  const wrong = sizes.find((size) => size % SESSIONS_PER_TUTOR !== 0 || size > MOST_SESSIONS);
  if (wrong !== undefined) {
    throw new Error(`--sessions: ${wrong} is not in thousands, up to ${MOST_SESSIONS}`);
  }
  return {
    kind,
    sizes: sizes as [number, ...number[]],
    seconds: wholeNumber('seconds', values.seconds),
    rounds: wholeNumber('rounds', values.rounds),
    clients: wholeNumber('clients', values.clients),
    tutors: wholeNumber('tutors', values.tutors),
    record: values.record,
    keep: values.keep,
    command: `npm run bench -- ${args.filter((arg) => arg !== '--record').join(' ')}`,
  };
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name}: not a number: "${text}"`);
  return value;
}
