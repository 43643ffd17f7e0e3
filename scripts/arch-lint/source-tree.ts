import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { parseModule } from './parse-module.ts';
import type { SourceFile } from './source-file-types.ts';

const SOURCE_FOLDERS = [
  'apps',
  'packages',
  'fakes',
  'test-env',
  'scripts',
  'e2e',
  'bench',
  'chaos',
];
const SKIPPED_FOLDERS = new Set([
  'node_modules',
  'dist',
  'test-results',
  'playwright-report',
  'coverage',
]);

/** Reads all TypeScript files in the repository and resolves their imports. */
export function readSourceTree(root: string): SourceFile[] {
  const paths = SOURCE_FOLDERS.flatMap((folder) => listFiles(root, folder));
  const known = new Set(paths);
  return paths.map((path) => {
    const source = readFileSync(join(root, path), 'utf8');
    const { imports, uses } = parseModule(path, source);
    return {
      path,
      lines: source.split('\n').length - (source.endsWith('\n') ? 1 : 0),
      imports: imports.map((each) => ({ ...each, target: resolve(path, each.specifier, known) })),
      uses,
    };
  });
}

function listFiles(root: string, folder: string): string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(join(root, folder), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.name.startsWith('.') || SKIPPED_FOLDERS.has(entry.name)) return [];
    if (entry.isDirectory()) return listFiles(root, path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** The folder that each `@lessonbook/<name>/…` import resolves to. */
const PACKAGES: Record<string, string> = {
  contract: 'packages/contract/src',
  fakes: 'fakes/src',
  'test-env': 'test-env/src',
  server: 'apps/server',
  web: 'apps/web',
};

function resolve(from: string, specifier: string, known: ReadonlySet<string>): string | undefined {
  const bare = specifier.replace(/\?.*$/, '');
  const path = pathOfSpecifier(from, bare);
  if (path === undefined) return undefined;
  const candidates = [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`, `${path}/index.tsx`];
  // An unresolved import keeps its path, so that the import boundaries still apply. The type checker reports it.
  return candidates.find((candidate) => known.has(candidate)) ?? path;
}

function pathOfSpecifier(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(dirname(from), specifier);
  if (specifier.startsWith('@/')) return `apps/web/src/${specifier.slice(2)}`;
  const [, name, rest] = specifier.match(/^@lessonbook\/([^/]+)\/(.+)$/) ?? [];
  const folder = name === undefined ? undefined : PACKAGES[name];
  return folder === undefined ? undefined : `${folder}/${rest}`;
}
