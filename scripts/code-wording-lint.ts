/**
 * Checks identifiers, comments, test titles, docs and the texts for tutors and families against a list of phrases; see the
 * naming rules in CONTRIBUTING.md.
 * `--update` lowers the limit for ambiguous words to the current count.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkWording, type WordingConfig } from './code-wording-lint/check-wording.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const configFile = fileURLToPath(new URL('./code-wording-lint/config.json', import.meta.url));

const config = JSON.parse(readFileSync(configFile, 'utf8')) as WordingConfig;
const paths = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((path) => existsSync(join(root, path)))
  // The phrase list and its tests contain the phrases.
  .filter((path) => !path.startsWith('scripts/code-wording-lint'));

const { problems, ambiguousCounts, ambiguousTotal } = checkWording(root, paths, config);

for (const problem of problems) console.log(problem);
const counts = [...ambiguousCounts].map(([phrase, count]) => `${phrase} ${count}`).join(', ');
console.log(`Ambiguous words: ${ambiguousTotal} of at most ${config.ambiguousLimit} (${counts})`);
console.log(problems.length === 0 ? 'Wording: passed' : `Wording problems: ${problems.length}`);

if (process.argv.includes('--update') && ambiguousTotal < config.ambiguousLimit) {
  const lowered = { ...config, ambiguousLimit: ambiguousTotal };
  writeFileSync(configFile, `${JSON.stringify(lowered, null, 2)}\n`);
}
process.exitCode = problems.length === 0 ? 0 : 1;
