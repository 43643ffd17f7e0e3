/**
 * Prints the last lines of a full run: the slowest files, the failed tests, and the total numbers of passed and failed
 * tests. Takes the number of failed steps as its argument: a run that fails before its tests start must not print "0 failed".
 */
import { findSlowestFiles, readTestResults } from './test-results.ts';

const failedSteps = Number(process.argv[2] ?? 0);
const RESULTS_FOLDER = '.cache/results';
const SLOWEST_FILE_COUNT = 10;
const results = readTestResults(RESULTS_FOLDER);

function count(outcome: string): number {
  return results.filter((result) => result.outcome === outcome).length;
}

for (const { file, seconds } of findSlowestFiles(RESULTS_FOLDER, SLOWEST_FILE_COUNT))
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
for (const { outcome, passedOnRetry, file, title } of results) {
  if (outcome === 'failed') console.log(`failed  ${file}  ${title}`);
  else if (passedOnRetry) console.log(`passed on retry  ${file}  ${title}`);
}
console.log(`${count('passed')} passed, ${Math.max(count('failed'), failedSteps)} failed`);
