import { isTest, type Problem, type SourceFile } from './source-file.ts';

const CONTRACT = 'packages/contract/';
const SERVER = 'apps/server/src/';

/** Only these may lean on stand-ins and on what starts processes. */
const MAY_USE_STAND_INS = /^(e2e|bench|chaos|scripts|stage|fakes)\//;

/** The clock comes with the context, so that tests and rehearsals can turn it. */
const MAY_READ_CLOCK = new Set([`${CONTRACT}src/time.ts`, `${SERVER}platform/clock.ts`]);
const MAY_ALWAYS_READ_CLOCK = /^(fakes|stage|scripts|e2e|bench|chaos)\//;

/** Rules that hold for every package. */
export function checkSharedWalls(files: readonly SourceFile[]): Problem[] {
  return files.flatMap((file) => [
    ...standIns(file),
    ...contract(file),
    ...barrels(file),
    ...environment(file),
    ...clock(file),
  ]);
}

function standIns(file: SourceFile): Problem[] {
  if (isTest(file.path) || MAY_USE_STAND_INS.test(file.path)) return [];
  return file.imports
    .filter(({ specifier, target }) => isStandIn(target ?? specifier))
    .map(({ line, specifier }) => ({
      path: file.path,
      line,
      message: `"${specifier}" is for tests, e2e, bench, chaos and scripts: the product talks to the real thing, by an address from its configuration`,
    }));
}

function isStandIn(path: string): boolean {
  return /^(@lessonbook\/)?(fakes|stage)(\/|$)/.test(path);
}

function contract(file: SourceFile): Problem[] {
  if (!file.path.startsWith(CONTRACT) || isTest(file.path)) return [];
  return file.imports
    .filter(
      ({ specifier, target }) => !target?.startsWith(CONTRACT) && !/^zod(\/|$)/.test(specifier),
    )
    .map(({ line, specifier }) => ({
      path: file.path,
      line,
      message: `The contract depends on zod alone, not on "${specifier}": it runs in the browser and on the server; put this into the one of them that needs it`,
    }));
}

function barrels(file: SourceFile): Problem[] {
  const isIndex = /(^|\/)index\.tsx?$/.test(file.path);
  const message = 'No barrels: let users import the file that holds the thing';
  const stars = file.sightings.filter((sighting) => sighting.what === 'star-export');
  const named = file.imports.filter((each) => isIndex && each.reexport);
  const lines = new Set([...stars, ...named].map((each) => each.line));
  return [...lines].map((line) => ({ path: file.path, line, message }));
}

function environment(file: SourceFile): Problem[] {
  if (!file.path.startsWith(SERVER) || isTest(file.path) || file.path === `${SERVER}config.ts`)
    return [];
  return file.sightings
    .filter((sighting) => sighting.what === 'environment')
    .map(({ line }) => ({
      path: file.path,
      line,
      message:
        'Only config.ts reads process.env: add a described variable there and take it from the configuration',
    }));
}

function clock(file: SourceFile): Problem[] {
  const allowed =
    MAY_READ_CLOCK.has(file.path) || MAY_ALWAYS_READ_CLOCK.test(file.path) || isTest(file.path);
  if (allowed) return [];
  const instead = file.path.startsWith('apps/server/')
    ? 'take the clock from the context'
    : 'use the functions of packages/contract/src/time.ts';
  return file.sightings
    .filter((sighting) => sighting.what === 'clock')
    .map(({ line }) => ({
      path: file.path,
      line,
      message: `The time is read in contract/time.ts and platform/clock.ts alone: ${instead}`,
    }));
}
