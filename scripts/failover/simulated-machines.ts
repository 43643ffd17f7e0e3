import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/* Three machines and a proxy on one switch: network namespaces, each with its own address, connected by a bridge. */

export const NODE_NAMES = ['db1', 'db2', 'db3'] as const;

export type NodeName = (typeof NODE_NAMES)[number];

type Machine = NodeName | 'proxy';

/** The last part of each address is the same as in deploy/ha. */
const SUBNET = '10.91.73';

const ADDRESSES: Record<Machine | 'host', string> = {
  host: `${SUBNET}.1`,
  proxy: `${SUBNET}.10`,
  db1: `${SUBNET}.11`,
  db2: `${SUBNET}.12`,
  db3: `${SUBNET}.13`,
};

const MACHINES: readonly Machine[] = [...NODE_NAMES, 'proxy'];

const BRIDGE = 'lessonbook-ha';

const SHIPPED_SUBNET = /10\.0\.0(?=\.\d)/g;

export const addressOf = (machine: Machine): string => ADDRESSES[machine];

/** Replaces the addresses in a file of deploy/ha. */
export const withTestAddresses = (text: string): string => text.replaceAll(SHIPPED_SUBNET, SUBNET);

const namespaceOf = (machine: Machine): string => `lessonbook-${machine}`;

const cableOf = (machine: Machine): string => `lbha-${machine}`;

function ip(...args: string[]): string {
  return execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

const ipIn = (machine: Machine, ...args: string[]): string =>
  ip('-n', namespaceOf(machine), ...args);

/** Runs a command with a higher priority, under the account postgres. */
const AS_POSTGRES = ['nice', '-n', '-10', 'runuser', '-u', 'postgres', '--'];

export const inNamespace = (machine: Machine, command: readonly string[]): string[] => [
  'ip',
  'netns',
  'exec',
  namespaceOf(machine),
  ...AS_POSTGRES,
  ...command,
];

/** Creates the network, after removing the network and processes of an earlier run. */
export function createNetwork(): void {
  removeNetwork();
  if (ip('route', 'show', 'root', `${SUBNET}.0/24`) !== '')
    throw new Error(`${SUBNET}.0/24 is already in use on this machine`);
  ip('link', 'add', BRIDGE, 'type', 'bridge');
  ip('address', 'add', `${ADDRESSES.host}/24`, 'dev', BRIDGE);
  ip('link', 'set', BRIDGE, 'up');
  for (const machine of MACHINES) {
    const namespace = namespaceOf(machine);
    ip('netns', 'add', namespace);
    ip('link', 'add', cableOf(machine), 'type', 'veth', 'peer', 'eth0', 'netns', namespace);
    ip('link', 'set', cableOf(machine), 'master', BRIDGE, 'up');
    ipIn(machine, 'address', 'add', `${addressOf(machine)}/24`, 'dev', 'eth0');
    ipIn(machine, 'link', 'set', 'eth0', 'up');
    ipIn(machine, 'link', 'set', 'lo', 'up');
  }
}

export function removeNetwork(): void {
  for (const machine of MACHINES) {
    if (!existsSync(`/run/netns/${namespaceOf(machine)}`)) continue;
    killAll(machine);
    // Removes both ends immediately; removing the namespace would remove the other end with a delay.
    if (existsSync(`/sys/class/net/${cableOf(machine)}`)) ip('link', 'delete', cableOf(machine));
    ip('netns', 'delete', namespaceOf(machine));
  }
  if (existsSync(`/sys/class/net/${BRIDGE}`)) ip('link', 'delete', BRIDGE);
}

const listProcesses = (machine: Machine): number[] =>
  ip('netns', 'pids', namespaceOf(machine)).split('\n').filter(Boolean).map(Number);

/** Kills everything in the namespace abruptly, like a power failure. */
export function killAll(machine: Machine): void {
  // A process can start another one while the list is being read.
  for (let pids = listProcesses(machine); pids.length > 0; pids = listProcesses(machine))
    for (const pid of pids) sendKill(pid);
}

/** Kills the programs with this name; true if there was one. */
export function killProgram(machine: Machine, program: string): boolean {
  const pids = listProcesses(machine).filter((pid) => readProgramName(pid) === program);
  for (const pid of pids) sendKill(pid);
  return pids.length > 0;
}

function readProgramName(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

export function sendKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has just ended.
  }
}

/** Connections stay open on both sides, but no data arrives. */
export function pullCable(machine: Machine): void {
  ip('link', 'set', cableOf(machine), 'down');
}

export function plugCable(machine: Machine): void {
  ip('link', 'set', cableOf(machine), 'up');
}

/** The machine can no longer answer the other two, but still reaches the proxy. */
export function cutOffFromPeers(node: NodeName): void {
  for (const peer of NODE_NAMES)
    if (peer !== node) ipIn(node, 'route', 'add', 'blackhole', `${addressOf(peer)}/32`);
}

export function reconnectToPeers(node: NodeName): void {
  for (const peer of NODE_NAMES)
    if (peer !== node) ipIn(node, 'route', 'delete', 'blackhole', `${addressOf(peer)}/32`);
}
