import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkArchitecture } from './arch-lint/check-architecture.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lessonbook-house-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Builds a house of these files and returns what the rules say, as `path:line message`. */
function problemsOf(files: Record<string, string>): string[] {
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), source);
  }
  return checkArchitecture(root).map(({ path, line, message }) => `${path}:${line} ${message}`);
}

const server = (path: string) => `apps/server/src/${path}`;
const web = (path: string) => `apps/web/src/${path}`;

/** One file breaks one rule; the message must contain the words, which name the right room. */
function expectProblem(path: string, source: string, words: string | RegExp): void {
  const problems = problemsOf({ [path]: source });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(words);
  expect(problems[0]?.startsWith(`${path}:`)).toBe(true);
}

test('a tidy house has no problems', () => {
  const problems = problemsOf({
    [server('app.ts')]: `import { routes } from './domains/lessons/routes.ts';`,
    [server('config.ts')]: `export const port = process.env['PORT'];`,
    [server('platform/clock.ts')]: `export const now = () => new Date();`,
    [server('integrations/mail.ts')]: `import { createTransport } from 'nodemailer';`,
    [server('domains/lessons/routes.ts')]:
      `import { book } from './service/book.ts'; export const routes = [book];`,
    [server('domains/lessons/service/book.ts')]: `
      import { insertLesson } from '../queries.ts';
      import { fits } from '../rules/overlap.ts';
      import { findStudent } from '../../students/service.ts';
      import type { Context } from '../../../context.ts';
      export const book = () => [insertLesson, fits, findStudent];`,
    [server('domains/lessons/queries.ts')]:
      `import { sql } from 'kysely'; export const insertLesson = (tx: any) => tx.insertInto('lessons');`,
    [server('domains/lessons/rules/overlap.ts')]:
      `import { toMinutes } from '@lessonbook/contract/time'; export const fits = toMinutes;`,
    [server('domains/students/service.ts')]: `export const findStudent = 1;`,
    [server('domains/lessons/lessons.test.ts')]:
      `import { startMailbox } from '@lessonbook/fakes/mailbox'; import { insertLesson } from './queries.ts'; new Date();`,
    [server('test/global-setup.ts')]:
      `import { startPostgres } from '@lessonbook/test-env/postgres'; process.env['X'];`,
    'packages/contract/src/time.ts': `import * as z from 'zod/mini'; export const toMinutes = z; Date.now();`,
    [web('main.tsx')]: `import './app/router.tsx';`,
    [web('app/router.tsx')]: `const page = () => import('../pages/week.tsx');`,
    [web('pages/week.tsx')]: `import { Board } from '../features/lessons/board.tsx';`,
    [web('features/lessons/board.tsx')]:
      `import { useStudents } from '../students/api.ts'; export const Board = () => <p>{useStudents}</p>;`,
    [web('features/students/api.ts')]:
      `import { get } from '../../lib/http.ts'; export const useStudents = get;`,
    [web('lib/http.ts')]: `export const get = new Date(0);`,
    'scripts/dev.ts': `import { startMailbox } from '@lessonbook/fakes/mailbox'; Date.now();`,
  });
  expect(problems).toEqual([]);
});

describe('files of the server', () => {
  test('the top level is a closed list', () => {
    expectProblem(server('mailer.ts'), '', /stand at the top of the server.*platform/);
  });
  test('folders are a closed list', () => {
    expectProblem(server('services/lessons.ts'), '', /no "services".*domains\/<domain>/);
  });
  test('a domain has a closed list of files', () => {
    expectProblem(server('domains/lessons/repository.ts'), '', /SQL into lessons\/queries\.ts/);
    rmSync(join(root, 'apps'), { recursive: true });
    expectProblem(server('domains/lessons/service/more/deep.ts'), '', /A domain holds/);
  });
  test('a domain needs a step on the ladder', () => {
    expectProblem(server('domains/weather/service.ts'), '', /"weather" has no step on the ladder/);
  });
});

