import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

const RENDERER = 'src/prerender.tsx';

/** What can be seen before any script runs, as HTML of our own components. */
export async function render(
  root: string,
): Promise<Record<'landing' | 'login' | 'spinner', string>> {
  // Inside node_modules, so that the bundle finds its packages and git does not see it.
  const outDir = join(root, 'node_modules/.prerender');
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: { ssr: RENDERER, outDir, emptyOutDir: true },
  });
  const { renderLanding, renderLogin, renderSpinner } = (await import(
    pathToFileURL(join(outDir, 'prerender.js')).href
  )) as Record<'renderLanding' | 'renderLogin' | 'renderSpinner', () => string>;
  const html = { landing: renderLanding(), login: renderLogin(), spinner: renderSpinner() };
  await rm(outDir, { recursive: true });
  return html;
}
