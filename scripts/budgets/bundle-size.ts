import { chunkFiles, type Manifest } from '../../apps/web/build/manifest.ts';
import { BUDGETS, PAGES, type PageKind } from './pages.ts';

export interface BundleSize {
  name: string;
  kind: PageKind | 'feature' | 'fonts';
  script: number;
  style: number;
  limit: number;
  isOver: boolean;
}

const PAGE = /^src\/pages\/(\w+)\.tsx$/;
const ENTRY = 'index.html';
const PUBLIC_CHUNKS = [ENTRY, 'src/app/lazy-pages.ts'];
const UI_CHUNKS = [...PUBLIC_CHUNKS, 'src/app/UiProvider.tsx'];
const SHELL = 'src/app/shell/Shell.tsx';
/** Preloaded by the shell while the browser is idle, so no click waits for it. */
const PRELOADED = 'src/app/shell/AccountMenuItems.tsx';

/** Chunks loaded with a page on the first visit. */
const SHARED_CHUNKS: Record<PageKind, readonly string[]> = {
  landing: [ENTRY],
  public: PUBLIC_CHUNKS,
  entry: UI_CHUNKS,
  app: [...UI_CHUNKS, SHELL],
};

/** Measures every page and every lazy feature. `sizeOf` returns kB. */
export function measureBundles(manifest: Manifest, sizeOf: (file: string) => number): BundleSize[] {
  const pages = kindsOfPages(manifest);
  const firstLoads = new Map(
    [...pages].map(([page, kind]) => [page, closureOf(manifest, [...SHARED_CHUNKS[kind], page])]),
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
  const script = sum(files, sizeOf);
  const limit = BUDGETS.fonts;
  return { name: 'fonts', kind: 'fonts', script, style: 0, limit, isOver: script > limit };
}

function kindsOfPages(manifest: Manifest): Map<string, PageKind> {
  const kinds = new Map<string, PageKind>();
  for (const kind of Object.keys(PAGES) as PageKind[]) {
    for (const name of PAGES[kind]) kinds.set(`src/pages/${name}.tsx`, kind);
  }
  const built = Object.keys(manifest).filter((name) => PAGE.test(name));
  const unknown = built.filter((name) => !kinds.has(name));
  const missing = [...kinds.keys()].filter((name) => !manifest[name]);
  if (unknown.length > 0) {
    throw new Error(
      `${unknown.join(', ')}: add it to scripts/budgets/pages.ts with the kind of page`,
    );
  }
  if (missing.length > 0) {
    throw new Error(`${missing.join(', ')}: has no chunk, but is in scripts/budgets/pages.ts`);
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
    for (const [feature, added] of featuresFrom(manifest, page, firstLoad)) {
      const size = toBundleSize(feature, 'feature', added, sizeOf);
      if (size.script >= (heaviest.get(feature)?.script ?? 0)) heaviest.set(feature, size);
    }
  }
  return [...heaviest.values()];
}

/** Lazy features reachable from a page, each with the files it adds to those already loaded. */
function featuresFrom(
  manifest: Manifest,
  page: string,
  firstLoad: ReadonlySet<string>,
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const addedBy = (name: string, loaded: ReadonlySet<string>) =>
    [...chunkFiles(manifest, name)].filter((file) => !loaded.has(file));

  const queue = [{ from: page, loaded: firstLoad }];
  if (firstLoad.has(manifest[SHELL]?.file ?? '')) {
    found.set(PRELOADED, addedBy(PRELOADED, firstLoad));
    const loaded = new Set([...firstLoad, ...chunkFiles(manifest, PRELOADED)]);
    queue.splice(0, 1, { from: page, loaded }, { from: SHELL, loaded });
  }
  for (let next = queue.shift(); next; next = queue.shift()) {
    for (const feature of dynamicImportsOf(manifest, next.from)) {
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
function dynamicImportsOf(
  manifest: Manifest,
  start: string,
  seen = new Set<string>(),
): Set<string> {
  const found = new Set<string>();
  if (seen.has(start) || start === ENTRY) return found;
  seen.add(start);
  const { imports = [], dynamicImports = [] } = manifest[start] ?? {};
  for (const name of dynamicImports) if (!PAGE.test(name)) found.add(name);
  for (const name of imports) {
    for (const each of dynamicImportsOf(manifest, name, seen)) found.add(each);
  }
  return found;
}

function closureOf(manifest: Manifest, names: readonly string[]): Set<string> {
  return new Set(names.flatMap((name) => [...chunkFiles(manifest, name)]));
}

function toBundleSize(
  path: string,
  kind: PageKind | 'feature',
  files: Iterable<string>,
  sizeOf: (file: string) => number,
): BundleSize {
  const all = [...files];
  const script = sum(
    all.filter((file) => file.endsWith('.js')),
    sizeOf,
  );
  const style = sum(
    all.filter((file) => file.endsWith('.css')),
    sizeOf,
  );
  const limit = BUDGETS[kind];
  const isOver = script > limit || style > BUDGETS.style;
  return { name: path.replace(/^.*\/(.*)\.\w+$/, '$1'), kind, script, style, limit, isOver };
}

const sum = (files: readonly string[], sizeOf: (file: string) => number) =>
  files.reduce((total, file) => total + sizeOf(file), 0);
