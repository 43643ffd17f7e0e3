/**
 * Prints the last lines of a full run: the slowest files, the failed tests, and the total numbers of passed and failed
 * tests. The argument is the number of failed steps, so that a run that never reached its tests does not end with "0 failed".
 */
import { readTestResults, slowestFiles } from './test-results.ts';

const failedSteps = Number(process.argv[2] ?? 0);
const RESULTS = '.cache/results';
const SLOWEST = 10;
const results = readTestResults(RESULTS);

function count(outcome: string): number {
  return results.filter((result) => result.outcome === outcome).length;
}

for (const { file, seconds } of slowestFiles(RESULTS, SLOWEST))
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
for (const { outcome, secondTry, file, title } of results) {
  if (outcome === 'failed') console.log(`failed  ${file}  ${title}`);
  else if (secondTry) console.log(`passed on retry  ${file}  ${title}`);
}
console.log(`${count('passed')} passed, ${Math.max(count('failed'), failedSteps)} failed`);
