import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from './container-engine.ts';

interface BuildOptions {
  readonly engine: Engine;
  readonly base: string;
  readonly image: string;
  readonly file: string;
  readonly context: string;
  readonly workDir: string;
}

/** Uses Docker's format, because the OCI format has no health check. */
export async function buildImage(options: BuildOptions): Promise<void> {
  const { engine, base, image, file, context, workDir } = options;
  await engine.buildah(
    'bud',
    '--isolation=chroot',
    '--format=docker',
    '--layers',
    '--pull-never',
    ...trustExtraCertificates(workDir),
    `--build-arg=NODE_IMAGE=${base}`,
    `--tag=${image}`,
    `--file=${file}`,
    context,
  );
}

/** During the build, lets npm trust the same authorities as Node on this machine, for networks that inspect TLS. */
function trustExtraCertificates(workDir: string): string[] {
  const certificates = process.env['NODE_EXTRA_CA_CERTS'];
  if (!certificates) return [];
  const [copy, settings] = [join(workDir, 'certificates.pem'), join(workDir, 'npmrc')];
  copyFileSync(certificates, copy);
  writeFileSync(settings, 'cafile=/etc/extra-certificates.pem\n');
  return [
    `--volume=${copy}:/etc/extra-certificates.pem:ro`,
    `--volume=${settings}:/root/.npmrc:ro`,
  ];
}