describe('imports of the server', () => {
  test.each([
    ['a plain import', `import { x } from '../payments/service.ts';`],
    ['a type', `import type { X } from '../payments/service.ts';`],
    ['a re-export', `export { x } from '../payments/service.ts';`],
    ['a dynamic import', `const x = await import('../payments/service.ts');`],
    ['a dynamic import by template', 'const x = await import(`../payments/service.ts`);'],
    ['a type by import()', `type X = import('../payments/service.ts').X;`],
    ['a side effect', `import '../payments/service.ts';`],
  ])('a domain does not call upward: %s', (_form, source) => {
    expectProblem(
      server('domains/lessons/service.ts'),
      source,
      /publish a fact in lessons\/events\.ts/,
    );
  });

  test('domains on the same step do not call each other', () => {
    expectProblem(
      server('domains/students/service.ts'),
      `import '../subjects/service.ts';`,
      /students may not know subjects/,
    );
  });
  test('the doors of a domain are service and events', () => {
    expectProblem(
      server('domains/lessons/service.ts'),
      `import '../students/rules/age.ts';`,
      /doors of students are service and events, not rules/,
    );
  });
  test('queries of another domain are closed', () => {
    expectProblem(
      server('domains/lessons/service.ts'),
      `import '../students/queries.ts';`,
      /not queries/,
    );
  });
  test('queries are for the own service alone', () => {
    expectProblem(
      server('domains/lessons/routes.ts'),
      `import './queries.ts';`,
      /a use case in service/,
    );
  });
  test('the top level calls services, not queries', () => {
    expectProblem(
      server('seed-demo.ts'),
      `import './domains/lessons/queries.ts';`,
      /call its service/,
    );
  });
  test('nobody uses routes but app.ts', () => {
    expectProblem(
      server('domains/lessons/service.ts'),
      `import './routes.ts';`,
      /listed in app\.ts/,
    );
  });
  test('queries do not call the service', () => {
    expectProblem(
      server('domains/lessons/queries.ts'),
      `import './service.ts';`,
      /stands below service/,
    );
  });
  test('platform knows no domain and no integration', () => {
    expectProblem(
      server('platform/http.ts'),
      `import '../domains/lessons/service.ts';`,
      /platform knows no domain/,
    );
    expectProblem(
      server('platform/http.ts'),
      `import '../integrations/mail.ts';`,
      /platform knows no integration/,
    );
  });
  test('nothing below leans on the assembly', () => {
    expectProblem(
      server('platform/http.ts'),
      `import '../app.ts';`,
      /app\.ts puts everything together/,
    );
  });
  test('integrations know no domain', () => {
    expectProblem(
      server('integrations/mail.ts'),
      `import '../domains/messages/events.ts';`,
      /Integrations know no domain/,
    );
  });
  test.each([
    'stripe',
    '@googleapis/calendar',
    'google-auth-library',
    'nodemailer',
    'openid-client',
  ])('only integrations import %s', (sdk) =>
    expectProblem(
      server('platform/vendor.ts'),
      `import type { X } from '${sdk}';`,
      /Only integrations\//,
    ),
  );
  test.each(['kysely', 'pg'])('%s stays out of service', (name) => {
    expectProblem(
      server('domains/lessons/service.ts'),
      `import { sql } from '${name}';`,
      /belongs in queries\.ts/,
    );
  });
  test('queries are not built outside queries.ts', () => {
    const source = `export const all = (tx: any) =>\n  tx.selectFrom('lessons');`;
    expectProblem(
      server('domains/lessons/service.ts'),
      source,
      /:2 SQL belongs in lessons\/queries\.ts/,
    );
  });
  test.each([
    '../../../platform/clock.ts',
    '../queries.ts',
    '../../students/service.ts',
    'node:fs',
    'kysely',
  ])('rules import no %s', (specifier) =>
    expectProblem(
      server('domains/lessons/rules/overlap.ts'),
      `import '${specifier}';`,
      /Rules are pure/,
    ),
  );
  test.each([`process.env['PORT']`, 'process.env.PORT', 'const { env } = process'])(
    'only config.ts reads %s',
    (source) => {
      expectProblem(server('platform/http.ts'), source, /Only config\.ts reads process\.env/);
    },
  );
});

