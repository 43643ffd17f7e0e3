import { type Import, isTest, type Problem, type SourceFile } from './source-file.ts';

const SERVER = 'apps/server/src/';

/** A domain calls only domains on a lower step. */
const LADDER: Record<string, number> = {
  accounts: 0,
  subjects: 1,
  students: 1,
  lessons: 2,
  payments: 3,
  cards: 4,
  invoices: 5,
  calendar: 6,
  messages: 6,
  reports: 6,
  demo: 7,
  'own-data': 7,
};

const VENDOR_SDK =
  /^(stripe|google-auth-library|jose|nodemailer|openid-client)(\/|$)|^@googleapis\//;
const SQL_PACKAGE = /^(kysely|pg|pg-boss)(\/|$)/;
const OUTSIDE_WORLD = /^node:|^(kysely|pg|pg-boss|fastify|undici|pino)(\/|$)/;
/** The processes and the lists of everything: above all walls, so nothing below may lean on them. */
const ASSEMBLY =
  /^(api|worker|app|jobs|migrate|provision|restore-tutor|seed-demo|start|openapi|subscriptions)\.ts$/;

interface Place {
  kind: 'top' | 'platform' | 'integrations' | 'domain' | 'other';
  /** Of a domain: its name, and the room inside it without ending or folder. */
  domain: string;
  room: string;
  /** From apps/server/src. */
  inner: string;
}

/** Who may import whom on the server. */
export function checkServerImports(files: readonly SourceFile[]): Problem[] {
  return files
    .filter((file) => file.path.startsWith(SERVER) && !isTest(file.path))
    .flatMap((file) => {
      const from = placeOf(file.path);
      const wrongImports = file.imports.flatMap((each) =>
        complaints(from, each).map((message) => ({ path: file.path, line: each.line, message })),
      );
      return [...unknownDomain(file, from), ...wrongImports, ...sqlOutOfPlace(file, from)];
    });
}

function unknownDomain(file: SourceFile, from: Place): Problem[] {
  if (from.kind !== 'domain' || from.domain in LADDER) return [];
  const message = `"${from.domain}" has no step on the ladder of domains (${Object.keys(LADDER).join(', ')}): give it one in scripts/house-rules/server-imports.ts, or put the code into the domain it is about`;
  return [{ path: file.path, line: 1, message }];
}

function complaints(from: Place, imported: Import): string[] {
  const found =
    imported.target === undefined
      ? packageComplaint(from, imported.specifier)
      : complaintOf(from, imported.target);
  return found === undefined ? [] : [found];
}

function packageComplaint(from: Place, specifier: string): string | undefined {
  if (from.kind !== 'integrations' && VENDOR_SDK.test(specifier)) {
    return `Only integrations/ may import "${specifier}": add what you need to the vendor's file there, in our own words`;
  }
  if (from.kind === 'domain' && from.room === 'rules' && OUTSIDE_WORLD.test(specifier)) {
    return `Rules are pure functions on values, without "${specifier}": fetch the values in service and hand them in`;
  }
  const mayUseSql =
    from.kind !== 'integrations' && (from.kind !== 'domain' || from.room === 'queries');
  if (!mayUseSql && SQL_PACKAGE.test(specifier)) {
    return `"${specifier}" belongs in queries.ts (or platform/): write a function there and call it`;
  }
  return undefined;
}

function complaintOf(from: Place, target: string): string | undefined {
  if (!target.startsWith(SERVER)) return undefined;
  const to = placeOf(target);
  if (from.kind === 'top') return complaintOfTop(from, to);

  if (to.kind === 'top' && ASSEMBLY.test(to.inner)) {
    return `${to.inner} puts everything together and stands above this file: move what you need down, into platform/ or the domain`;
  }
  if (from.kind === 'platform' && (to.kind === 'domain' || to.kind === 'integrations')) {
    return `platform knows no ${to.kind === 'domain' ? 'domain' : 'integration'}: pass it in as an argument from app.ts, or move this code to domains/`;
  }
  if (from.kind === 'integrations' && to.kind === 'domain') {
    return 'Integrations know no domain: take plain values as arguments, and let the domain call the integration';
  }
  return from.kind === 'domain' ? complaintOfDomain(from, to) : undefined;
}

function complaintOfTop(from: Place, to: Place): string | undefined {
  if (to.kind !== 'domain' || to.room !== 'queries') return undefined;
  return `${from.inner} reaches past the door of ${to.domain}: call its service instead of queries.ts`;
}

function complaintOfDomain(from: Place, to: Place): string | undefined {
  if (
    from.room === 'rules' &&
    !(to.kind === 'domain' && to.domain === from.domain && to.room === 'rules')
  ) {
    return `Rules are pure functions on values: leave ${to.inner} to service and hand the values in; shared words belong in the contract`;
  }
  if (to.kind !== 'domain') return undefined;
  return to.domain === from.domain ? complaintInside(from, to) : complaintAcross(from, to);
}

function complaintInside(from: Place, to: Place): string | undefined {
  if (to.room === 'queries' && from.room !== 'service' && from.room !== 'queries') {
    return `queries.ts is for the service of its own domain alone: give ${from.domain} a use case in service and call that`;
  }
  if (to.room === 'routes')
    return 'Routes are listed in app.ts and used by nobody else: move shared code into service';
  const isBelowService = from.room === 'queries' || from.room === 'events';
  if (isBelowService && (to.room === 'service' || to.room === 'jobs')) {
    return `${from.room}.ts stands below ${to.room}: let service call it, not the other way round`;
  }
  return undefined;
}

function complaintAcross(from: Place, to: Place): string | undefined {
  const fromStep = LADDER[from.domain];
  const toStep = LADDER[to.domain];
  if (fromStep !== undefined && toStep !== undefined && toStep >= fromStep) {
    return `${from.domain} may not know ${to.domain}, which does not stand below it: publish a fact in ${from.domain}/events.ts, and let ${to.domain} subscribe in subscriptions.ts`;
  }
  if (to.room !== 'service' && to.room !== 'events') {
    return `The doors of ${to.domain} are service and events, not ${to.room}: add what you need to its service`;
  }
  return undefined;
}

function sqlOutOfPlace(file: SourceFile, from: Place): Problem[] {
  if (from.kind !== 'domain' || from.room === 'queries') return [];
  return file.sightings
    .filter((sighting) => sighting.what === 'sql')
    .map(({ line }) => ({
      path: file.path,
      line,
      message: `SQL belongs in ${from.domain}/queries.ts: write a function there that takes tx first, and call it from service`,
    }));
}

function placeOf(path: string): Place {
  const inner = path.slice(SERVER.length);
  const [first = '', second = '', third = ''] = inner.split('/');
  if (second === '') return { kind: 'top', domain: '', room: '', inner };
  if (first === 'domains') {
    return { kind: 'domain', domain: second, room: third.replace(/\.ts$/, ''), inner };
  }
  const kind = first === 'platform' || first === 'integrations' ? first : 'other';
  return { kind, domain: '', room: '', inner };
}
