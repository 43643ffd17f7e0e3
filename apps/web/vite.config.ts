import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressAssets } from './build/compress-assets.ts';
import { preloadFonts } from './build/preload-fonts.ts';
import { prerenderLanding } from './build/prerender-landing.ts';

const api = process.env.API_URL ?? 'http://127.0.0.1:3000';
const port = Number(process.env.WEB_PORT ?? 5173);
const proxy = { '/api': api, '/healthz': api };

export default defineConfig({
  // The order matters: the landing page is written before everything is compressed.
  plugins: [react(), preloadFonts(), prerenderLanding(), compressAssets()],
  server: { host: '127.0.0.1', port, strictPort: true, proxy },
  preview: { host: '127.0.0.1', port, strictPort: true, proxy },
  build: {
    target: 'es2022',
    manifest: true,
    // The content security policy allows no inline script and no data: font.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/,
              priority: 7,
            },
            // Asking several questions at once is for dialogs; the landing page need not carry it.
            {
              name: 'tanstack',
              test: /node_modules[\\/]@tanstack[\\/](?!.*(queriesObserver|useQueries))/,
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
            {
              name: 'menus',
              test: /node_modules[\\/](@floating-ui[\\/]|@mantine[\\/]core[\\/].*[\\/](Menu|Popover|Floating)[\\/])/,
              priority: 4,
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
              test: /node_modules[\\/]@mantine[\\/]core[\\/].*[\\/](Combobox|Select|Autocomplete|Textarea)[\\/]/,
              priority: 1,
            },
            { name: 'calendar', test: /node_modules[\\/](@mantine[\\/]dates|dayjs)[\\/]/ },
          ],
        },
      },
    },
  },
});
