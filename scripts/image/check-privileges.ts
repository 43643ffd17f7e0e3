import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import type { RunningContainer } from './container.ts';

const probe = readFileSync(new URL('in-container-privilege-probe.ts', import.meta.url), 'utf8');

interface ProbeReport {
  processes: Record<string, string>[];
  writableMounts: { path: string; type: string; options: string }[];
  writes: Record<string, string>;
  temporaryFiles: string[];
  temporaryBytes: number;
}

const KERNEL_FILE_SYSTEMS = ['proc', 'sysfs', 'devpts', 'mqueue', 'cgroup', 'cgroup2'];
const UID = '1000';
/** Mounted by the container engine: the hosts and DNS files, devices, shared memory, and cgroups, which root owns. */
const ENGINE_MOUNTS =
  /^\/(dev|dev\/shm|etc\/(hosts|hostname|resolv\.conf)|run\/\.containerenv|run\/secrets|sys\/fs\/cgroup)$|^\/proc\//;

/** Asserts that the container's processes are unprivileged and can write only to its temporary folder. */
export async function checkPrivileges(container: RunningContainer): Promise<ProbeReport> {
  const report = JSON.parse(await container.runProbe(probe)) as ProbeReport;
  const where = `in ${container.name}`;
  assert(report.processes.length >= 2, `the program and the probe run ${where}`);
  for (const status of report.processes) {
    const who = `${status['Name']} ${where}`;
    const uids = (status['Uid'] ?? '').split('\t');
    assert.deepEqual([...new Set(uids)], [UID], `${who} must run as the user ${UID}`);
    const gids = (status['Gid'] ?? '').split('\t');
    assert.deepEqual([...new Set(gids)], [UID], `${who} must run as the group ${UID}`);
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
      assert.match(status[set] ?? '', /^0+$/, `${who} must have no capabilities (${set})`);
    assert.equal(status['NoNewPrivs'], '1', `${who} must not be able to gain privileges`);
    assert.equal(status['Seccomp'], '2', `${who} must run with a seccomp filter`);
  }
  const mounts = report.writableMounts.filter(
    ({ path, type }) => !KERNEL_FILE_SYSTEMS.includes(type) && !ENGINE_MOUNTS.test(path),
  );
  assert.deepEqual(
    mounts.map(({ path, type }) => `${path} ${type}`),
    ['/tmp tmpfs'],
    `only /tmp may be writable ${where}`,
  );
  for (const option of ['noexec', 'nosuid', 'nodev'])
    assert(mounts[0]?.options.split(',').includes(option), `/tmp must be ${option} ${where}`);
  const { '/tmp': temporary, '/dev/shm': _, '/sys/fs/cgroup': groups, ...others } = report.writes;
  assert.equal(temporary, 'written', `/tmp must be writable ${where}`);
  assert.match(groups ?? '', /^(EACCES|EROFS)$/, `control groups must be read-only ${where}`);
  for (const [folder, outcome] of Object.entries(others))
    assert.equal(outcome, 'EROFS', `${folder} must be read-only ${where}`);
  return report;
}

/** Asserts that the container has written nothing outside its temporary folder. */
export async function checkNothingWritten(container: RunningContainer): Promise<void> {
  const changed = await container.listChangedFiles();
  // The engine creates these folders as mount points.
  const written = changed.filter(
    (line) =>
      !/^C \/\w+$|^[AC] \/(run\/\.containerenv|run\/secrets|etc\/mtab|dev\/init|run\/podman-init)?$/.test(
        line,
      ) && line !== '',
  );
  assert.deepEqual(written, [], `${container.name} must not write to its file system`);
}
