import { basename } from 'node:path';
import type { Rolldown } from 'vite';

/**
 * Names the chunk of a module that the app starts with by the HTML entries that need it ('start-index-link'). So a first
 * load is a few files, which compress better than dozens of small ones. Null for all other modules, which the bundler
 * splits.
 */
export function nameByEntries(id: string, context: Rolldown.ChunkingContext): string | null {
  const importers = new Set([id]);
  // The loop also visits the importers that are added meanwhile.
  for (const each of importers)
    for (const importer of context.getModuleInfo(each)?.importers ?? []) importers.add(importer);
  const entries = [...importers].filter((each) => each.endsWith('.html'));
  // The entry's own script awaits the first page, so a page that imported its chunk would never load.
  const isScript = context.getModuleInfo(id)?.importers.some((each) => each.endsWith('.html'));
  if (isScript) return null;
  const names = entries.map((entry) => basename(entry, '.html')).toSorted();
  return names.includes('index') ? ['start', ...names].join('-') : null;
}
