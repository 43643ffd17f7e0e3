import { type Import, isTest, type Problem, type SourceFile } from './source-file-types.ts';

const SERVER = 'apps/server/src/';

/** A domain may import only domains on a lower level. */
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
  search: 6,
  batches: 7,
  'day-changes': 7,
  departures: 7,
  portal: 7,
  'price-rises': 7,
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
/** Entry points and wiring; no other file may import them. */
const COMPOSITION_ROOT =
  /^(api|worker|pdf-thread|app|jobs|migrate|provision-database|restore-tutor|move-tutor|seed-demo|create-context|openapi|event-subscribers)\.ts$/;

interface ModuleLocation {
  kind: 'top' | 'platform' | 'integrations' | 'domain' | 'other';
  domain: string;
  /** The layer within a domain: routes, service, queries and so on. */
  layer: string;
  /** The path relative to apps/server/src. */
  inner: string;
}

/** Checks the server's import boundaries. */
export function checkServerImports(files: readonly SourceFile[]): Problem[] {
  return files
    .filter((file) => file.path.startsWith(SERVER) && !isTest(file.path))
    .flatMap((file) => {
      const from = locateModule(file.path);
      const forbiddenImports = file.imports.flatMap((each) =>
        importProblems(from, each).map((message) => ({
          path: file.path,
          line: each.line,
          message,
        })),
      );
      return [
        ...unknownDomainProblems(file, from),
        ...forbiddenImports,
        ...misplacedSqlProblems(file, from),
      ];
    });
}

function unknownDomainProblems(file: SourceFile, from: ModuleLocation): Problem[] {
  if (from.kind !== 'domain' || from.domain in DOMAIN_LEVELS) return [];
  const message = `The domain "${from.domain}" has no level (known: ${Object.keys(DOMAIN_LEVELS).join(', ')}): add one in scripts/arch-lint/server-imports.ts, or move the code into an existing domain`;
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
    return `Only integrations/ may import "${specifier}": add a function to the vendor's file there, without vendor types in its signature`;
  }
  if (from.kind === 'domain' && from.layer === 'rules' && IO_PACKAGES.test(specifier)) {
    return `Rules are pure functions and may not import "${specifier}": read the values in service and pass them in`;
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
  const to = locateModule(target);
  if (from.kind === 'top') return topLevelProblem(from, to);

  if (to.kind === 'top' && COMPOSITION_ROOT.test(to.inner)) {
    return `${to.inner} is an entry point or wiring and may not be imported here: move the shared code into platform/ or the domain`;
  }
  if (from.kind === 'platform' && (to.kind === 'domain' || to.kind === 'integrations')) {
    return `platform may not import ${to.kind === 'domain' ? 'a domain' : 'an integration'}: pass it in from app.ts, or move this code to domains/`;
  }
  if (from.kind === 'integrations' && to.kind === 'domain') {
    return 'Integrations may not import a domain: take plain values as arguments, and call the integration from the domain';
  }
  return from.kind === 'domain' ? domainProblem(from, to) : undefined;
}

function topLevelProblem(from: ModuleLocation, to: ModuleLocation): string | undefined {
  if (to.kind !== 'domain' || to.layer !== 'queries') return undefined;
  return `${from.inner} may not import queries of ${to.domain}: call its service`;
}

function domainProblem(from: ModuleLocation, to: ModuleLocation): string | undefined {
  if (
    from.layer === 'rules' &&
    !(to.kind === 'domain' && to.domain === from.domain && to.layer === 'rules')
  ) {
    return `Rules are pure functions: use ${to.inner} in service and pass the values in; shared types belong in the contract`;
  }
  if (to.kind !== 'domain') return undefined;
  return to.domain === from.domain ? sameDomainProblem(from, to) : crossDomainProblem(from, to);
}

function sameDomainProblem(from: ModuleLocation, to: ModuleLocation): string | undefined {
  if (to.layer === 'queries' && !['service', 'queries', 'subscribers'].includes(from.layer)) {
    return `Only service and subscribers of ${from.domain} may import its queries: add a use case in service and call that`;
  }
  if (to.layer === 'routes') return 'Only app.ts may import routes: move shared code into service';
  const isBelowService = from.layer === 'queries' || from.layer === 'events';
  if (isBelowService && (to.layer === 'service' || to.layer === 'jobs')) {
    return `${from.layer} may not import ${to.layer}, a higher layer: call it from service instead`;
  }
  return undefined;
}

function crossDomainProblem(from: ModuleLocation, to: ModuleLocation): string | undefined {
  const fromLevel = DOMAIN_LEVELS[from.domain];
  const toLevel = DOMAIN_LEVELS[to.domain];
  if (fromLevel !== undefined && toLevel !== undefined && toLevel >= fromLevel) {
    return `${from.domain} may not import ${to.domain}, which is not on a lower level: publish an event in ${from.domain}/events.ts and handle it in ${to.domain}/subscribers.ts (listed in event-subscribers.ts)`;
  }
  if (to.layer !== 'service' && to.layer !== 'events') {
    return `Other domains may import only service and events of ${to.domain}, not ${to.layer}: add a function to its service`;
  }
  return undefined;
}

function misplacedSqlProblems(file: SourceFile, from: ModuleLocation): Problem[] {
  if (from.kind !== 'domain' || from.layer === 'queries') return [];
  return file.uses
    .filter((use) => use.kind === 'sql')
    .map(({ line }) => ({
      path: file.path,
      line,
      message: `SQL belongs in ${from.domain}/queries.ts: write a function there that takes tx first, and call it from service`,
    }));
}

function locateModule(path: string): ModuleLocation {
  const inner = path.slice(SERVER.length);
  const [first = '', second = '', third = ''] = inner.split('/');
  if (second === '') return { kind: 'top', domain: '', layer: '', inner };
  if (first === 'domains') {
    return { kind: 'domain', domain: second, layer: third.replace(/\.ts$/, ''), inner };
  }
  const kind = first === 'platform' || first === 'integrations' ? first : 'other';
  return { kind, domain: '', layer: '', inner };
}
