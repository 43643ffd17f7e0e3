import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files in the build context: the working tree minus the files that .dockerignore excludes. */
export function listBuildContext(root: string): string[] {
  const listed = spawnSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (listed.status !== 0) throw new Error(listed.stderr);
  const rules = parseRules(readFileSync(join(root, '.dockerignore'), 'utf8'));
  return listed.stdout.split('\n').filter((path) => path !== '' && isIncluded(path, rules));
}

interface Rule {
  readonly pattern: string;
  readonly includes: boolean;
}

const parseRules = (source: string): Rule[] =>
  source
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => ({ pattern: line.replace(/^!/, ''), includes: line.startsWith('!') }));

/** The last matching rule wins; a rule that matches a folder also matches everything in it. */
function isIncluded(path: string, rules: readonly Rule[]): boolean {
  const parts = path.split('/');
  const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  const last = rules.findLast(({ pattern }) =>
    prefixes.some((prefix) => patternToRegExp(pattern).test(prefix)),
  );
  return last?.includes ?? true;
}

/** Converts a .dockerignore pattern; unlike in a shell, `*` also matches names that begin with a dot. */
function patternToRegExp(pattern: string): RegExp {
  const parts = pattern
    .split('**/')
    .map((part) => part.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*'));
  return new RegExp(`^${parts.join('(?:.*/)?')}$`);
}
