import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from 'vite';
import { filesOf } from './manifest.ts';

/** Prints what the first load of each kind of page costs, in gzip kB, from the built files. Run after the build. */

const dist = join(import.meta.dirname, '../dist');
const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest;

const frame = ['index.html', 'src/app/MantineFrame.tsx'];
const shell = [...frame, 'src/app/shell/Shell.tsx'];
const firstLoads: Record<string, string[]> = {
  landing: ['index.html', 'src/pages/Landing.tsx'],
  login: [...frame, 'src/pages/Login.tsx'],
  signup: [...frame, 'src/pages/Signup.tsx'],
  pay: ['index.html', 'src/pages/PayLink.tsx'],
  dashboard: [...shell, 'src/pages/Dashboard.tsx'],
  schedule: [...shell, 'src/pages/Schedule.tsx'],
  reports: [...shell, 'src/pages/Reports.tsx'],
  invoices: [...shell, 'src/pages/Invoices.tsx'],
  invoice: [...shell, 'src/pages/Invoice.tsx'],
  family: [...shell, 'src/pages/Family.tsx'],
  messages: [...shell, 'src/pages/Messages.tsx'],
  notifications: [...shell, 'src/pages/Notifications.tsx'],
  reminders: [...shell, 'src/pages/SettingsReminders.tsx'],
  unsubscribe: ['index.html', 'src/pages/Unsubscribe.tsx'],
  settings: [...shell, 'src/pages/Settings.tsx'],
  'payment-methods': [...shell, 'src/pages/PaymentMethods.tsx'],
  'profile-edit': [...shell, 'src/pages/ProfileEdit.tsx'],
};

for (const [page, entries] of Object.entries(firstLoads)) {
  const files = new Set(entries.flatMap((entry) => [...filesOf(manifest, entry)]));
  const script = await gzipKb([...files].filter((file) => file.endsWith('.js')));
  const style = await gzipKb([...files].filter((file) => file.endsWith('.css')));
  console.log(`${page.padEnd(16)} JS ${script.padStart(6)} kB   CSS ${style.padStart(5)} kB`);
}

async function gzipKb(files: string[]): Promise<string> {
  const sizes = await Promise.all(files.map((file) => stat(join(dist, `${file}.gz`))));
  const bytes = sizes.reduce((sum, file) => sum + file.size, 0);
  return (bytes / 1000).toFixed(1);
}
