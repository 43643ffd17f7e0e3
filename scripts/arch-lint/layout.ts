import { isTest, type Problem, type SourceFile } from './source-file-types.ts';

const SERVER = 'apps/server/src/';
const DOMAINS = `${SERVER}domains/`;

const SERVER_TOP_LEVEL = [
  'api.ts',
  'worker.ts',
  'app.ts',
  'jobs.ts',
  'config.ts',
  'env-schema.ts',
  'pdf-thread.ts',
  'context.ts',
  'migrate.ts',
  'invariants.ts',
  'provision-database.ts',
  'revoke-logins.ts',
  'restore-tutor.ts',
  'move-tutor.ts',
  'seed-demo.ts',
  'create-context.ts',
  'event-subscribers.ts',
  'openapi.ts',
  'describe-public-pages.ts',
];
const SERVER_FOLDERS = ['platform', 'integrations', 'domains', 'test'];
const DOMAIN_FILES =
  /^(routes|service|queries|jobs|job-types|events|subscribers)\.ts$|^(routes|queries|rules)\/[^/]+\.ts$|^service\/([^/]+\/)?[^/]+\.ts$/;
const VAGUE_NAMES = /^(utils?|helpers?|common|misc)$|-(utils?|helpers?)$/;

const MAX_LINES = 300;
const MAX_TEST_LINES = 500;
/** Generated files have no length limit. */
const GENERATED = new Set([`${SERVER}platform/db/schema.ts`]);

/** Reports files and folders that are not allowed, vague names and long files. */
export function checkLayout(files: readonly SourceFile[]): Problem[] {
  return files.flatMap((file) => {
    const messages = [
      serverLayoutProblem(file.path),
      domainLayoutProblem(file.path),
      vagueNameProblem(file.path),
      lengthProblem(file),
    ];
    return messages
      .filter((message) => message !== undefined)
      .map((message) => ({ path: file.path, line: 1, message }));
  });
}

function serverLayoutProblem(path: string): string | undefined {
  if (!path.startsWith(SERVER) || isTest(path)) return undefined;
  const [first = '', ...deeper] = path.slice(SERVER.length).split('/');
  if (deeper.length > 0) {
    if (SERVER_FOLDERS.includes(first)) return undefined;
    return `The server has the folders ${SERVER_FOLDERS.join(', ')} and no "${first}": domain code belongs in domains/<domain>, code without a domain in platform, vendor code in integrations`;
  }
  if (SERVER_TOP_LEVEL.includes(first)) return undefined;
  return `The top level of the server holds only ${SERVER_TOP_LEVEL.join(', ')}: code without a domain belongs in platform/, the rest in domains/<domain>/`;
}

function domainLayoutProblem(path: string): string | undefined {
  if (!path.startsWith(DOMAINS) || isTest(path)) return undefined;
  const [domain = '', ...inside] = path.slice(DOMAINS.length).split('/');
  if (DOMAIN_FILES.test(inside.join('/'))) return undefined;
  return `A domain holds routes.ts or routes/*.ts, service.ts or service/**, queries.ts or queries/*.ts, rules/*.ts, jobs.ts, job-types.ts, events.ts, subscribers.ts and tests, with at most one level of folders in service: put a use case into ${domain}/service/, SQL into ${domain}/queries.ts, a pure function into ${domain}/rules/`;
}

function vagueNameProblem(path: string): string | undefined {
  const names = path.split('/').map((segment) => segment.replace(/\..*$/, ''));
  const found = names.find((name) => VAGUE_NAMES.test(name));
  if (found === undefined) return undefined;
  return `"${found}" is too vague: name the file after its subject (money, time, page-title) and put it next to the code that uses it`;
}

function lengthProblem(file: SourceFile): string | undefined {
  if (GENERATED.has(file.path)) return undefined;
  const limit = isTest(file.path) ? MAX_TEST_LINES : MAX_LINES;
  if (file.lines <= limit) return undefined;
  return `${file.lines} lines; the limit is ${limit}: split it by use case or subject, not by layer`;
}
