import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

const RENDERER = 'src/prerender.tsx';

/** Runs one of the functions of `src/prerender.tsx`, which make HTML of our components. */
export async function render(
  root: string,
  name: 'renderLanding' | 'renderLogin' | 'renderSpinner',
): Promise<string> {
  // Inside node_modules, so that the bundle finds its packages and git does not see it.
  const outDir = join(root, 'node_modules/.prerender', name);
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: { ssr: RENDERER, outDir, emptyOutDir: true },
  });
  const renderers = (await import(pathToFileURL(join(outDir, 'prerender.js')).href)) as Record<
    typeof name,
    () => string
  >;
  const html = renderers[name]();
  await rm(outDir, { recursive: true });
  return html;
}
