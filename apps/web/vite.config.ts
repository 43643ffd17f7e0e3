import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressAssets } from './build/compress-assets.ts';
import { oneAddress } from './build/one-address.ts';
import { preloadFonts } from './build/preload-fonts.ts';
import { serviceWorker } from './build/service-worker.ts';
import { writePages } from './build/write-pages.ts';

const api = process.env.API_URL ?? 'http://127.0.0.1:3000';
const port = Number(process.env.WEB_PORT ?? 5173);
const proxy = { '/api': api, '/healthz': api };

const FROM_THE_START = /\/(react|tanstack|ground|index|rolldown-runtime)-[^/]+$/;

export default defineConfig({
  // The order matters: the service worker knows what was built, and compressing comes last.
  plugins: [oneAddress(), react(), preloadFonts(), writePages(), serviceWorker(), compressAssets()],
  server: { host: '127.0.0.1', port, strictPort: true, proxy },
  preview: { host: '127.0.0.1', port, strictPort: true, proxy },
  build: {
    target: 'es2022',
    manifest: true,
    // The content security policy allows no inline script and no data: font.
    modulePreload: {
      polyfill: false,
      // What every page starts with need not be named once more for each screen.
      resolveDependencies: (_file, names, { hostType }) =>
        hostType === 'html' ? names : names.filter((name) => !FROM_THE_START.test(name)),
    },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What every page needs, also the landing page and the pages for families.
            {
              name: 'ground',
              test: /(vite[\\/]preload-helper|src[\\/](lib[\\/](http|page-title|query|saving-data|toast)|app[\\/]paths|features[\\/](accounts[\\/](auth|me|sign-in-options)|reports[\\/]dashboard-query)|components[\\/](Logo|MessageCard|RouteError|Spinner|Spot|Toaster))\.|@tabler[\\/]icons-react[\\/].*[\\/](createReactComponent|defaultAttributes|IconAlertTriangle|IconCheck|IconX)\.)/,
              priority: 8,
            },
            // Words and amounts, for the tutor's screens and for those of families.
            {
              name: 'format',
              test: /(src[\\/]lib[\\/]format|packages[\\/]contract[\\/]src[\\/](dates|made-once|money))\./,
              priority: 8,
            },
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/,
              priority: 7,
            },
            // Asking several questions at once is for dialogs, asking page by page for long lists, and changing something
            // for those who are signed in; the landing page need not carry any of it.
            {
              name: 'tanstack',
              test: /node_modules[\\/]@tanstack[\\/](?!.*(queriesObserver|useQueries|infiniteQueryObserver|useInfiniteQuery|infiniteQueryOptions|mutationObserver|useMutation))/,
              priority: 6,
            },
            // Without a share count Mantine falls into dozens of tiny files. What only opens later (menus, dialogs,
            // lists of choices, calendars) is no part of the first load of a page that does not show it.
            {
              name: 'mantine',
              test: /node_modules[\\/](@mantine[\\/](core|hooks)|clsx)[\\/](?!.*[\\/](Menu|Popover|Floating|Modal|ModalBase|Combobox|Select|Autocomplete|ScrollArea|Textarea)[\\/])/,
              minShareCount: 3,
              priority: 5,
            },
            // What finds its place beside something else; menus and lists of choices both do.
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
            // Dialogs and lists of choices both scroll.
            {
              name: 'scroll-area',
              test: /node_modules[\\/]@mantine[\\/]core[\\/].*[\\/]ScrollArea[\\/]/,
              priority: 3,
            },
            {
              name: 'dialogs',
              test: /node_modules[\\/](react-remove-scroll|@mantine[\\/]core[\\/].*[\\/](Modal|ModalBase)[\\/])/,
              priority: 2,
            },
            {
              name: 'choices',
              test: /node_modules[\\/]@mantine[\\/]core[\\/].*[\\/](Combobox|Select)[\\/]/,
              priority: 1,
            },
            // The small parts of the tutor's screens in one file: each by itself would cost the landing page a line in the
            // list of what to fetch for which screen.
            {
              name: 'house',
              test: /src[\\/](lib[\\/](last|new-tab|remembered)|features[\\/]lessons[\\/]ask-to-tell|components[\\/](Avatar|ButtonLink|CardRow|CheckField|Column|Consequence|EmptyState|FactList|LessonRow|LoadError|MoneyRow|PageHeader|Radio|RowLink|RowSkeleton|Segments|SessionState|SettingsRow|Sheet|StickyFoot|TickBox|ToneSquare|WhenOpened))\./,
            },
            { name: 'calendar', test: /node_modules[\\/](@mantine[\\/]dates|dayjs)[\\/]/ },
          ],
        },
      },
    },
  },
});
