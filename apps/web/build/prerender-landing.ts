import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Manifest, type Plugin } from 'vite';
import { filesOf } from './manifest.ts';

const LANDING = 'src/pages/Landing.tsx';
const RENDERER = 'src/prerender.tsx';

/**
 * Writes `dist/landing.html`: the page for visitors without a login cookie, readable before any script runs.
 * It is `index.html` with the landing page already inside the root element.
 */
export function prerenderLanding(): Plugin {
  let root = '';
  let folder = '';
  return {
    name: 'lessonbook:prerender-landing',
    apply: 'build',
    configResolved: (config) => {
      root = config.root;
      folder = join(config.root, config.build.outDir);
    },
    closeBundle: {
      sequential: true,
      handler: async () => {
        const index = await readFile(join(folder, 'index.html'), 'utf8');
        const manifest = JSON.parse(
          await readFile(join(folder, '.vite/manifest.json'), 'utf8'),
        ) as Manifest;
        const page = index
          .replace('</head>', `${headLinks(manifest)}</head>`)
          .replace(
            '<div id="root"></div>',
            `<div id="root" data-prerendered>${await renderLanding(root)}</div>`,
          );
        await writeFile(join(folder, 'landing.html'), page);
      },
    },
  };
}

/** The landing page is a lazy chunk, so `index.html` knows neither its styles nor its scripts. */
function headLinks(manifest: Manifest): string {
  const known = filesOf(manifest, 'index.html');
  const files = filesOf(manifest, LANDING).difference(known);
  const links = [...files].map((file) =>
    file.endsWith('.css')
      ? `<link rel="stylesheet" crossorigin href="/${file}">`
      : `<link rel="modulepreload" crossorigin href="/${file}">`,
  );
  return links.join('');
}

async function renderLanding(root: string): Promise<string> {
  // Inside node_modules, so that the bundle finds its packages and git does not see it.
  const outDir = join(root, 'node_modules/.prerender');
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: { ssr: RENDERER, outDir, emptyOutDir: true },
  });
  const { renderLanding: render } = (await import(
    pathToFileURL(join(outDir, 'prerender.js')).href
  )) as { renderLanding: () => string };
  const html = render();
  await rm(outDir, { recursive: true });
  return html;
}
