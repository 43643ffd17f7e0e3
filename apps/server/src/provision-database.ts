import { randomBytes } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { findDatabaseUrl, readDatabaseUrl } from './config.ts';

/**
 * Makes the roles and one database, as the server's administrator, once for each machine.
 * Three roles with three jobs: the owner changes the schema, the application owns nothing and is bound by
 * row-level security, maintenance may read past it (backfills, checks, backup) and is never used by API or worker.
 */
const roles = {
  owner: 'lessonbook_owner',
  app: 'lessonbook_app',
  maintenance: 'lessonbook_maintenance',
} as const;
type Passwords = Record<keyof typeof roles, string>;

export interface DatabaseUrls {
  appUrl: string;
  ownerUrl: string;
  maintenanceUrl: string;
}

interface ProvisionOptions {
  database: string;
  /** Copies this database, which must have no connections: how tests get a migrated one in a blink. */
  template?: string;
  /** One for all three roles of a throw-away server, or one for each; otherwise each gets a random one. */
  password?: string | Passwords;
}

export async function provisionDatabase(
  adminUrl: string,
  options: ProvisionOptions,
): Promise<DatabaseUrls> {
  const admin = new pg.Client(adminUrl);
  await admin.connect();
  try {
    const passwords = resolvePasswords(options.password);
    // One at a time: two provisioning runs at once would both find the role missing.
    await admin.query("select pg_advisory_lock(hashtext('lessonbook provision'))");
    for (const [kind, role] of Object.entries(roles) as [keyof typeof roles, string][]) {
      const found = await admin.query('select 1 from pg_roles where rolname = $1', [role]);
      const verb = found.rowCount === 0 ? 'create' : 'alter';
      const bypass = kind === 'maintenance' ? 'bypassrls' : 'nobypassrls';
      const password = admin.escapeLiteral(passwords[kind]);
      await admin.query(
        `${verb} role ${role} login nosuperuser nocreatedb nocreaterole ${bypass} password ${password}`,
      );
    }
    const database = admin.escapeIdentifier(options.database);
    const exists = await admin.query('select 1 from pg_database where datname = $1', [
      options.database,
    ]);
    if (exists.rowCount === 0) {
      const template = options.template
        ? `template ${admin.escapeIdentifier(options.template)}`
        : '';
      await admin.query(`create database ${database} owner ${roles.owner} ${template}`);
      await admin.query(`revoke all on database ${database} from public`);
      await admin.query(
        `grant connect on database ${database} to ${roles.app}, ${roles.maintenance}`,
      );
    }
    const as = (kind: keyof typeof roles) => {
      const url = new URL(adminUrl);
      url.username = roles[kind];
      url.password = passwords[kind];
      url.pathname = `/${options.database}`;
      return url.href;
    };
    return { appUrl: as('app'), ownerUrl: as('owner'), maintenanceUrl: as('maintenance') };
  } finally {
    await admin.end();
  }
}

/** Without a word about it each role gets its own. */
export function resolvePasswords(given: string | Passwords | undefined): Passwords {
  if (typeof given === 'object') return given;
  const password = () => given ?? randomBytes(18).toString('base64url');
  return { owner: password(), app: password(), maintenance: password() };
}

/** An operator who has written the three addresses down already has chosen the passwords too. */
function parsePasswords(
  addresses: Record<keyof typeof roles, string>,
  database: string,
): Passwords {
  const passwordOf = (kind: keyof typeof roles): string => {
    const { username, password, pathname } = new URL(addresses[kind]);
    if (username !== roles[kind] || pathname !== `/${database}` || password === '')
      throw new Error(
        `The address of the ${kind} role must be that of ${roles[kind]}, with a password, in ${database}`,
      );
    return decodeURIComponent(password);
  };
  return {
    owner: passwordOf('owner'),
    app: passwordOf('app'),
    maintenance: passwordOf('maintenance'),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const database = process.argv[2] ?? 'lessonbook';
  const adminUrl = readDatabaseUrl('DATABASE_ADMIN_URL');
  const app = findDatabaseUrl('DATABASE_URL');
  const owner = findDatabaseUrl('DATABASE_OWNER_URL');
  const maintenance = findDatabaseUrl('DATABASE_MAINTENANCE_URL');
  if (app && owner && maintenance) {
    const password = parsePasswords({ app, owner, maintenance }, database);
    await provisionDatabase(adminUrl, { database, password });
    process.stdout.write('The roles and the database are there.\n');
  } else {
    const urls = await provisionDatabase(adminUrl, { database });
    process.stdout.write(
      `DATABASE_URL=${urls.appUrl}\nDATABASE_OWNER_URL=${urls.ownerUrl}\nDATABASE_MAINTENANCE_URL=${urls.maintenanceUrl}\n`,
    );
  }
}
