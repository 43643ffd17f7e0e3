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
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
            { name: 'tanstack', test: /node_modules[\\/]@tanstack[\\/]/ },
            // Without a share count Mantine falls into dozens of tiny files.
            {
              name: 'mantine',
              test: /node_modules[\\/](@mantine|@floating-ui|clsx)[\\/]/,
              minShareCount: 3,
            },
          ],
        },
      },
    },
  },
});
