/**
 * Writes a .env file with new secrets for compose.yaml: `npm run secrets`. Never overwrites an existing file, because the
 * database cannot be opened without the secrets in it. `--print` writes to the terminal instead. Needs only Node; `npm ci` is not
 * required.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const example = new URL('../.env.example', import.meta.url);
const file = fileURLToPath(new URL('../.env', import.meta.url));

const newPassword = () => randomBytes(24).toString('base64url');
const newKey = () => randomBytes(32).toString('base64');
const databaseUrl = (role: string, secret: string, database: string) =>
  `postgres://${role}:${secret}@db:5432/${database}`;

function generateSecrets(): Record<string, string> {
  const admin = newPassword();
  return {
    POSTGRES_PASSWORD: admin,
    DATABASE_ADMIN_URL: databaseUrl('postgres', admin, 'postgres'),
    DATABASE_OWNER_URL: databaseUrl('lessonbook_owner', newPassword(), 'lessonbook'),
    DATABASE_MAINTENANCE_URL: databaseUrl('lessonbook_maintenance', newPassword(), 'lessonbook'),
    DATABASE_URL: databaseUrl('lessonbook_app', newPassword(), 'lessonbook'),
    SECRET_KEY: newKey(),
    ENCRYPTION_KEYS: `k${new Date().getFullYear()}:${newKey()}`,
    METRICS_TOKEN: newPassword(),
  };
}

/** Fills in the secrets in the example file; settings that only the operator knows are left empty. */
function fillTemplate(template: string): string {
  const values = generateSecrets();
  const lines = template.split('\n').filter((line) => !line.includes('npm run secrets'));
  return lines
    .map((line) => line.replace(/^(\w+)=$/, (_, name: string) => `${name}=${values[name] ?? ''}`))
    .join('\n');
}

const text = fillTemplate(readFileSync(example, 'utf8'));
if (process.argv.includes('--print')) process.stdout.write(text);
else if (existsSync(file)) {
  console.error(
    '.env already exists, and the database needs its secrets. To create a new one, rename the existing file first.',
  );
  process.exitCode = 1;
} else {
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  console.log('.env was written. Fill in APP_URL, SMTP_URL and MAIL_FROM.');
}
