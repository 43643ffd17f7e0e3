import { type ChildProcess, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sendToReaper } from '@lessonbook/test-env/child-reaper';
import { getPostgresSystemAccount } from '@lessonbook/test-env/postgres-system-account';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import {
  dataDirectory,
  PASSWORD,
  readEtcdEnvironment,
  writeHaproxyConfig,
  writePatroniConfig,
} from './config-files.ts';
import {
  addressOf,
  createNetwork,
  inNamespace,
  killAll,
  killProgram,
  NODE_NAMES,
  type NodeName,
  removeNetwork,
  sendKill,
} from './simulated-machines.ts';

interface Member {
  name: NodeName;
  role: string;
  state: string;
  timeline?: number;
  lag?: number | 'unknown';
}

/** A standby as its primary sees it. */
interface Replication {
  application_name: string;
  state: string;
  sync_state: string;
}

const POLL_MS = 200;
const REQUEST_TIMEOUT_MS = 2_000;
const START_TIMEOUT_MS = 120_000;
/** Long, because a former primary may have to copy the whole database. */
const HEALTHY_TIMEOUT_MS = 180_000;

/** Patroni, etcd and PostgreSQL on three machines, and HAProxy on a fourth, with the configuration in deploy/ha. */
export class Cluster {
  readonly directory: string;
  readonly adminUrl = `postgres://postgres:${PASSWORD}@${addressOf('proxy')}:5432/postgres`;
  readonly #account = getPostgresSystemAccount();
  readonly #directories: Record<NodeName | 'proxy', string>;
  readonly #synchronous: boolean;

  constructor(synchronous: boolean) {
    this.#synchronous = synchronous;
    this.directory = mkdtempSync(join(tmpdir(), 'lessonbook-failover-'));
    chmodSync(this.directory, 0o755);
    sendToReaper({ remove: this.directory });
    const create = (name: string): string => {
      const directory = join(this.directory, name);
      mkdirSync(directory, { mode: 0o700 });
      if (this.#account) chownSync(directory, this.#account.uid, this.#account.gid);
      return directory;
    };
    this.#directories = {
      db1: create('db1'),
      db2: create('db2'),
      db3: create('db3'),
      proxy: create('proxy'),
    };
  }

  async start(): Promise<void> {
    createNetwork();
    for (const node of NODE_NAMES) this.startEtcd(node);
    for (const node of NODE_NAMES) this.#startPatroni(node);
    const proxyConfig = writeHaproxyConfig(this.directory);
    this.#spawn('proxy', 'haproxy', ['haproxy', '-db', '-f', proxyConfig]);
    await this.waitUntilHealthy(START_TIMEOUT_MS);
  }

  stop(): void {
    removeNetwork();
    rmSync(this.directory, { recursive: true, force: true });
  }

