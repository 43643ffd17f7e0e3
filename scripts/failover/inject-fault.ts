import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '@lessonbook/server/src/test/model/random.ts';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import type { Cluster } from './cluster.ts';
import type { FaultKind } from './fault-plan.ts';
import {
  cutOffFromPeers,
  NODE_NAMES,
  type NodeName,
  plugCable,
  pullCable,
  reconnectToPeers,
} from './simulated-machines.ts';

/** Longer than any limit, so that a late recovery is measured and reported. */
const TIMEOUT_MS = 120_000;
const POLL_MS = 100;
/** Longer than Patroni's ttl: whatever still works after this time does not depend on the missing machine. */
const LONGER_THAN_TTL_MS = 25_000;
/** How long to leave the service unavailable after the primary has demoted itself. */
const OUTAGE_MS = 5_000;
/** A killed server is certain to be unreachable after this time. */
const KILLED_MS = 500;

export interface InjectedFault {
  /** The machines affected. */
  detail: string;
  startedAt: number;
  /** When the cause was removed, for a fault that ends only then; otherwise null. */
  repairedAt: number | null;
  /** Writes sent after this time reach a primary that can accept them. */
  primaryAt: number;
  /** True if the new primary and the former one both reported being the primary at the same time. */
  hadTwoPrimaries: boolean;
  /** Brings the machine back into operation. */
  repair: () => void;
}

const NOTHING_TO_REPAIR = { hadTwoPrimaries: false, repair: () => undefined };

type Injector = (cluster: Cluster, random: Random) => Promise<InjectedFault>;

export async function waitForPrimary(
  cluster: Cluster,
  isExpected: (node: NodeName) => boolean,
): Promise<number> {
  await waitUntil(
    async () => {
      await pause(POLL_MS);
      return (await cluster.primaries()).some(isExpected);
    },
    () => 'No primary was elected',
    TIMEOUT_MS,
  );
  return performance.now();
}

/** A fault on the primary, after which another machine takes over. */
async function replacePrimary(
  cluster: Cluster,
  causeFault: (node: NodeName) => void,
  repair: (node: NodeName) => void,
): Promise<InjectedFault> {
  const primary = await cluster.primary();
  const startedAt = performance.now();
  causeFault(primary);
  const seen = { pollsWithTwoPrimaries: 0, next: null as NodeName | null };
  await waitUntil(
    async () => {
      await pause(POLL_MS);
      const primaries = await cluster.primaries();
      // A single response can date from just before the former primary demoted itself.
      seen.pollsWithTwoPrimaries = primaries.length > 1 ? seen.pollsWithTwoPrimaries + 1 : 0;
      seen.next = primaries.find((node) => node !== primary) ?? null;
      return seen.next !== null && seen.pollsWithTwoPrimaries !== 1;
    },
    () => 'No other primary was elected',
    TIMEOUT_MS,
  );
  return {
    detail: `${primary} → ${seen.next ?? ''}`,
    startedAt,
    repairedAt: null,
    primaryAt: performance.now(),
    hadTwoPrimaries: seen.pollsWithTwoPrimaries > 1,
    repair: () => repair(primary),
  };
}

/** A fault on the synchronous standby, after which the other standby becomes synchronous. */
async function replaceStandby(
  cluster: Cluster,
  causeFault: (node: NodeName) => void,
  repair: (node: NodeName) => void,
): Promise<InjectedFault> {
  const standby = await cluster.synchronousStandby();
  const startedAt = performance.now();
  causeFault(standby);
  const isReplaced = async () => {
    await pause(POLL_MS);
    const members = (await cluster.members()) ?? [];
    return members.some(({ name, role }) => role === 'sync_standby' && name !== standby);
  };
  await waitUntil(isReplaced, () => `${standby} was not replaced`, TIMEOUT_MS);
  return {
    detail: standby,
    startedAt,
    repairedAt: null,
    primaryAt: performance.now(),
    hadTwoPrimaries: false,
    repair: () => repair(standby),
  };
}

async function killPostmaster(cluster: Cluster): Promise<InjectedFault> {
  const primary = await cluster.primary();
  const startedAt = performance.now();
  cluster.killPostmaster(primary);
  await pause(KILLED_MS);
  const primaryAt = await waitForPrimary(cluster, () => true);
  return { detail: primary, startedAt, repairedAt: null, primaryAt, ...NOTHING_TO_REPAIR };
}

async function switchOver(cluster: Cluster): Promise<InjectedFault> {
  const primary = await cluster.primary();
  const candidate = await cluster.synchronousStandby();
  const startedAt = performance.now();
  await cluster.switchover(primary, candidate);
  const primaryAt = await waitForPrimary(cluster, (node) => node === candidate);
  const detail = `${primary} → ${candidate}`;
  return { detail, startedAt, repairedAt: null, primaryAt, ...NOTHING_TO_REPAIR };
}

async function killEtcdMinority(cluster: Cluster, random: Random): Promise<InjectedFault> {
  const node = random.pick(NODE_NAMES);
  const startedAt = performance.now();
  cluster.killEtcd(node);
  await pause(LONGER_THAN_TTL_MS);
  return {
    detail: node,
    startedAt,
    repairedAt: null,
    primaryAt: performance.now(),
    hadTwoPrimaries: false,
    repair: () => cluster.startEtcd(node),
  };
}

async function killEtcdMajority(cluster: Cluster, random: Random): Promise<InjectedFault> {
  const survivor = random.pick(NODE_NAMES);
  const killed = NODE_NAMES.filter((node) => node !== survivor);
  const startedAt = performance.now();
  for (const node of killed) cluster.killEtcd(node);
  await waitUntil(
    async () => {
      await pause(POLL_MS);
      return (await cluster.primaries()).length === 0;
    },
    () => 'The primary kept running without an etcd majority',
    TIMEOUT_MS,
  );
  await pause(OUTAGE_MS);
  const repairedAt = performance.now();
  for (const node of killed) cluster.startEtcd(node);
  const primaryAt = await waitForPrimary(cluster, () => true);
  const detail = `${killed.join(' and ')}; unavailable after ${((repairedAt - OUTAGE_MS - startedAt) / 1000).toFixed(1)} s`;
  return { detail, startedAt, repairedAt, primaryAt, ...NOTHING_TO_REPAIR };
}

export const INJECTORS: Record<FaultKind, Injector> = {
  postmaster: killPostmaster,
  node: (cluster) =>
    replacePrimary(
      cluster,
      (node) => cluster.killNode(node),
      (node) => cluster.startNode(node),
    ),
  cable: (cluster) => replacePrimary(cluster, pullCable, plugCable),
  'cut-off': (cluster) => replacePrimary(cluster, cutOffFromPeers, reconnectToPeers),
  switchover: switchOver,
  standby: (cluster) =>
    replaceStandby(
      cluster,
      (node) => cluster.killNode(node),
      (node) => cluster.startNode(node),
    ),
  'standby-cable': (cluster) => replaceStandby(cluster, pullCable, plugCable),
  'etcd-minority': killEtcdMinority,
  'etcd-majority': killEtcdMajority,
};
