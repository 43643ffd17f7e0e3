/** Runs all pre-commit checks, fastest first. */
import { spawnSync } from 'node:child_process';

const STEPS = [
  'format:check',
  'lint',
  'types',
  'arch-lint',
  'plain-language',
  'dead',
  'config:reference:verify',
  'supply-chain',
  'db:types:verify',
  'test',
];

const durations: string[] = [];
for (const step of STEPS) {
  console.log(`\n── ${step}`);
  const start = performance.now();
  const { status } = spawnSync('npm', ['run', '--silent', step], { stdio: 'inherit' });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  durations.push(`${step} ${seconds} s`);
  if (status !== 0) {
    console.error(`\ncheck failed at "${step}" after ${seconds} s; to repeat it: npm run ${step}`);
    process.exit(1);
  }
}
console.log(`\ncheck passed: ${durations.join(', ')}`);
