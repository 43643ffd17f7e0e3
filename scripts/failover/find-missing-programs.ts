import { existsSync, readdirSync } from 'node:fs';

/** The Debian programs that the run needs but that are not installed. */
export function findMissingPrograms(): string[] {
  const needed = ['ip', 'patroni', 'etcd', 'haproxy', 'runuser', 'nice'];
  const folders = (process.env['PATH'] ?? '').split(':').concat('/usr/sbin', '/sbin');
  const isInstalled = (name: string) => folders.some((folder) => existsSync(`${folder}/${name}`));
  const hasPostgres =
    existsSync('/usr/lib/postgresql') && readdirSync('/usr/lib/postgresql').length;
  return [...needed.filter((name) => !isInstalled(name)), ...(hasPostgres ? [] : ['postgresql'])];
}
