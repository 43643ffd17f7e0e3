import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files an engine would be handed: those of the working tree that .dockerignore lets through. */
export function buildContext(root: string): string[] {
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
  readonly letsThrough: boolean;
}

const parseRules = (source: string): Rule[] =>
  source
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => ({ pattern: line.replace(/^!/, ''), letsThrough: line.startsWith('!') }));

/** The last rule that fits decides; a rule that fits a folder fits all that is in it. */
function isIncluded(path: string, rules: readonly Rule[]): boolean {
  const parts = path.split('/');
  const ways = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  const last = rules.findLast(({ pattern }) =>
    ways.some((way) => patternToRegExp(pattern).test(way)),
  );
  return last?.letsThrough ?? true;
}

/** The engine's patterns, in which a star also stands for names that begin with a dot. */
function patternToRegExp(pattern: string): RegExp {
  const parts = pattern
    .split('**/')
    .map((part) => part.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*'));
  return new RegExp(`^${parts.join('(?:.*/)?')}$`);
}
