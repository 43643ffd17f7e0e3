import { collectChunkFiles, type Manifest } from '../../apps/web/build/vite-manifest.ts';
import { BUDGETS, type PageKind } from './page-budgets.ts';

export interface BundleSize {
  name: string;
  kind: PageKind | 'feature' | 'fonts';
  script: number;
  style: number;
  limit: number;
  isOver: boolean;
}

const ENTRY_CHUNK = 'index.html';
const LINK_CHUNK = 'link.html';
const FAMILY_CHUNK = 'family.html';
/** What the family portal shows to a person who is signed in. */
const PORTAL_CHUNK = 'src/features/portal/SignedInPages.tsx';
const LAYOUT_CHUNK = 'src/app/TutorLayout.tsx';
/** Preloaded by the shell while the browser is idle, so no click waits for it. */
const PRELOADED_CHUNK = 'src/app/shell/AccountMenuItems.tsx';

/** Chunks loaded with a page of the app on the first visit. */
const SHARED_CHUNKS = {
  public: [ENTRY_CHUNK],
  app: [ENTRY_CHUNK, LAYOUT_CHUNK],
};

interface Build {
  manifest: Manifest;
  /** The files that the landing page links to. */
  landingFiles: readonly string[];
  pages: ReadonlyMap<string, 'public' | 'app'>;
  /** Returns the size in kB. */
  sizeOf: (file: string) => number;
}

/** Measures every page and every lazy feature. */
export function measureBundles({ manifest, landingFiles, pages, sizeOf }: Build): BundleSize[] {
  // A page whose module is in the chunk of another page has no chunk of its own.
  const built = [...pages].filter(([page]) => manifest[page]);
  const firstLoads = new Map(
    built.map(([page, kind]) => [page, filesOfChunks(manifest, [...SHARED_CHUNKS[kind], page])]),
  );
  const portal = filesOfChunks(manifest, [FAMILY_CHUNK, PORTAL_CHUNK]);
  return [
    toBundleSize('landing.html', 'landing', landingFiles, sizeOf),
    toBundleSize(LINK_CHUNK, 'link', collectChunkFiles(manifest, LINK_CHUNK), sizeOf),
    toBundleSize(FAMILY_CHUNK, 'family', collectChunkFiles(manifest, FAMILY_CHUNK), sizeOf),
    toBundleSize(PORTAL_CHUNK, 'portal', portal, sizeOf),
    ...built.map(([page, kind]) => toBundleSize(page, kind, firstLoads.get(page) ?? [], sizeOf)),
    ...measureFeatures(manifest, new Map([...firstLoads, [PORTAL_CHUNK, portal]]), sizeOf),
  ];
}

export function measureFonts(
  files: readonly string[],
  sizeOf: (file: string) => number,
): BundleSize {
  const script = sumSizes(files, sizeOf);
  const limit = BUDGETS.fonts;
  return { name: 'fonts', kind: 'fonts', script, style: 0, limit, isOver: script > limit };
}

/** A lazy feature used by several pages is measured from the page where it adds the most. */
function measureFeatures(
  manifest: Manifest,
  firstLoads: ReadonlyMap<string, Set<string>>,
  sizeOf: (file: string) => number,
): BundleSize[] {
  const heaviest = new Map<string, BundleSize>();
  for (const [page, firstLoad] of firstLoads) {
    const features = findLazyFeatures(manifest, page, firstLoad);
    for (const [feature, added] of features) {
      if (firstLoads.has(feature)) continue;
      const size = toBundleSize(feature, 'feature', added, sizeOf);
      if (size.script >= (heaviest.get(feature)?.script ?? 0)) heaviest.set(feature, size);
    }
  }
  return [...heaviest.values()];
}

/** Lazy features reachable from a page, each with the files it adds to those already loaded. */
function findLazyFeatures(
  manifest: Manifest,
  page: string,
  firstLoad: ReadonlySet<string>,
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const filesAddedBy = (name: string, loaded: ReadonlySet<string>) =>
    [...collectChunkFiles(manifest, name)].filter((file) => !loaded.has(file));

  const queue = [{ from: page, loaded: firstLoad }];
  if (firstLoad.has(manifest[LAYOUT_CHUNK]?.file ?? '')) {
    found.set(PRELOADED_CHUNK, filesAddedBy(PRELOADED_CHUNK, firstLoad));
    const loaded = new Set([...firstLoad, ...collectChunkFiles(manifest, PRELOADED_CHUNK)]);
    queue.splice(0, 1, { from: page, loaded }, { from: LAYOUT_CHUNK, loaded });
  }
  for (let next = queue.shift(); next; next = queue.shift()) {
    for (const feature of findDynamicImports(manifest, next.from)) {
      if (found.has(feature)) continue;
      const { loaded } = next;
      const added = filesAddedBy(feature, loaded);
      found.set(feature, added);
      queue.push({ from: feature, loaded: new Set([...loaded, ...added]) });
    }
  }
  return found;
}

/**
 * Dynamic imports of a chunk and of its static imports. Skips the entry chunks, whose dynamic imports are the
 * pages.
 */
function findDynamicImports(
  manifest: Manifest,
  start: string,
  seen = new Set<string>(),
): Set<string> {
  const found = new Set<string>();
  const isInEntry = collectChunkFiles(manifest, ENTRY_CHUNK).has(manifest[start]?.file ?? '');
  if (seen.has(start) || isInEntry) return found;
  seen.add(start);
  const { imports = [], dynamicImports = [] } = manifest[start] ?? {};
  for (const name of dynamicImports) found.add(name);
  for (const name of imports) {
    for (const each of findDynamicImports(manifest, name, seen)) found.add(each);
  }
  return found;
}

function filesOfChunks(manifest: Manifest, names: readonly string[]): Set<string> {
  return new Set(names.flatMap((name) => [...collectChunkFiles(manifest, name)]));
}

function toBundleSize(
  path: string,
  kind: PageKind | 'feature',
  files: Iterable<string>,
  sizeOf: (file: string) => number,
): BundleSize {
  const all = [...files];
  const script = sumSizes(
    all.filter((file) => file.endsWith('.js')),
    sizeOf,
  );
  const style = sumSizes(
    all.filter((file) => file.endsWith('.css')),
    sizeOf,
  );
  const limit = BUDGETS[kind];
  const isOver = script > limit || style > BUDGETS.style;
  return { name: path.replace(/^(?:.*\/)?(.*)\.\w+$/, '$1'), kind, script, style, limit, isOver };
}

const sumSizes = (files: readonly string[], sizeOf: (file: string) => number) =>
  files.reduce((total, file) => total + sizeOf(file), 0);
