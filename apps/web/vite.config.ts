import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { buildServiceWorker } from './build/build-service-worker.ts';
import { compressAssets } from './build/compress-assets.ts';
import { groupModulesIntoChunks } from './build/group-modules-into-chunks.ts';
import { splitContractSchemas } from './build/split-contract-schemas.ts';
import { writePrerenderedHtml } from './build/write-prerendered-html.ts';

/** Font file names contain a hash, so their preload links are written once the bundle is known. */
function preloadFonts(): Plugin {
  return {
    name: 'lessonbook:preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, context) => {
        const files = Object.keys(context.bundle ?? {}).filter((file) => file.endsWith('.woff2'));
        return files.map((file) => ({
          tag: 'link',
          attrs: {
            rel: 'preload',
            as: 'font',
            type: 'font/woff2',
            href: `/${file}`,
            crossorigin: '',
          },
          injectTo: 'head-prepend' as const,
        }));
      },
    },
  };
}

/**
 * For development. Passkeys need a host name, so the app works only on localhost. Vite also prints 127.0.0.1, where
 * every login would be rejected as cross-origin, so requests to that address are redirected.
 */
const redirectLoopback = (): Plugin => ({
  name: 'redirect-loopback',
  configureServer: ({ middlewares }) => {
    middlewares.use(({ headers, url }, response, next) => {
      const [host, port] = (headers.host ?? '').split(':');
      if (host !== '127.0.0.1' || !headers.accept?.includes('text/html')) return next();
      response.writeHead(302, { location: `http://localhost:${port}${url}` }).end();
    });
  },
});

/** In production the server chooses the entry page. In development it only answers API requests, so Vite chooses. */
const LINK_PATH = /^\/((pay|unsubscribe)(\/|$)|invoices\/(?!\d+$|everyone$)[^/]+$)/;
const FAMILY_PATH = /^\/family(\/|$)/;
const servePagesForFamilies = (): Plugin => ({
  name: 'serve-pages-for-families',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _response, next) => {
      const [path = ''] = (request.url ?? '').split('?');
      if (LINK_PATH.test(path)) request.url = '/link.html';
      if (FAMILY_PATH.test(path)) request.url = '/family.html';
      next();
    });
  },
});

const api = process.env.API_URL ?? 'http://127.0.0.1:3000';
const port = Number(process.env.WEB_PORT ?? 5173);
const proxy = { '/api': api, '/healthz': api };

const INITIAL_CHUNKS =
  /\/(react|router|query|mantine|icons|index|start-[a-z-]+|rolldown-runtime|preload-helper)-[\w-]{8}\.\w+$/;

const page = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
  // The order matters: the service worker lists the built files, and compression comes last.
  plugins: [
    redirectLoopback(),
    servePagesForFamilies(),
    splitContractSchemas(),
    react(),
    preloadFonts(),
    writePrerenderedHtml(),
    buildServiceWorker(),
    compressAssets(),
  ],
  server: { host: '127.0.0.1', port, strictPort: true, proxy },
  preview: { host: '127.0.0.1', port, strictPort: true, proxy },
  build: {
    target: 'es2022',
    manifest: true,
    // The content security policy allows neither inline scripts nor data: fonts.
    modulePreload: {
      polyfill: false,
      // Chunks that the app starts with are not listed again for each page.
      resolveDependencies: (_file, names, { hostType }) =>
        hostType === 'html' ? names : names.filter((name) => !INITIAL_CHUNKS.test(name)),
    },
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: [page('index.html'), page('landing.html'), page('link.html'), page('family.html')],
      output: {
        // Removes the list of entries that `entriesAware` appends to a name.
        sanitizeFileName: (name) => name.replace(/~.*/, ''),
        // Packages that are loaded together are grouped. Of our own modules, only those of a first load are
        // grouped (`groupModulesIntoChunks`); the bundler splits the rest.
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/,
              priority: 7,
            },
            {
              name: 'router',
              test: /node_modules[\\/]@tanstack[\\/](react-router|router-core|history|store|react-store)[\\/]/,
              priority: 6,
            },
            {
              name: 'query',
              test: /node_modules[\\/]@tanstack[\\/](query-core|react-query)[\\/]/,
              priority: 6,
            },
            // Without a share count, Mantine is split into dozens of tiny files. Menus, dialogs, fields, selects and
            // calendars, and their keyboard handling, are not part of the first load of a page that does not show them.
            {
              name: 'mantine',
              test: /node_modules[\\/](@mantine[\\/](core|hooks)|clsx)[\\/](?!.*[\\/]Modal[\\/](?!ModalStack))(?!.*create-scoped-keydown-handler)(?!.*[\\/](Menu|Popover|Floating|ModalBase|Combobox|Select|Autocomplete|ScrollArea|Textarea|Input|InputBase|TextInput|PasswordInput|InlineInput|Switch|Checkbox)[\\/])/,
              minShareCount: 3,
              priority: 5,
            },
            // Positioning of popovers, used by menus and by selects.
            {
              name: 'floating',
              test: /node_modules[\\/](@floating-ui[\\/]|@mantine[\\/]core[\\/].*[\\/](Popover|Floating)[\\/])/,
              priority: 4,
            },
            {
              name: 'fields',
              test: /node_modules[\\/]@mantine[\\/]core[\\/].*[\\/](Input|InputBase|TextInput|PasswordInput|InlineInput|Switch|Checkbox)[\\/]/,
              priority: 4,
            },
            {
              name: 'menus',
              test: /node_modules[\\/]@mantine[\\/]core[\\/].*[\\/]Menu[\\/]/,
              priority: 3,
            },
            // Scrolling, used by both dialogs and selects.
            {
              name: 'scroll-area',
              test: /node_modules[\\/]@mantine[\\/]core[\\/].*[\\/]ScrollArea[\\/]/,
              priority: 3,
            },
            {
              name: 'dialogs',
              test: /node_modules[\\/](react-remove-scroll|@mantine[\\/]core[\\/].*[\\/](Modal[\\/](?!ModalStack)|ModalBase[\\/]))/,
              priority: 2,
            },
            {
              name: 'choices',
              test: /node_modules[\\/]@mantine[\\/]core[\\/].*[\\/](Combobox|Select)[\\/]/,
              priority: 1,
            },
            { name: 'icons', test: /node_modules[\\/]@tabler[\\/]/, minShareCount: 8 },
            // Packages that the app starts with. They must not be in the entry's own chunk; see `groupModulesIntoChunks`.
            {
              name: 'start-packages',
              test: /node_modules[\\/]/,
              tags: ['$initial'],
              entriesAware: true,
              entriesAwareMergeThreshold: 3000,
            },
            {
              name: groupModulesIntoChunks,
              test: /[\\/](apps[\\/]web|packages[\\/]contract)[\\/]src[\\/]/,
              includeDependenciesRecursively: false,
            },
            { name: 'calendar', test: /node_modules[\\/](@mantine[\\/]dates|dayjs)[\\/]/ },
          ],
        },
      },
    },
  },
});
