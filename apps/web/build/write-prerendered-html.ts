import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { createPostBuildPlugin } from './create-post-build-plugin.ts';
import { collectChunkFiles, type Manifest, readManifest } from './vite-manifest.ts';

const LANDING = 'src/pages/Landing.tsx';

/**
 * Writes `dist/landing.html`, the page for visitors without a login cookie. It is `index.html` with the landing page
 * prerendered inside the root element, so it is readable before any script runs.
 */
async function writeLandingHtml(
  folder: string,
  manifest: Manifest,
  index: string,
  html: string,
): Promise<void> {
  const page = index
    .replace(/<script type="module"[^>]*><\/script>/, await writeStartScript(folder, manifest))
    .replace('</head>', `${buildLandingLinks(manifest)}</head>`)
    .replace('<div id="root"></div>', `<div id="root" data-prerendered>${html}</div>`);
  await writeFile(
    join(folder, 'landing.html'),
    await inlineStyles(lowerScriptPriority(page), folder),
  );
}

/**
 * Writes the script that replaces the app's own: the prerendered page is painted first and then hydrated. An animation
 * frame callback runs before a paint, and a task queued from it runs afterwards. It is a separate file because the
 * content security policy forbids inline scripts.
 */
async function writeStartScript(folder: string, manifest: Manifest): Promise<string> {
  const app = manifest['index.html']?.file ?? '';
  const code = `requestAnimationFrame(()=>setTimeout(()=>import('/${app}')))`;
  const hash = createHash('sha256').update(code).digest('base64url').slice(0, 8);
  const file = `assets/start-${hash}.js`;
  await writeFile(join(folder, file), code);
  return `<script type="module" fetchpriority="low" crossorigin src="/${file}"></script>`;
}

/**
 * The landing page is a lazy chunk, so `index.html` lists neither its styles nor its scripts. The app's own chunk is
 * missing there too.
 */
function buildLandingLinks(manifest: Manifest): string {
  const app = manifest['index.html']?.file ?? '';
  const indexFiles = collectChunkFiles(manifest, 'index.html');
  indexFiles.delete(app);
  const files = new Set([app, ...collectChunkFiles(manifest, LANDING)]).difference(indexFiles);
  const links = [...files].map((file) =>
    file.endsWith('.css')
      ? `<link rel="stylesheet" crossorigin href="/${file}">`
      : `<link rel="modulepreload" crossorigin href="/${file}">`,
  );
  return links.join('');
}

const PRERENDER_ENTRY = 'src/prerender.tsx';

/** Renders the parts that are visible before any script runs. */
async function prerender(root: string): Promise<Record<'landing' | 'login' | 'spinner', string>> {
  // Inside node_modules, so that the bundle can resolve its packages and git ignores the folder.
  const outDir = join(root, 'node_modules/.prerender');
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: { ssr: PRERENDER_ENTRY, outDir, emptyOutDir: true },
  });
  const { renderLanding, renderLogin, renderSpinner } = (await import(
    pathToFileURL(join(outDir, 'prerender.js')).href
  )) as Record<'renderLanding' | 'renderLogin' | 'renderSpinner', () => string>;
  const html = { landing: renderLanding(), login: renderLogin(), spinner: renderSpinner() };
  await rm(outDir, { recursive: true });
  return html;
}

const STYLESHEET = /<link rel="stylesheet"[^>]*href="\/([^"]+)">/g;

/** Inlines the stylesheets, because the first paint would otherwise wait for each small file. */
export async function inlineStyles(page: string, folder: string): Promise<string> {
  const files = [...page.matchAll(STYLESHEET)].map(([, file = '']) => file);
  const styles = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return page
    .replaceAll(STYLESHEET, '')
    .replace('</head>', () => `<style>${styles.join('')}</style></head>`);
}

/** Lets the fonts load before the scripts, because a prerendered page is readable without scripts. */
export const lowerScriptPriority = (page: string): string =>
  page.replaceAll('rel="modulepreload"', 'rel="modulepreload" fetchpriority="low"');

const LAZY_PAGES = 'src/app/lazy-pages.ts';
const UI_CHUNKS = [LAZY_PAGES, 'src/app/UiProvider.tsx'];
const SHELL_CHUNKS = [...UI_CHUNKS, 'src/app/shell/Shell.tsx'];

/**
 * The server chooses between these pages in `platform/http/static-site.ts`. They differ in what they preload, to avoid
 * request chains, and in whether a user can be signed in.
 */
const HTML_ENTRIES = {
  'visitor.html': { attributes: ' data-visitor', chunks: [LAZY_PAGES] },
  'home.html': { attributes: '', chunks: [...SHELL_CHUNKS, 'src/pages/Dashboard.tsx'] },
  'index.html': { attributes: '', chunks: SHELL_CHUNKS },
};

/**
 * Derives the pages that the server sends from `index.html`, each with content that is visible before any script runs.
 */
export const writePrerenderedHtml = () =>
  createPostBuildPlugin('prerendered-html', async (root, folder) => {
    const index = await readFile(join(folder, 'index.html'), 'utf8');
    const manifest = await readManifest(folder);
    const html = await prerender(root);
    await writeLandingHtml(folder, manifest, index, html.landing);
    for (const [name, { attributes, chunks }] of Object.entries(HTML_ENTRIES)) {
      const head = buildPreloadLinks(manifest, chunks);
      await writeFile(join(folder, name), fillRoot(index, head, attributes, html.spinner));
    }
    const login = fillRoot(index, buildLoginHead(manifest), ' data-visitor data-login', html.login);
    await writeFile(
      join(folder, 'login.html'),
      await inlineStyles(lowerScriptPriority(login), folder),
    );
  });

function fillRoot(index: string, head: string, attributes: string, content: string): string {
  return index
    .replace('</head>', `${head}</head>`)
    .replace('<div id="root"></div>', `<div id="root"${attributes}>${content}</div>`);
}

/** Preload links for the login page, and the styles of its prerendered layout. */
function buildLoginHead(manifest: Manifest): string {
  const layout = Object.keys(manifest).find((name) => manifest[name]?.name === 'AuthLayout');
  const styles = [...collectChunkFiles(manifest, layout ?? 'AuthLayout')]
    .filter((file) => file.endsWith('.css'))
    .map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`);
  return buildPreloadLinks(manifest, [...UI_CHUNKS, 'src/pages/Login.tsx']) + styles.join('');
}

function buildPreloadLinks(manifest: Manifest, chunks: readonly string[]): string {
  const indexFiles = collectChunkFiles(manifest, 'index.html');
  const files = new Set(chunks.flatMap((chunk) => [...collectChunkFiles(manifest, chunk)]));
  return [...files.difference(indexFiles)]
    .map((file) =>
      file.endsWith('.css')
        ? `<link rel="preload" as="style" crossorigin href="/${file}">`
        : `<link rel="modulepreload" crossorigin href="/${file}">`,
    )
    .join('');
}
