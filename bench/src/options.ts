import { parseArgs } from 'node:util';
import { SESSIONS_PER_TUTOR } from './seed/generated-tutor-data.ts';

export interface Options {
  kind: 'read' | 'write' | 'report' | 'reminders' | 'large-tutor' | 'search' | 'compare';
  /** Database sizes in sessions, in ascending order. */
  sizes: readonly [number, ...number[]];
  seconds: number;
  rounds: number;
  clients: number;
  /** Maximum number of tutors used. */
  tutors: number;
  /** The older commit that `compare` measures. */
  with: string;
  record: boolean;
  keep: boolean;
  /** The command line, shown with the saved results. */
  command: string;
}

export const USAGE = `npm run bench -- read|write|report|reminders|large-tutor|search|compare [options]

  --sessions 20000,500000  database sizes: multiples of 1000 sessions, up to 20000000 (write defaults to 2000000)
  --seconds 5              length of each measurement
  --rounds 5               repetitions of each measurement; the median is reported
  --clients 8              concurrent connections, for the HTTP client and for pgbench
  --tutors 1000            number of tutors to spread the load across
  --with <commit>          the older commit for compare, which migrates a copy of its database and measures both
  --record                 writes the result to docs/performance.md
  --keep                   leaves PostgreSQL and the API processes running until Ctrl-C

Seeded databases are cached in .cache/bench; delete the folder to remove them.`;

const DEFAULT_SIZES = {
  read: '20000,500000',
  write: '2000000',
  report: '20000',
  reminders: '10000',
  'large-tutor': '20000',
  search: '20000',
  compare: '2000000',
};

const isKind = (text: string | undefined): text is Options['kind'] =>
  text !== undefined && text in DEFAULT_SIZES;
const MAX_SESSIONS = 20_000_000;

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
      with: { type: 'string', default: '' },
      record: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  });
  const [kind, ...others] = positionals;
  if (!isKind(kind) || others.length > 0)
    throw new Error('Expected read, write, report, reminders, large-tutor, search or compare');
  if (kind === 'compare' && values.with === '') throw new Error('compare needs --with <commit>');
  const sizes = (values.sessions ?? DEFAULT_SIZES[kind])
    .split(',')
    .map((text) => parseWholeNumber('sessions', text))
    .toSorted((a, b) => a - b);
  const invalid = sizes.find((size) => size % SESSIONS_PER_TUTOR !== 0 || size > MAX_SESSIONS);
  if (invalid !== undefined) {
    throw new Error(
      `--sessions: ${invalid} is not a multiple of ${SESSIONS_PER_TUTOR} up to ${MAX_SESSIONS}`,
    );
  }
  return {
    kind,
    sizes: sizes as [number, ...number[]],
    seconds: parseWholeNumber('seconds', values.seconds),
    rounds: parseWholeNumber('rounds', values.rounds),
    clients: parseWholeNumber('clients', values.clients),
    tutors: parseWholeNumber('tutors', values.tutors),
    with: values.with,
    record: values.record,
    keep: values.keep,
    command: `npm run bench -- ${args.filter((arg) => arg !== '--record').join(' ')}`,
  };
}

function parseWholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`--${name} must be a whole number above 0, not "${text}"`);
  return value;
}
