import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkArchitecture } from './arch-lint/check-architecture.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lessonbook-arch-lint-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Writes the files and returns the problems as `path:line message`. */
function problemsOf(files: Record<string, string>): string[] {
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), source);
  }
  return checkArchitecture(root).map(({ path, line, message }) => `${path}:${line} ${message}`);
}

const server = (path: string) => `apps/server/src/${path}`;
const web = (path: string) => `apps/web/src/${path}`;

/** Expects the file to violate exactly one rule, with a matching message. */
function expectProblem(path: string, source: string, message: string | RegExp): void {
  const problems = problemsOf({ [path]: source });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(message);
  expect(problems[0]?.startsWith(`${path}:`)).toBe(true);
}

test('reports nothing for a valid tree', () => {
  const problems = problemsOf({
    [server('app.ts')]: `import { routes } from './domains/lessons/routes.ts';`,
    [server('config.ts')]: `export const port = process.env['PORT'];`,
    [server('platform/clock.ts')]: `export const now = () => new Date();`,
    [server('integrations/mail.ts')]: `import { createTransport } from 'nodemailer';`,
    [server('domains/lessons/routes.ts')]:
      `import { createLesson } from './service/create-lesson.ts'; export const routes = [createLesson];`,
    [server('domains/lessons/service/create-lesson.ts')]: `
      import { insertLesson } from '../queries.ts';
      import { fits } from '../rules/overlap.ts';
      import { findStudent } from '../../students/service.ts';
      import type { Context } from '../../../context.ts';
      export const createLesson = () => [insertLesson, fits, findStudent];`,
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

describe('server layout', () => {
  test('allows only listed files at the top level', () => {
    expectProblem(server('mailer.ts'), '', /top level of the server.*platform/);
  });
  test('allows only listed folders', () => {
    expectProblem(server('services/lessons.ts'), '', /no "services".*domains\/<domain>/);
  });
  test('allows only listed files in a domain', () => {
    expectProblem(server('domains/lessons/repository.ts'), '', /SQL into lessons\/queries\.ts/);
    rmSync(join(root, 'apps'), { recursive: true });
    expectProblem(server('domains/lessons/queries/more/deep.ts'), '', /A domain holds/);
  });
  test.each([
    'job-types.ts',
    'subscribers.ts',
    'service/outbound/send.ts',
    'queries/lessons.ts',
    'rules/overlap.ts',
  ])('allows %s in a domain', (path) => {
    expect(problemsOf({ [server(`domains/lessons/${path}`)]: '' })).toEqual([]);
  });
  test('allows one level of folders in service/, and none in queries/ or rules/', () => {
    expectProblem(server('domains/lessons/service/a/b/c.ts'), '', /at most one level of folders/);
    rmSync(join(root, 'apps'), { recursive: true });
    expectProblem(server('domains/lessons/rules/a/b.ts'), '', /A domain holds/);
  });
  test('requires every domain to have a level', () => {
    expectProblem(server('domains/weather/service.ts'), '', /"weather" has no level/);
  });
});

describe('server imports', () => {
  test.each([
    ['an import', `import { x } from '../payments/service.ts';`],
    ['a type', `import type { X } from '../payments/service.ts';`],
    ['a re-export', `export { x } from '../payments/service.ts';`],
    ['a dynamic import', `const x = await import('../payments/service.ts');`],
    [
      'a dynamic import with a template literal',
      'const x = await import(`../payments/service.ts`);',
    ],
    ['a type import()', `type X = import('../payments/service.ts').X;`],
    ['a side effect', `import '../payments/service.ts';`],
  ])('a domain may not import a higher one: %s', (_syntax, source) => {
    expectProblem(
      server('domains/lessons/service.ts'),
      source,
      /publish an event in lessons\/events\.ts/,
    );
  });

  test('domains on the same level may not import each other', () => {
    expectProblem(
      server('domains/students/service.ts'),
      `import '../subjects/service.ts';`,
      /students may not import subjects/,
    );
  });
  test('a domain may import only the service and events of another domain', () => {
    expectProblem(
      server('domains/lessons/service.ts'),
      `import '../students/rules/age.ts';`,
      /only service and events of students, not rules/,
    );
  });
  test('a domain may not import the queries of another domain', () => {
    expectProblem(
      server('domains/lessons/service.ts'),
      `import '../students/queries.ts';`,
      /not queries/,
    );
  });
  test('routes may not import queries', () => {
    expectProblem(
      server('domains/lessons/routes.ts'),
      `import './queries.ts';`,
      /add a use case in service/,
    );
  });
  test('subscribers may import queries, but jobs may not', () => {
    const files = {
      [server('domains/lessons/queries.ts')]: `export const findLesson = 1;`,
      [server('domains/lessons/subscribers.ts')]: `import './queries.ts';`,
    };
    expect(problemsOf(files)).toEqual([]);
    expectProblem(
      server('domains/lessons/jobs.ts'),
      `import './queries.ts';`,
      /Only service and subscribers of lessons/,
    );
  });
  test('jobs, subscribers and files in service subfolders may import job-types', () => {
    const problems = problemsOf({
      [server('domains/lessons/job-types.ts')]: `export const GENERATE_JOB = 'generate';`,
      [server('domains/lessons/jobs.ts')]:
        `import './job-types.ts'; import './service/series/generate.ts';`,
      [server('domains/lessons/subscribers.ts')]: `import './job-types.ts';`,
      [server('domains/lessons/service/series/generate.ts')]:
        `import '../../job-types.ts'; import '../../queries.ts';`,
      [server('domains/lessons/queries.ts')]: '',
    });
    expect(problems).toEqual([]);
  });
  test('the import rules for service/ also apply to its subfolders', () => {
    expectProblem(
      server('domains/lessons/service/series/generate.ts'),
      `import { sql } from 'kysely';`,
      /belongs in queries\.ts/,
    );
    rmSync(join(root, 'apps'), { recursive: true });
    expectProblem(
      server('domains/lessons/service/series/generate.ts'),
      `import '../../../students/job-types.ts';`,
      /only service and events of students, not job-types/,
    );
  });
  test('the top level may not import queries', () => {
    expectProblem(
      server('seed-demo.ts'),
      `import './domains/lessons/queries.ts';`,
      /call its service/,
    );
  });
  test('only app.ts may import routes', () => {
    expectProblem(
      server('domains/lessons/service.ts'),
      `import './routes.ts';`,
      /Only app\.ts may import routes/,
    );
  });
  test('queries may not import the service layer', () => {
    expectProblem(
      server('domains/lessons/queries.ts'),
      `import './service.ts';`,
      /may not import service, a higher layer/,
    );
  });
  test('platform may not import a domain or an integration', () => {
    expectProblem(
      server('platform/http.ts'),
      `import '../domains/lessons/service.ts';`,
      /platform may not import a domain/,
    );
    expectProblem(
      server('platform/http.ts'),
      `import '../integrations/mail.ts';`,
      /platform may not import an integration/,
    );
  });
  test('no file may import the entry points or the wiring', () => {
    expectProblem(
      server('platform/http.ts'),
      `import '../app.ts';`,
      /app\.ts is an entry point or wiring/,
    );
  });
  test('integrations may not import a domain', () => {
    expectProblem(
      server('integrations/mail.ts'),
      `import '../domains/messages/events.ts';`,
      /Integrations may not import a domain/,
    );
  });
  test.each([
    'stripe',
    '@googleapis/calendar',
    'google-auth-library',
    'nodemailer',
    'openid-client',
  ])('only integrations may import %s', (sdk) =>
    expectProblem(
      server('platform/vendor.ts'),
      `import type { X } from '${sdk}';`,
      /Only integrations\//,
    ),
  );
  test.each(['kysely', 'pg'])('the service layer may not import %s', (name) => {
    expectProblem(
      server('domains/lessons/service.ts'),
      `import { sql } from '${name}';`,
      /belongs in queries\.ts/,
    );
  });
  test('SQL may be built only in the queries layer', () => {
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
  ])('rules may not import %s', (specifier) =>
    expectProblem(
      server('domains/lessons/rules/overlap.ts'),
      `import '${specifier}';`,
      /Rules are pure/,
    ),
  );
  test.each([`process.env['PORT']`, 'process.env.PORT', 'const { env } = process'])(
    'only config.ts may use %s',
    (source) => {
      expectProblem(server('platform/http.ts'), source, /Only config\.ts reads process\.env/);
    },
  );
});

describe('web forms', () => {
  test.each(['<form />', '<Form />', '<DialogForm />', '<Textarea />'])(
    'F60 reports %s without the form hook',
    (element) => {
      expectProblem(
        web('features/students/NoteForm.tsx'),
        `export const NoteForm = () => ${element};`,
        /useForm of lib\/use-form\.ts/,
      );
    },
  );

  test('F60 a form may call the hook in a file that it imports', () => {
    const problems = problemsOf({
      [web('lib/use-form.ts')]: `import { useForm as useMantineForm } from '@mantine/form';`,
      [web('components/Form.tsx')]: `export const Form = () => <form />;`,
      [web('features/students/NoteForm.tsx')]:
        `import { useForm } from '../../lib/use-form.ts'; export const NoteForm = () => <form />;`,
      [web('features/students/note-form.ts')]: `import { useForm } from '../../lib/use-form.ts';`,
      [web('features/students/NoteFields.tsx')]:
        `import type { NoteFormState } from './note-form.ts'; export const F = () => <Textarea />;`,
    });
    expect(problems).toEqual([]);
  });

  test("F60 reports the component library's own form hook", () => {
    expectProblem(
      web('features/students/NoteForm.tsx'),
      `import { useForm } from '@mantine/form';`,
      /useForm of lib\/use-form\.ts/,
    );
  });

  test('F60 reports a schema taken from an endpoint', () => {
    expectProblem(
      web('features/students/note-form.ts'),
      `import { useForm } from '../../lib/use-form.ts'; useForm({ schema: students.addNote.body });`,
      /leaves out the schemas of endpoints/,
    );
  });
});

describe('web imports', () => {
  test.each([
    ['lib/http.ts', '../components/card.tsx', /lib may not import components/],
    ['components/card.tsx', '../features/lessons/api.ts', /components may not import features/],
    ['features/lessons/board.tsx', '../../pages/week.tsx', /features may not import pages/],
    ['pages/week.tsx', '../app/router.tsx', /pages may not import app/],
    ['app/router.tsx', '../main.tsx', /main\.tsx is an entry file/],
    [
      'features/lessons/board.tsx',
      '../students/student-card.tsx',
      /may import only api\.ts and shared\/ of students/,
    ],
    ['lib/http.ts', '@/pages/week.tsx', /lib may not import pages/],
    ['lib/http.ts', '../../../server/src/app.ts', /may not import the server/],
  ])('%s may not import %s', (path, specifier, message) => {
    expectProblem(web(path), `import '${specifier}';`, message);
  });
  test("a feature may import another's api.ts and shared/ folder", () => {
    const problems = problemsOf({
      [web('features/lessons/LessonPage.tsx')]:
        `import '../students/api.ts'; import '../students/shared/StudentCard.tsx';`,
      [web('features/students/api.ts')]: '',
      [web('features/students/shared/StudentCard.tsx')]: '',
    });
    expect(problems).toEqual([]);
  });
  test('components may not import the shared/ folder of a feature', () => {
    expectProblem(
      web('components/card.tsx'),
      `import '../features/students/shared/StudentCard.tsx';`,
      /components may not import features/,
    );
  });
  test('command-palette may import any file from other features', () => {
    const problems = problemsOf({
      [web('features/command-palette/CommandPalette.tsx')]:
        `import '../students/StudentDialog.tsx'; import '../lessons/api.ts';`,
      [web('features/students/StudentDialog.tsx')]: '',
      [web('features/lessons/api.ts')]: '',
    });
    expect(problems).toEqual([]);
  });
  test.each(['CommandPalette.tsx', 'api.ts', 'shared/commands.ts'])(
    'no feature may import %s from command-palette',
    (file) => {
      expectProblem(
        web('features/lessons/LessonPage.tsx'),
        `import '../command-palette/${file}';`,
        /No feature may import command-palette/,
      );
    },
  );
  test('allows only listed folders', () => {
    expectProblem(web('hooks/use-week.ts'), '', /no "hooks".*features\/<domain>/);
  });
});

describe('shared rules', () => {
  test.each([
    [server('platform/mail.ts'), '@lessonbook/fakes/mailbox'],
    [server('api.ts'), '@lessonbook/test-env/postgres'],
    [web('lib/http.ts'), '../../../../fakes/src/mailbox.ts'],
  ])('%s may not import %s', (path, specifier) => {
    expectProblem(path, `import '${specifier}';`, /is for tests, e2e, bench, chaos and scripts/);
  });
  test('the contract may import only zod', () => {
    expectProblem('packages/contract/src/money.ts', `import 'node:crypto';`, /may import only zod/);
    expectProblem(
      'packages/contract/src/money.ts',
      `import '../../../apps/web/src/lib/http.ts';`,
      /may import only zod/,
    );
  });
  test('reports barrel files', () => {
    expectProblem(
      'packages/contract/src/index.ts',
      `export { money } from './money.ts';`,
      /No barrel files/,
    );
    expectProblem(
      'packages/contract/src/index.ts',
      `export * from './money.ts';`,
      /No barrel files/,
    );
  });
  test.each([
    'lib/utils.ts',
    'lib/helpers/dates.ts',
    'lib/common.ts',
    'lib/misc.test.ts',
    'lib/date-utils.ts',
  ])('reports the vague name %s', (path) => expectProblem(web(path), '', /is too vague/));
  test.each(['new Date()', 'Date.now()', 'Date()'])('reports a clock read with %s', (source) => {
    expectProblem(server('domains/lessons/service.ts'), source, /take the clock from the context/);
  });
  test('reports a clock read in the web app', () => {
    expectProblem(
      web('lib/format.ts'),
      'const a = new Date(0);\nconst b = new Date();',
      /:2 .*contract\/src\/time\.ts/,
    );
  });
  test('reports long files', () => {
    expectProblem(web('lib/http.ts'), '\n'.repeat(301), /301 lines; the limit is 300/);
    rmSync(join(root, 'apps'), { recursive: true });
    expectProblem(web('lib/http.test.ts'), '\n'.repeat(501), /501 lines; the limit is 500/);
  });
  test('reports each import cycle once, including type imports', () => {
    const problems = problemsOf({
      [web('lib/one.ts')]: `import { two } from './two.ts'; export type One = 1;`,
      [web('lib/two.ts')]: `import { three } from './three.ts'; export const two = three;`,
      [web('lib/three.ts')]: `import type { One } from './one.ts'; export const three = 3;`,
    });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(
      /Import cycle: apps\/web\/src\/lib\/one\.ts → .*two\.ts → .*three\.ts → .*one\.ts/,
    );
  });
});
