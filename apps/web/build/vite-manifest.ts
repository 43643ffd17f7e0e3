import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from 'vite';

export type { Manifest };

export const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest;

/** A chunk, its static imports and their styles, but not its dynamic imports. */
export function collectChunkFiles(
  manifest: Manifest,
  entry: string,
  seen = new Set<string>(),
): Set<string> {
  const chunk = manifest[entry];
  if (!chunk) throw new Error(`${entry} is no longer a separate chunk`);
  if (seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const file of chunk.css ?? []) seen.add(file);
  for (const name of chunk.imports ?? []) collectChunkFiles(manifest, name, seen);
  return seen;
}
