import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withQuietScripts, withStyles } from './inline-styles.ts';
import { filesOf, type Manifest } from './manifest.ts';

const LANDING = 'src/pages/Landing.tsx';

/**
 * Writes `dist/landing.html`: the page for visitors without a login cookie, readable before any script runs.
 * It is `index.html` with the landing page already inside the root element.
 */
export async function writeLanding(
  folder: string,
  manifest: Manifest,
  index: string,
  html: string,
): Promise<void> {
  const page = index
    .replace(/<script type="module"[^>]*><\/script>/, await startScript(folder, manifest))
    .replace('</head>', `${headLinks(manifest)}</head>`)
    .replace('<div id="root"></div>', `<div id="root" data-prerendered>${html}</div>`);
  await writeFile(join(folder, 'landing.html'), await withStyles(withQuietScripts(page), folder));
}

/**
 * In place of the app itself: the page comes finished, so it is painted first, and what makes it live runs after that. A
 * frame that was asked for comes before a paint, and a task after it. A file, since the content security policy allows no
 * inline script.
 */
async function startScript(folder: string, manifest: Manifest): Promise<string> {
  const app = manifest['index.html']?.file ?? '';
  const code = `requestAnimationFrame(()=>setTimeout(()=>import('/${app}')))`;
  const hash = createHash('sha256').update(code).digest('base64url').slice(0, 8);
  const file = `assets/start-${hash}.js`;
  await writeFile(join(folder, file), code);
  return `<script type="module" fetchpriority="low" crossorigin src="/${file}"></script>`;
}

/** The landing page is a lazy chunk, so `index.html` knows neither its styles nor its scripts; nor is the app itself named there. */
function headLinks(manifest: Manifest): string {
  const app = manifest['index.html']?.file ?? '';
  const known = filesOf(manifest, 'index.html');
  known.delete(app);
  const files = new Set([app, ...filesOf(manifest, LANDING)]).difference(known);
  const links = [...files].map((file) =>
    file.endsWith('.css')
      ? `<link rel="stylesheet" crossorigin href="/${file}">`
      : `<link rel="modulepreload" crossorigin href="/${file}">`,
  );
  return links.join('');
}
