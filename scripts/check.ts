/** All that must hold before a change lands, in the order of how fast it fails. */
import { spawnSync } from 'node:child_process';

const STEPS = [
  'format:check',
  'lint',
  'types',
  'arch-lint',
  'dead',
  'config:reference:verify',
  'supply-chain',
  'db:types:verify',
  'test',
];

const took: string[] = [];
for (const step of STEPS) {
  console.log(`\n── ${step}`);
  const start = performance.now();
  const { status } = spawnSync('npm', ['run', '--silent', step], { stdio: 'inherit' });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  took.push(`${step} ${seconds} s`);
  if (status !== 0) {
    console.error(`\ncheck stopped at "${step}" after ${seconds} s: npm run ${step}`);
    process.exit(1);
  }
}
console.log(`\ncheck passed: ${took.join(', ')}`);
