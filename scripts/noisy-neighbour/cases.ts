import { addDaysToDate } from '@lessonbook/contract/dates';
import type { Random } from '@lessonbook/server/src/test/model/random.ts';
import { DEMO_LOGIN } from '@lessonbook/test-env/demo';
import { buildRequest } from '../security-fuzz/build-valid-request.ts';
import { toRawRequest } from '../security-fuzz/generate-attacks.ts';
import { type IdPool, readIdPool } from '../security-fuzz/id-pool.ts';
import type { Operation } from '../security-fuzz/operations.ts';
import type { RawRequest } from '../security-fuzz/raw-client.ts';
import { insertLogin } from '../security-fuzz/run-attacks.ts';
import { ORIGIN } from '../security-fuzz/start-system-under-test.ts';
import { PASSWORD } from '../security-fuzz/tutor-accounts.ts';
import type { Salvo } from './attack.ts';
import {
  createGroup,
  createGroupInput,
  LARGE_RECORDS,
  type LargeAccount,
  USERNAME,
} from './large-account.ts';
import { NETWORKS, type Target } from './start-system-under-test.ts';

export type Caller = 'tutor' | 'demo' | 'anonymous';

const AT_ONCE = 20;
const LOGINS_AT_ONCE = 50;
/** Number of requests for each operation, with different ids, because repeating a change might do nothing. */
const REQUESTS_PER_OPERATION = 60;
const IDS_PER_KIND = 500;
const YEARS = 20;

/** One attack: its stages run one after another while tutor B's calls are measured. */
export interface Case {
  name: string;
  build: (context: CaseContext) => Promise<readonly Salvo[][]> | readonly Salvo[][];
}

/** Read again before each case, because earlier cases change ids and end logins. */
export interface CaseContext {
  random: Random;
  cookies: Record<Caller, string>;
  pools: Record<Caller, IdPool>;
  account: LargeAccount;
  demoId: string;
}

export async function readCaseContext(
  target: Target,
  account: LargeAccount,
  demoId: string,
  random: Random,
): Promise<CaseContext> {
  const own = await readIdPool(target.admin, account.tutorId, IDS_PER_KIND);
  const demo = await readIdPool(target.admin, demoId, IDS_PER_KIND);
  return {
    random,
    account,
    demoId,
    cookies: {
      tutor: await insertLogin(target, account),
      demo: await insertLogin(target, { tutorId: demoId }),
      anonymous: '',
    },
    pools: {
      tutor: withLargeRecords(own, account),
      demo,
      anonymous: withLargeRecords(own, account),
    },
  };
}

/** Puts the records with the most data first. */
function withLargeRecords(pool: IdPool, { invoiceId, invoiceToken }: LargeAccount): IdPool {
  const large: IdPool = {
    student: [LARGE_RECORDS.student],
    lesson: [LARGE_RECORDS.lesson],
    family: [LARGE_RECORDS.family],
    'invoice:issued': [invoiceId],
    invoice: [invoiceId],
    'pay token': [invoiceToken],
  };
  return Object.fromEntries(
    Object.entries(pool).map(([kind, ids]) => [kind, [...(large[kind] ?? []), ...ids]]),
  );
}

const salvo = (size: number, ...requests: RawRequest[]): Salvo => ({ size, requests });
/** One caller alone, then twenty at once. */
const aloneAndAtOnce = (requests: RawRequest[], atOnce = AT_ONCE): Salvo[][] => [
  [{ size: 1, requests }],
  [{ size: atOnce, requests }],
];

