import { runProgram, runProgramOrThrow } from './run-program.ts';

const BRIDGE = 'lessonbook-img';
const SUBNET = '172.30.251';
const NAMESPACE_PREFIX = 'lessonbook-image-';

export interface ContainerNetwork {
  /** The address of this machine in the network. */
  readonly hostAddress: string;
  /** Adds a network namespace with one address, and returns both. */
  readonly add: (name: string) => Promise<{ namespace: string; address: string }>;
  readonly remove: () => Promise<void>;
}

/**
 * A network without access to the internet, in which each container has its own address, as in compose. Built with `ip`,
 * because podman's networks need packages and kernel modules that a machine may not have.
 */
export async function createContainerNetwork(): Promise<ContainerNetwork> {
  const names: string[] = [];
  const remove = async () => {
    for (const name of names) await runProgram('ip', ['netns', 'delete', name]);
    await runProgram('ip', ['link', 'delete', BRIDGE]);
  };
  const ip = (...args: readonly string[]) => runProgramOrThrow('ip', args);

  // An interrupted run may have left its network.
  for (const line of (await ip('netns', 'list')).split('\n')) {
    const [name = ''] = line.split(' ');
    if (name.startsWith(NAMESPACE_PREFIX)) names.push(name);
  }
  await remove();
  names.length = 0;
  await ip('link', 'add', BRIDGE, 'type', 'bridge');
  try {
    await ip('address', 'add', `${SUBNET}.1/24`, 'dev', BRIDGE);
    await ip('link', 'set', BRIDGE, 'up');
  } catch (error) {
    await remove();
    throw error;
  }

  return {
    hostAddress: `${SUBNET}.1`,
    remove,
    add: async (name) => {
      const number = names.length + 2;
      const netns = `${NAMESPACE_PREFIX}${name}`;
      const device = `lessonbook-${number}`;
      const address = `${SUBNET}.${number}`;
      names.push(netns);
      await ip('netns', 'add', netns);
      await ip('link', 'add', device, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', netns);
      await ip('link', 'set', device, 'master', BRIDGE, 'up');
      await ip('-n', netns, 'address', 'add', `${address}/24`, 'dev', 'eth0');
      for (const link of ['lo', 'eth0']) await ip('-n', netns, 'link', 'set', link, 'up');
      return { namespace: `/run/netns/${netns}`, address };
    },
  };
}
