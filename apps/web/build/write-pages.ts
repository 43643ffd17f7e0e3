import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterBuild } from './after-build.ts';
import { withQuietScripts, withStyles } from './inline-styles.ts';
import { writeLanding } from './landing-page.ts';
import { filesOf, type Manifest, readManifest } from './manifest.ts';
import { render } from './render.ts';

const SCREENS = 'src/app/screens.ts';
const FRAME = [SCREENS, 'src/app/MantineFrame.tsx'];
const SHELL = [...FRAME, 'src/app/shell/Shell.tsx'];

/**
 * Which page the server sends is decided in its `platform/web-app.ts`. They differ in what they fetch from the start, which
 * would else be found one after the other, and in whether anybody can be signed in.
 */
const PAGES = {
  'visitor.html': { mark: ' data-visitor', chunks: [SCREENS] },
  'home.html': { mark: '', chunks: [...SHELL, 'src/pages/Dashboard.tsx'] },
  'index.html': { mark: '', chunks: SHELL },
};

/** Makes of `index.html` the pages that the server sends, with something to see before any script runs. */
export const writePages = () =>
  afterBuild('write-pages', async (root, folder) => {
    const index = await readFile(join(folder, 'index.html'), 'utf8');
    const manifest = await readManifest(folder);
    const html = await render(root);
    await writeLanding(folder, manifest, index, html.landing);
    for (const [name, { mark, chunks }] of Object.entries(PAGES)) {
      const head = preloads(manifest, chunks);
      await writeFile(join(folder, name), filled(index, head, mark, html.spinner));
    }
    const login = filled(index, loginHead(manifest), ' data-visitor data-login', html.login);
    await writeFile(join(folder, 'login.html'), await withStyles(withQuietScripts(login), folder));
  });

function filled(index: string, head: string, mark: string, content: string): string {
  return index
    .replace('</head>', `${head}</head>`)
    .replace('<div id="root"></div>', `<div id="root"${mark}>${content}</div>`);
}

/** The way in is drawn ahead but for its fields, with the styles of what is drawn. */
function loginHead(manifest: Manifest): string {
  const layout = Object.keys(manifest).find((name) => manifest[name]?.name === 'EntryLayout');
  const styles = [...filesOf(manifest, layout ?? 'EntryLayout')]
    .filter((file) => file.endsWith('.css'))
    .map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`);
  return preloads(manifest, [...FRAME, 'src/pages/Login.tsx']) + styles.join('');
}

function preloads(manifest: Manifest, chunks: readonly string[]): string {
  const known = filesOf(manifest, 'index.html');
  const files = new Set(chunks.flatMap((chunk) => [...filesOf(manifest, chunk)]));
  return [...files.difference(known)]
    .map((file) =>
      file.endsWith('.css')
        ? `<link rel="preload" as="style" crossorigin href="/${file}">`
        : `<link rel="modulepreload" crossorigin href="/${file}">`,
    )
    .join('');
}
