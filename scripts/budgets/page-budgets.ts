import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseModule } from '../arch-lint/parse-module.ts';

/** A page's kind determines its budget and which chunks its first load includes. */
export type PageKind = 'landing' | 'link' | 'family' | 'portal' | 'public' | 'app';

/** Gzipped size in kB; fonts count at their file size, because they are already compressed. */
export const BUDGETS = {
  landing: 60,
  /** Pages that families open from a link. */
  link: 97,
  /** The sign-in page of the family portal. */
  family: 90,
  /** The family portal of a person who is signed in. React and the query library are 79 of these. */
  portal: 106,
  /** Pages of the app that need no login. */
  public: 192,
  app: 201,
  /** What one click loads in addition to the page. The largest feature is the lesson dialog, with groups, rates and terms. */
  feature: 64,
  style: 25,
  fonts: 65,
} as const;

const ROUTES = fileURLToPath(new URL('../../apps/web/src/routes/', import.meta.url));
/** The layout route of the pages that are shown within the shell. */
const TUTOR_ROUTE = './tutor.ts';

/** The pages that the route modules load, by their names in the manifest of the build. */
export function readPageKinds(folder = ROUTES): Map<string, 'public' | 'app'> {
  const kinds = new Map<string, 'public' | 'app'>();
  for (const file of readdirSync(folder).filter((name) => !/\.test\.tsx?$/.test(name))) {
    const { imports } = parseModule(file, readFileSync(`${folder}/${file}`, 'utf8'));
    const specifiers = imports.map(({ specifier }) => specifier);
    const kind = specifiers.includes(TUTOR_ROUTE) ? 'app' : 'public';
    for (const specifier of specifiers) {
      const [, page] = /^\.\.\/(pages\/\w+\.tsx)$/.exec(specifier) ?? [];
      if (page) kinds.set(`src/${page}`, kind);
    }
  }
  return kinds;
}
