import { basename } from 'node:path';
import type { Rolldown } from 'vite';

const LAYOUT = /\/src\/app\/TutorLayout\.tsx$/;
const DASHBOARD = /\/src\/pages\/Dashboard\.tsx$/;
const PORTAL = /\/src\/features\/portal\/SignedInPages\.tsx$/;
const LOGIN = /\/src\/pages\/Login\.tsx$/;
const TUTOR_ROUTE = /\/src\/routes\/tutor\.ts$/;
/** A module needed by fewer lazy modules stays out of the dashboard's group, which each of them would load in full. */
const MIN_SHARED_WITH_DASHBOARD = 10;

/**
 * Modules needed at start-up are grouped by the HTML entries that use them ('start-index-link'). Modules that the layout or
 * the dashboard shares with other pages are grouped by those pages ('layout-login'). A first load then needs few files,
 * which compress better and cost fewer requests than dozens of small ones. The family portal's modules are
 * grouped in the same way. Returns null for all other modules, which the bundler splits.
 */
export function groupModulesIntoChunks(
  id: string,
  context: Rolldown.ChunkingContext,
): string | null {
  const importers = new Set([id]);
  // The loop also visits the importers that it adds.
  for (const moduleId of importers)
    for (const importer of context.getModuleInfo(moduleId)?.importers ?? [])
      importers.add(importer);
  const entries = [...importers].filter((importer) => importer.endsWith('.html'));
  // The entry's own script awaits the first page, so a page that imported its chunk would never load.
  const isEntryScript = context
    .getModuleInfo(id)
    ?.importers.some((importer) => importer.endsWith('.html'));
  if (isEntryScript) return null;
  const names = entries.map((entry) => basename(entry, '.html')).toSorted();
  if (names.includes('index')) return ['start', ...names].join('-');
  // Schemas are needed by far fewer pages than the rest of their contract modules.
  if (id.includes('/packages/contract/')) return null;
  return nameByPages(id, [...importers], names, context);
}

function nameByPages(
  id: string,
  importers: readonly string[],
  entries: readonly string[],
  context: Rolldown.ChunkingContext,
): string | null {
  const lazyModules = importers.filter(
    (importer) => (context.getModuleInfo(importer)?.dynamicImporters.length ?? 0) > 0,
  );
  const has = (path: RegExp) => lazyModules.some((lazyModule) => path.test(lazyModule));
  const main = (has(LAYOUT) && 'layout') || (has(DASHBOARD) && 'dashboard');
  const isShared = lazyModules.length + entries.length > 1;
  // Modules of the family portal and shared components, in as few files as possible. The tutor's preview also uses some.
  const isPortalOrComponent = /\/src\/(features\/portal|components)\//.test(id);
  if (!main && isShared && isPortalOrComponent && entries.includes('family'))
    return ['public', ...entries].join('-');
  if (!main && isShared && isPortalOrComponent && has(PORTAL)) return 'portal';
  // A module needed by only one lazy module or entry is already in that chunk.
  if (!main || !isShared) return null;
  if (main === 'dashboard' && lazyModules.length < MIN_SHARED_WITH_DASHBOARD) return null;
  const login = has(LOGIN) ? 'login' : '';
  const hasOtherPublicPage = lazyModules.some(
    (lazyModule) => isPublicPage(lazyModule, context) && !LOGIN.test(lazyModule),
  );
  // The portal uses no router, so it must not load a group with modules that need the router.
  const portal = has(PORTAL) ? 'portal' : '';
  return [main, login, hasOtherPublicPage ? 'public' : '', portal, ...entries]
    .filter(Boolean)
    .join('-');
}

/** Whether a route outside the tutor's layout loads the module. */
const isPublicPage = (id: string, context: Rolldown.ChunkingContext): boolean =>
  context
    .getModuleInfo(id)
    ?.dynamicImporters.some(
      (route) =>
        route.includes('/src/routes/') &&
        !context.getModuleInfo(route)?.importedIds.some((imported) => TUTOR_ROUTE.test(imported)),
    ) ?? false;
