import { isTest, type Problem, type SourceFile } from './source-file-types.ts';

const CONTRACT = 'packages/contract/';
const SERVER = 'apps/server/src/';

/** Only tests and these folders may import the fakes and the test environment. */
const FAKES_ALLOWED_IN = /^(e2e|bench|chaos|scripts|test-env|fakes)\//;

/** Other code takes the clock from the context, so that tests can set it. */
const CLOCK_FILES = new Set([`${CONTRACT}src/time.ts`, `${SERVER}platform/clock.ts`]);
const CLOCK_ALLOWED_IN = /^(fakes|test-env|scripts|e2e|bench|chaos)\//;

/** Rules that apply to every package. */
export function checkSharedRules(files: readonly SourceFile[]): Problem[] {
  return files.flatMap((file) => [
    ...fakeImportProblems(file),
    ...contractImportProblems(file),
    ...barrelProblems(file),
    ...environmentReadProblems(file),
    ...clockReadProblems(file),
  ]);
}

function fakeImportProblems(file: SourceFile): Problem[] {
  if (isTest(file.path) || FAKES_ALLOWED_IN.test(file.path)) return [];
  return file.imports
    .filter(({ specifier, target }) => isFake(target ?? specifier))
    .map(({ line, specifier }) => ({
      path: file.path,
      line,
      message: `"${specifier}" is for tests, e2e, bench, chaos and scripts: product code calls the vendor at the address in its configuration`,
    }));
}

function isFake(path: string): boolean {
  return /^(@lessonbook\/)?(fakes|test-env)(\/|$)/.test(path);
}

function contractImportProblems(file: SourceFile): Problem[] {
  if (!file.path.startsWith(CONTRACT) || isTest(file.path)) return [];
  return file.imports
    .filter(
      ({ specifier, target }) => !target?.startsWith(CONTRACT) && !/^zod(\/|$)/.test(specifier),
    )
    .map(({ line, specifier }) => ({
      path: file.path,
      line,
      message: `The contract may import only zod, not "${specifier}": it runs in the browser and on the server; move this code to the side that needs it`,
    }));
}

function barrelProblems(file: SourceFile): Problem[] {
  const isIndex = /(^|\/)index\.tsx?$/.test(file.path);
  const message = 'No barrel files: import from the file that defines the symbol';
  const stars = file.uses.filter((use) => use.kind === 'star-export');
  const reexports = file.imports.filter((each) => isIndex && each.reexport);
  const lines = new Set([...stars, ...reexports].map((each) => each.line));
  return [...lines].map((line) => ({ path: file.path, line, message }));
}

function environmentReadProblems(file: SourceFile): Problem[] {
  if (!file.path.startsWith(SERVER) || isTest(file.path) || file.path === `${SERVER}config.ts`)
    return [];
  return file.uses
    .filter((use) => use.kind === 'environment')
    .map(({ line }) => ({
      path: file.path,
      line,
      message:
        'Only config.ts reads process.env: add a described variable there and take it from the configuration',
    }));
}

function clockReadProblems(file: SourceFile): Problem[] {
  const allowed =
    CLOCK_FILES.has(file.path) || CLOCK_ALLOWED_IN.test(file.path) || isTest(file.path);
  if (allowed) return [];
  const instead = file.path.startsWith('apps/server/')
    ? 'take the clock from the context'
    : 'use the functions of packages/contract/src/time.ts';
  return file.uses
    .filter((use) => use.kind === 'clock')
    .map(({ line }) => ({
      path: file.path,
      line,
      message: `Only contract/time.ts and platform/clock.ts may read the clock: ${instead}`,
    }));
}
