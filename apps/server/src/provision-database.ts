import { randomBytes } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { findDatabaseUrl, readDatabaseUrl } from './config.ts';

/**
 * Families who are signed in to the portal read with this role, which may read only the views of the portal. No one logs in
 * with it: the app role switches to it for one transaction.
 */
const CONTACT_ROLE = 'lessonbook_contact';

/**
 * The owner role changes the schema. The app role owns nothing and is subject to row-level security. The maintenance role
 * bypasses row-level security for backfills, checks and backups; the API and the worker never use it.
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
  /** Copies this database, which must have no open connections. Tests copy a migrated one because it is faster. */
  template?: string;
  /** One password for all three roles (in tests) or one for each; random by default. */
  password?: string | Passwords;
}

/** Creates the roles and one database as a superuser. */
export async function provisionDatabase(
  adminUrl: string,
  options: ProvisionOptions,
): Promise<DatabaseUrls> {
  const admin = new pg.Client(adminUrl);
  await admin.connect();
  try {
    const passwords = resolvePasswords(options.password);
    // Without the lock, two concurrent runs could both find the role missing.
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
    await provisionContactRole(admin);
    const database = admin.escapeIdentifier(options.database);
    const exists = await admin.query('select 1 from pg_database where datname = $1', [
      options.database,
    ]);
    if (exists.rowCount === 0) {
      // Copying the files is several times faster than the default, which writes every page to the WAL.
      const template = options.template
        ? `template ${admin.escapeIdentifier(options.template)} strategy file_copy`
        : '';
      await admin.query(`create database ${database} owner ${roles.owner} ${template}`);
      await admin.query(`revoke all on database ${database} from public`);
      await admin.query(
        `grant connect on database ${database} to ${roles.app}, ${roles.maintenance}`,
      );
    }
    const urlFor = (kind: keyof typeof roles) => {
      const url = new URL(adminUrl);
      url.username = roles[kind];
      url.password = passwords[kind];
      url.pathname = `/${options.database}`;
      return url.href;
    };
    return {
      appUrl: urlFor('app'),
      ownerUrl: urlFor('owner'),
      maintenanceUrl: urlFor('maintenance'),
    };
  } finally {
    await admin.end();
  }
}

async function provisionContactRole(admin: pg.Client): Promise<void> {
  const found = await admin.query('select 1 from pg_roles where rolname = $1', [CONTACT_ROLE]);
  if (found.rowCount === 0)
    await admin.query(`create role ${CONTACT_ROLE} nologin nosuperuser nobypassrls`);
  await admin.query(`grant ${CONTACT_ROLE} to ${roles.app}`);
}

export function resolvePasswords(configured: string | Passwords | undefined): Passwords {
  if (typeof configured === 'object') return configured;
  const newPassword = () => configured ?? randomBytes(18).toString('base64url');
  return { owner: newPassword(), app: newPassword(), maintenance: newPassword() };
}

/** Reads the passwords from the configured connection URLs. */
function parsePasswords(urls: Record<keyof typeof roles, string>, database: string): Passwords {
  const passwordOf = (kind: keyof typeof roles): string => {
    const { username, password, pathname } = new URL(urls[kind]);
    if (username !== roles[kind] || pathname !== `/${database}` || password === '')
      throw new Error(
        `The URL of the ${kind} role must have the user ${roles[kind]}, a password and the database ${database}`,
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
    process.stdout.write('The roles and the database are ready.\n');
  } else {
    const urls = await provisionDatabase(adminUrl, { database });
    process.stdout.write(
      `DATABASE_URL=${urls.appUrl}\nDATABASE_OWNER_URL=${urls.ownerUrl}\nDATABASE_MAINTENANCE_URL=${urls.maintenanceUrl}\n`,
    );
  }
}