function createRequest(
  { cookies }: CaseContext,
  caller: Caller,
  method: string,
  path: string,
  body?: unknown,
): RawRequest {
  return {
    method,
    path,
    headers: {
      origin: ORIGIN,
      'x-forwarded-for': NETWORKS[caller],
      ...(cookies[caller] ? { cookie: cookies[caller] } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

const manyColumns = `name,${'a,'.repeat(99_000)}b\nMaya\n`;

/** The problems found by the first review, and the largest group. */
export const NAMED_CASES: readonly Case[] = [
  {
    name: 'F01 PDF of an invoice with 500 long lines, by tutor A',
    build: (context) =>
      aloneAndAtOnce([
        createRequest(context, 'tutor', 'GET', `/api/invoices/${context.account.invoiceId}.pdf`),
      ]),
  },
  {
    name: 'F01 PDF of an invoice with 500 long lines, by an anonymous visitor',
    build: (context) =>
      aloneAndAtOnce([
        createRequest(context, 'anonymous', 'GET', `/api/pay/${context.account.invoiceToken}/pdf`),
      ]),
  },
  {
    name: 'F01 email with the PDF of an invoice with 500 long lines',
    build: (context) =>
      aloneAndAtOnce([
        createRequest(context, 'tutor', 'POST', `/api/invoices/${context.account.invoiceId}/send`, {
          channel: 'email',
        }),
      ]),
  },
  {
    name: 'F02 preview of an import with 300 rows, with 20 writers',
    build: (context) => {
      const preview = createRequest(context, 'tutor', 'POST', '/api/import/preview', {
        kind: 'lessons',
        text: context.account.importFile,
      });
      const write = createRequest(context, 'tutor', 'POST', '/api/students', { name: 'Writer' });
      return [[salvo(1, preview)], [salvo(1, preview), salvo(AT_ONCE, write)]];
    },
  },
  {
    name: 'F03 list of 4,500 students',
    build: (context) => aloneAndAtOnce([createRequest(context, 'tutor', 'GET', '/api/students')]),
  },
  {
    name: 'F03 balances of 3,500 families',
    build: (context) => aloneAndAtOnce([createRequest(context, 'tutor', 'GET', '/api/balances')]),
  },
  {
    name: 'F04 API documentation, by 50 anonymous visitors',
    build: (context) =>
      aloneAndAtOnce([createRequest(context, 'anonymous', 'GET', '/api/docs')], LOGINS_AT_ONCE),
  },
  {
    name: 'F04 import with 99,000 columns',
    build: (context) =>
      aloneAndAtOnce([
        createRequest(context, 'tutor', 'POST', '/api/import/preview', {
          kind: 'students',
          text: manyColumns,
        }),
      ]),
  },
  {
    name: 'group of 60 created, completed and invoiced by tutor A',
    build: async (context) => {
      const { subjectId, sessionIds, dates, draftIds } = await createGroup(context.account);
      const post = (path: string, body: unknown) =>
        createRequest(context, 'tutor', 'POST', path, body);
      // One group with a year of lessons, then twenty concurrent groups with one lesson each.
      const [series, ...groups] = Array.from({ length: AT_ONCE + 1 }, (_, index) =>
        post('/api/lessons', createGroupInput(subjectId, index + 1, index === 0)),
      ) as [RawRequest, ...RawRequest[]];
      const completions = sessionIds.map((id) => post(`/api/sessions/${id}/complete`, {}));
      const drafts = dates.map((date) => post('/api/invoices/bulk', { from: date, to: date }));
      const issues = draftIds.map((ids) => post('/api/invoices/issue', { ids }));
      return [
        [salvo(1, series), salvo(AT_ONCE, ...groups)],
        [salvo(1, ...issues, ...drafts), salvo(AT_ONCE, ...completions)],
      ];
    },
  },
  {
    name: 'F05 50 logins with the correct password at once, demo',
    build: (context) => [
      [
        salvo(
          LOGINS_AT_ONCE,
          createRequest(context, 'anonymous', 'POST', '/api/login', DEMO_LOGIN),
        ),
      ],
    ],
  },
  {
    name: 'F05 50 logins with the correct password at once, tutor A',
    build: (context) => [
      [
        salvo(
          LOGINS_AT_ONCE,
          createRequest(
            { ...context, cookies: { ...context.cookies, tutor: '' } },
            'tutor',
            'POST',
            '/api/login',
            {
              username: USERNAME,
              password: PASSWORD,
            },
          ),
        ),
      ],
    ],
  },
];

/** Calls an operation with its largest allowed input. Every third request is an ordinary one, in case the largest is refused. */
export function createOperationCase(operation: Operation, caller: Caller): Case {
  return {
    name: `${operation.name} by ${{ tutor: 'tutor A', demo: 'the demo', anonymous: 'a visitor' }[caller]}`,
    build: (context) => {
      const requests = Array.from({ length: REQUESTS_PER_OPERATION }, (_, index) =>
        buildOperationRequest(context, operation, caller, index),
      );
      return aloneAndAtOnce(requests);
    },
  };
}

function buildOperationRequest(
  { random, account, pools, cookies }: CaseContext,
  operation: Operation,
  caller: Caller,
  index: number,
): RawRequest {
  const today = new Date().toISOString().slice(0, 10);
  const isRead = operation.method === 'GET';
  const pool = isRead ? pools[caller] : rotate(pools[caller], index);
  const isLargest = index % 3 < 2;
  const data = buildRequest({
    operation,
    random,
    pool: isRead && isLargest ? firstOnly(pool) : pool,
    today,
    username: USERNAME,
    ...(isLargest
      ? {
          largest: {
            importFile: account.importFile,
            firstDate: addDaysToDate(today, -YEARS * 364),
          },
        }
      : {}),
  });
  return toRawRequest(operation, data, {
    'x-forwarded-for': NETWORKS[caller],
    ...(cookies[caller] ? { cookie: cookies[caller] } : {}),
  });
}

const rotate = (pool: IdPool, by: number): IdPool =>
  Object.fromEntries(
    Object.entries(pool).map(([kind, ids]) => {
      const at = ids.length === 0 ? 0 : by % ids.length;
      return [kind, [...ids.slice(at), ...ids.slice(0, at)]];
    }),
  );

const firstOnly = (pool: IdPool): IdPool =>
  Object.fromEntries(Object.entries(pool).map(([kind, ids]) => [kind, ids.slice(0, 1)]));

/** Reads first and deletions last, because later cases need the data. */
export const compareByDestructiveness = (a: Operation, b: Operation): number =>
  destructiveness(a) - destructiveness(b);

function destructiveness({ method, path }: Operation): number {
  if (path === '/api/password') return 3;
  if (method === 'DELETE' || /erase|account-deletion|logout|logins|\/(void|reverse)$/.test(path))
    return 2;
  return method === 'GET' || path.includes('preview') ? 0 : 1;
}
