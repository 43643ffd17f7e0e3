import { collectChunkFiles, type Manifest } from '../../apps/web/build/vite-manifest.ts';
import { BUDGETS, PAGES, type PageKind } from './page-budgets.ts';

export interface BundleSize {
  name: string;
  kind: PageKind | 'feature' | 'fonts';
  script: number;
  style: number;
  limit: number;
  isOver: boolean;
}

const PAGE_PATH = /^src\/pages\/(\w+)\.tsx$/;
const ENTRY_CHUNK = 'index.html';
const PUBLIC_CHUNKS = [ENTRY_CHUNK, 'src/app/lazy-pages.ts'];
const UI_CHUNKS = [...PUBLIC_CHUNKS, 'src/app/UiProvider.tsx'];
const SHELL_CHUNK = 'src/app/shell/Shell.tsx';
/** Preloaded by the shell while the browser is idle, so no click waits for it. */
const PRELOADED_CHUNK = 'src/app/shell/AccountMenuItems.tsx';

/** Chunks loaded with a page on the first visit. */
const SHARED_CHUNKS: Record<PageKind, readonly string[]> = {
  landing: [ENTRY_CHUNK],
  public: PUBLIC_CHUNKS,
  entry: UI_CHUNKS,
  app: [...UI_CHUNKS, SHELL_CHUNK],
};

/** Measures every page and every lazy feature. `sizeOf` returns kB. */
export function measureBundles(manifest: Manifest, sizeOf: (file: string) => number): BundleSize[] {
  const pages = pageKinds(manifest);
  const firstLoads = new Map(
    [...pages].map(([page, kind]) => [
      page,
      filesOfChunks(manifest, [...SHARED_CHUNKS[kind], page]),
    ]),
  );
  return [
    ...[...pages].map(([page, kind]) =>
      toBundleSize(page, kind, firstLoads.get(page) ?? [], sizeOf),
    ),
    ...measureFeatures(manifest, firstLoads, sizeOf),
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

function pageKinds(manifest: Manifest): Map<string, PageKind> {
  const kinds = new Map<string, PageKind>();
  for (const kind of Object.keys(PAGES) as PageKind[]) {
    for (const name of PAGES[kind]) kinds.set(`src/pages/${name}.tsx`, kind);
  }
  const built = Object.keys(manifest).filter((name) => PAGE_PATH.test(name));
  const unknown = built.filter((name) => !kinds.has(name));
  const missing = [...kinds.keys()].filter((name) => !manifest[name]);
  if (unknown.length > 0) {
    throw new Error(
      `${unknown.join(', ')}: add it to scripts/budgets/page-budgets.ts under its kind`,
    );
  }
  if (missing.length > 0) {
    throw new Error(
      `${missing.join(', ')}: has no chunk, but is in scripts/budgets/page-budgets.ts`,
    );
  }
  return kinds;
}

/** A lazy feature used by several pages is measured from the page where it adds the most. */
function measureFeatures(
  manifest: Manifest,
  firstLoads: ReadonlyMap<string, Set<string>>,
  sizeOf: (file: string) => number,
): BundleSize[] {
  const heaviest = new Map<string, BundleSize>();
  for (const [page, firstLoad] of firstLoads) {
    for (const [feature, added] of findLazyFeatures(manifest, page, firstLoad)) {
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
  const addedBy = (name: string, loaded: ReadonlySet<string>) =>
    [...collectChunkFiles(manifest, name)].filter((file) => !loaded.has(file));

  const queue = [{ from: page, loaded: firstLoad }];
  if (firstLoad.has(manifest[SHELL_CHUNK]?.file ?? '')) {
    found.set(PRELOADED_CHUNK, addedBy(PRELOADED_CHUNK, firstLoad));
    const loaded = new Set([...firstLoad, ...collectChunkFiles(manifest, PRELOADED_CHUNK)]);
    queue.splice(0, 1, { from: page, loaded }, { from: SHELL_CHUNK, loaded });
  }
  for (let next = queue.shift(); next; next = queue.shift()) {
    for (const feature of findDynamicImports(manifest, next.from)) {
      if (found.has(feature)) continue;
      const { loaded } = next;
      const added = addedBy(feature, loaded);
      found.set(feature, added);
      queue.push({ from: feature, loaded: new Set([...loaded, ...added]) });
    }
  }
  return found;
}

/** Dynamic imports of a chunk and of its static imports. Skips the entry, whose dynamic imports are the pages. */
function findDynamicImports(
  manifest: Manifest,
  start: string,
  seen = new Set<string>(),
): Set<string> {
  const found = new Set<string>();
  if (seen.has(start) || start === ENTRY_CHUNK) return found;
  seen.add(start);
  const { imports = [], dynamicImports = [] } = manifest[start] ?? {};
  for (const name of dynamicImports) if (!PAGE_PATH.test(name)) found.add(name);
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
  return { name: path.replace(/^.*\/(.*)\.\w+$/, '$1'), kind, script, style, limit, isOver };
}

const sumSizes = (files: readonly string[], sizeOf: (file: string) => number) =>
  files.reduce((total, file) => total + sizeOf(file), 0);
