import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const STYLESHEET = /<link rel="stylesheet"[^>]*href="\/([^"]+)">/g;

/** Puts the styles inside the page: each small file would be one more thing that the first paint waits for. */
export async function withStyles(page: string, folder: string): Promise<string> {
  const files = [...page.matchAll(STYLESHEET)].map(([, file = '']) => file);
  const styles = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return page
    .replaceAll(STYLESHEET, '')
    .replace('</head>', () => `<style>${styles.join('')}</style></head>`);
}

/** A page that is readable as it is can wait for its scripts: they come after its fonts. */
export const withQuietScripts = (page: string): string =>
  page.replaceAll('rel="modulepreload"', 'rel="modulepreload" fetchpriority="low"');
