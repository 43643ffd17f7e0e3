/** Writes the software bill of materials for the production dependencies to .cache/sbom.json, in CycloneDX format. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProductionPaths, packageName, readLockfile } from './supply-chain/lockfile.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const lock = readLockfile(join(root, 'package-lock.json'));
const shipped = new Set(
  [...findProductionPaths(lock)].map((path) => `${packageName(path)}@${lock.get(path)?.version}`),
);

const run = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
if (run.status !== 0) throw new Error(run.stderr);
const npmSbom = JSON.parse(run.stdout) as {
  components: { 'bom-ref': string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
};
// npm also lists the dependencies of test workspaces; only shipped packages are kept.
const components = npmSbom.components.filter((each) => shipped.has(each['bom-ref']));
const keptRefs = new Set(components.map((each) => each['bom-ref']));
const dependencies = npmSbom.dependencies
  .filter(({ ref }) => keptRefs.has(ref))
  .map(({ ref, dependsOn }) => ({
    ref,
    dependsOn: dependsOn.filter((each) => keptRefs.has(each)),
  }));

const file = join(root, '.cache/sbom.json');
mkdirSync(join(root, '.cache'), { recursive: true });
writeFileSync(file, JSON.stringify({ ...npmSbom, components, dependencies }, null, 2));
console.log(`${components.length} components in ${file}`);
