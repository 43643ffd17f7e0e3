import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compressAssets } from './build/compress-assets.ts';
import { buildServiceWorker } from './build/service-worker.ts';
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

const api = process.env.API_URL ?? 'http://127.0.0.1:3000';
const port = Number(process.env.WEB_PORT ?? 5173);
const proxy = { '/api': api, '/healthz': api };

const INITIAL_CHUNKS = /\/(react|tanstack|base|index|rolldown-runtime)-[^/]+$/;

export default defineConfig({
  // The order matters: the service worker lists the built files, and compression comes last.
  plugins: [
    redirectLoopback(),
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
      // Chunks that every page starts with are not listed again for each page.
      resolveDependencies: (_file, names, { hostType }) =>
        hostType === 'html' ? names : names.filter((name) => !INITIAL_CHUNKS.test(name)),
    },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Needed by every page, including the landing page and the pages for families.
            {
              name: 'base',
              test: /(vite[\\/]preload-helper|src[\\/](lib[\\/](http|network-status|page-title|paths|query|toast)|features[\\/](accounts[\\/](AuthProvider|current-user)|dashboard[\\/]dashboard-query)|components[\\/](Logo|FullPageMessage|Spinner|Illustration|Toaster))\.|@tabler[\\/]icons-react[\\/].*[\\/](createReactComponent|defaultAttributes|IconAlertTriangle|IconCheck|IconX)\.)/,
              priority: 8,
            },
            // Formatting, shared by the pages for tutors and for families.
            {
              name: 'format',
              test: /(src[\\/]lib[\\/]format|packages[\\/]contract[\\/]src[\\/](dates|memoize|money))\./,
              priority: 8,
            },
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/,
              priority: 7,
            },
            // Parallel queries are for dialogs, infinite queries for long lists, and mutations for signed-in users;
            // the landing page needs none of them.
            {
              name: 'tanstack',
              test: /node_modules[\\/]@tanstack[\\/](?!.*(queriesObserver|useQueries|infiniteQueryObserver|useInfiniteQuery|infiniteQueryOptions|mutationObserver|useMutation))/,
              priority: 6,
            },
            // Without a share count, Mantine is split into dozens of tiny files. Menus, dialogs, selects and calendars
            // are not part of the first load of a page that does not show them.
            {
              name: 'mantine',
              test: /node_modules[\\/](@mantine[\\/](core|hooks)|clsx)[\\/](?!.*[\\/]Modal[\\/](?!ModalStack))(?!.*[\\/](Menu|Popover|Floating|ModalBase|Combobox|Select|Autocomplete|ScrollArea|Textarea)[\\/])/,
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
            // The small components of the tutor's pages, in one file: each separate chunk would add a line to the
            // landing page's list of dependencies.
            {
              name: 'common',
              test: /src[\\/](lib[\\/](use-last-value|use-local-flag)|features[\\/](lessons[\\/](offer-change-notice|shared[\\/](LessonRow|SessionStatus|notify-families-store))|subjects[\\/]shared[\\/]SubjectAvatar)|components[\\/](Avatar|ButtonLink|EditableRow|Checkbox|ImpactNotice|ListStates|DescriptionList|LinkRowWithAmount|PageLayout|RadioList|SegmentedControl|SettingsRow|Card|LazyMount))\./,
            },
            { name: 'calendar', test: /node_modules[\\/](@mantine[\\/]dates|dayjs)[\\/]/ },
          ],
        },
      },
    },
  },
});
