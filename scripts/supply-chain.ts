/**
 * Checks the external dependencies: npm run supply-chain. Checks that could not run are listed; with --strict, which is used
 * before a release, they count as failures.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fetchAdvisories } from './supply-chain/advisories.ts';
import {
  fetchPublishDate,
  findNewVersions,
  findTooNew,
  readPreviousLockfile,
} from './supply-chain/age.ts';
import { licenceProblems } from './supply-chain/licences.ts';
import {
  directDependencies,
  externalPackages,
  findProductionPaths,
  readLockfile,
} from './supply-chain/lockfile.ts';
import {
  dependencyTableProblems,
  inexactVersionProblems,
  installScriptProblems,
  lockfileProblems,
} from './supply-chain/lockfile-and-manifest-checks.ts';

const { values: flags } = parseArgs({ options: { strict: { type: 'boolean', default: false } } });
const root = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const lock = readLockfile(join(root, 'package-lock.json'));
const runtime = readLockfile(join(root, 'tools/node/package-lock.json'));
const manifest = JSON.parse(read('package.json')) as Parameters<typeof installScriptProblems>[0] &
  object;
const npmrc = read('.npmrc');
const direct = directDependencies(root);
const production = findProductionPaths(lock);
const workspaces = [...lock.keys()].filter((path) => path !== '' && !path.includes('node_modules'));

const checks: Record<string, string[]> = {
  lockfile: [...lockfileProblems(lock), ...lockfileProblems(runtime)],
  'install scripts': installScriptProblems(manifest, npmrc, lock),
  'exact versions': ['', ...workspaces].flatMap((path) =>
    inexactVersionProblems(
      path || 'the root',
      JSON.parse(read(join(path, 'package.json'))) as object,
    ),
  ),
  licences: licenceProblems(lock),
  'direct dependencies': dependencyTableProblems(direct, read('docs/security/dependencies.md')),
};

/** Checks that need the registry or the git history. */
const before = readPreviousLockfile(root, read('package-lock.json'));
const externalChecks = {
  'age of new versions': before
    ? await findTooNew(findNewVersions(before, lock), new Date(), fetchPublishDate)
    : { checked: false as const, why: 'there is no earlier lockfile to compare with' },
  advisories: fetchAdvisories(root, production),
};
const unchecked: string[] = [];
for (const [name, result] of Object.entries(externalChecks)) {
  if (result.checked) checks[name] = result.faults;
  else unchecked.push(`${name}: ${result.why}`);
}

for (const [name, faults] of Object.entries(checks)) {
  console.log(`${faults.length === 0 ? 'ok     ' : 'FAILED '} ${name}`);
  for (const fault of faults) console.error(`          ${fault}`);
}
if (externalChecks.advisories.checked)
  for (const advisory of externalChecks.advisories.warnings) console.log(`          ${advisory}`);
for (const each of unchecked) console.log(`NOT CHECKED  ${each}`);

const faultCount = Object.values(checks).flat().length;
console.log(
  `${direct.size} direct dependencies, ${production.size} packages in production, ${externalPackages(lock).length} in total; ` +
    `${faultCount} faults, ${unchecked.length} not checked`,
);
process.exitCode = faultCount > 0 || (flags.strict && unchecked.length > 0) ? 1 : 0;
