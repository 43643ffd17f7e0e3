import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type TimedResponse, WRITE } from './database-network-outage/timed-tutor-load.ts';
import { isHealthyCluster, isReplicating } from './failover/cluster.ts';
import { createPatroniConfig, readEtcdEnvironment } from './failover/config-files.ts';
import { FAULT_KINDS, planFaults } from './failover/fault-plan.ts';
import { isWritingAgain, measureInterruption } from './failover/measure-write-interruption.ts';

const readDeployed = (name: string): string =>
  readFileSync(new URL(`../deploy/ha/${name}`, import.meta.url), 'utf8');

const response = (api: string, endedAt: number, status = 201): TimedResponse => ({
  api,
  operation: WRITE,
  startedAt: endedAt - 10,
  endedAt,
  status,
  hasRetryAfter: status === 503,
});

test('the shipped files are filled in with the name and addresses of each machine', () => {
  const etcd = readEtcdEnvironment('db2', '/run/db2');
  expect(etcd).toMatchObject({
    ETCD_NAME: 'db2',
    ETCD_DATA_DIR: '/run/db2/etcd',
    ETCD_LISTEN_PEER_URLS: 'http://10.91.73.12:2380',
    ETCD_ADVERTISE_CLIENT_URLS: 'http://10.91.73.12:2379',
    ETCD_INITIAL_CLUSTER:
      'db1=http://10.91.73.11:2380,db2=http://10.91.73.12:2380,db3=http://10.91.73.13:2380',
  });
  const patroni = createPatroniConfig('db3', '/run/db3', { synchronous: true, binDir: '/bin' });
  expect(patroni).toMatchObject({
    name: 'db3',
    restapi: { listen: '10.91.73.13:8008', connect_address: '10.91.73.13:8008' },
    etcd: { hosts: ['10.91.73.11:2379', '10.91.73.12:2379', '10.91.73.13:2379'] },
    postgresql: {
      listen: '10.91.73.13,127.0.0.1:5432',
      connect_address: '10.91.73.13:5432',
      data_dir: '/run/db3/postgresql',
    },
  });
  expect(JSON.stringify(patroni)).not.toContain('change-this');
});

test('only the control runs without synchronous replication', () => {
  const modeWith = (synchronous: boolean) =>
    createPatroniConfig('db1', '/run/db1', { synchronous, binDir: '/bin' }).bootstrap.dcs
      .synchronous_mode;
  expect([modeWith(true), modeWith(false)]).toEqual([true, false]);
  expect(readDeployed('patroni.yml')).toMatch(/^ {4}synchronous_mode: true$/m);
});

test('a primary demotes itself before its leader key expires', () => {
  const value = (name: string) =>
    Number(new RegExp(`^ {4}${name}: (\\d+)$`, 'm').exec(readDeployed('patroni.yml'))?.[1]);
  expect(value('loop_wait') + 2 * value('retry_timeout')).toBeLessThan(value('ttl'));
});

test('the long run injects every kind of fault equally often, and a seed repeats the order', () => {
  const long = { size: 'long', only: [] } as const;
  const plan = planFaults(long, 54, 7);
  expect(plan).toEqual(planFaults(long, 54, 7));
  expect(plan).not.toEqual(planFaults(long, 54, 8));
  for (const kind of FAULT_KINDS)
    expect(plan.filter((each) => each === kind)).toHaveLength(54 / FAULT_KINDS.length);
  expect(planFaults({ size: 'short', only: [] }, 54, 7)).toHaveLength(4);
  expect(planFaults({ size: 'short', only: ['cut-off'] }, 2, 7)).toEqual(['cut-off', 'cut-off']);
});

test('the interruption is measured on the API that was interrupted for longest', () => {
  const responses = [
    response('a', 900),
    response('a', 1_100),
    response('b', 1_150),
    response('a', 1_500, 503),
    response('a', 4_000),
    response('b', 6_000),
    response('a', 6_100),
    response('b', 6_200),
  ];
  expect(measureInterruption(responses, ['a', 'b'], 1_000, 6_300)).toEqual({
    pauseMs: 4_850,
    resumedAfterMs: 5_000,
  });
  expect(isWritingAgain(responses, ['a', 'b'], 5_000)).toBe(true);
  // The last write on b was sent before that time.
  expect(isWritingAgain(responses, ['a', 'b'], 6_195)).toBe(false);
  expect(isWritingAgain(responses, ['a', 'b'], 1_200)).toBe(true);
});

test('if no further write succeeds, the interruption lasts until the end of the period', () => {
  const responses = [response('a', 1_100), response('a', 2_000, 503)];
  expect(measureInterruption(responses, ['a'], 1_000, 9_000)).toEqual({
    pauseMs: 7_900,
    resumedAfterMs: 8_000,
  });
  expect(isWritingAgain(responses, ['a'], 1_200)).toBe(false);
});

test("a cluster is healthy with two standbys on the primary's timeline", () => {
  const leader = { name: 'db1', role: 'leader', state: 'running', timeline: 3 } as const;
  const sync = {
    name: 'db2',
    role: 'sync_standby',
    state: 'running',
    timeline: 3,
    lag: 0,
  } as const;
  const replica = {
    name: 'db3',
    role: 'replica',
    state: 'streaming',
    timeline: 3,
    lag: 0,
  } as const;
  expect(isHealthyCluster([leader, sync, replica], true)).toBe(true);
  expect(isHealthyCluster([leader, sync], true)).toBe(false);
  expect(isHealthyCluster([leader, sync, { ...replica, timeline: 2 }], true)).toBe(false);
  expect(isHealthyCluster([leader, sync, { ...replica, state: 'starting' }], true)).toBe(false);
  const asynchronous = [leader, { ...sync, role: 'replica' }, replica];
  expect(isHealthyCluster(asynchronous, true)).toBe(false);
  expect(isHealthyCluster(asynchronous, false)).toBe(true);
});

test("a standby counts as replicating only while it is streaming the primary's log", () => {
  const standby = (name: string, state: string, syncState: string) => ({
    application_name: name,
    state,
    sync_state: syncState,
  });
  const sync = standby('db2', 'streaming', 'sync');
  expect(isReplicating([sync, standby('db3', 'streaming', 'async')], true)).toBe(true);
  expect(isReplicating([sync, standby('db3', 'catchup', 'async')], true)).toBe(false);
  expect(isReplicating([sync], true)).toBe(false);
  // A second WAL receiver on the same standby.
  expect(isReplicating([sync, standby('db2', 'streaming', 'async')], true)).toBe(false);
  expect(isReplicating([sync, standby('backup', 'streaming', 'async')], true)).toBe(false);
});
