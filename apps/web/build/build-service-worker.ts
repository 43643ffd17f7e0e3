import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { createPostBuildPlugin } from './create-post-build-plugin.ts';
import { readPages } from './read-page-list.ts';
import { collectChunkFiles, readManifest } from './vite-manifest.ts';

/**
 * Chunks for the start page and for the pages that work offline. Other pages are cached when they are first visited.
 */
const PRECACHED_CHUNKS = [
  'index.html',
  'src/app/TutorLayout.tsx',
  'src/pages/Dashboard.tsx',
  'src/pages/ScheduleStudentsOrSubjects.tsx',
  'src/pages/Offline.tsx',
];

/**
 * Writes `dist/service-worker.js`, which lists the files in this build, and `dist/unregister.js`, which is served in
 * its place to remove it.
 */
export const buildServiceWorker = () =>
  createPostBuildPlugin('service-worker', async (root, folder) => {
    const buildInfo = JSON.stringify(await readBuildInfo(folder));
    await bundleWorker(root, folder, 'service-worker', { BUILD: buildInfo });
    await bundleWorker(root, folder, 'unregister', {});
  });

async function readBuildInfo(folder: string) {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const theme = await readFile(join(folder, 'theme.js'), 'utf8');
  const manifest = await readManifest(folder);
  const offlinePaths = (await readPages(folder))
    .filter(({ opensOffline }) => opensOffline)
    .map(({ path }) => path);
  const entry = manifest['index.html']?.file;
  if (!entry) throw new Error('The manifest has no entry for index.html');
  const files = new Set(
    PRECACHED_CHUNKS.flatMap((chunk) => [...collectChunkFiles(manifest, chunk)]),
  );
  for (const { file } of Object.values(manifest)) if (file.endsWith('.woff2')) files.add(file);
  const assets = {
    entry,
    files: [...files].map((file) => `/${file}`),
    pages: offlinePaths,
  };
  const hash = createHash('sha256').update(JSON.stringify([assets, page, theme, manifest]));
  return { ...assets, version: hash.digest('base64url').slice(0, 12) };
}

/** Bundled as a single classic script, because not every browser supports module workers. */
async function bundleWorker(
  root: string,
  outDir: string,
  name: string,
  define: Record<string, string>,
) {
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    define,
    build: {
      target: 'es2022',
      outDir,
      emptyOutDir: false,
      lib: {
        entry: join(root, `worker/${name}.ts`),
        formats: ['iife'],
        name: 'lessonbook',
        fileName: () => `${name}.js`,
      },
    },
  });
}
