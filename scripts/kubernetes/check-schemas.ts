import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const tsc = join(root, 'node_modules/.bin/tsc');

/** The module of kubernetes-types that contains the interface of each kind that we use. */
const MODULES: Record<string, string> = {
  'v1 ConfigMap': 'core/v1',
  'v1 Service': 'core/v1',
  'apps/v1 Deployment': 'apps/v1',
  'batch/v1 Job': 'batch/v1',
  'networking.k8s.io/v1 NetworkPolicy': 'networking/v1',
  'policy/v1 PodDisruptionBudget': 'policy/v1',
};

/**
 * Compares manifests with the interfaces that kubernetes-types generates from the OpenAPI document of Kubernetes. TypeScript
 * rejects unknown properties of literals at every depth, so the schemas are closed: a misspelt field is an error, whereas the
 * server would ignore it. Returns the errors of each manifest.
 */
export function checkSchemas(manifests: readonly object[]): string[][] {
  const folder = join(root, '.cache/kubernetes', String(process.pid));
  mkdirSync(folder, { recursive: true });
  try {
    const errors = manifests.map((manifest, index) => {
      const { apiVersion, kind } = manifest as { apiVersion?: string; kind?: string };
      const module = MODULES[`${apiVersion} ${kind}`];
      if (module === undefined) return [`unknown kind: ${apiVersion} ${kind}`];
      const source = `import type { ${kind} } from 'kubernetes-types/${module}.d.ts';
export const manifest: Required<Pick<${kind}, 'metadata'>> & ${kind} = ${JSON.stringify(manifest, null, 2)};\n`;
      writeFileSync(join(folder, `manifest-${index}.ts`), source);
      return [];
    });
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      module: 'nodenext',
      types: [],
    };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['*.ts'] }),
    );
    const { status, stdout, stderr } = spawnSync(tsc, ['--project', folder, '--pretty', 'false'], {
      encoding: 'utf8',
    });
    const found = [...stdout.matchAll(/manifest-(\d+)\.ts\((\d+),\d+\): error (.*)/g)];
    if (status !== 0 && found.length === 0) throw new Error(`tsc failed: ${stdout}${stderr}`);
    for (const [, index, line, message] of found)
      errors[Number(index)]?.push(`line ${line}: ${message}`);
    return errors;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
