/**
 * The last lines of a full run: the slowest files; what failed, once more, for whoever sees only the end of it; then how many
 * tests passed and failed, of all kinds together.
 * Takes how many steps failed, so that a run which never came to its tests does not end with "0 failed".
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
  else if (secondTry) console.log(`passed only the second time  ${file}  ${title}`);
}
console.log(`${count('passed')} passed, ${Math.max(count('failed'), failedSteps)} failed`);
