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
/** Where the other screens are found. */
const SCREENS = [ENTRY, 'src/app/lazy-pages.ts'];
const FRAME = [...SCREENS, 'src/app/UiProvider.tsx'];
const SHELL = 'src/app/shell/Shell.tsx';
/** Fetched by the shell while the browser is idle, so no click waits for it. */
const PRELOADED = 'src/app/shell/AccountMenuItems.tsx';

/** What stands around a page when it is opened first. */
const SHARED_CHUNKS: Record<PageKind, readonly string[]> = {
  landing: [ENTRY],
  public: SCREENS,
  entry: FRAME,
  app: [...FRAME, SHELL],
};

/** Of every page and of every part that is fetched later, from the built files alone. `sizeOf` answers in kB. */
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
  const gone = [...kinds.keys()].filter((name) => !manifest[name]);
  if (unknown.length > 0) {
    throw new Error(
      `${unknown.join(', ')}: say in scripts/budgets/pages.ts what kind of page it is`,
    );
  }
  if (gone.length > 0) {
    throw new Error(`${gone.join(', ')}: no chunk of its own; scripts/budgets/pages.ts names it`);
  }
  return kinds;
}

/** Fetched later from more than one page, a part weighs what it costs on the page that brings least of it. */
function measureFeatures(
  manifest: Manifest,
  firstLoads: ReadonlyMap<string, Set<string>>,
  sizeOf: (file: string) => number,
): BundleSize[] {
  const heaviest = new Map<string, BundleSize>();
  for (const [page, firstLoad] of firstLoads) {
    for (const [feature, fresh] of featuresFrom(manifest, page, firstLoad)) {
      const weight = toBundleSize(feature, 'feature', fresh, sizeOf);
      if (weight.script >= (heaviest.get(feature)?.script ?? 0)) heaviest.set(feature, weight);
    }
  }
  return [...heaviest.values()];
}

/** All that can be opened from a page, with the files that opening it adds to those that led there. */
function featuresFrom(
  manifest: Manifest,
  page: string,
  firstLoad: ReadonlySet<string>,
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const freshOf = (name: string, loaded: ReadonlySet<string>) =>
    [...chunkFiles(manifest, name)].filter((file) => !loaded.has(file));

  const waiting = [{ from: page, loaded: firstLoad }];
  if (firstLoad.has(manifest[SHELL]?.file ?? '')) {
    found.set(PRELOADED, freshOf(PRELOADED, firstLoad));
    const loaded = new Set([...firstLoad, ...chunkFiles(manifest, PRELOADED)]);
    waiting.splice(0, 1, { from: page, loaded }, { from: SHELL, loaded });
  }
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    for (const feature of laterImportsOf(manifest, next.from)) {
      if (found.has(feature)) continue;
      const { loaded } = next;
      const fresh = freshOf(feature, loaded);
      found.set(feature, fresh);
      waiting.push({ from: feature, loaded: new Set([...loaded, ...fresh]) });
    }
  }
  return found;
}

/** Of a chunk and of all it imports at once. What the entry fetches are the pages themselves. */
function laterImportsOf(manifest: Manifest, start: string, seen = new Set<string>()): Set<string> {
  const later = new Set<string>();
  if (seen.has(start) || start === ENTRY) return later;
  seen.add(start);
  const { imports = [], dynamicImports = [] } = manifest[start] ?? {};
  for (const name of dynamicImports) if (!PAGE.test(name)) later.add(name);
  for (const name of imports) {
    for (const each of laterImportsOf(manifest, name, seen)) later.add(each);
  }
  return later;
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
