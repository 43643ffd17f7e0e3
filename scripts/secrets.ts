/**
 * Writes a .env with fresh secrets for compose.yaml: `npm run secrets`. Never over one that is there: its secrets would be
 * lost, and with them the database. `--print` writes to the terminal instead. Needs Node alone, no npm ci.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const example = new URL('../.env.example', import.meta.url);
const file = fileURLToPath(new URL('../.env', import.meta.url));

const password = () => randomBytes(24).toString('base64url');
const key = () => randomBytes(32).toString('base64');
const address = (role: string, secret: string, database: string) =>
  `postgres://${role}:${secret}@db:5432/${database}`;

function secrets(): Record<string, string> {
  const admin = password();
  return {
    POSTGRES_PASSWORD: admin,
    DATABASE_ADMIN_URL: address('postgres', admin, 'postgres'),
    DATABASE_OWNER_URL: address('lessonbook_owner', password(), 'lessonbook'),
    DATABASE_MAINTENANCE_URL: address('lessonbook_maintenance', password(), 'lessonbook'),
    DATABASE_URL: address('lessonbook_app', password(), 'lessonbook'),
    SECRET_KEY: key(),
    SEALING_KEYS: `k${new Date().getFullYear()}:${key()}`,
    METRICS_TOKEN: password(),
  };
}

/** The example with its empty lines filled; what only the operator knows stays empty. */
function filled(template: string): string {
  const values = secrets();
  const lines = template.split('\n').filter((line) => !line.includes('npm run secrets'));
  return lines
    .map((line) => line.replace(/^(\w+)=$/, (_, name: string) => `${name}=${values[name] ?? ''}`))
    .join('\n');
}

const text = filled(readFileSync(example, 'utf8'));
if (process.argv.includes('--print')) process.stdout.write(text);
else if (existsSync(file)) {
  console.error(
    '.env is there already. Its secrets open the database: move it away first if you mean it.',
  );
  process.exitCode = 1;
} else {
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  console.log('.env was written. Fill in APP_URL, SMTP_URL and MAIL_FROM.');
}
