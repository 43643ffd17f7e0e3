import { type Import, isTest, type Problem, type SourceFile } from './source-file.ts';

const SERVER = 'apps/server/src/';

/** A domain calls only domains on a lower step. */
const DOMAIN_LEVELS: Record<string, number> = {
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
  audit: 7,
  export: 7,
  import: 7,
  restore: 7,
  privacy: 8,
};

const VENDOR_SDK =
  /^(stripe|google-auth-library|jose|nodemailer|openid-client)(\/|$)|^@googleapis\//;
const SQL_PACKAGE = /^(kysely|pg|pg-boss)(\/|$)/;
const IO_PACKAGES = /^node:|^(kysely|pg|pg-boss|fastify|undici|pino)(\/|$)/;
/** The processes and the lists of everything: above all walls, so nothing below may lean on them. */
const COMPOSITION_ROOT =
  /^(api|worker|app|jobs|migrate|provision-database|restore-tutor|seed-demo|bootstrap|openapi|event-subscribers)\.ts$/;

interface ModuleLocation {
  kind: 'top' | 'platform' | 'integrations' | 'domain' | 'other';
  /** Of a domain: its name, and the room inside it without ending or folder. */
  domain: string;
  layer: string;
  /** From apps/server/src. */
  inner: string;
}

/** Who may import whom on the server. */
export function checkServerImports(files: readonly SourceFile[]): Problem[] {
  return files
    .filter((file) => file.path.startsWith(SERVER) && !isTest(file.path))
    .flatMap((file) => {
      const from = locate(file.path);
      const wrongImports = file.imports.flatMap((each) =>
        importProblems(from, each).map((message) => ({
          path: file.path,
          line: each.line,
          message,
        })),
      );
      return [...unknownDomain(file, from), ...wrongImports, ...sqlOutOfPlace(file, from)];
    });
}

function unknownDomain(file: SourceFile, from: ModuleLocation): Problem[] {
  if (from.kind !== 'domain' || from.domain in DOMAIN_LEVELS) return [];
  const message = `"${from.domain}" has no step on the ladder of domains (${Object.keys(DOMAIN_LEVELS).join(', ')}): give it one in scripts/arch-lint/server-imports.ts, or put the code into the domain it is about`;
  return [{ path: file.path, line: 1, message }];
}

function importProblems(from: ModuleLocation, imported: Import): string[] {
  const found =
    imported.target === undefined
      ? packageProblem(from, imported.specifier)
      : importProblem(from, imported.target);
  return found === undefined ? [] : [found];
}

function packageProblem(from: ModuleLocation, specifier: string): string | undefined {
  if (from.kind !== 'integrations' && VENDOR_SDK.test(specifier)) {
    return `Only integrations/ may import "${specifier}": add what you need to the vendor's file there, in our own words`;
  }
  if (from.kind === 'domain' && from.layer === 'rules' && IO_PACKAGES.test(specifier)) {
    return `Rules are pure functions on values, without "${specifier}": fetch the values in service and hand them in`;
  }
  const mayUseSql =
    from.kind !== 'integrations' && (from.kind !== 'domain' || from.layer === 'queries');
  if (!mayUseSql && SQL_PACKAGE.test(specifier)) {
    return `"${specifier}" belongs in queries.ts (or platform/): write a function there and call it`;
  }
  return undefined;
}

function importProblem(from: ModuleLocation, target: string): string | undefined {
  if (!target.startsWith(SERVER)) return undefined;
  const to = locate(target);
  if (from.kind === 'top') return topLevelProblem(from, to);

  if (to.kind === 'top' && COMPOSITION_ROOT.test(to.inner)) {
    return `${to.inner} puts everything together and stands above this file: move what you need down, into platform/ or the domain`;
  }
  if (from.kind === 'platform' && (to.kind === 'domain' || to.kind === 'integrations')) {
    return `platform knows no ${to.kind === 'domain' ? 'domain' : 'integration'}: pass it in as an argument from app.ts, or move this code to domains/`;
  }
  if (from.kind === 'integrations' && to.kind === 'domain') {
    return 'Integrations know no domain: take plain values as arguments, and let the domain call the integration';
  }
  return from.kind === 'domain' ? domainProblem(from, to) : undefined;
}

function topLevelProblem(from: ModuleLocation, to: ModuleLocation): string | undefined {
  if (to.kind !== 'domain' || to.layer !== 'queries') return undefined;
  return `${from.inner} reaches past the door of ${to.domain}: call its service instead of queries.ts`;
}

function domainProblem(from: ModuleLocation, to: ModuleLocation): string | undefined {
  if (
    from.layer === 'rules' &&
    !(to.kind === 'domain' && to.domain === from.domain && to.layer === 'rules')
  ) {
    return `Rules are pure functions on values: leave ${to.inner} to service and hand the values in; shared words belong in the contract`;
  }
  if (to.kind !== 'domain') return undefined;
  return to.domain === from.domain ? sameDomainProblem(from, to) : crossDomainProblem(from, to);
}

function sameDomainProblem(from: ModuleLocation, to: ModuleLocation): string | undefined {
  if (to.layer === 'queries' && !['service', 'queries', 'subscribers'].includes(from.layer)) {
    return `queries.ts is for the service of its own domain alone: give ${from.domain} a use case in service and call that`;
  }
  if (to.layer === 'routes')
    return 'Routes are listed in app.ts and used by nobody else: move shared code into service';
  const isBelowService = from.layer === 'queries' || from.layer === 'events';
  if (isBelowService && (to.layer === 'service' || to.layer === 'jobs')) {
    return `${from.layer}.ts stands below ${to.layer}: let service call it, not the other way round`;
  }
  return undefined;
}

function crossDomainProblem(from: ModuleLocation, to: ModuleLocation): string | undefined {
  const fromStep = DOMAIN_LEVELS[from.domain];
  const toStep = DOMAIN_LEVELS[to.domain];
  if (fromStep !== undefined && toStep !== undefined && toStep >= fromStep) {
    return `${from.domain} may not know ${to.domain}, which does not stand below it: publish a fact in ${from.domain}/events.ts, and let ${to.domain} subscribe in its subscribers.ts (listed in event-subscribers.ts)`;
  }
  if (to.layer !== 'service' && to.layer !== 'events') {
    return `The doors of ${to.domain} are service and events, not ${to.layer}: add what you need to its service`;
  }
  return undefined;
}

function sqlOutOfPlace(file: SourceFile, from: ModuleLocation): Problem[] {
  if (from.kind !== 'domain' || from.layer === 'queries') return [];
  return file.uses
    .filter((sighting) => sighting.kind === 'sql')
    .map(({ line }) => ({
      path: file.path,
      line,
      message: `SQL belongs in ${from.domain}/queries.ts: write a function there that takes tx first, and call it from service`,
    }));
}

function locate(path: string): ModuleLocation {
  const inner = path.slice(SERVER.length);
  const [first = '', second = '', third = ''] = inner.split('/');
  if (second === '') return { kind: 'top', domain: '', layer: '', inner };
  if (first === 'domains') {
    return { kind: 'domain', domain: second, layer: third.replace(/\.ts$/, ''), inner };
  }
  const kind = first === 'platform' || first === 'integrations' ? first : 'other';
  return { kind, domain: '', layer: '', inner };
}
