import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { withQuietScripts, withStyles } from './inline-styles.ts';
import { filesOf, type Manifest } from './manifest.ts';
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

/** Makes of `index.html` the pages for everything behind the landing page, with something to see before any script runs. */
export function writePages(): Plugin {
  let root = '';
  let folder = '';
  return {
    name: 'lessonbook:write-pages',
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
        const spinner = await render(root, 'renderSpinner');
        const login = await render(root, 'renderLogin');
        for (const [name, { mark, chunks }] of Object.entries(PAGES)) {
          const head = preloads(manifest, chunks);
          await writeFile(join(folder, name), filled(index, head, mark, spinner));
        }
        const page = filled(index, loginHead(manifest), ' data-visitor data-login', login);
        await writeFile(
          join(folder, 'login.html'),
          await withStyles(withQuietScripts(page), folder),
        );
      },
    },
  };
}

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
