/** Runs inside a container and prints what its processes may do, as JSON. Read as text by `check-privileges.ts`. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';

const FOLDERS = [
  '/',
  '/app',
  '/app/apps/server/src',
  '/app/node_modules',
  '/app/web',
  '/etc',
  '/home/node',
  '/run',
  '/sys/fs/cgroup',
  '/tmp',
  '/usr/local/bin',
  '/var/tmp',
  '/dev/shm',
];

function tryToWrite(folder: string): string {
  const file = `${folder}/written-by-probe`;
  try {
    writeFileSync(file, '');
    rmSync(file);
    return 'written';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

const readStatus = (id: string) =>
  Object.fromEntries(
    readFileSync(`/proc/${id}/status`, 'utf8')
      .split('\n')
      .map((line) => line.split(/:\s+/) as [string, string]),
  );

const processes = readdirSync('/proc')
  .filter((name) => /^\d+$/.test(name))
  .map((id) => readStatus(id));

/** Writable mounts, except those of the kernel. */
const writableMounts = readFileSync('/proc/self/mountinfo', 'utf8')
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ');
    const [, , , , path = '', options = ''] = before.split(' ');
    const [type = ''] = after.split(' ');
    return options.split(',').includes('rw') ? [{ path, type, options }] : [];
  });

const temporaryFiles = readdirSync('/tmp', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`);

console.log(
  JSON.stringify({
    processes,
    writableMounts,
    writes: Object.fromEntries(FOLDERS.map((folder) => [folder, tryToWrite(folder)])),
    temporaryFiles,
    temporaryBytes: temporaryFiles.reduce((sum, file) => sum + statSync(file).size, 0),
  }),
);
