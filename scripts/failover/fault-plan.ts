import { Random } from '@lessonbook/server/src/test/model/random.ts';

const SECOND = 1_000;

interface FaultDefinition {
  description: string;
  /**
   * What is measured: the time from the fault or from the repair until each API acknowledges a write again; or the longest
   * time between two acknowledged writes, for faults that need not interrupt the writes.
   */
  measured: 'from fault' | 'from repair' | 'longest pause';
  limitMs: number;
}

export const FAULTS = {
  postmaster: {
    description: 'PostgreSQL of the primary killed',
    measured: 'from fault',
    limitMs: 30 * SECOND,
  },
  node: {
    description: 'machine of the primary killed',
    measured: 'from fault',
    limitMs: 30 * SECOND,
  },
  cable: {
    description: 'cable of the primary pulled',
    measured: 'from fault',
    limitMs: 30 * SECOND,
  },
  'cut-off': {
    description: 'primary cut off from the others only',
    measured: 'from fault',
    limitMs: 30 * SECOND,
  },
  switchover: { description: 'planned switchover', measured: 'from fault', limitMs: 10 * SECOND },
  standby: {
    description: 'machine of the standby killed',
    measured: 'longest pause',
    limitMs: 15 * SECOND,
  },
  'standby-cable': {
    description: 'cable of the standby pulled',
    measured: 'longest pause',
    limitMs: 15 * SECOND,
  },
  'etcd-minority': {
    description: 'etcd killed on one machine',
    measured: 'longest pause',
    limitMs: 5 * SECOND,
  },
  'etcd-majority': {
    description: 'etcd killed on two machines',
    measured: 'from repair',
    limitMs: 30 * SECOND,
  },
} satisfies Record<string, FaultDefinition>;

export type FaultKind = keyof typeof FAULTS;
export const FAULT_KINDS = Object.keys(FAULTS) as FaultKind[];

const SHORT: readonly FaultKind[] = ['switchover', 'node', 'standby-cable', 'etcd-majority'];

/** The short form injects four faults in random order; the long form injects all kinds, or those in `only`, equally often. */
export function planFaults(
  form: { size: 'short' | 'long'; only: readonly FaultKind[] },
  count: number,
  seed: number,
): FaultKind[] {
  const random = new Random(seed ^ 0x6661696c);
  const kinds = form.only.length > 0 ? form.only : form.size === 'short' ? SHORT : FAULT_KINDS;
  if (kinds === SHORT) return shuffled(SHORT, random);
  const plan: FaultKind[] = [];
  while (plan.length < count) plan.push(...shuffled(kinds, random));
  return plan.slice(0, count);
}

export const isFaultKind = (name: string): name is FaultKind => Object.hasOwn(FAULTS, name);

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const rest = [...list];
  return Array.from(list, () => rest.splice(random.between(0, rest.length - 1), 1)[0] as T);
}
