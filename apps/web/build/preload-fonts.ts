import type { Plugin } from 'vite';

/** The two font files get a hash in their names, so their preload links are written after the bundle is known. */
export function preloadFonts(): Plugin {
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