describe('imports of the web app', () => {
  test.each([
    ['lib/http.ts', '../components/card.tsx', /lib may not import components/],
    ['components/card.tsx', '../features/lessons/api.ts', /components may not import features/],
    ['features/lessons/board.tsx', '../../pages/week.tsx', /features may not import pages/],
    ['pages/week.tsx', '../app/router.tsx', /pages may not import app/],
    ['app/router.tsx', '../main.tsx', /main\.tsx is where the app starts/],
    [
      'features/lessons/board.tsx',
      '../students/student-card.tsx',
      /may use students\/api\.ts and nothing else/,
    ],
    ['lib/http.ts', '@/pages/week.tsx', /lib may not import pages/],
    ['lib/http.ts', '../../../server/src/app.ts', /by the contract alone/],
  ])('%s may not import %s', (path, specifier, words) => {
    expectProblem(web(path), `import '${specifier}';`, words);
  });
  test('folders are a closed list', () => {
    expectProblem(web('hooks/use-week.ts'), '', /no "hooks".*features\/<domain>/);
  });
});

describe('rules for all', () => {
  test.each([
    [server('platform/mail.ts'), '@lessonbook/fakes/mailbox'],
    [server('api.ts'), '@lessonbook/test-env/postgres'],
    [web('lib/http.ts'), '../../../../fakes/src/mailbox.ts'],
  ])('%s may not use %s', (path, specifier) => {
    expectProblem(path, `import '${specifier}';`, /is for tests, e2e, bench, chaos and scripts/);
  });
  test('the contract depends on zod alone', () => {
    expectProblem(
      'packages/contract/src/money.ts',
      `import 'node:crypto';`,
      /depends on zod alone/,
    );
    expectProblem(
      'packages/contract/src/money.ts',
      `import '../../../apps/web/src/lib/http.ts';`,
      /depends on zod alone/,
    );
  });
  test('no barrels', () => {
    expectProblem(
      'packages/contract/src/index.ts',
      `export { money } from './money.ts';`,
      /No barrels/,
    );
    expectProblem('packages/contract/src/index.ts', `export * from './money.ts';`, /No barrels/);
  });
  test.each([
    'lib/utils.ts',
    'lib/helpers/dates.ts',
    'lib/common.ts',
    'lib/misc.test.ts',
    'lib/date-utils.ts',
  ])('no file is called %s', (path) =>
    expectProblem(web(path), '', /says nothing about what is inside/),
  );
  test.each(['new Date()', 'Date.now()', 'Date()'])('the clock is not read by %s', (source) => {
    expectProblem(server('domains/lessons/service.ts'), source, /take the clock from the context/);
  });
  test('the clock is not read in the browser either', () => {
    expectProblem(
      web('lib/format.ts'),
      'const a = new Date(0);\nconst b = new Date();',
      /:2 .*contract\/src\/time\.ts/,
    );
  });
  test('long files are split', () => {
    expectProblem(web('lib/http.ts'), '\n'.repeat(301), /301 lines, the limit is 300/);
    rmSync(join(root, 'apps'), { recursive: true });
    expectProblem(web('lib/http.test.ts'), '\n'.repeat(501), /501 lines, the limit is 500/);
  });
  test('no circles, also of types, each told once', () => {
    const problems = problemsOf({
      [web('lib/one.ts')]: `import { two } from './two.ts'; export type One = 1;`,
      [web('lib/two.ts')]: `import { three } from './three.ts'; export const two = three;`,
      [web('lib/three.ts')]: `import type { One } from './one.ts'; export const three = 3;`,
    });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(
      /Circle of imports: apps\/web\/src\/lib\/one\.ts → .*two\.ts → .*three\.ts → .*one\.ts/,
    );
  });
});