  startEtcd(node: NodeName): void {
    const variables = readEtcdEnvironment(node, this.#directories[node]);
    const assignments = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    this.#spawn(node, 'etcd', ['env', ...assignments, 'etcd']);
  }

  /** Starts the programs that a killed machine runs when it is switched on again. */
  startNode(node: NodeName): void {
    this.startEtcd(node);
    this.#startPatroni(node);
  }

  #startPatroni(node: NodeName): void {
    const config = writePatroniConfig(node, this.#directories[node], this.#synchronous);
    if (this.#account) chownSync(config, this.#account.uid, this.#account.gid);
    this.#spawn(node, 'patroni', ['patroni', config]);
  }

  #spawn(machine: NodeName | 'proxy', program: string, command: string[]): void {
    const log = openSync(this.#logFile(machine, program), 'a');
    const [executable = '', ...args] = inNamespace(machine, command);
    const child: ChildProcess = spawn(executable, args, {
      cwd: this.#directories[machine],
      stdio: ['ignore', log, log],
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' },
    });
    if (child.pid !== undefined) sendToReaper({ track: { pid: child.pid, signal: 'SIGKILL' } });
    child.once('exit', () => {
      if (child.pid !== undefined) sendToReaper({ untrack: child.pid });
    });
    child.unref();
  }

  #logFile(machine: NodeName | 'proxy', program: string): string {
    return join(this.directory, `${machine}-${program}.log`);
  }

  #readLogTail(node: NodeName): string {
    return readFileSync(this.#logFile(node, 'patroni'), 'utf8').split('\n').slice(-15).join('\n');
  }

  killNode(node: NodeName): void {
    killAll(node);
  }

  killEtcd(node: NodeName): void {
    if (!killProgram(node, 'etcd')) throw new Error(`etcd is not running on ${node}`);
  }

  killPostmaster(node: NodeName): void {
    const file = join(dataDirectory(this.#directories[node]), 'postmaster.pid');
    sendKill(Number(readFileSync(file, 'utf8').split('\n', 1)[0]));
  }

  /** The members as reported by one of the machines; null if none responds. */
  async members(): Promise<Member[] | null> {
    for (const node of NODE_NAMES) {
      try {
        const response = await fetch(`http://${addressOf(node)}:8008/cluster`, {
          signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
        });
        return ((await response.json()) as { members: Member[] }).members;
      } catch {
        // The next machine may respond.
      }
    }
    return null;
  }

  /** The machines that report being the primary. */
  async primaries(): Promise<NodeName[]> {
    const answers = await Promise.all(
      NODE_NAMES.map(async (node) => {
        try {
          const { status } = await fetch(`http://${addressOf(node)}:8008/primary`, {
            method: 'OPTIONS',
            signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
          });
          return status === 200 ? [node] : [];
        } catch {
          return [];
        }
      }),
    );
    return answers.flat();
  }

  async primary(): Promise<NodeName> {
    const [primary] = await this.primaries();
    if (!primary) throw new Error('There is no primary');
    return primary;
  }

  async synchronousStandby(): Promise<NodeName> {
    const found = (await this.members())?.find(({ role }) => role === 'sync_standby');
    if (!found) throw new Error('There is no synchronous standby');
    return found.name;
  }

  /** The standbys as reported by the primary, because etcd's information can be older. */
  async #replications(): Promise<Replication[]> {
    const [primary] = await this.primaries();
    if (!primary) return [];
    const response = await fetch(`http://${addressOf(primary)}:8008/patroni`, {
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    return ((await response.json()) as { replication?: Replication[] }).replication ?? [];
  }

  /** Waits for one primary and two standbys that follow it, one of them synchronously. */
  async waitUntilHealthy(ms = HEALTHY_TIMEOUT_MS): Promise<void> {
    let members: Member[] | null = null;
    let replications: Replication[] = [];
    const isHealthy = async () => {
      await pause(POLL_MS);
      members = await this.members();
      replications = await this.#replications().catch(() => []);
      return (
        isHealthyCluster(members ?? [], this.#synchronous) &&
        isReplicating(replications, this.#synchronous)
      );
    };
    const describe = () =>
      [
        `The cluster is not healthy: ${JSON.stringify({ members, replications })}`,
        ...NODE_NAMES.map((node) => `${node}:\n${this.#readLogTail(node)}`),
      ].join('\n');
    await waitUntil(isHealthy, describe, ms);
  }

  async switchover(from: NodeName, to: NodeName): Promise<void> {
    const response = await fetch(`http://${addressOf(from)}:8008/switchover`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`patroni:${PASSWORD}`)}` },
      body: JSON.stringify({ leader: from, candidate: to }),
    });
    const answer = await response.text();
    appendFileSync(join(this.directory, 'switchover.log'), `${response.status} ${answer}\n`);
    if (!response.ok) throw new Error(`The switchover was refused: ${answer}`);
  }
}

export const isReplicating = (
  replications: readonly Replication[],
  synchronous: boolean,
): boolean =>
  NODE_NAMES.filter((name) =>
    replications.some((each) => each.application_name === name && each.state === 'streaming'),
  ).length ===
    NODE_NAMES.length - 1 &&
  (!synchronous || replications.some(({ sync_state: state }) => state === 'sync'));

export function isHealthyCluster(members: readonly Member[], synchronous: boolean): boolean {
  const leader = members.find(({ role }) => role === 'leader');
  const standbys = members.filter(({ role }) => role !== 'leader');
  const isFollowing = ({ state, timeline, lag }: Member) =>
    // Patroni 3.0.2 says "running" for a standby, later versions "streaming".
    (state === 'running' || state === 'streaming') &&
    timeline === leader?.timeline &&
    typeof lag === 'number' &&
    lag < 1_000_000;
  return (
    leader?.state === 'running' &&
    standbys.length === NODE_NAMES.length - 1 &&
    standbys.every(isFollowing) &&
    (!synchronous || standbys.some(({ role }) => role === 'sync_standby'))
  );
}
