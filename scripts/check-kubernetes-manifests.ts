/**
 * Renders the base and the example in deploy/kubernetes with kustomize, and compares the result with the Kubernetes
 * schemas. Needs `kustomize`, or `kubectl` 1.27 or newer. The tests check the files without either.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { checkSchemas } from './kubernetes/check-schemas.ts';
import { nameOf, parseManifests } from './kubernetes/manifests.ts';

const folder = fileURLToPath(new URL('../deploy/kubernetes/', import.meta.url));

function render(name: string): string {
  const programs = [
    ['kustomize', 'build'],
    ['kubectl', 'kustomize'],
  ] as const;
  for (const [program, command] of programs) {
    const { error, status, stdout, stderr } = spawnSync(program, [command, folder + name], {
      encoding: 'utf8',
    });
    if (error) continue;
    if (status !== 0 || stderr !== '') throw new Error(`${program} ${command} ${name}: ${stderr}`);
    return stdout;
  }
  throw new Error('neither kustomize nor kubectl is installed');
}

let failed = 0;
for (const name of ['base', 'example']) {
  const manifests = parseManifests(render(name));
  for (const [index, errors] of checkSchemas(manifests).entries()) {
    const manifest = manifests[index];
    if (manifest) console.log(`${name}: ${manifest.kind} ${nameOf(manifest)}`);
    for (const error of errors) console.log(`  ${error}`);
    failed += errors.length;
  }
}
console.log(failed === 0 ? 'passed' : `failed: ${failed} errors`);
process.exitCode = failed === 0 ? 0 : 1;
