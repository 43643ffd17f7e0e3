/**
 * Runs all pre-commit checks.
 *   npm run check              runs the checks one after another, fastest first, and stops at the first failure
 *   npm run check -- --ci      runs all checks, with the tests in parallel with the others
 */
import { spawn } from 'node:child_process';
import { setProcessPriority } from '@lessonbook/test-env/process-priority';

const STATIC_CHECKS = [
  'format:check',
  'lint',
  'types',
  'arch-lint',
  'plain-language',
  'dead',
  'config:reference:verify',
  'supply-chain',
  'db:types:verify',
];
const LOWEST_PRIORITY = 19;

interface Result {
  step: string;
  seconds: string;
  passed: boolean;
}

async function run(step: string): Promise<Result> {
  console.log(`\n── ${step}`);
  return await measure(step, start(step, 'inherit'));
}

/** The tests often wait, for example for the database; the other checks use the remaining processor time. */
async function runAlongsideTests(): Promise<Result[]> {
  const results: Result[] = [];
  for (const step of STATIC_CHECKS) {
    const child = start(step, 'pipe');
    if (child.pid !== undefined) setProcessPriority(LOWEST_PRIORITY, child.pid);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const result = await measure(step, child);
    console.log(`\n── ${step}, ${result.seconds} s, in parallel with the tests\n${output}`);
    results.push(result);
  }
  return results;
}

const start = (step: string, stdio: 'inherit' | 'pipe') =>
  spawn('npm', ['run', '--silent', step], { stdio: ['ignore', stdio, stdio] });

async function measure(step: string, child: ReturnType<typeof start>): Promise<Result> {
  const startTime = performance.now();
  const passed = await new Promise<boolean>((resolve) => {
    child.once('close', (code) => resolve(code === 0));
  });
  return { step, seconds: ((performance.now() - startTime) / 1000).toFixed(1), passed };
}

const results: Result[] = [];
if (process.argv.includes('--ci')) {
  const [tests, others] = await Promise.all([run('test'), runAlongsideTests()]);
  results.push(...others, tests);
} else {
  for (const step of [...STATIC_CHECKS, 'test']) {
    results.push(await run(step));
    if (results.at(-1)?.passed === false) break;
  }
}

console.log();
for (const { step, seconds, passed } of results)
  if (!passed) console.error(`${step} failed after ${seconds} s; to repeat it: npm run ${step}`);
const hasPassed = results.every(({ passed }) => passed);
const durations = results.map(({ step, seconds }) => `${step} ${seconds} s`).join(', ');
console.log(`check ${hasPassed ? 'passed' : 'failed'}: ${durations}`);
process.exitCode = hasPassed ? 0 : 1;
