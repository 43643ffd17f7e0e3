import { ID_QUERIES } from './id-pool.ts';

/** The kind of record that a field refers to, derived from the field name and the path; undefined for other fields. */
export function resourceKind(operation: string, field: string): string | undefined {
  const name =
    field
      .replaceAll(/\[\d+\]/g, '')
      .split('.')
      .at(-1) ?? '';
  if (name === 'publicId') return 'portal contact';
  const state = REQUIRED_STATES.find(([pattern]) => pattern.test(operation))?.[1];
  const referencedKind = /^(\w+?)Ids?$/.exec(name)?.[1];
  if (referencedKind && referencedKind in ID_QUERIES)
    return state?.startsWith(`${referencedKind}:`) ? state : referencedKind;
  if (!/^ids?$/.test(name)) return undefined;
  if (state) return state;
  return KINDS_BY_PATH.find(([pattern]) => pattern.test(operation))?.[1];
}

const REQUIRED_STATES: [RegExp, string][] = [
  [
    /^POST \/api\/portal\/tutors\/\{publicId\}\/(cancellations|move-requests)$/,
    'session:scheduled',
  ],
  [/^GET \/api\/portal\/tutors\/\{publicId\}\/free-times$/, 'session:scheduled'],
  [
    /^POST \/api\/sessions\/(\{id\}\/(students\/\{studentId\}\/)?)?(complete|cancel|restore|reschedule)$/,
    'session:scheduled',
  ],
  [/^GET \/api\/sessions\/\{id\}\/(students\/\{studentId\}\/)?cancellation$/, 'session:scheduled'],
  [/^\w+ \/api\/sessions\/\{id\}\/not-arrived$/, 'session:going-on'],
  [/^POST \/api\/sessions\/\{id\}\/reopen$/, 'session:completed'],
  [/^POST \/api\/messages\/change-notice/, 'session:cancelled'],
  [/^(PUT|DELETE) \/api\/invoices\/\{id\}$/, 'invoice:draft'],
  [/^GET \/api\/invoices\/\{id\}\/choices$/, 'invoice:draft'],
  [/^POST \/api\/invoices\/issue$/, 'invoice:draft'],
  [/^POST \/api\/batches(\/preview)?$/, 'invoice:draft'],
  [/^\w+ \/api\/invoices\/\{id\}(\.pdf|\/(void|credit-note|send|link))/, 'invoice:issued'],
  [/^POST \/api\/messages\/\{id\}\/(opened|settle|consent)$/, 'message:draft'],
  [/^POST \/api\/messages\/\{id\}\/send$/, 'message:draft'],
  [/^POST \/api\/messages\/\{id\}\/retry$/, 'message:failed'],
];

const KINDS_BY_PATH: [RegExp, string][] = [
  [/\/day-changes\//, 'day-change'],
  [/\/portal-cancellations\//, 'portal cancellation'],
  [/\/move-requests\//, 'move request'],
  [/\/(charge-)?queries\//, 'charge query'],
  [/\/portal\/browsers\//, 'portal login'],
  [/\/portal\/contacts\//, 'contact'],
  [/\/api\/students\//, 'student'],
  [/\/people\//, 'student'],
  [/\/subjects\//, 'subject'],
  [/\/lessons\//, 'lesson'],
  [/\/sessions\//, 'session'],
  [/\/payments\//, 'payment'],
  [/\/families\//, 'family'],
  [/\/invoices\//, 'invoice'],
  [/\/messages\//, 'message'],
  [/\/notifications\//, 'notification'],
  [/\/batches\//, 'batch'],
  [/\/rates\//, 'rate'],
  [/\/external-changes\//, 'external-change'],
  [/\/term-calendars\//, 'termCalendar'],
  [/\/time-off\//, 'time-off'],
  [/\/exports\//, 'export'],
  [/\/logins\//, 'login'],
  [/\/passkeys\//, 'passkey'],
  [/\/planted\//, 'student'],
];
