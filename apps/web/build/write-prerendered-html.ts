import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { createPostBuildPlugin } from './create-post-build-plugin.ts';
import { PAGES_FILE, type PageInfo } from './read-page-list.ts';
import { collectChunkFiles, type Manifest, readManifest } from './vite-manifest.ts';

const LAYOUT = 'src/app/TutorLayout.tsx';
const SIGNED_IN_PAGES = 'src/features/portal/SignedInPages.tsx';

/**
 * Creates the pages that the server sends from the HTML entries. Each has content that is visible before any script
 * runs. `platform/http/static-site.ts` on the server chooses between them.
 */
export const writePrerenderedHtml = () =>
  createPostBuildPlugin('prerendered-html', async (root, folder) => {
    const manifest = await readManifest(folder);
    const { landing, login, familySignIn, familySignInWithWhatsApp, spinner, pages } =
      await prerender(root);
    await writeFile(join(folder, PAGES_FILE), JSON.stringify(pages, null, 2));

    const read = (name: string) => readFile(join(folder, name), 'utf8');
    const write = (name: string, html: string) => writeFile(join(folder, name), html);
    const [index, landingEntry, linkEntry, familyEntry] = await Promise.all(
      ['index.html', 'landing.html', 'link.html', 'family.html'].map(read),
    );
    if (!index || !landingEntry || !linkEntry || !familyEntry)
      throw new Error('An HTML entry is empty');
    // The entry awaits the first page, so the app would never start if the page had to wait for the entry.
    const importer = Object.values(manifest).find(({ imports }) =>
      imports?.some((name) => name === 'index.html' || name === 'family.html'),
    );
    if (importer) throw new Error(`${importer.file} imports the entry`);

    // For browsers without a login cookie. The landing page needs neither scripts nor the component library's styles, which
    // belong to modules that it shares with the app.
    const appFiles = collectChunkFiles(manifest, 'index.html');
    const landingStyles = [...collectChunkFiles(manifest, 'src/pages/Landing.tsx')]
      .filter((file) => !appFiles.has(file))
      .map(toStyle)
      .join('');
    await write(
      'landing.html',
      await inlineStyles(fillRoot(landingEntry, landingStyles, '', landing), folder),
    );
    await write('link.html', fillRoot(linkEntry, '', '', spinner));
    // The signed-in pages also request the styles of the entry, which are inline.
    const familyStyles = [...collectChunkFiles(manifest, 'family.html')]
      .filter((file) => file.endsWith('.css'))
      .map(toPreload);
    const familyHead =
      buildPreloads(manifest, [SIGNED_IN_PAGES], 'family.html') + familyStyles.join('');
    await write(
      'family.html',
      await inlineStyles(fillRoot(familyEntry, familyHead, '', spinner), folder),
    );
    for (const [name, content] of [
      ['family-sign-in.html', familySignIn],
      ['family-sign-in-whatsapp.html', familySignInWithWhatsApp],
    ] as const)
      await write(
        name,
        await inlineStyles(lowerScriptPriority(fillRoot(familyEntry, '', '', content)), folder),
      );
    await write('visitor.html', fillRoot(index, '', ' data-visitor', spinner));
    const loginHead =
      buildLinks(manifest, ['src/pages/Login.tsx'], toModulePreload) +
      buildLinks(manifest, ['src/pages/Login.tsx'], toStyle);
    await write(
      'login.html',
      await inlineStyles(
        lowerScriptPriority(fillRoot(index, loginHead, ' data-visitor', login)),
        folder,
      ),
    );

    // For browsers with a login cookie. Preloading avoids request chains.
    const homeHead = buildPreloads(manifest, [LAYOUT, 'src/pages/Dashboard.tsx']);
    await write('home.html', fillRoot(index, homeHead, '', spinner));
    await write('index.html', fillRoot(index, buildPreloads(manifest, [LAYOUT]), '', spinner));
  });

interface Prerendered {
  landing: string;
  login: string;
  familySignIn: string;
  familySignInWithWhatsApp: string;
  spinner: string;
  pages: PageInfo[];
}

async function prerender(root: string): Promise<Prerendered> {
  // Inside node_modules, so that the bundle can resolve its packages and git ignores the folder.
  const outDir = join(root, 'node_modules/.prerender');
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: { ssr: 'src/prerender.tsx', outDir, emptyOutDir: true },
  });
  const url = pathToFileURL(join(outDir, 'prerender.js')).href;
  const prerendered = (await import(url)) as Prerendered;
  await rm(outDir, { recursive: true });
  return prerendered;
}

const fillRoot = (html: string, head: string, attributes: string, content: string): string =>
  html
    .replace('</head>', `${head}</head>`)
    .replace('<div id="root"></div>', `<div id="root"${attributes}>${content}</div>`);

const toStyle = (file: string) =>
  file.endsWith('.css') ? `<link rel="stylesheet" crossorigin href="/${file}">` : '';

const toModulePreload = (file: string) =>
  file.endsWith('.js') ? `<link rel="modulepreload" crossorigin href="/${file}">` : '';

const toPreload = (file: string) =>
  file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="/${file}">`
    : toModulePreload(file);

/** Links to the files of lazy chunks, except those that the entry already links to. */
function buildLinks(
  manifest: Manifest,
  chunks: readonly string[],
  toLink: (file: string) => string,
  entry = 'index.html',
): string {
  const files = new Set(chunks.flatMap((chunk) => [...collectChunkFiles(manifest, chunk)]));
  return [...files.difference(collectChunkFiles(manifest, entry))].map(toLink).join('');
}

const buildPreloads = (manifest: Manifest, chunks: readonly string[], entry?: string): string =>
  buildLinks(manifest, chunks, toPreload, entry);

const STYLESHEET = /<link rel="stylesheet"[^>]*href="\/([^"]+)">/g;

/** Inlines the stylesheets, because the first paint would otherwise wait for each small file. */
async function inlineStyles(page: string, folder: string): Promise<string> {
  const files = [...page.matchAll(STYLESHEET)].map(([, file = '']) => file);
  const styles = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return page
    .replaceAll(STYLESHEET, '')
    .replace('</head>', () => `<style>${styles.join('')}</style></head>`);
}

/** Lets the fonts load before the scripts, because a prerendered page is readable without scripts. */
const lowerScriptPriority = (page: string): string =>
  page.replaceAll('rel="modulepreload"', 'rel="modulepreload" fetchpriority="low"');
